#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/program_tests/testing/json_schema.h"
#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/trace/database/stored_trace.h"
#include "experiments/trace/log/read_log.h"
#include "experiments/trace/testing/foreign_trace_text.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

/// Two nodes, with the two requests of trace::kForeignTrace.
constexpr const char* kTwoNodes = R"(extends = "alewife"
machine.nodes = 2
network.dimensions = [2, 1]
[workload]
kernel = "remap"
[recorded]
trace = "trips.sqlite"
)";

class RecordedTest : public ProgramTest {
  protected:
    RecordedTest() {
        write("trips.toml", kTwoNodes);
        trace::run_sql_on(file("trips.sqlite"),
                          std::string(trace::kForeignTrace) + trace::kForeignIntervals);
    }

    [[nodiscard]] static Arguments recorded(const std::string& trace) {
        return {"--set", "recorded.trace=" + trace};
    }
    [[nodiscard]] json validated(const std::string& experiment) const {
        return json::parse(output_of({"validate", experiment, "--json"})).at("experiments").at(0);
    }
    static constexpr const char* kTrace = "run/point-01-seed-1/trace.weir";
};

/// A small kernel on four nodes; the tests have one for each kind of communication.
struct SmallKernel {
    const char* name;
    const char* workload;
};

class MeasuredBothWaysTest : public RecordedTest, public testing::WithParamInterface<SmallKernel> {
  protected:
    /// Result of the single point, without the entries that differ between runs and traces.
    [[nodiscard]] json said(const Arguments& options) const {
        json result = result_of("small.toml", options);
        for (const char* key : {"folder", "wall_seconds", "machine_seconds", "processor_seconds",
                                "configuration", "traces"}) {
            result.erase(key);
        }
        return result;
    }
};

// Compares the result of a run, the result from its log read like any trace, and the result of
// plain SQL on its tables.
TEST_P(MeasuredBothWaysTest, ARunItsLogAndItsDatabaseSayTheSameToTheLastDigit) {
    write("small.toml",
          "extends = \"alewife\"\nmachine.nodes = 4\nnetwork.dimensions = [2, 2]\n"
          "trace.queue_levels = true\n[models]\ncompare = [\"logp\"]\n[workload]\n" +
              std::string(GetParam().workload));
    const json of_run = said({"--out", "run"});
    trace::write_trace(trace::read_log(file(kTrace)), file("trace.sqlite"));
    const json of_log = said(recorded(kTrace));
    EXPECT_EQ(of_log, said(recorded("trace.sqlite")));
    EXPECT_GE(of_log.at("measured").size(), 3U);
    for (const auto& [metric, value] : of_log.at("measured").items()) {
        EXPECT_EQ(value, of_run.at("measured").at(metric)) << metric;
    }
    for (const char* key : {"round_trip", "predicted", "transfers"}) {
        EXPECT_EQ(of_log.value(key, json()), of_run.value(key, json())) << key;
    }
}

constexpr std::array kKernels{
    SmallKernel{"requests", "kernel = \"remap\"\niterations = 20\n"},
    SmallKernel{"messages", "kernel = \"remap\"\nstyle = \"asynchronous\"\niterations = 30\n"},
    SmallKernel{"bodies",
                "kernel = \"remap\"\nstyle = \"asynchronous\"\nbody_bytes = 256\niterations = 9\n"},
    SmallKernel{"product", "kernel = \"spmv\"\nrows = 32\nnonzeros = 96\n"},
    SmallKernel{"single", "kernel = \"body-ping\"\n"},
    SmallKernel{"pipeline", "kernel = \"diamond-dag\"\ntasks_per_side = 8\nblocks = 2\n"},
    SmallKernel{"program", "kernel = \"all-pairs\"\n"},
    SmallKernel{"transfers",
                "kernel = \"memcpy\"\nsizes_bytes = [64, 512]\nstrides_bytes = [8, 24]\n"},
    SmallKernel{"compiled", "kernel = \"remap\"\niterations = 5\n[core]\nkind = \"sparcle\"\n"},
    SmallKernel{"shared", "kernel = \"shared-lock\"\nacquisitions = 3\n[memory]\ncaches = 1\n"},
};

INSTANTIATE_TEST_SUITE_P(Kernels, MeasuredBothWaysTest, testing::ValuesIn(kKernels),
                         [](const auto& kernel) { return std::string(kernel.param.name); });

// LogP's round trip is 2 (o_s + L + o_r), with the cycles of trace::kForeignTrace.
TEST_F(RecordedTest, AnExperimentFileNamesATraceFromElsewhere) {
    const json result = result_of("trips.toml", {"--set", R"(models.compare=["logp"])"});
    EXPECT_EQ(result.at("measured").at("cycles_per_iteration"), 200.0);
    EXPECT_EQ(result.at("leading_metric"), "cycles_per_iteration");
    EXPECT_EQ(result.at("cycles"), json::array({400}));
    EXPECT_TRUE(result.at("predicted").at("logp").contains("cycles_per_iteration"));
    EXPECT_EQ(result.at("traces").at(0).at("file"), "trips.sqlite");
    EXPECT_EQ(JsonSchema(output_of({"list", "--schema"})).faults(result), "");
    EXPECT_FALSE(std::filesystem::exists(file("runs/trips-001/point-01-seed-1/trace.weir")));
}

