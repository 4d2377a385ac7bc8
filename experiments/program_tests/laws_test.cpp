// Laws between measurements from the trace and the statistics of the parts.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <utility>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/trace/database/stored_trace.h"
#include "experiments/trace/database/trace_database.h"
#include "experiments/trace/measurements/delivery_breakdown.h"
#include "experiments/trace/measurements/measurements.h"
#include "experiments/trace/rows/trace_error.h"

namespace weir::experiments {
namespace {

class LawsTest : public ProgramTest {
  protected:
    /// Trace of the small remap with additional lines in [workload].
    trace::Trace trace_of(const std::string& more, const Arguments& options = {}) {
        write("remap.toml", kSmallRemap + more);
        result_ = result_of("remap.toml", with_folder(options));
        return trace::read_trace(file("out/point-01-seed-1/trace.weir"));
    }
    [[nodiscard]] nlohmann::json statistics() const {
        return nlohmann::json::parse(read("out/point-01-seed-1/statistics.json"));
    }
    [[nodiscard]] double measured(const char* metric) const { return result_["measured"][metric]; }
    [[nodiscard]] double part(const char* name) const { return result_["round_trip"][name]; }

  private:
    static Arguments with_folder(Arguments options) {
        options.insert(options.end(), {"--out", "out"});
        return options;
    }
    nlohmann::json result_;
};

// Little's law: residence time from the trace's time stamps, occupancy from the queue's own
// counter. A flit that leaves or arrives in cycle t changes its queue in t + 1.
TEST_F(LawsTest, LittlesLawHoldsBetweenTraceAndCounters) {
    const trace::Trace trace = trace_of("");
    const nlohmann::json counted = statistics();
    std::map<std::pair<hw::NodeId, std::string>, std::int64_t> residence;
    for (const trace::MessageRow& message : trace.messages) {
        const hw::MessageTimes& times = message.times;
        if (times.handler_end < hw::kNever) {
            residence[{message.source(), "output_queue_message_cycles"}] +=
                (times.tail_entry - times.launch).count() + 1;
            residence[{message.destination, "input_queue_message_cycles"}] +=
                (times.dispose - times.first_arrival).count() - 1;
        }
    }
    ASSERT_EQ(residence.size(), 16U);  // two queues at each of eight nodes
    for (const auto& [queue, cycles] : residence) {
        const nlohmann::json& controller =
            counted["machine.node_" + std::to_string(queue.first.index()) + ".controller"];
        EXPECT_EQ(controller[queue.second].get<std::int64_t>(), cycles) << queue.first;
    }
}

// LoGPC Section 5.1.2: an iteration is o_s + o_r, plus the time to save a partly composed message
// and to wait for the output queue. Every cycle of every processor belongs to exactly one of these
// parts.
TEST_F(LawsTest, AnAsynchronousIterationIsSendsHandlersSavesAndBlockedCycles) {
    const trace::Trace trace =
        trace_of("style = \"asynchronous\"\n", {"--set", "workload.iterations=400"});
    const double cycles = measured("cycles_per_iteration");
    EXPECT_EQ(part("compute") + part("wait") + part("done"), 0.0);
    // 1e-9: the four means are rounded, but not the integers behind them.
    EXPECT_NEAR(part("send") + part("handler") + part("saves") + part("blocked"), cycles, 1e-9);
    // The cost of a message is known from Table 1, in any run. o_r without saves is 122 for every
    // interrupt within the window. The window cuts at most one interrupt at each end on each of the
    // eight nodes.
    const auto edge = 2.0 * 8 * 122 / measured("messages_measured");
    EXPECT_NEAR(part("handler"), 122.0, edge);
    EXPECT_GT(part("saves"), 0.0);
    // Each restored word costs a load of 3 and a store of 3.
    std::int64_t words = 0;
    for (const trace::MessageRow& message : trace.messages) {
        words += message.restored_words;
    }
    EXPECT_EQ(trace::save_cycles(trace, {}).count(), 6 * words);
}

TEST_F(LawsTest, AnIntervalCutOutOfTheTraceIsMissed) {
    { const trace::Trace whole = trace_of("style = \"asynchronous\"\n"); }
    const trace::Trace trace = trace::read_trace(file("out/point-01-seed-1/trace.weir"));
    const trace::CycleWindow window{hw::Cycles(0), hw::Cycles(2000)};
    EXPECT_NO_THROW(trace::delivery_breakdown(trace, window));
    const trace::CycleWindow past_the_end{hw::Cycles(0), hw::Cycles(100'000'000)};
    EXPECT_THROW(trace::delivery_breakdown(trace, past_the_end), trace::TraceError);
}

// With contention-free delays the network adds nothing to a round trip.
TEST_F(LawsTest, TheDelayNetworkHasNoContention) {
    static_cast<void>(trace_of("", {"--set", "network.model=delay"}));
    EXPECT_EQ(part("request_network_contention"), 0.0);
    EXPECT_EQ(part("reply_network_contention"), 0.0);
}

TEST_F(LawsTest, TheWormholeNetworkHasSome) {
    static_cast<void>(trace_of(""));
    EXPECT_GT(part("request_network_contention"), 0.0);
}

}  // namespace
}  // namespace weir::experiments
