#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <set>
#include <vector>

#include "hw/testing/scripted_part.h"
#include "memory/coherence/golden_memory.h"
#include "memory/coherence/testing/coherence_bench.h"

namespace weir::memory {
namespace {

using hw::Cycles;
using hw::FetchOperation;
using hw::NodeId;
using hw::testing::BusAccess;
using testing::CacheBench;
using testing::CoherenceBench;

/// Fetch-and-ops of nodes 0 to 3 on words whose home is node 1.
class FetchAtHomeTest : public ::testing::Test {
  protected:
    using Statistics = CoherenceController::Statistics;

    FetchAtHomeTest() { CacheBench::set(bench.coherence.fetch_and_op, true); }

    // Tag of a fetch-and-op; valid until the end of the test.
    hw::AccessTag* tag(FetchOperation operation, std::int32_t context = 0) {
        tags_.emplace_back();
        tags_.back().context = context;
        tags_.back().exchanges = true;
        tags_.back().fetch = operation;
        return &tags_.back();
    }
    const BusAccess& fetch(std::int32_t node, FetchOperation operation, std::uint32_t operand) {
        return bench.store(node, kWord, operand, tag(operation));
    }
    const BusAccess& add(std::int32_t node, Cycles cycle) {
        return bench.next(node,
                          {tlm::TLM_WRITE_COMMAND, kWord, 1, 4, cycle, tag(FetchOperation::kAdd)});
    }

    std::int64_t cost_of(const BusAccess& access) {
        bench.run();
        EXPECT_TRUE(access.ok());
        return access.cost();
    }

    static constexpr std::int64_t kWay = CoherenceBench::kWay;
    static constexpr std::uint64_t kWord = kSharedBase + CoherenceBench::kSharedBytes + 8;
    CoherenceBench bench;