TEST_F(RecordedTest, PagesSayWhatATraceDoesNot) {
    trace::run_sql_on(file("part.sqlite"), trace::kForeignTrace);
    const std::string missing = "without core_intervals";
    const std::string page =
        output_of({"run", "trips.toml", "--set", "recorded.trace=part.sqlite", "--out", "out"});
    EXPECT_THAT(words_of(page), HasSubstr(missing));
    EXPECT_THAT(words_of(output_of({"run", "trips.toml"})), Not(HasSubstr(missing)));
    static_cast<void>(output_of({"report", "out", "--out", "page.html"}));
    EXPECT_THAT(read("page.html"), HasSubstr("core_intervals"));
    EXPECT_THAT(read("page.html"), Names("map", "recorded", "none"));
}

TEST_F(RecordedTest, IsValidatedAsWithTheOption) {
    trace::run_sql_on(file("part.sqlite"), trace::kForeignTrace);
    const std::string experiment =
        "extends = \"alewife\"\nmachine.nodes = 2\nnetwork.dimensions = [2, 1]\n"
        "[published]\ncycles_per_iteration = { value = 200, tolerance = 0.01, source = \"x\" }\n"
        "interference_cycles = { value = 0, source = \"x\" }\n[workload]\nkernel = \"remap\"\n";
    write("trips.toml", experiment);
    const std::string with_option = output_of({"validate", "trips.toml", "--trace", "part.sqlite"});
    const json checks =
        json::parse(output_of({"validate", "trips.toml", "--trace", "part.sqlite", "--json"}));
    write("trips.toml", experiment + "[recorded]\ntrace = \"part.sqlite\"\n");
    EXPECT_EQ(output_of({"validate", "trips.toml"}), with_option);
    EXPECT_EQ(json::parse(output_of({"validate", "trips.toml", "--json"})), checks);
    EXPECT_THAT(with_option, Names("interference", "trace"));
    EXPECT_THAT(with_option, Names("trace", "part.sqlite"));
}

TEST_F(RecordedTest, EachSeedHasATraceOfItsOwn) {
    write("remap.toml", std::string(kSmallRemap) + "[run]\nseeds = [3, 4]\n");
    const json run = result_of("remap.toml", {"--out", "run"});
    write("recorded.toml",
          read("remap.toml") + "[recorded]\ntrace = \"run/point-01-seed-{seed}/trace.weir\"\n");
    const json recorded = result_of("recorded.toml", {"--out", "again"});
    EXPECT_EQ(recorded.at("traces").at(1).at("file"), "run/point-01-seed-4/trace.weir");
    EXPECT_EQ(recorded.at("measured").at("cycles_per_iteration"),
              run.at("measured").at("cycles_per_iteration"));
    EXPECT_EQ(recorded.at("confidence_half_width_95").at("cycles_per_iteration"),
              run.at("confidence_half_width_95").at("cycles_per_iteration"));
    // A recorded run's configuration can be run again.
    std::filesystem::copy(file("again/point-01-seed-4/configuration.toml"),
                          file("again/point-01-seed-4/same.toml"));
    EXPECT_EQ(result_of("again/point-01-seed-4/same.toml").at("measured"), recorded.at("measured"));
}

TEST_F(RecordedTest, StandsBesideAnEmulatedPoint) {
    write("remap.toml", kSmallRemap);
    static_cast<void>(result_of("remap.toml", {"--out", "run"}));
    write("both.toml", std::string(kSmallRemap) +
                           "[[point]]\nlabel = \"emulated\"\n[[point]]\nlabel = \"recorded\"\n"
                           "against = \"emulated\"\nrecorded.trace = \"" +
                           kTrace + "\"\n");
    const json points = result_of("both.toml").at("points");
    EXPECT_FALSE(points.at(0).contains("traces"));
    EXPECT_EQ(points.at(1).at("compared").at("over_other_point_percent"), 0.0);
}

TEST_F(RecordedTest, ASweepGoesThroughTraces) {
    trace::run_sql_on(
        file("slower.sqlite"),
        std::string(trace::kForeignTrace) +
            "UPDATE messages SET handler_end_cycle = 410 WHERE message_id = 1099511627777;");
    write("sweep.toml", std::string(kTwoNodes) +
                            "[[sweep.axis]]\nrecorded.trace = [\"trips.sqlite\", "
                            "\"slower.sqlite\"]\n");
    const ProgramEnd end = weir({"sweep", "sweep.toml"});
    EXPECT_EQ(end.status, 0) << end.error;
    const std::string table = output_of({"sweep", "show", "runs/sweep.db", "--csv"});
    EXPECT_THAT(table, HasSubstr("200"));
    EXPECT_THAT(table, HasSubstr("210"));
}

