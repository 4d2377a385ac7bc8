#include "experiments/models/logp/algorithms/bulk_synchronous.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/models/logp/algorithms/broadcast.h"
#include "experiments/models/logp/algorithms/summation.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

constexpr BspMachine kBspMachine = {
    .gap_cycles = 4.0, .periodicity_cycles = 20.0, .processors = 64};

// LogP (1993), section 6.3, after Valiant (1990).
TEST(BulkSynchronous, ASuperstepLastsAsLongAsItsLongestPart) {
    EXPECT_EQ(bsp_superstep_cycles(kBspMachine, 0.0, 0.0), 20.0);
    EXPECT_EQ(bsp_superstep_cycles(kBspMachine, 100.0, 7.0), 100.0);
    EXPECT_EQ(bsp_superstep_cycles(kBspMachine, 10.0, 7.0), 28.0);
}

TEST(BulkSynchronous, BroadcastsWithTheBestFanOut) {
    // A fan-out of 5 fills a superstep of 20 cycles and informs 1, 6, 36, 216 processors, in three
    // supersteps. A fan-out of 7 informs 64 in two supersteps of 28 cycles.
    const BspCost cost = bsp_broadcast(kBspMachine);
    EXPECT_EQ(cost.supersteps, 2);
    EXPECT_EQ(cost.fan_out, 7);
    EXPECT_EQ(cost.cycles, 56.0);
    EXPECT_EQ(bsp_broadcast({4.0, 20.0, 1}).cycles, 0.0);
    // With l = 0, one message in each superstep is best, and a superstep takes g.
    EXPECT_EQ(bsp_broadcast({1.0, 0.0, 64}).cycles, 6.0);
}

TEST(BulkSynchronous, SumsInOneSuperstepMoreThanTheTreeHas) {
    // 64 x 101 values: 100 additions, then two rounds of seven messages.
    const BspCost cost = bsp_summation(kBspMachine, std::int64_t{64} * 101);
    EXPECT_EQ(cost.supersteps, 3);
    EXPECT_EQ(cost.cycles, 100.0 + 28.0 + 20.0);
    EXPECT_EQ(bsp_summation({4.0, 20.0, 1}, 500).cycles, 499.0);
    EXPECT_EQ(bsp_summation(kBspMachine, 1).cycles, 20.0);
}

// Figure 3's machine: g_b = max(4, 2 x 2); l is L + 2o = 10 and two broadcasts of 24.
TEST(BulkSynchronous, AMachineWithoutSynchronisationHardwareSynchronisesByMessages) {
    const BspMachine machine = bsp_machine_of(
        {.latency_cycles = 6.0, .overhead_cycles = 2.0, .gap_cycles = 4.0, .processors = 8});
    EXPECT_EQ(machine.gap_cycles, 4.0);
    EXPECT_EQ(machine.periodicity_cycles, 58.0);
    EXPECT_EQ(machine.processors, 8);
}

TEST(BulkSynchronous, HardwareThatSynchronisesLeavesTheDelivery) {
    const BspMachine machine = bsp_machine_of(
        {.latency_cycles = 6.0, .overhead_cycles = 2.0, .gap_cycles = 3.0, .processors = 8},
        BspBarrier::kHardware);
    EXPECT_EQ(machine.gap_cycles, 4.0);
    EXPECT_EQ(machine.periodicity_cycles, 10.0);
}

TEST(BulkSynchronous, ASuperstepIsAtLeastHalfAsLongAsItsRelationTakesInLogp) {
    for (const double gap : {1.0, 4.0, 30.0}) {
        const LogpMachine logp = {
            .latency_cycles = 6.0, .overhead_cycles = 2.0, .gap_cycles = gap, .processors = 8};
        const BspMachine bsp = bsp_machine_of(logp, BspBarrier::kHardware);
        for (const double relation : {1.0, 2.0, 3.0, 10.0, 1000.0}) {
            EXPECT_GT(2.0 * bsp_superstep_cycles(bsp, 0.0, relation),
                      (relation - 1.0) * std::max(gap, 4.0) + 10.0);
        }
    }
}

// Section 6.3's objection to BSP: under LogP a message can be used as soon as it arrives, without
// waiting for the end of a superstep.
TEST(BulkSynchronous, IsNeverCheaperThanLogpForBroadcastAndSummation) {
    for (const int processors : {2, 8, 64, 1000}) {
        for (const std::int64_t gap : {4, 20}) {
            const LogpMachine logp = {.latency_cycles = 6.0,
                                      .overhead_cycles = 2.0,
                                      .gap_cycles = static_cast<double>(gap),
                                      .processors = processors};
            const BspMachine bsp = bsp_machine_of(logp);
            EXPECT_GE(bsp_broadcast(bsp).cycles, logp_optimal_broadcast(logp).finish_cycles);
            for (const std::int64_t values : {10, 1000, 1000000}) {
                EXPECT_GE(bsp_summation(bsp, values).cycles,
                          static_cast<double>(
                              logp_least_summation_cycles({6, 2, gap, processors}, values)));
            }
        }
    }
}

}  // namespace
}  // namespace weir::experiments::models
