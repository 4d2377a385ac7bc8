#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "nodes/shared_memory/testing/shared_bench.h"

namespace weir::nodes {

namespace {

using firmware::ActiveMessages;
using hw::Cycles;
using testing::SharedBench;

/// What one node does after the others have done.
struct Step {
    int node;
    bool is_store;
    std::uint32_t address;
};

// What each step takes, one a thousand cycles after the other.
std::vector<std::int64_t> cycles_of(SharedBench& bench, const std::vector<Step>& steps) {
    std::vector<std::int64_t> taken(steps.size());
    bench.thread = [&](Processor& processor, ActiveMessages&) -> Task {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            if (step.node != processor.node().index()) {
                continue;
            }
            co_await processor.wait_until(Cycles(1000 * static_cast<std::int64_t>(i + 1)));
            const Cycles begin = processor.now();
            if (step.is_store) {
                co_await processor.store(step.address, static_cast<std::uint32_t>(i + 1));
            } else {
                co_await processor.load(step.address);
            }
            taken[i] = (processor.now() - begin).count();
        }
    };
    EXPECT_EQ(bench.run(), RunEnd::kFinished);
    EXPECT_EQ(bench.machine().account().fault(true), std::nullopt);
    return taken;
}

constexpr auto kLoad = false;
constexpr auto kStore = true;

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

// A miss is seen in 4 cycles. Its packet is in the output queue in the next; 4 fixed cycles, a hop
// and 3 more flits later it is in the home's input queue as a whole, and a cycle later at the home.
// A request of memory and two beats take 5 cycles. The line comes back in 1 + 4 + 1 + 11 + 1, and
// the access ends with a hit, 2 or 3.
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

// The walk through memory/coherence/README.md.
TEST(SharedLatencyTest, AWriterWaitsUntilAReadersCopyIsGone) {
    SharedBench bench;
    const auto line = SharedBench::shared(1, 0);
    EXPECT_THAT(cycles_of(bench, {{2, kLoad, line}, {0, kStore, line}}),
                ::testing::ElementsAre(41, 66));
}

// Five pointers: the sixth reader is software's, and so is the writer after it.
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