// The interval is from batches of the one run, which cannot be extended.
TEST_F(RecordedTest, ItsPrecisionIsThatOfTheOneRun) {
    write("remap.toml", std::string(kSmallRemap) + "[run]\nwarm_up = \"detected\"\n");
    const json run = result_of("remap.toml", {"--out", "run"});
    Arguments options = recorded(kTrace);
    options.insert(options.end(), {"--set", "run.relative_precision=0.000_1"});
    const json precise = result_of("remap.toml", options);
    const json of_run = precise.at("precision").at("runs").at(0);
    EXPECT_FALSE(of_run.at("is_precise").get<bool>());
    EXPECT_EQ(of_run.at("lengths"), json::array({40}));
    EXPECT_EQ(precise.at("measured").at("cycles_per_iteration"),
              run.at("measured").at("cycles_per_iteration"));
}

TEST_F(RecordedTest, ADryRunMakesNoMachine) {
    const std::string page = output_of({"run", "trips.toml", "--dry-run"});
    EXPECT_THAT(page, Not(HasSubstr("interface_0")));
    EXPECT_THAT(page, Not(HasSubstr("emulated")));
}

TEST_F(RecordedTest, AChangedTraceIsNotResumed) {
    static_cast<void>(result_of("trips.toml", {"--out", "out"}));
    trace::run_sql_on(
        file("trips.sqlite"),
        "UPDATE messages SET handler_end_cycle = 401 WHERE message_id = 1099511627777;");
    const ProgramEnd end = weir({"run", "trips.toml", "--resume", "out"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, Names("trips.sqlite", "changed"));
    EXPECT_THAT(end.error, HasSubstr("(recorded.trace)"));
}

TEST_F(RecordedTest, BadTracesAreRefusedWithTheirPlace) {
    const auto refusal = [this](const Arguments& options) {
        Arguments arguments{"run", "trips.toml"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return refused(arguments);
    };
    EXPECT_THAT(refusal({"--set", "machine.nodes=4", "--set", "network.dimensions=[2, 2]"}),
                Names("--set machine.nodes=4", "4 nodes", "trips.sqlite", "2"));
    EXPECT_THAT(refusal({"--set", "run.seeds=[1, 2]"}),
                Names("recorded.trace", "run.seeds", "2 seeds", "{seed}"));
    EXPECT_THAT(refusal({"--set", "recorded.trace=3"}), Names("recorded.trace", "3"));
    EXPECT_THAT(refusal({"--set", "recorded.trace=\"\""}), Names("recorded.trace", "file"));
    EXPECT_THAT(refusal({"--set", "recorded.trcae=x"}),
                Names("[recorded]", "\"trcae\"", "\"trace\""));
    EXPECT_THAT(refusal({"--set", "workload.kernel=rmap"}), Names("\"rmap\"", "\"remap\""));
    EXPECT_THAT(refusal({"--set", "workload.kernel=open-loop"}),
                Names("\"open-loop\"", "kernel", "[recorded]"));

    std::filesystem::remove(file("trips.sqlite"));
    EXPECT_THAT(refusal({}), Names("trips.toml:7:9", "trips.sqlite", "open"));
    write("trips.sqlite", "no trace\n");
    EXPECT_THAT(refusal({}), Names("trips.toml:7:9", "trips.sqlite", "trace"));
}

TEST_F(RecordedTest, DamagedTracesAreRefusedWithTheirPlace) {
    trace::run_sql_on(file("trips.sqlite"),
                      "UPDATE messages SET launch_cycle = 40 WHERE message_id = 0");
    EXPECT_THAT(refused({"run", "trips.toml"}), Names("trips.sqlite", "messages", "launch_cycle",
                                                      "message_id = 0", "40", "compose_cycle"));

    write("remap.toml", kSmallRemap);
    static_cast<void>(result_of("remap.toml", {"--out", "run"}));
    std::string log = read(kTrace);
    for (std::size_t at = log.size() / 2; at < log.size(); ++at) {
        log[at] = 'x';
    }
    std::ofstream(file("damaged.weir"), std::ios::binary) << log;
    EXPECT_THAT(refused({"run", "remap.toml", "--set", "recorded.trace=damaged.weir"}),
                Names("damaged.weir", "damaged"));
}

// The precision needs more seeds, and the trace is of the first seed only.
TEST_F(RecordedTest, AProblemOfOneSizeIsNotRecordedTwice) {
    write("spmv.toml", kSmallSpmv);
    static_cast<void>(result_of("spmv.toml", {"--out", "run"}));
    EXPECT_THAT(refused({"run", "spmv.toml", "--set", "run.relative_precision=0.01", "--set",
                         std::string("recorded.trace=") + kTrace}),
                Names("seed 2", "{seed}", "recorded.trace", "run.relative_precision"));
}

}  // namespace
}  // namespace weir::experiments
