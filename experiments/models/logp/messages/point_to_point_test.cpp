#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "experiments/models/logp/logp.h"
#include "experiments/models/logp/testing/abstract_machine.h"
#include "experiments/models/testing/asked.h"

namespace weir::experiments::models {
namespace {

Asked point_to_point(const LogpInputs& message, double gap_cycles) {
    return {"logp-point-to-point",
            {{"latency_cycles", message.latency_cycles},
             {"send_overhead_cycles", message.send_overhead_cycles},
             {"receive_overhead_cycles", message.receive_overhead_cycles},
             {"gap_cycles", gap_cycles}}};
}

TEST(LogpPointToPoint, TakesTheTimesOfSection3) {
    // LogP (1993), section 4.1.4: the CM-5 in microseconds.
    const Asked answer = point_to_point({6.0, 2.0, 2.0}, 4.0);
    EXPECT_EQ(answer["message_cycles"], 6.0 + 2.0 * 2.0);
    EXPECT_EQ(answer["remote_read_cycles"], 2.0 * 6.0 + 4.0 * 2.0);
    EXPECT_EQ(answer["prefetch_overhead_cycles"], 2.0 * 2.0);
    EXPECT_EQ(answer["prefetch_interval_cycles"], 4.0);
    EXPECT_EQ(answer["capacity_messages"], 2.0);
    EXPECT_EQ(answer["multithreading_limit"], 1.5);
}

TEST(LogpPointToPoint, ASlowProcessorLimitsPrefetchesInsteadOfTheGap) {
    EXPECT_EQ(point_to_point({6.0, 3.0, 5.0}, 4.0)["prefetch_interval_cycles"], 8.0);
    EXPECT_EQ(point_to_point({6.0, 3.0, 5.0}, 12.0)["prefetch_interval_cycles"], 12.0);
}

TEST(LogpPointToPoint, SplitsTheOverheadWhereTheTwoDiffer) {
    // LoGPC (2001), Table 1: a null message on Alewife; g is o_s (section 2.1).
    const Asked answer = point_to_point({21.0, 9.0, 117.0}, 9.0);
    EXPECT_EQ(answer["message_cycles"], 147.0);
    EXPECT_EQ(answer["remote_read_cycles"], 294.0);
    EXPECT_EQ(answer["capacity_messages"], 3.0);
}

// The capacity is the number of messages in flight from a processor that sends one every g.
TEST(LogpPointToPoint, CapacityIsWhatAStreamFills) {
    for (const double gap : {1.0, 4.0, 5.0, 7.0}) {
        const LogpMachine machine = {
            .latency_cycles = 10.0, .overhead_cycles = 0.0, .gap_cycles = gap, .processors = 2};
        std::vector<TimedMessage> stream(40);
        for (int i = 0; i < 40; ++i) {
            stream[static_cast<std::size_t>(i)] = {0, 1, gap * i, gap * i + 10.0};
        }
        EXPECT_TRUE(broken_rules(machine, stream).empty()) << "g " << gap;
        int on_their_way = 0;
        for (const TimedMessage& message : stream) {
            on_their_way += message.send_cycle < 10.0 ? 1 : 0;
        }
        EXPECT_EQ(point_to_point({10.0, 0.0, 0.0}, gap)["capacity_messages"], on_their_way);
    }
}

TEST(LogpPointToPoint, HasNoCapacityToNameWithoutAGap) {
    const Asked answer = point_to_point({6.0, 2.0, 2.0}, 0.0);
    EXPECT_FALSE(answer.has("capacity_messages"));
    EXPECT_FALSE(answer.has("multithreading_limit"));
    EXPECT_THROW((void)point_to_point({6.0, 2.0, 2.0}, 1e-320).solved(), ModelError);
    EXPECT_THROW((void)point_to_point({6.0, 2.0, 2.0}, -4.0).solved(), ModelError);
    EXPECT_THROW((void)Asked("logp-point-to-point", {}).solved(), ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