  private:
    std::deque<hw::AccessTag> tags_;
};

TEST_F(FetchAtHomeTest, GivesTheWordAsItWasAndChangesNoOther) {
    bench.store(2, kWord - 8, 5);
    bench.store(2, kWord, 12);
    const BusAccess& added = fetch(0, FetchOperation::kAdd, 0xffff'fff8);
    const BusAccess& joined = fetch(3, FetchOperation::kOr, 3);
    const BusAccess& masked = fetch(0, FetchOperation::kAnd, 6);
    const BusAccess& replaced = fetch(1, FetchOperation::kExchange, 9);
    const BusAccess& left = bench.load(2, kWord);
    const BusAccess& first_word = bench.load(2, kWord - 8);
    const BusAccess& last_word = bench.load(2, kWord + 4);
    bench.run();
    EXPECT_EQ(added.data, 12U);
    EXPECT_EQ(joined.data, 4U);
    EXPECT_EQ(masked.data, 7U);
    EXPECT_EQ(replaced.data, 6U);
    EXPECT_EQ(left.data, 9U);
    EXPECT_EQ(first_word.data, 5U);
    EXPECT_EQ(last_word.data, 0U);
}

// The request leaves in 4 cycles, and takes 2 in the directory. The home's store takes 3, and so
// does the hit at the end. The first operation waits 9 cycles more for the line.
TEST_F(FetchAtHomeTest, TakesTheWayThereAndBackAndTheHomesStore) {
    const BusAccess& first = fetch(0, FetchOperation::kAdd, 1);
    const BusAccess& second = fetch(0, FetchOperation::kAdd, 1);
    const BusAccess& at_home = fetch(1, FetchOperation::kAdd, 1);
    bench.run();
    EXPECT_EQ(first.cost(), 4 + kWay + 2 + 9 + 3 + kWay + 3);
    EXPECT_EQ(second.cost(), 4 + kWay + 2 + 3 + kWay + 3);
    EXPECT_EQ(at_home.cost(), 4 + 2 + 3 + 3);
    EXPECT_EQ(at_home.data, 2U);
    EXPECT_EQ(bench.count(0, &Statistics::fetches), 2);
    EXPECT_EQ(bench.count(0, &Statistics::fetch_cycles), first.cost() - 3 + second.cost() - 3);
    EXPECT_EQ(bench.count(0, &Statistics::stores), 2);
    EXPECT_EQ(bench.count(0, &Statistics::remote_misses), 0);
    EXPECT_EQ(bench.count(1, &Statistics::fetches), 1);
    EXPECT_EQ(bench.count(1, &Statistics::fetches_done), 3);
    EXPECT_EQ(bench.count(1, &Statistics::local_misses), 1);
    EXPECT_EQ(bench.count(1, &Statistics::fetches_put_off), 0);
}

// miss_cycles is 0, for the miss of the requester and for that of the home to its line.
TEST_F(FetchAtHomeTest, MissesMayTakeNoTime) {
    CacheBench::set(bench.caches.levels.front().miss_cycles, std::int64_t{0});
    EXPECT_EQ(cost_of(fetch(0, FetchOperation::kAdd, 1)), kWay + 2 + 5 + 3 + kWay + 3);
    EXPECT_EQ(cost_of(fetch(1, FetchOperation::kAdd, 1)), 2 + 3 + 3);
}

// Three operations at once: each is performed when the answer of the previous one has left.
TEST_F(FetchAtHomeTest, IsDoneOneAfterTheOther) {
    fetch(0, FetchOperation::kAdd, 1);
    const Cycles turn = bench.turn();
    std::multiset<std::int64_t> costs;
    std::set<std::uint64_t> found;
    std::vector<const BusAccess*> all;
    for (const std::int32_t node : {0, 2, 3}) {
        all.push_back(&add(node, turn));
    }
    bench.run();
    for (const BusAccess* one : all) {
        costs.insert(one->cost());
        found.insert(one->data);
    }
    const std::int64_t alone = 4 + kWay + 2 + 3 + kWay + 3;
    EXPECT_EQ(costs, (std::multiset<std::int64_t>{alone, alone + 3, alone + 6}));
    EXPECT_EQ(found, (std::set<std::uint64_t>{1, 2, 3}));
}

// An overflow trap takes the operation out of the home's queue, with operand and word, and returns
// it.
TEST_F(FetchAtHomeTest, MayBeHeldBySoftware) {
    bench.store(2, kWord, 12);
    bench.store(1, WEIR_HOLD_PACKETS, 1);
    const BusAccess& joined = fetch(0, FetchOperation::kOr, 5);
    const BusAccess& held = bench.load(1, WEIR_HELD_PACKET);
    std::array<const BusAccess*, 3> words{};
    for (std::size_t i = 0; i < words.size(); ++i) {
        words[i] = &bench.load(1, WEIR_PACKET_WORD(i));
    }
    bench.store(1, WEIR_TAKE_PACKET, 0);
    bench.run();
    EXPECT_EQ(held.data, 3U) << "words, of node 0";
    EXPECT_EQ(words[2]->data, 5U);
    EXPECT_FALSE(joined.ok());
    for (std::size_t i = 0; i < words.size(); ++i) {
        bench.store(1, WEIR_PACKET_WORD(i), words[i]->data);
    }
    bench.store(1, WEIR_HOLD_PACKETS, 0);
    bench.store(1, WEIR_RETURN_PACKET, held.data);
    const BusAccess& word = bench.load(1, kWord);
    bench.run();
    EXPECT_TRUE(joined.ok());
    EXPECT_EQ(joined.data, 12U);
    EXPECT_EQ(word.data, 13U);
}

// One buffer: while the home's own operation waits for the line, one more may wait, but no third.
TEST_F(FetchAtHomeTest, AsksAgainWhereTooManyWait) {
    CacheBench::set(bench.coherence.transaction_buffers, std::int64_t{1});
    CacheBench::set(bench.coherence.busy_cycles, std::int64_t{100});
    CacheBench::set(bench.coherence.busy_spread_cycles, std::int64_t{0});
    const Cycles turn = bench.turn();
    const BusAccess& first = add(0, turn);
    const BusAccess& second = add(2, turn + Cycles(1));
    bench.run();
    EXPECT_EQ(first.cost(), 4 + kWay + 2 + 9 + 3 + kWay + 3);
    EXPECT_EQ(second.cost(), 4 + kWay + 2 + kWay - 1 + 100 + kWay + 2 + 3 + kWay + 3);
    EXPECT_EQ(second.data, 1U);
    EXPECT_EQ(bench.count(2, &Statistics::fetches_put_off), 1);
    EXPECT_EQ(bench.count(2, &Statistics::fetches), 1);
    EXPECT_EQ(bench.count(2, &Statistics::busy_replies), 0);
}

// The home's own operations may occupy all of its buffers, and wait for another node.
TEST_F(FetchAtHomeTest, FindsAPlaceForItsLineInAnyCase) {
    CacheBench::set(bench.coherence.transaction_buffers, std::int64_t{1});
    bench.store(2, kWord, 40);
    const Cycles turn = bench.turn();
    bench.next(1, {tlm::TLM_READ_COMMAND, CoherenceBench::shared(3), 0, 4, turn});
    const BusAccess& added = add(0, turn);
    bench.run();
    EXPECT_TRUE(added.ok());
    EXPECT_EQ(added.data, 40U);
    // The home's line comes from node 2 without further waits.
    EXPECT_EQ(added.cost(), 4 + kWay + 2 + (4 + 2 + kWay + kWay + 5) + 3 + kWay + 3);
}

// A withdrawal in any cycle: the operation is performed once, and its answer waits for the repeated
// access.
TEST_F(FetchAtHomeTest, IsDoneOnceHoweverOftenItsCoreComesBack) {
    hw::testing::ScriptedPart script(bench.domain);
    std::set<bool> seen;
    std::vector<const BusAccess*> first;
    std::vector<const BusAccess*> again;
    for (std::int64_t cycle = 1; cycle < 2 * kWay + 20; ++cycle) {
        first.push_back(&fetch(0, FetchOperation::kAdd, 1));
        script.at(first.back()->not_before.count() + cycle,
                  [this](Cycles) { bench.node(0).core.withdraw(); });
        again.push_back(&fetch(0, FetchOperation::kAdd, 1));
    }
    bench.run();
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        seen.insert(first[i]->ok());
        if (first[i]->ok()) {
            EXPECT_EQ(first[i]->data, expected++);
        }
        EXPECT_TRUE(again[i]->ok());
        EXPECT_EQ(again[i]->data, expected++) << i;
        if (!first[i]->ok()) {
            EXPECT_EQ(again[i]->cost(), 3) << "its answer is there";
        }
    }
    EXPECT_EQ(seen.size(), 2);
    EXPECT_EQ(bench.count(1, &Statistics::fetches_done), static_cast<std::int64_t>(expected));
}

TEST_F(FetchAtHomeTest, LeavesTheCoreToAnotherContextWhichHasItsOwn) {
    bench.contexts = 2;
    const auto by = [this](std::int32_t context, std::uint32_t operand) -> const BusAccess& {
        return bench.store(0, kWord, operand, tag(FetchOperation::kAdd, context));
    };
    const BusAccess& first = by(0, 1);
    const BusAccess& second = by(1, 10);
    const BusAccess& first_again = by(0, 1);
    const BusAccess& second_again = by(1, 10);
    bench.load(2, kWord);
    const BusAccess& left = bench.load(2, kWord);
    bench.run();
    EXPECT_EQ(first.status, tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(second.status, tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(first_again.data, 0U);
    EXPECT_EQ(second_again.data, 1U);
    EXPECT_EQ(left.data, 11U);
}

// Words are big-endian, as Sparcle's are.
TEST_F(FetchAtHomeTest, CountsInTheByteOrderOfItsCores) {
    bench.is_big_endian = true;
    bench.store(2, kWord, 0xff00'0000);
    const BusAccess& added = fetch(0, FetchOperation::kAdd, 0x0100'0000);
    const BusAccess& left = bench.load(2, kWord);
    bench.run();
    EXPECT_EQ(added.data, 0xff00'0000U);
    EXPECT_EQ(left.data, 0x0001'0000U) << "255 and 1 are 256";
}

TEST_F(FetchAtHomeTest, IsRefusedWhereTheMachineHasNone) {
    CacheBench::set(bench.coherence.fetch_and_op, false);
    const BusAccess& added = fetch(0, FetchOperation::kAdd, 1);
    bench.run();
    EXPECT_EQ(added.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(bench.count(0, &Statistics::fetches), 0);
}

// The home's loads and stores of the word are compared with the reference as all others are.
TEST_F(FetchAtHomeTest, IsComparedWithWhatWasStoredLast) {
    GoldenMemory golden;
    bench.golden = &golden;
    bench.store(0, kWord, 5);
    fetch(2, FetchOperation::kAdd, 2);
    bench.load(3, kWord);
    EXPECT_NO_THROW(bench.run());
    const std::array<std::uint8_t, 1> other{6};
    golden.store(kWord, other);
    fetch(2, FetchOperation::kAdd, 2);
    EXPECT_ANY_THROW(bench.run());
}

// An overflow trap takes the packet out of the queue, and returns it: three words and the buffer.
TEST_F(FetchAtHomeTest, MayBeHeldBySoftwareAndGivenBack) {
    bench.store(1, WEIR_HOLD_PACKETS, 1);
    const BusAccess& added = fetch(2, FetchOperation::kOr, 7);
    const BusAccess& held = bench.load(1, WEIR_HELD_PACKET);
    const BusAccess& operation = bench.load(1, WEIR_PACKET_WORD(0));
    const BusAccess& line = bench.load(1, WEIR_PACKET_WORD(1));
    const BusAccess& operand = bench.load(1, WEIR_PACKET_WORD(2));
    bench.store(1, WEIR_TAKE_PACKET, 0);
    bench.run();
    EXPECT_EQ(held.data, 2U << 16 | 3U);
    EXPECT_EQ(operation.data,
              WEIR_PACKET_FIRST_WORD(static_cast<std::uint32_t>(Packet::kFetch), 0));
    EXPECT_EQ(line.data, (kWord & ~15U) | 2U | 2U << 2) << "the third word, and kOr";
    EXPECT_EQ(operand.data, 7U);
    EXPECT_FALSE(added.ok());

    bench.store(1, WEIR_PACKET_WORD(0), operation.data);
    bench.store(1, WEIR_PACKET_WORD(1), line.data);
    bench.store(1, WEIR_PACKET_WORD(2), operand.data);
    bench.store(1, WEIR_HOLD_PACKETS, 0);
    bench.store(1, WEIR_RETURN_PACKET, held.data);
    const BusAccess& left = bench.load(0, kWord);
    bench.run();
    EXPECT_TRUE(added.ok());
    EXPECT_EQ(left.data, 7U);
}

}  // namespace
}  // namespace weir::memory
