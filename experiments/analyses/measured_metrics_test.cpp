#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/kinds/kind.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/trace/database/trace_database.h"

namespace weir::experiments::analyses {
namespace {

using nlohmann::json;

// Tolerance for means of whole cycles, each rounded once.
constexpr double kRounding = 1e-6;

// Compares metrics of a small run with each other and with the rows of its trace.
class MeasuredMetricsTest : public ProgramTest {
  protected:
    MeasuredMetricsTest() {
        write("remap.toml", kSmallRemap);
        write("spmv.toml", kSmallSpmv);
    }

    [[nodiscard]] json run(const std::string& experiment, Arguments options = {}) const {
        options.insert(options.begin(),
                       {"--out", "run", "--set", R"(models.compare=["logp", "lopc"])"});
        return result_of(experiment, options);
    }
    /// Results of a query on the run's trace, all as integers.
    [[nodiscard]] std::vector<std::vector<std::int64_t>> rows(const std::string& sql) const {
        const trace::TraceDatabase trace =
            trace::TraceDatabase::open(file("run/point-01-seed-1/trace.weir"));
        trace::Statement statement(trace, sql);
        std::vector<std::vector<std::int64_t>> rows;
        while (statement.step()) {
            rows.emplace_back();
            for (int column = 0; column < statement.columns(); ++column) {
                rows.back().push_back(statement.integer(column));
            }
        }
        return rows;
    }
};

double sum_of(const json& parts) {
    double sum = 0.0;
    for (const auto& part : parts) {
        sum += part.get<double>();
    }
    return sum;
}

TEST_F(MeasuredMetricsTest, PartsOfARoundTripSumToIt) {
    for (const char* experiment : {"remap.toml", "spmv.toml"}) {
        const json result = run(experiment);
        EXPECT_NEAR(sum_of(result.at("round_trip")),
                    result.at("measured").at("cycles_per_iteration").get<double>(), kRounding)
            << experiment;
        std::filesystem::remove_all(file("run"));
    }
}

// Interference computed independently, from the core's intervals alone. It is the time of handlers
// from the end of a node's reply handler to the launch of its next request.
TEST_F(MeasuredMetricsTest, InterferenceIsTheHandlersTimeBeforeTheLaunch) {
    const json result = run("remap.toml", {"--set", "workload.work_cycles=200"});
    const std::int64_t end =
        rows("SELECT min(cycle) FROM marks WHERE name = 'steady state ends'").front().front();
    const auto requests = rows(
        "SELECT source_node, launch_cycle FROM messages WHERE parent_message_id IS NULL "
        "ORDER BY source_node, launch_cycle");
    const auto replies = rows(
        "SELECT destination_node, handler_end_cycle FROM messages WHERE parent_message_id IS NOT "
        "NULL ORDER BY destination_node, handler_end_cycle");
    std::map<std::int64_t, std::vector<std::vector<std::int64_t>>> handlers;
    for (const auto& interval :
         rows("SELECT node, begin_cycle, end_cycle FROM core_intervals JOIN core_states USING "
              "(state) WHERE name = 'handler'")) {
        handlers[interval[0]].push_back(interval);
    }
    ASSERT_EQ(requests.size(), replies.size());
    double interference = 0.0;
    double iterations = 0.0;
    for (std::size_t i = 1; i < requests.size(); ++i) {
        const std::int64_t node = requests[i][0];
        const std::int64_t begin = replies[i - 1][1];
        const std::int64_t launch = requests[i][1];
        if (replies[i - 1][0] != node || replies[i][1] >= end) {
            continue;  // skips the node's first request, and requests after the steady state
        }
        iterations += 1.0;
        for (const auto& handler : handlers[node]) {
            interference += static_cast<double>(std::max<std::int64_t>(
                0, std::min(handler[2], launch) - std::max(handler[1], begin)));
        }
    }
    EXPECT_EQ(result.at("measured").at("iterations_measured"), iterations);
    EXPECT_GT(interference, 0.0);
    EXPECT_NEAR(result.at("round_trip").at("interference").get<double>(), interference / iterations,
                kRounding);
}

TEST_F(MeasuredMetricsTest, LoadedMessagesAreNeverFasterThanUnloadedOnes) {
    const json result = run("remap.toml");
    EXPECT_EQ(rows("SELECT count(*) FROM messages WHERE header_arrival_cycle - launch_cycle < "
                   "unloaded_latency_cycles")
                  .front()
                  .front(),
              0);
    EXPECT_GE(result.at("measured").at("latency_cycles").get<double>(),
              result.at("predicted").at("logp").at("inputs").at("latency_cycles").get<double>());
    EXPECT_GE(result.at("round_trip").at("request_network_contention").get<double>(), 0.0);
    EXPECT_GE(result.at("round_trip").at("reply_network_contention").get<double>(), 0.0);
}

TEST_F(MeasuredMetricsTest, ModelsAreAskedWithWhatTheTraceShows) {
    const json result = run("remap.toml", {"--set", "workload.work_cycles=50"});
    const json& logp = result.at("predicted").at("logp").at("inputs");
    const json& lopc = result.at("predicted").at("lopc").at("inputs");
    EXPECT_EQ(logp.at("send_overhead_cycles"), 15.0);  // o_s of two arguments, LoGPC Table 1
    EXPECT_EQ(logp.at("work_cycles"), 50.0);
    EXPECT_EQ(lopc.at("thread_cycles"), 65.0);
    EXPECT_EQ(lopc.at("handler_cycles"), result.at("measured").at("handler_cycles"));
}

TEST_F(MeasuredMetricsTest, WarmUpIsNotMeasured) {
    const json all = run("remap.toml");
    std::filesystem::remove_all(file("run"));
    const json warm = run("remap.toml", {"--set", "run.warmup_cycles=5000"});
    const std::int64_t end =
        rows("SELECT min(cycle) FROM marks WHERE name = 'steady state ends'").front().front();
    const auto handled = rows(
        "SELECT count(*), sum(handler_end_cycle >= 5000) FROM messages WHERE "
        "handler_end_cycle < " +
        std::to_string(end));
    EXPECT_EQ(all.at("measured").at("messages_measured"), handled[0][0]);
    EXPECT_EQ(warm.at("measured").at("messages_measured"), handled[0][1]);
    EXPECT_LT(handled[0][1], handled[0][0]);
}

// A percentile is the smallest latency that this share of all messages does not exceed.
TEST_F(MeasuredMetricsTest, PercentilesOfTheLatencyLeaveTheWarmUpOut) {
    const json measured = run("remap.toml", {"--set", "run.warmup_cycles=5000"}).at("measured");
    const auto ends = rows("SELECT min(cycle) FROM marks WHERE name = 'steady state ends'");
    const auto latencies = rows(
        "SELECT notify_cycle - launch_cycle FROM messages WHERE handler_end_cycle >= 5000 AND "
        "handler_end_cycle < " +
        std::to_string(ends[0][0]) + " ORDER BY 1");
    for (const std::size_t percent : {50, 95, 99}) {
        const std::size_t rank = (percent * latencies.size() + 99) / 100;
        EXPECT_EQ(measured.at("latency_p" + std::to_string(percent) + "_cycles"),
                  latencies[rank - 1][0])
            << percent;
    }
    EXPECT_EQ(measured.at("latency_longest_cycles"), latencies.back()[0]);
    EXPECT_LT(latencies.front()[0], latencies.back()[0]);
}

// LoPC Figure 8: P times the time from the first begin to the last end, over the non-zeros.
TEST_F(MeasuredMetricsTest, TimeANonzeroIsAllNodesTime) {
    const json result = run("spmv.toml");
    const auto product = rows(
        "SELECT (SELECT max(cycle) FROM marks WHERE name = 'product ends') - "
        "(SELECT min(cycle) FROM marks WHERE name = 'product begins')");
    EXPECT_DOUBLE_EQ(result.at("measured").at("cycles_per_nonzero").get<double>(),
                     static_cast<double>(product[0][0]) * 4 / 200);
}

// n/m of LoPC Section 3.1.1, and the largest number of non-zeros, from the kernel's own facts.
TEST_F(MeasuredMetricsTest, GetsAreRemoteNonzerosAndEachIsARequest) {
    const json measured = run("spmv.toml").at("measured");
    const auto requests = rows("SELECT count(*) FROM messages WHERE parent_message_id IS NULL");
    EXPECT_DOUBLE_EQ(measured.at("gets_per_nonzero").get<double>(),
                     static_cast<double>(requests[0][0]) / 200);
    const auto most = rows("SELECT max(value) FROM marks WHERE name = 'product ends'");
    EXPECT_DOUBLE_EQ(measured.at("most_nonzeros_over_mean").get<double>(),
                     static_cast<double>(most[0][0]) * 4 / 200);
}

// At 20 MHz, 20 cycles are a microsecond.
TEST_F(MeasuredMetricsTest, ARemapsRateIsInBytesACycleAndASecond) {
    write("fft.toml",
          "extends = \"alewife\"\n[machine]\nnodes = 4\n[network]\ndimensions = [2, 2]\n"
          "[workload]\nkernel = \"fft\"\npoints = 64\n");
    const json measured = run("fft.toml").at("measured");
    const double remap = measured.at("remap_cycles");
    EXPECT_DOUBLE_EQ(measured.at("remap_bytes_per_cycle").get<double>(), 16 * 16 / remap);
    EXPECT_DOUBLE_EQ(measured.at("remap_megabytes_per_second").get<double>(),
                     20.0 * 16 * 16 / remap);
    const auto whole = rows(
        "SELECT SUM(CASE name WHEN 'program ends' THEN cycle ELSE -cycle END) FROM marks "
        "WHERE name IN ('program begins', 'program ends')");
    EXPECT_DOUBLE_EQ(measured.at("remap_over_compute").get<double>(),
                     4 * remap / (static_cast<double>(whole[0][0]) - 4 * remap));
}

// LoGPC Section 5.2.1: the threads begin together, and the last stripe ends last.
TEST_F(MeasuredMetricsTest, MakespanIsFromTheFirstBeginToTheLastEnd) {
    write("dag.toml", kSmallDiamondDag);
    const json result = run("dag.toml");
    const auto marks = rows(
        "SELECT (SELECT min(cycle) FROM marks WHERE name = 'dag begins'), "
        "(SELECT cycle FROM marks WHERE name = 'dag ends' AND value = 3)");
    EXPECT_EQ(marks[0][0], 0);
    EXPECT_EQ(result.at("measured").at("makespan_cycles"), static_cast<double>(marks[0][1]));
}

// LoGPC Section 2.1: g is o_s at a sender; a receiver cannot be faster than o_r.
TEST_F(MeasuredMetricsTest, GapsOfAFlood) {
    write("flood.toml", "extends = \"alewife\"\n[workload]\nkernel = \"flood\"\nmessages = 20\n");
    EXPECT_EQ(run("flood.toml").at("measured").at("sender_gap_cycles"), 15.0);
    std::filesystem::remove_all(file("run"));
    EXPECT_EQ(run("flood.toml", {"--set", "workload.pattern=fan_in"})
                  .at("measured")
                  .at("receiver_gap_cycles"),
              122.0);
}

TEST_F(MeasuredMetricsTest, EveryMeasuredMetricCanBePublished) {
    const std::vector<std::string> known = records::names_of(kinds::all_metrics());
    write("dag.toml", kSmallDiamondDag);
    for (const char* experiment : {"remap.toml", "spmv.toml", "dag.toml"}) {
        const json result =
            run(experiment, {"--set", R"(models.compare=["lopc", "lopc_rule_of_thumb"])"});
        for (const char* kind : {"measured", "compared"}) {
            for (const auto& [metric, value] : result.at(kind).items()) {
                EXPECT_THAT(known, ::testing::Contains(metric));
            }
        }
        std::filesystem::remove_all(file("run"));
    }
}

constexpr const char* kTwoByTwoNodes =
    "extends = \"alewife\"\n[machine]\nnodes = 4\n[network]\ndimensions = [2, 2]\n[workload]\n";

TEST_F(MeasuredMetricsTest, RecordsForTheHotNodeAreToldFromOthers) {
    write("hot.toml",
          std::string(kTwoByTwoNodes) + "kernel = \"hot-spot\"\nrecords = 20\nhot_node = 2\n");
    const json measured = run("hot.toml").at("measured");
    const auto hot = rows(
        "SELECT sum(handler_end_cycle - compose_cycle), count(*), max(handler_end_cycle) FROM "
        "messages WHERE argument_words = 4 AND destination_node = 2");
    EXPECT_NEAR(measured.at("hot_record_cycles"),
                static_cast<double>(hot[0][0]) / static_cast<double>(hot[0][1]), kRounding);
    EXPECT_EQ(measured.at("hot_records_done_cycles"), hot[0][2]);
    const auto others = rows(
        "SELECT max(handler_end_cycle) FROM messages WHERE argument_words = 4 AND "
        "destination_node <> 2");
    EXPECT_EQ(measured.at("other_records_done_cycles"), others[0][0]);
}

TEST_F(MeasuredMetricsTest, IdleProcessorsOfLuAreTheMeanOfItsTenths) {
    write("lu.toml", std::string(kTwoByTwoNodes) + "kernel = \"lu\"\nrows = 12\n");
    const json measured = run("lu.toml").at("measured");
    double sum = 0.0;
    for (int tenth = 1; tenth <= 10; ++tenth) {
        sum += measured.at("idle_percent_tenth_" + std::to_string(tenth)).get<double>();
    }
    EXPECT_NEAR(sum / 10.0, measured.at("idle_percent"), kRounding);
    EXPECT_GT(sum, 0.0);
    const std::string table = read("run/point-01-seed-1/processors.csv");
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 201);
}

}  // namespace
}  // namespace weir::experiments::analyses
