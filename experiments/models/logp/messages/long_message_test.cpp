#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/models/logp/testing/abstract_machine.h"
#include "experiments/models/testing/asked.h"

namespace weir::experiments::models {
namespace {

constexpr LogpMachine messaging_machine(double latency, double overhead, double gap) {
    return {
        .latency_cycles = latency, .overhead_cycles = overhead, .gap_cycles = gap, .processors = 2};
}

Asked long_message(const LogpMachine& machine, std::int64_t small_messages, double work_cycles) {
    return {"logp-long-message",
            {{"latency_cycles", machine.latency_cycles},
             {"overhead_cycles", machine.overhead_cycles},
             {"gap_cycles", machine.gap_cycles},
             {"small_messages", static_cast<double>(small_messages)},
             {"work_cycles", work_cycles}}};
}

// LogP (1993), section 5.4: o is paid for every small message; the rest is the pipeline.
TEST(LogpLongMessage, IsAPipelineOfSmallMessages) {
    EXPECT_EQ(long_message(messaging_machine(6.0, 2.0, 4.0), 1, 0.0)["message_cycles"], 10.0);
    EXPECT_EQ(long_message(messaging_machine(6.0, 2.0, 4.0), 10, 0.0)["message_cycles"],
              9 * 4.0 + 10.0);
    EXPECT_EQ(long_message(messaging_machine(6.0, 5.0, 4.0), 10, 0.0)["message_cycles"],
              9 * 5.0 + 16.0);
    EXPECT_EQ(long_message(messaging_machine(6.0, 2.0, 4.0), 10, 0.0)["processor_busy_cycles"],
              20.0);
}

TEST(LogpLongMessage, TakesAsLongOnTheAbstractMachine) {
    for (const double overhead : {0.0, 2.0, 4.0, 7.0}) {
        for (const std::int64_t count : {1, 2, 17}) {
            const LogpMachine machine = messaging_machine(12.0, overhead, 4.0);
            const std::vector<std::vector<int>> rows = {
                std::vector<int>(static_cast<std::size_t>(count), 1), {}};
            EXPECT_EQ(static_cast<double>(run_sends(machine, rows, Arbitration::kLongestWaiting)),
                      long_message(machine, count, 0.0)["message_cycles"])
                << "o " << overhead << " k " << count;
        }
    }
}

// Section 5.2: the CM-5's synchronous send, 3(L + 2o) + n g.
TEST(LogpLongMessage, SynchronousSendIsThreeMessagesAndTheDatasGaps) {
    EXPECT_EQ(long_message(messaging_machine(6.0, 2.0, 4.0), 100, 0.0)["synchronous_send_cycles"],
              3.0 * 10.0 + 400.0);
}

// Section 5.4: a second processor at best doubles a node. Section 3.1: raising o to g overestimates
// time by at most a factor of two.
TEST(LogpLongMessage, BothFactorsOfTwoHold) {
    double best = 1.0;
    double worst = 1.0;
    for (const double overhead : {0.0, 1.0, 3.9, 4.0, 9.0}) {
        for (const std::int64_t count : {1, 10, 1000}) {
            for (const double work : {0.0, 1.0, 40.0, 900.0, 4000.0, 9000.0}) {
                const Asked message =
                    long_message(messaging_machine(6.0, overhead, 4.0), count, work);
                EXPECT_LE(message["two_processors_cycles"], message["one_processor_cycles"]);
                EXPECT_LE(message["one_processor_cycles"], 2.0 * message["two_processors_cycles"]);
                EXPECT_GE(message["overhead_as_gap_cycles"], message["one_processor_cycles"]);
                if (count ==
                    1000) {  // overhead_as_gap_cycles also has a gap after the last message
                    best = std::max(
                        best, message["one_processor_cycles"] / message["two_processors_cycles"]);
                    worst = std::max(
                        worst, message["overhead_as_gap_cycles"] / message["one_processor_cycles"]);
                }
            }
        }
    }
    EXPECT_NEAR(best, 2.0, 1e-3);
    EXPECT_NEAR(worst, 2.0, 2e-3);
}

TEST(LogpLongMessage, RefusesAMessageOfNothing) {
    EXPECT_THROW((void)long_message(messaging_machine(6.0, 2.0, 4.0), 0, 0.0).solved(), ModelError);
    EXPECT_THROW((void)long_message(messaging_machine(6.0, 2.0, 4.0), 1, -1.0).solved(),
                 ModelError);
    EXPECT_THROW((void)long_message({}, 1, 0.0).solved(), ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
