#include "firmware/kernels/shared_lock/shared_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "firmware/testing/shared_kernel_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"

namespace weir::firmware {

namespace {

using firmware::testing::SharedKernelBench;
using weir::testing::Names;

struct LockBench : SharedKernelBench {
    explicit LockBench(const std::string& lock) : SharedKernelBench("shared-lock") {
        set_workload("lock", lock);
        set_workload("acquisitions", std::int64_t{20});
    }
};

class SharedLockTest : public ::testing::TestWithParam<const char*> {
  protected:
    LockBench bench{GetParam()};
};

TEST_P(SharedLockTest, TheCounterIsWhatAllHaveAdded) {
    ASSERT_EQ(bench.fault_of_run(), "");
    EXPECT_EQ(bench.machine().account().fault(true), std::nullopt);
}

TEST_P(SharedLockTest, ACounterThatIsOffIsFound) {
    bench.load();
    ASSERT_EQ(bench.run(), nodes::RunEnd::kFinished);
    bench.set_workload("acquisitions", std::int64_t{21});
    EXPECT_THAT(bench.check(), ::testing::Optional(Names("counter", "160", "168")));
}

TEST(FetchAndAddTest, TheCounterIsWhatAllHaveAddedWithoutALock) {
    LockBench bench("test_and_set");
    bench.set_workload("method", std::string("fetch_and_add"));
    bench.set(bench.configuration.coherence, "fetch_and_op", true);
    ASSERT_EQ(bench.fault_of_run(), "");
    const auto& home = *bench.machine().node(hw::NodeId(7)).coherence();
    EXPECT_EQ(home.statistics().fetches_done.value(), 160);
    EXPECT_EQ(home.statistics().remote_misses.value(), 0);
}

// The home is busy with another node's exchange whenever the holder requests the line to release
// the lock; but the home remembers refused requesters.
TEST(ForwardProgressTest, TheHolderGetsTheLockBackThoughOthersAskInStep) {
    LockBench bench("test_and_set");
    bench.set(bench.configuration.coherence, "busy_spread_cycles", std::int64_t{0});
    EXPECT_EQ(bench.fault_of_run({.most_cycles = hw::Cycles(1'000'000)}), "");
    EXPECT_LE(firmware::testing::most_refusals(bench.machine()), 2 * 7 * 4);
}

// With one pointer, nearly every reader of the lock traps at its home, whose thread may hold the
// lock.
TEST(ForwardProgressTest, AHomeReleasesTheLockThoughItsLineTrapsAgainAndAgain) {
    LockBench bench("test_and_test_and_set");
    bench.set(bench.configuration.coherence, "pointers", std::int64_t{1});
    EXPECT_EQ(bench.fault_of_run({.most_cycles = hw::Cycles(400'000)}), "");
}

TEST(ForwardProgressTest, AHomeUsesEachLineThatComesUnlessTurnsAreOff) {
    const auto lost_unused = [](bool trap_turns) {
        return std::stoll(hw::testing::result_of_separate_run([trap_turns] {
            LockBench bench("test_and_test_and_set");
            bench.set(bench.configuration.coherence, "pointers", std::int64_t{1});
            bench.set(bench.configuration.coherence, "trap_turns", trap_turns);
            EXPECT_EQ(bench.fault_of_run(), "");
            const auto& home = bench.machine().node(hw::NodeId(0)).coherence()->statistics();
            return std::to_string(home.unused_lines.value());
        }));
    };
    EXPECT_EQ(lost_unused(true), 0);
    EXPECT_GT(lost_unused(false), 20);
}

INSTANTIATE_TEST_SUITE_P(Locks, SharedLockTest,
                         ::testing::Values("test_and_set", "test_and_test_and_set", "queue"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace

}  // namespace weir::firmware
