#include "firmware/kernels/shared_reads/shared_reads.h"

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

struct ReadsBench : SharedKernelBench {
    ReadsBench() : SharedKernelBench("shared-reads") { set_workload("reads", std::int64_t{60}); }
    void set_threads(std::int64_t threads) {
        set(configuration.core, "contexts", threads);
        set_workload("threads", threads);
    }
    std::int64_t sum(hw::Counter memory::CoherenceController::Statistics::*counter) {
        return firmware::testing::sum_over_homes(machine(), counter);
    }
};

struct Way {
    const char* name;
    std::int64_t threads;
    std::int64_t prefetched;
    std::int64_t homes;
};

class SharedReadsTest : public ::testing::TestWithParam<Way> {
  protected:
    SharedReadsTest() {
        bench.set_threads(GetParam().threads);
        bench.set_workload("prefetched_reads", GetParam().prefetched);
        bench.set_workload("homes", GetParam().homes);
    }
    ReadsBench bench;
};

// The home of each line is another node than its reader, and no cache holds the line.
TEST_P(SharedReadsTest, EveryReadIsAMissOfItsOwnAndTheSumsAreRight) {
    ASSERT_EQ(bench.fault_of_run(), "");
    using Statistics = memory::CoherenceController::Statistics;
    EXPECT_EQ(bench.sum(&Statistics::local_misses) + bench.sum(&Statistics::remote_misses) +
                  bench.sum(&Statistics::prefetches),
              8 * 60);
    EXPECT_EQ(bench.sum(&Statistics::copies_lost), 0);
    EXPECT_EQ(bench.sum(&Statistics::traps), 0);
}

INSTANTIATE_TEST_SUITE_P(Ways, SharedReadsTest,
                         ::testing::Values(Way{"one_thread", 1, 0, 0}, Way{"four_threads", 4, 0, 0},
                                           Way{"prefetches", 1, 4, 0}, Way{"both", 2, 4, 0},
                                           Way{"one_home", 1, 0, 1}, Way{"two_homes", 1, 0, 2}),
                         [](const auto& instance) { return std::string(instance.param.name); });

struct Sharing {
    std::int64_t readers;
    std::int64_t pointers;
    std::int64_t homes;
};

class SharedLinesTest : public ::testing::TestWithParam<Sharing> {};

// If readers come one after the other, each reader that finds the pointers full traps. If the only
// home is a reader too, its reads of its own memory take no pointer.
TEST_P(SharedLinesTest, EachReaderBehindFullPointersTraps) {
    const auto [readers, pointers, homes] = GetParam();
    ReadsBench bench;
    bench.set_workload("readers", readers);
    bench.set_workload("homes", homes);
    bench.set(bench.configuration.coherence, "pointers", pointers);
    ASSERT_EQ(bench.fault_of_run(), "");
    using Statistics = memory::CoherenceController::Statistics;
    const std::int64_t lines = 8 * 60 / readers;
    const std::int64_t own = bench.sum(&Statistics::local_misses);
    EXPECT_EQ(own + bench.sum(&Statistics::remote_misses), 8 * 60);
    if (homes == 0) {
        EXPECT_EQ(own, 0);
        EXPECT_EQ(bench.sum(&Statistics::traps), lines * (readers / (pointers + 1)));
    } else {
        EXPECT_EQ(own, 60);
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, SharedLinesTest,
                         ::testing::Values(Sharing{6, 5, 0}, Sharing{5, 5, 0}, Sharing{4, 1, 0},
                                           Sharing{6, 2, 0}, Sharing{4, 1, 1}),
                         [](const auto& instance) {
                             return "readers_" + std::to_string(instance.param.readers) +
                                    "_pointers_" + std::to_string(instance.param.pointers) +
                                    "_homes_" + std::to_string(instance.param.homes);
                         });

TEST(SharedReadsHidingTest, ThreadsAndPrefetchesHideWhatAReadTakes) {
    const auto cycles = [](std::int64_t threads, std::int64_t prefetched) {
        return std::stoll(hw::testing::result_of_separate_run([&] {
            ReadsBench bench;
            bench.set_threads(threads);
            bench.set_workload("prefetched_reads", prefetched);
            bench.set_workload("work_cycles", std::int64_t{40});
            bench.load();
            bench.run();
            return std::to_string(bench.machine().now().count());
        }));
    };
    const std::int64_t alone = cycles(1, 0);
    EXPECT_LT(cycles(2, 0), alone * 9 / 10);
    EXPECT_LT(cycles(1, 2), alone * 6 / 10);
}

TEST(SharedReadsFaultTest, WhatDoesNotFitIsRefused) {
    ReadsBench bench;
    bench.set_workload("homes", std::int64_t{9});
    EXPECT_THAT(bench.fault_of_data(), Names("workload.homes: ", "9", "8", "nodes", "more"));
}

TEST(SharedReadsFaultTest, ALineIsReadByFewerThanAllNodes) {
    ReadsBench bench;
    bench.set_workload("reads", std::int64_t{64});
    bench.set_workload("readers", std::int64_t{8});
    EXPECT_THAT(bench.fault_of_data(), Names("workload.readers: ", "8", "8", "nodes", "fewer"));
}

TEST(SharedReadsFaultTest, AWordThatIsNotReadIsFound) {
    ReadsBench bench;
    bench.load();
    EXPECT_NE(bench.check(), std::nullopt);
}

}  // namespace

}  // namespace weir::firmware
