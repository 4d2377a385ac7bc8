#include "hw/tracing/trace_probe.h"

#include <gtest/gtest.h>

namespace weir::hw {
namespace {

// Defaults of a transaction and of a trap without any report.
TEST(TraceProbeTest, WhatHasNotHappenedHasNoCycleAndIsNotCounted) {
    const SharedTransaction transaction;
    for (const Cycles cycle :
         {transaction.first_asked, transaction.asked, transaction.home_arrival,
          transaction.home_begin, transaction.first_invalidation, transaction.last_acknowledgement,
          transaction.reply, transaction.fill, transaction.use}) {
        EXPECT_EQ(cycle, kNever);
    }
    EXPECT_EQ(transaction.busy_replies, 0);
    EXPECT_EQ(transaction.invalidations, 0);
    EXPECT_FALSE(transaction.is_trapped);
    EXPECT_FALSE(transaction.is_prefetch);
    const CoherenceTrap trap;
    EXPECT_EQ(trap.begin, kNever);
    EXPECT_EQ(trap.end, kNever);
    EXPECT_EQ(trap.packets, 0);
}

// The numbers are those in the schema of traces, far above programs' contexts.
TEST(TraceProbeTest, WhatIsNoProgramHasContextsOfItsOwn) {
    EXPECT_EQ(SharedAccess::kSendingEngine, 1000);
    EXPECT_EQ(SharedAccess::kReceivingEngine, 1001);
    EXPECT_EQ(SharedAccess::kFetchUnit, 1002);
    EXPECT_LT(SharedAccess::kNothing, 0);
    EXPECT_LT(LineState::kOfCache, 0);
}

}  // namespace
}  // namespace weir::hw
