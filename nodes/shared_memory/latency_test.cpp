#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hw/testing/separate_run.h"
#include "nodes/shared_memory/testing/shared_bench.h"

namespace weir::nodes {

namespace {

using firmware::ActiveMessages;
using hw::Cycles;
using testing::cycles_of;
using testing::kLoad;
using testing::kStore;
using testing::SharedBench;
using testing::Step;

TEST(SharedLatencyTest, ALocalLineTakesWhatAPrivateOneTakes) {
    SharedBench bench;
    const auto line = SharedBench::shared(0, 0);
    const auto other = SharedBench::shared(0, 32);
    EXPECT_THAT(
        cycles_of(
            bench,
            {{0, kLoad, line}, {0, kLoad, line + 4}, {0, kStore, other}, {0, kStore, other + 4}}),
        ::testing::ElementsAre(11, 2, 12, 3));
}

// The miss takes 4 cycles. The packet is in the output queue in the next cycle. The packet reaches
// the home's input queue 4 fixed cycles, a hop and 3 more flits later, and the home in the next
// cycle. Memory takes 5 cycles: 1 for the request and 2 for each of two beats. The line comes back
// in 1 + 4 + 1 + 11 + 1 cycles, and the access ends with a hit, 2 or 3 cycles.
TEST(SharedLatencyTest, ALineOfANeighbourTakesARoundTrip) {
    SharedBench bench;
    EXPECT_THAT(cycles_of(bench, {{0, kLoad, SharedBench::shared(1, 0)},
                                  {0, kStore, SharedBench::shared(1, 16)}}),
                ::testing::ElementsAre(41, 42));
}

TEST(SharedLatencyTest, AGrantWithoutTheLineIsShorter) {
    SharedBench bench;
    const auto line = SharedBench::shared(1, 0);
    EXPECT_THAT(cycles_of(bench, {{0, kLoad, line}, {0, kStore, line}}),
                ::testing::ElementsAre(41, 31));
}

TEST(SharedLatencyTest, ALineThatAnotherHasChangedIsTakenFromIt) {
    SharedBench bench;
    const auto at_home = SharedBench::shared(1, 32);
    const auto elsewhere = SharedBench::shared(1, 48);
    EXPECT_THAT(cycles_of(bench, {{1, kStore, at_home},
                                  {0, kLoad, at_home},
                                  {2, kStore, elsewhere},
                                  {0, kLoad, elsewhere}}),
                ::testing::ElementsAre(12, 45, 42, 73));
}

// Returns the cycles in which a program has prefetched a line and then used it, not before cycle
// `wanted`, and the number of late lines.
std::string prefetched(std::int64_t wanted, bool to_write) {
    SharedBench bench;
    std::string taken;
    bench.thread = [&](Processor& processor, ActiveMessages&) -> Task {
        if (processor.node().index() != 0) {
            co_return;
        }
        const std::uint32_t line = SharedBench::shared(1, 0);
        co_await (to_write ? processor.prefetch_to_write(line) : processor.prefetch(line));
        taken = std::to_string(processor.now().count());
        co_await processor.wait_until(Cycles(wanted));
        if (to_write) {
            co_await processor.store(line, 1);
        } else {
            co_await processor.load(line);
        }
        taken += ", " + std::to_string(processor.now().count());
    };
    using Statistics = memory::CoherenceController::Statistics;
    if (bench.run() != RunEnd::kFinished || bench.machine().account().fault(true) ||
        bench.sum(&Statistics::prefetches) != 1 || bench.sum(&Statistics::remote_misses) != 0) {
        return "not a prefetch alone";
    }
    return taken + ", " + std::to_string(bench.sum(&Statistics::late_prefetches)) + " late";
}

// The request and the line travel in the same cycles as those of a load.
TEST(SharedLatencyTest, APrefetchTakesAHitAndItsLineComesMeanwhile) {
    const struct {
        std::int64_t wanted;
        bool to_write;
        const char* taken;
    } cases[] = {{0, false, "2, 41, 1 late"},
                 {30, false, "2, 41, 1 late"},
                 {100, false, "2, 102, 0 late"},
                 {30, true, "3, 42, 1 late"},
                 {100, true, "3, 103, 0 late"}};
    for (const auto& one : cases) {
        EXPECT_EQ(hw::testing::result_of_separate_run(
                      [&] { return prefetched(one.wanted, one.to_write); }),
                  one.taken);
    }
}

// The only transaction buffer is occupied by the first line until that line is used.
TEST(SharedLatencyTest, APrefetchWithoutABufferAsksForNothing) {
    SharedBench bench;
    bench.set(bench.configuration.coherence, "transaction_buffers", std::int64_t{1});
    bench.thread = [&](Processor& processor, ActiveMessages&) -> Task {
        if (processor.node().index() == 0) {
            co_await processor.prefetch(SharedBench::shared(1, 0));
            co_await processor.prefetch(SharedBench::shared(1, 16));
            co_await processor.prefetch(SharedBench::shared(1, 0));
            co_await processor.load(SharedBench::shared(1, 0));
        }
    };
    EXPECT_EQ(bench.run(), RunEnd::kFinished);
    using Statistics = memory::CoherenceController::Statistics;
    EXPECT_EQ(bench.sum(&Statistics::prefetches), 1);
    EXPECT_EQ(bench.sum(&Statistics::useless_prefetches), 2);
}

// The example in memory/coherence/README.md.
TEST(SharedLatencyTest, AWriterWaitsUntilAReadersCopyIsGone) {
    SharedBench bench;
    const auto line = SharedBench::shared(1, 0);
    EXPECT_THAT(cycles_of(bench, {{2, kLoad, line}, {0, kStore, line}}),
                ::testing::ElementsAre(41, 66));
}

// Five pointers: software serves the sixth reader and the following writer.
TEST(SharedLatencyTest, SoftwareServesTheReaderForWhichThereIsNoPointer) {
    SharedBench bench;
    const auto line = SharedBench::shared(0, 0);
    std::vector<Step> steps;
    for (int reader = 2; reader < 7; ++reader) {
        steps.push_back({reader, kLoad, line});
    }
    steps.push_back({1, kLoad, line});
    steps.push_back({1, kStore, line});
    const auto taken = cycles_of(bench, steps);
    EXPECT_EQ(bench.sum(&memory::CoherenceController::Statistics::traps), 2);
    EXPECT_EQ(bench.sum(&memory::CoherenceController::Statistics::invalidations_sent), 5);
    EXPECT_EQ(bench.sum(&memory::CoherenceController::Statistics::copies_lost), 5);
    EXPECT_EQ(taken[4], 45);
    EXPECT_EQ(taken[5], 240);
    EXPECT_EQ(taken[6], 252);
}

}  // namespace

}  // namespace weir::nodes
