#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hw/testing/names.h"
#include "nodes/shared_memory/testing/shared_bench.h"

namespace weir::nodes {

namespace {

using firmware::ActiveMessages;
using hw::Cycles;
using testing::SharedBench;
using weir::testing::Names;

/// Fetch-and-op at the words' homes.
class FetchTest : public ::testing::Test {
  protected:
    using Statistics = memory::CoherenceController::Statistics;

    FetchTest() { bench_.set(bench_.configuration.coherence, "fetch_and_op", true); }

    // Every node adds to a word, one addition after the other, from cycle 1000 on.
    void add_from_all_nodes(std::int64_t additions) {
        bench_.thread = [this, additions](Processor& processor, ActiveMessages&) -> Task {
            co_await processor.wait_until(Cycles(1000));
            for (std::int64_t i = 0; i < additions; ++i) {
                words_.push_back(co_await processor.fetch_and_add(word_, 1));
            }
        };
        ASSERT_EQ(bench_.run(), RunEnd::kFinished);
        EXPECT_EQ(bench_.machine().account().fault(true), std::nullopt);
    }
    void note(const Processor& processor, Cycles since) {
        cycles_.push_back((processor.now() - since).count());
    }

    SharedBench bench_;
    std::uint32_t word_ = SharedBench::shared(1, 8);
    std::vector<std::uint32_t> words_;
    std::vector<std::int64_t> cycles_;
};

TEST_F(FetchTest, EachOperationGivesTheWordAsItWas) {
    bench_.thread = [this](Processor& processor, ActiveMessages&) -> Task {
        if (processor.node().index() == 0) {
            words_.push_back(co_await processor.exchange_at_home(word_, 12));
            words_.push_back(co_await processor.fetch_and_add(word_, 0xffff'fff8));
            words_.push_back(co_await processor.fetch_and_or(word_, 3));
            words_.push_back(co_await processor.fetch_and_and(word_, 6));
            words_.push_back(co_await processor.load(word_));
            words_.push_back(co_await processor.load(word_ - 4));
            words_.push_back(co_await processor.load(word_ + 4));
        }
    };
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_THAT(words_, ::testing::ElementsAre(0, 12, 4, 7, 6, 0, 0));
}

// The request leaves in 4 cycles, reaches the home in 15 (16 bytes), and takes 2 cycles in the
// directory. The home's cache takes the 3 cycles of a store. The answer takes 15, and 3 cycles of a
// hit end the operation. The first operation waits 9 cycles more for the line from memory. The
// home's own operations have no trips.
TEST_F(FetchTest, TheHomeKeepsTheLine) {
    bench_.thread = [this](Processor& processor, ActiveMessages&) -> Task {
        const std::int64_t node = processor.node().index();
        co_await processor.wait_until(Cycles(1000 + 1000 * node));
        for (int i = 0; node < 2 && i < 2; ++i) {
            const Cycles since = processor.now();
            co_await processor.fetch_and_add(word_, 1);
            note(processor, since);
        }
    };
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_THAT(cycles_, ::testing::ElementsAre(51, 42, 12, 12));
    EXPECT_EQ(bench_.sum(&Statistics::fetches), 4);
    EXPECT_EQ(bench_.sum(&Statistics::fetches_done), 4);
    EXPECT_EQ(bench_.sum(&Statistics::local_misses), 1);
    EXPECT_EQ(bench_.sum(&Statistics::remote_misses), 0);
}

TEST_F(FetchTest, NothingComesBetweenTheWordAndItsChange) {
    add_from_all_nodes(20);
    std::sort(words_.begin(), words_.end());
    ASSERT_EQ(words_.size(), 160);
    for (std::uint32_t i = 0; i < words_.size(); ++i) {
        EXPECT_EQ(words_[i], i);
    }
    EXPECT_EQ(bench_.sum(&Statistics::fetches_done), 160);
}

// A home with one buffer lets one operation wait, and the others are refused and ask again.
TEST_F(FetchTest, AsManyWaitAsAHomeHasBuffers) {
    bench_.set(bench_.configuration.coherence, "transaction_buffers", std::int64_t{1});
    add_from_all_nodes(20);
    EXPECT_GT(bench_.sum(&Statistics::fetches_put_off), 20);
    EXPECT_EQ(bench_.sum(&Statistics::fetches_done), 160);
}

// The home invalidates all copies of the word, and its change is visible everywhere.
TEST_F(FetchTest, OrdinaryAccessesOfTheWordAreCoherentWithIt) {
    bench_.thread = [this](Processor& processor, ActiveMessages&) -> Task {
        switch (processor.node().index()) {
            case 2:
                co_await processor.store(word_, 40);
                co_await processor.wait_until(Cycles(3000));
                words_.push_back(co_await processor.load(word_));
                break;
            case 3:
                co_await processor.wait_until(Cycles(1000));
                words_.push_back(co_await processor.fetch_and_add(word_, 2));
                break;
            case 4:
                co_await processor.wait_until(Cycles(2000));
                words_.push_back(co_await processor.exchange(word_, 50));
                break;
            default:
                break;
        }
    };
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_THAT(words_, ::testing::ElementsAre(40, 42, 50));
    EXPECT_EQ(bench_.sum(&Statistics::copies_lost), 3);
}

// A message in between is handled, and the operation is performed once.
TEST_F(FetchTest, AnInterruptDoesNotRepeatIt) {
    bench_.handlers = {[](Processor& processor, ActiveMessages&) -> Task {
        co_await processor.compute(Cycles(100));
    }};
    bench_.thread = [this](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node().index() == 7) {
            for (int i = 0; i < 100; ++i) {
                co_await messages.send(hw::NodeId(0), 0, {});
                co_await processor.compute(Cycles(i % 7));
            }
        } else if (processor.node().index() == 0) {
            for (int i = 0; i < 200; ++i) {
                words_.push_back(co_await processor.fetch_and_add(word_, 1));
            }
        }
    };
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    ASSERT_EQ(words_.size(), 200);
    EXPECT_EQ(words_.back(), 199);
    EXPECT_EQ(bench_.sum(&Statistics::fetches_done), 200);
}

TEST_F(FetchTest, IsRefusedWhereTheMachineHasNone) {
    bench_.set(bench_.configuration.coherence, "fetch_and_op", false);
    bench_.thread = [this](Processor& processor, ActiveMessages&) -> Task {
        co_await processor.fetch_and_add(word_, 1);
    };
    try {
        bench_.run();
        FAIL() << "no fault";
    } catch (const ProgramFault& fault) {
        EXPECT_THAT(fault.what(), Names("fetch-and-op", "homes", "coherence.fetch_and_op"));
    }
}

TEST_F(FetchTest, IsRefusedOfPrivateMemory) {
    bench_.thread = [](Processor& processor, ActiveMessages&) -> Task {
        co_await processor.fetch_and_add(64, 1);
    };
    EXPECT_THROW(bench_.run(), ProgramFault);
}

}  // namespace

}  // namespace weir::nodes
