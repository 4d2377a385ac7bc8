#include "memory/coherence/coherence_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hw/testing/names.h"
#include "hw/testing/scripted_part.h"
#include "hw/testing/separate_run.h"
#include "hw/tracing/trace_record.h"
#include "memory/coherence/golden_memory.h"
#include "memory/coherence/miss_classes.h"
#include "memory/coherence/testing/coherence_bench.h"

namespace weir::memory {
namespace {

using hw::Cycles;
using hw::NodeId;
using hw::testing::BusAccess;
using testing::CacheBench;
using testing::CoherenceBench;
using ::testing::ElementsAre;
using ::testing::Not;
using weir::testing::Names;
using Statistics = CoherenceController::Statistics;

constexpr std::int64_t kWire = CoherenceBench::kWire;
constexpr std::int64_t kWay = CoherenceBench::kWay;

// Nodes 0 to 3, on a network that takes kWire cycles.
class CoherenceControllerTest : public ::testing::Test {
  protected:
    static std::uint64_t shared(std::int64_t node, std::int64_t offset = 0) {
        return CoherenceBench::shared(node, offset);
    }
    // Runs all scripted accesses; returns the cycles that this one took.
    std::int64_t cost_of(const BusAccess& access) {
        bench.run();
        EXPECT_TRUE(access.ok());
        return access.cost();
    }
    // Scripts a store by a context twice: the core switches contexts after the first, and repeats
    // it when the line has arrived.
    void store_by_context(std::int32_t node, std::uint64_t address, std::uint64_t data) {
        bench.store(node, address, data);
        bench.store(node, address, data);
    }

    CoherenceBench bench{4, kWire};
};

// --- Cycles of accesses -------------------------------------------------------------------------

// The miss takes 4 cycles, a memory request with two beats 5, and a hit 2 or 3.
TEST_F(CoherenceControllerTest, ALocalLineTakesWhatAPrivateOneTakes) {
    EXPECT_EQ(cost_of(bench.load(0, shared(0))), 4 + 5 + 2);
    EXPECT_EQ(cost_of(bench.load(0, shared(0, 4))), 2);
    EXPECT_EQ(cost_of(bench.store(0, shared(0, 16), 7)), 4 + 5 + 3);
    EXPECT_EQ(cost_of(bench.store(0, shared(0, 20), 8)), 3);
    EXPECT_EQ(cost_of(bench.load(0, shared(0, 16))), 2);
    EXPECT_EQ(bench.count(0, &Statistics::loads), 3);
    EXPECT_EQ(bench.count(0, &Statistics::stores), 2);
    EXPECT_EQ(bench.count(0, &Statistics::local_misses), 2);
    EXPECT_EQ(bench.count(0, &Statistics::remote_misses), 0);
    EXPECT_EQ(bench.count(0, &Statistics::upgrades), 0);
    EXPECT_EQ(bench.count(0, &Statistics::requests_served), 2);
}

TEST_F(CoherenceControllerTest, ALineOfAnotherNodeTakesTheWayThereAndBackMore) {
    EXPECT_EQ(cost_of(bench.load(0, shared(1))), 4 + kWay + 5 + kWay + 2);
    EXPECT_EQ(cost_of(bench.store(2, shared(1, 16), 7)), 4 + kWay + 5 + kWay + 3);
    EXPECT_EQ(bench.count(0, &Statistics::remote_misses), 1);
    EXPECT_EQ(bench.count(0, &Statistics::miss_cycles), 4 + kWay + 5 + kWay);
    EXPECT_EQ(bench.count(0, &Statistics::requests_served), 0);
    EXPECT_EQ(bench.count(1, &Statistics::requests_served), 2);
}

// The home decides on the grant after directory_cycles: 2.
TEST_F(CoherenceControllerTest, AGrantWithoutTheLineReadsNoMemory) {
    bench.load(0, shared(1));
    EXPECT_EQ(cost_of(bench.store(0, shared(1), 7)), 4 + kWay + 2 + kWay + 3);
    EXPECT_EQ(bench.count(0, &Statistics::upgrades), 1);
    bench.load(1, shared(1, 16));
    EXPECT_EQ(cost_of(bench.store(1, shared(1, 16), 7)), 4 + 2 + 3);
    EXPECT_EQ(bench.count(1, &Statistics::upgrades), 1);
}

TEST_F(CoherenceControllerTest, ADirectoryMayTakeNoTime) {
    CacheBench::set(bench.coherence.directory_cycles, std::int64_t{0});
    EXPECT_EQ(cost_of(bench.load(1, shared(1))), 4 + 5 + 2);
    EXPECT_EQ(cost_of(bench.store(1, shared(1), 7)), 4 + 3);
    bench.load(0, shared(1, 16));
    EXPECT_EQ(cost_of(bench.store(0, shared(1, 16), 7)), 4 + kWay + kWay + 3);
}

// The home is asked in the cycle of the access, and may answer in it.
TEST_F(CoherenceControllerTest, AMissMayTakeNoTime) {
    CacheBench::set(bench.caches.levels.front().miss_cycles, std::int64_t{0});
    EXPECT_EQ(cost_of(bench.load(0, shared(0))), 5 + 2);
    EXPECT_EQ(cost_of(bench.store(0, shared(0), 7)), 2 + 3);
    EXPECT_EQ(cost_of(bench.load(0, shared(1))), kWay + 5 + kWay + 2);
    EXPECT_EQ(cost_of(bench.store(0, shared(1), 7)), kWay + 2 + kWay + 3);
    EXPECT_EQ(cost_of(bench.load(2, shared(1))), kWay + 2 + kWay + kWay + 5 + kWay + 2);
    EXPECT_EQ(bench.count(0, &Statistics::local_misses), 2);
    EXPECT_EQ(bench.count(0, &Statistics::remote_misses), 2);
}

TEST_F(CoherenceControllerTest, AMissAndADirectoryMayBothTakeNoTime) {
    CacheBench::set(bench.caches.levels.front().miss_cycles, std::int64_t{0});
    CacheBench::set(bench.coherence.directory_cycles, std::int64_t{0});
    EXPECT_EQ(cost_of(bench.load(1, shared(1))), 5 + 2);
    EXPECT_EQ(cost_of(bench.store(1, shared(1), 7)), 3) << "the grant comes in the same cycle";
}

TEST_F(CoherenceControllerTest, APrefetchWithoutMissCyclesAsksAtOnce) {
    CacheBench::set(bench.caches.levels.front().miss_cycles, std::int64_t{0});
    hw::AccessTag prefetches;
    prefetches.prefetches = true;
    bench.load(0, shared(1), &prefetches);
    EXPECT_EQ(cost_of(bench.load(0, shared(1))), 2);
    EXPECT_EQ(bench.count(0, &Statistics::late_prefetches), 0);
}

// Invalidations leave every 2 cycles.
TEST_F(CoherenceControllerTest, AWriterWaitsUntilTheLastReadersCopyIsGone) {
    bench.load(2, shared(1));
    EXPECT_EQ(cost_of(bench.store(0, shared(1), 7)), 4 + kWay + 2 + kWay + kWay + 5 + kWay + 3);
    bench.load(0, shared(1, 16));
    bench.load(2, shared(1, 16));
    EXPECT_EQ(cost_of(bench.store(3, shared(1, 16), 7)),
              4 + kWay + 2 + 2 + kWay + kWay + 5 + kWay + 3);
    EXPECT_EQ(bench.count(1, &Statistics::invalidations_sent), 3);
    EXPECT_EQ(bench.count(2, &Statistics::copies_lost), 2);
    EXPECT_EQ(bench.count(0, &Statistics::copies_lost), 1);
    EXPECT_EQ(bench.count(0, &Statistics::unused_lines), 0);
}

// The line first returns home, with a write to memory of 5 cycles, and is then read from memory.
TEST_F(CoherenceControllerTest, ALineThatAnotherNodeHasChangedIsTakenFromIt) {
    bench.store(2, shared(1, 4), 0x1234);
    const BusAccess& read = bench.load(0, shared(1, 4));
    EXPECT_EQ(cost_of(read), 4 + kWay + 2 + kWay + kWay + 5 + kWay + 2);
    EXPECT_EQ(read.data, 0x1234U);
    EXPECT_EQ(bench.count(2, &Statistics::copies_lost), 1);
    const BusAccess& again = bench.load(1, shared(1, 4));
    EXPECT_EQ(cost_of(again), 4 + 5 + 2);
    EXPECT_EQ(again.data, 0x1234U);
}

// --- Withdrawn accesses -------------------------------------------------------------------------

// The withdrawal may come in any cycle, including that of the line's arrival and those after the
// access.
TEST_F(CoherenceControllerTest, AnAccessThatIsWithdrawnIsDoneIfAndOnlyIfItIsSaidToBe) {
    hw::testing::ScriptedPart script(bench.domain);
    std::vector<std::pair<const BusAccess*, const BusAccess*>> stores_and_loads;
    for (std::int64_t cycle = 1; cycle < 2 * kWay + 20; ++cycle) {
        const std::uint64_t word = shared(1, cycle * 16);
        const BusAccess& store = bench.store(0, word, 7);
        script.at(store.not_before.count() + cycle,
                  [this](Cycles) { bench.node(0).core.withdraw(); });
        stores_and_loads.emplace_back(&store, &bench.load(2, word));
    }
    bench.run();
    std::set<bool> seen;
    for (const auto& [store, load] : stores_and_loads) {
        EXPECT_EQ(load->data, store->ok() ? 7 : 0) << "withdrawn in vain until " << store->end;
        seen.insert(store->ok());
    }
    EXPECT_EQ(seen.size(), 2);
}

// --- Contexts -----------------------------------------------------------------------------------

// The core waits for its own node's memory, but switches contexts for another node or for software.
TEST_F(CoherenceControllerTest, ACoreWithContextsWaitsForItsOwnMemoryAlone) {
    bench.contexts = 2;
    const BusAccess& own = bench.load(0, shared(0));
    const BusAccess& others = bench.load(0, shared(1));
    const BusAccess& others_again = bench.load(0, shared(1));
    store_by_context(2, shared(0, 32), 7);
    const BusAccess& changed_elsewhere = bench.load(0, shared(0, 32));
    const BusAccess& changed_again = bench.load(0, shared(0, 32));
    bench.run();
    EXPECT_TRUE(own.ok());
    EXPECT_EQ(own.cost(), 4 + 5 + 2);
    EXPECT_EQ(others.status, tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(others.cost(), 1);
    EXPECT_TRUE(others_again.ok());
    EXPECT_EQ(others_again.cost(), 2);
    EXPECT_EQ(changed_elsewhere.status, tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(changed_elsewhere.cost(), 4 + 1) << "when the home sees who has it";
    EXPECT_EQ(changed_again.data, 7U);
    EXPECT_EQ(bench.count(0, &Statistics::held_accesses), 0);
}

// The line arrives and is taken before the context runs again; the repeated access then holds the
// core.
TEST_F(CoherenceControllerTest, AnAccessThatHasLostItsLineHoldsTheCore) {
    bench.contexts = 2;
    bench.load(0, shared(1));
    store_by_context(2, shared(1), 7);
    const BusAccess& again = bench.load(0, shared(1));
    bench.run();
    EXPECT_TRUE(again.ok());
    EXPECT_EQ(again.data, 7U);
    EXPECT_EQ(again.cost(), 4 + kWay + 2 + kWay + kWay + 5 + kWay + 2);
    EXPECT_EQ(bench.count(0, &Statistics::held_accesses), 1);
    EXPECT_EQ(bench.count(0, &Statistics::unused_lines), 1);
    EXPECT_EQ(bench.count(0, &Statistics::copies_lost), 1);
}

// --- BUSY ---------------------------------------------------------------------------------------

// Node 3 has a copy to read, so that the first writer has to wait; the second writer asks
// meanwhile. Result: the end cycles of both writers, and the number of BUSY answers.
struct Contest {
    std::int64_t second_end;
    std::int64_t busy_replies;
};
Contest contest(CoherenceBench& bench) {
    bench.load(3, CoherenceBench::shared(1));
    const Cycles turn = bench.turn();
    const std::uint64_t address = CoherenceBench::shared(1);
    bench.next(0, {tlm::TLM_WRITE_COMMAND, address, 7, 4, turn});
    const BusAccess& second =
        bench.next(2, {tlm::TLM_WRITE_COMMAND, address, 8, 4, turn + Cycles(5)});
    bench.run();
    EXPECT_TRUE(second.ok());
    return {second.cost(), bench.count(2, &Statistics::busy_replies)};
}

TEST_F(CoherenceControllerTest, ABusyHomeIsAskedAgainThePauseLater) {
    CacheBench::set(bench.coherence.busy_spread_cycles, std::int64_t{0});
    const Contest contested = contest(bench);
    EXPECT_EQ(contested.busy_replies, 1);
    // BUSY arrives after 4 + kWay + 2 + kWay; later the first writer's copy is taken.
    EXPECT_EQ(contested.second_end,
              4 + kWay + 2 + kWay + 20 + kWay + 2 + kWay + kWay + 5 + kWay + 3);
}

// With busy_spread_cycles = 2, three pauses before a repeated request are possible; each occurs
// with some seed.
TEST(BusySpreadTest, EachPauseUpToTheSpreadOccurs) {
    constexpr std::int64_t kAlone =
        4 + kWay + 2 + kWay + 100 + kWay + 2 + kWay + kWay + 5 + kWay + 3;
    std::set<std::int64_t> pauses;
    for (std::uint64_t seed = 1; seed <= 24; ++seed) {
        const std::string end = hw::testing::result_of_separate_run([seed] {
            CoherenceBench bench(4, kWire);
            bench.seed = seed;
            CacheBench::set(bench.coherence.busy_cycles, std::int64_t{100});
            CacheBench::set(bench.coherence.busy_spread_cycles, std::int64_t{2});
            return std::to_string(contest(bench).second_end);
        });
        pauses.insert(std::stoll(end) - kAlone);
    }
    EXPECT_EQ(pauses, (std::set<std::int64_t>{0, 1, 2}));
}

// Nodes 2 and 3 pass a line to and fro, each asking again when it has lost the line. Node 0 asks
// every kPeriod cycles, in step with the cycles in which the home is busy.
TEST_F(CoherenceControllerTest, AStoreIsServedThoughItsRetriesAreInStepWithOthers) {
    CacheBench::set(bench.coherence.busy_spread_cycles, std::int64_t{0});
    constexpr std::int64_t kStores = 40;
    const Cycles turn = bench.turn();
    for (std::int64_t i = 0; i < kStores; ++i) {
        for (const std::int32_t node : {2, 3}) {
            bench.next(node, {tlm::TLM_WRITE_COMMAND, shared(1), 1, 4, turn + Cycles(node)});
        }
    }
    const BusAccess& store =
        bench.next(0, {tlm::TLM_WRITE_COMMAND, shared(1), 1, 4, turn + Cycles(50)});
    for (std::int64_t i = 0; i < kStores / 2; ++i) {
        bench.turn();
    }
    bench.run();
    EXPECT_TRUE(store.ok());
    // At most two stores of each other node go first, and each takes less than two pauses.
    EXPECT_LE(bench.count(0, &Statistics::most_refusals), 8);
    EXPECT_GE(bench.count(0, &Statistics::most_refusals), 1);
    EXPECT_EQ(bench.count(0, &Statistics::most_refusals),
              bench.count(0, &Statistics::busy_replies));
}

// The home is free, and has told node 2 to ask again in 500 cycles. Node 2's packet may be behind a
// message for the home's core, so this core must not wait for the packet.
TEST_F(CoherenceControllerTest, AHomesCoreDoesNotWaitForANodeThatItsHomeHasRefused) {
    bench.contexts = 2;
    CacheBench::set(bench.coherence.busy_cycles, std::int64_t{500});
    CacheBench::set(bench.coherence.busy_spread_cycles, std::int64_t{0});
    bench.load(3, shared(1));
    const Cycles turn = bench.turn();
    bench.next(0, {tlm::TLM_WRITE_COMMAND, shared(1), 7, 4, turn});
    bench.next(2, {tlm::TLM_WRITE_COMMAND, shared(1), 8, 4, turn + Cycles(5)});
    const BusAccess& own =
        bench.next(1, {tlm::TLM_READ_COMMAND, shared(1), 0, 4, turn + Cycles(300)});
    bench.turn();
    bench.turn();
    const BusAccess& later = bench.load(1, shared(1));
    bench.run();
    EXPECT_EQ(own.status, tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(own.cost(), 1);
    EXPECT_EQ(bench.count(1, &Statistics::busy_replies), 1);
    EXPECT_EQ(bench.count(2, &Statistics::busy_replies), 1) << "the home has kept its turn";
    EXPECT_TRUE(later.ok());
}

// --- Prefetches, exchanges and full/empty bits --------------------------------------------------

TEST_F(CoherenceControllerTest, APrefetchTakesAHitAndItsLineComesMeanwhile) {
    hw::AccessTag prefetches;
    prefetches.prefetches = true;
    const BusAccess& first = bench.load(0, shared(1), &prefetches);
    EXPECT_EQ(cost_of(first), 2);
    EXPECT_EQ(cost_of(bench.load(0, shared(1))), 2);
    EXPECT_EQ(cost_of(bench.load(0, shared(1), &prefetches)), 2);
    EXPECT_EQ(bench.count(0, &Statistics::loads), 1);
    EXPECT_EQ(bench.count(0, &Statistics::prefetches), 1);
    EXPECT_EQ(bench.count(0, &Statistics::useless_prefetches), 1);
    EXPECT_EQ(bench.count(0, &Statistics::late_prefetches), 0);
    EXPECT_EQ(bench.count(0, &Statistics::remote_misses), 0);
    EXPECT_EQ(bench.count(0, &Statistics::miss_cycles), 0) << "nobody waited";
}

// Two buffers; a prefetched copy to read occupies the first.
TEST_F(CoherenceControllerTest, AFreeBufferIsTakenBeforeAPrefetchedCopy) {
    CacheBench::set(bench.coherence.transaction_buffers, std::int64_t{2});
    hw::AccessTag prefetches;
    prefetches.prefetches = true;
    bench.load(0, shared(1), &prefetches);
    EXPECT_EQ(cost_of(bench.load(0, shared(2))), 4 + kWay + 5 + kWay + 2);
    EXPECT_EQ(cost_of(bench.load(0, shared(1))), 2) << "the copy is still there";
}

// With a single buffer, the prefetched copy is dropped for the next line.
TEST_F(CoherenceControllerTest, APrefetchedCopyMakesRoomWhereNoBufferIsFree) {
    CacheBench::set(bench.coherence.transaction_buffers, std::int64_t{1});
    hw::AccessTag prefetches;
    prefetches.prefetches = true;
    bench.load(0, shared(1), &prefetches);
    EXPECT_EQ(cost_of(bench.load(0, shared(2))), 4 + kWay + 5 + kWay + 2);
    EXPECT_EQ(cost_of(bench.load(0, shared(1))), 4 + kWay + 5 + kWay + 2);
}

// A line to be written waits in the only buffer. It moves to the cache, and the next line takes the
// buffer a cycle later.
TEST_F(CoherenceControllerTest, ALineThatNobodyHasUsedMakesRoomInItsBuffer) {
    CacheBench::set(bench.coherence.transaction_buffers, std::int64_t{1});
    hw::AccessTag prefetches;
    prefetches.prefetches = true;
    bench.store(0, shared(1), 0, &prefetches);
    EXPECT_EQ(cost_of(bench.load(0, shared(2))), 1 + 4 + kWay + 5 + kWay + 2);
    EXPECT_EQ(cost_of(bench.store(0, shared(1), 7)), 3);
}

TEST_F(CoherenceControllerTest, AnExchangeBringsWhatItReplaces) {
    hw::AccessTag exchanges;
    exchanges.exchanges = true;
    bench.store(2, shared(1, 8), 0x11);
    const BusAccess& swap = bench.store(0, shared(1, 8), 0x22, &exchanges);
    const BusAccess& read = bench.load(2, shared(1, 8));
    bench.run();
    EXPECT_EQ(swap.data, 0x11U);
    EXPECT_EQ(read.data, 0x22U);
}

TEST_F(CoherenceControllerTest, AWordInTheWrongStateIsLeftAsItIsAndCostsNoHit) {
    hw::AccessTag take;
    take.only_loads = true;
    take.full_empty = {.is_used = true,
                       .needs = hw::FullEmptyUse::Needs::kFull,
                       .leaves = hw::FullEmptyUse::Leaves::kEmpty};
    hw::AccessTag again = take;
    hw::AccessTag other_word = take;
    bench.store(0, shared(0, 4), 0x33);
    const BusAccess& taken = bench.store(0, shared(0, 4), 0, &take);
    const BusAccess& refused = bench.store(0, shared(0, 4), 0x44, &again);
    const BusAccess& beside = bench.store(0, shared(0, 8), 0, &other_word);
    bench.run();
    EXPECT_EQ(taken.data, 0x33U);
    EXPECT_EQ(taken.cost(), 2);
    EXPECT_TRUE(take.full_empty.was_full);
    EXPECT_FALSE(again.full_empty.was_full);
    EXPECT_EQ(refused.data, 0x44U) << "nothing was moved";
    EXPECT_EQ(refused.cost(), 0);
    EXPECT_TRUE(other_word.full_empty.was_full);
    EXPECT_TRUE(beside.ok());
    EXPECT_EQ(bench.count(0, &Statistics::full_empty_accesses), 3);
    EXPECT_EQ(bench.count(0, &Statistics::wrong_states), 1);
}

// --- Replaced lines -----------------------------------------------------------------------------

// The first level is direct-mapped, of 64 kB: the private and the shared line compete for a place.
TEST_F(CoherenceControllerTest, AChangedLineThatIsPushedOutGoesHome) {
    bench.store(0, shared(1), 0x55);
    bench.load(0, shared(1) % (1 << 16));
    const BusAccess& read = bench.load(2, shared(1));
    EXPECT_EQ(cost_of(read), 4 + kWay + 5 + kWay + 2) << "node 0 has nothing of it any more";
    EXPECT_EQ(read.data, 0x55U);
    EXPECT_EQ(bench.count(0, &Statistics::lines_sent_home), 1);
    EXPECT_EQ(bench.count(0, &Statistics::copies_lost), 0);
    EXPECT_EQ(bench.node(0).coherence.state_of(shared(1)), CacheState::kInvalid);
    EXPECT_EQ(bench.node(2).coherence.state_of(shared(1)), CacheState::kReadOnly);
}

// Shared lines follow the node's private bytes in the same DRAM.
TEST_F(CoherenceControllerTest, BurstsReachTheNodesOwnMemoryAndItsPartOfTheSharedOne) {
    testing::BurstRequester& dma = bench.node(1).dma;
    const auto& own = dma.read(100, CoherenceBench::kPrivateBytes - 16, 16);
    const auto& part = dma.read(200, CoherenceBench::kPrivateBytes, 16);
    const auto& last =
        dma.read(300, CoherenceBench::kPrivateBytes + CoherenceBench::kSharedBytes - 16, 16);
    bench.run();
    for (const auto* burst : {&own, &part, &last}) {
        EXPECT_NE(burst->end, hw::kNever);
    }
}

// --- Registers for software ---------------------------------------------------------------------

TEST_F(CoherenceControllerTest, WithoutAPacketForSoftwareOnlyTheFirstRegisterIsThere) {
    const BusAccess& line = bench.load(0, WEIR_TRAPPED_LINE);
    const BusAccess& packet = bench.load(0, WEIR_TRAPPED_PACKET);
    const BusAccess& pointers = bench.load(0, WEIR_POINTERS);
    const BusAccess& held = bench.load(0, WEIR_HELD_PACKET);
    const BusAccess& word = bench.load(0, WEIR_PACKET_WORD(0));
    const BusAccess& last_word = bench.load(0, WEIR_PACKET_WORD(WEIR_MOST_PACKET_WORDS - 1));
    const BusAccess& behind = bench.load(0, WEIR_PACKET_WORD(WEIR_MOST_PACKET_WORDS));
    const BusAccess& may_return = bench.load(0, WEIR_MAY_RETURN);
    const BusAccess& done = bench.store(0, WEIR_TRAP_DONE, 0);
    bench.run();
    EXPECT_EQ(done.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_TRUE(line.ok());
    EXPECT_EQ(line.data, 0U);
    EXPECT_EQ(line.cost(), 2);
    EXPECT_EQ(packet.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(pointers.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
    for (const BusAccess* nothing : {&held, &word, &last_word}) {
        EXPECT_TRUE(nothing->ok());
        EXPECT_EQ(nothing->data, 0U);
    }
    EXPECT_EQ(behind.status, tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(may_return.data, 1U);
}

// The directory has one pointer, and a second reader is in another node.
TEST_F(CoherenceControllerTest, AReaderWithoutAPointerIsSoftwares) {
    CacheBench::set(bench.coherence.pointers, std::int64_t{1});
    bench.load(0, shared(1, 32));
    const BusAccess& second = bench.load(2, shared(1, 32));
    const BusAccess& line = bench.load(1, WEIR_TRAPPED_LINE);
    const BusAccess& packet = bench.load(1, WEIR_TRAPPED_PACKET);
    const BusAccess& pointers = bench.load(1, WEIR_POINTERS);
    const BusAccess& pointer = bench.load(1, WEIR_POINTER(0));
    const BusAccess& no_pointer = bench.load(1, WEIR_POINTER(1));
    const BusAccess& held_none = bench.store(1, WEIR_HOLD_PACKETS, 0);
    bench.run();
    EXPECT_TRUE(held_none.ok()) << "a register that is always there";
    EXPECT_FALSE(second.ok()) << "software has not answered";
    EXPECT_EQ(line.data, shared(1, 32));
    EXPECT_EQ(packet.data, WEIR_COHERENCE_VALUE(WEIR_ASKS_TO_READ, 2));
    EXPECT_EQ(pointers.data, 1U);
    EXPECT_EQ(pointer.data, 0U);
    EXPECT_TRUE(no_pointer.ok());
    EXPECT_EQ(bench.count(1, &Statistics::traps), 1);

    bench.store(1, WEIR_DIRECTORY_STATE, WEIR_COHERENCE_VALUE(WEIR_HOME_TRAPS_ON_WRITE, 0));
    bench.store(1, WEIR_SEND_PACKET, WEIR_COHERENCE_VALUE(WEIR_SENDS_READ_DATA, 2));
    bench.store(1, WEIR_TRAP_DONE, 0);
    const BusAccess& then = bench.load(1, WEIR_TRAPPED_LINE);
    bench.run();
    EXPECT_TRUE(second.ok());
    EXPECT_EQ(then.data, 0U);
}

// Five lines wait for software, in a machine of four nodes.
class TrapTurnsTest : public CoherenceControllerTest {
  protected:
    void hand_over_five_lines() {
        CacheBench::set(bench.coherence.pointers, std::int64_t{1});
        prefetches_.prefetches = true;
        for (std::int64_t i = 0; i < kLines; ++i) {
            bench.load(0, line(i));
        }
        for (std::int64_t i = 0; i < kLines; ++i) {
            bench.load(2, line(i), &prefetches_);
        }
    }
    // Reads WEIR_TRAPPED_LINE six times, and serves each packet found. Returns the words read.
    std::vector<std::uint64_t> serve_all() {
        std::vector<const BusAccess*> lines;
        for (std::int64_t i = 0; i <= kLines; ++i) {
            lines.push_back(&bench.load(1, WEIR_TRAPPED_LINE));
            bench.run();
            if (lines.back()->data != 0) {
                bench.store(1, WEIR_DIRECTORY_STATE,
                            WEIR_COHERENCE_VALUE(WEIR_HOME_TRAPS_ON_WRITE, 0));
                bench.store(1, WEIR_SEND_PACKET, WEIR_COHERENCE_VALUE(WEIR_SENDS_READ_DATA, 2));
                bench.store(1, WEIR_TRAP_DONE, 0);
            } else {
                raised_ = bench.node(1).controller.coherence_trap_raised(bench.domain.now());
            }
        }
        std::vector<std::uint64_t> seen;
        for (const BusAccess* one : lines) {
            seen.push_back(one->data);
        }
        return seen;
    }
    static std::uint64_t line(std::int64_t number) { return shared(1, 32 + 16 * number); }

    static constexpr std::int64_t kLines = 5;
    hw::AccessTag prefetches_;
    bool raised_ = false;  // the trap was raised although software saw no packet
};

TEST_F(TrapTurnsTest, ATrapServesAsManyPacketsAsThereAreNodes) {
    hand_over_five_lines();
    EXPECT_THAT(serve_all(), ElementsAre(line(0), line(1), line(2), line(3), 0U, line(4)));
    EXPECT_TRUE(raised_) << "for the next trap";
}

TEST_F(TrapTurnsTest, WithoutTurnsATrapServesPacketsAsLongAsTheyCome) {
    CacheBench::set(bench.coherence.trap_turns, false);
    hand_over_five_lines();
    EXPECT_THAT(serve_all(), ElementsAre(line(0), line(1), line(2), line(3), line(4), 0U));
    EXPECT_FALSE(raised_);
}

// A trap or handler interrupts a store. The store's line arrives meanwhile, and node 2 requests it.
class InterruptedAccessTest : public CoherenceControllerTest {
  protected:
    static constexpr std::int64_t kPause = 400;
    // Cycles from the one in which node 0's copy leaves to the end of node 2's store.
    static constexpr std::int64_t kTaken = kWay + 5 + kWay + 3;

    void interrupt_store() {
        const BusAccess& store = bench.store(0, shared(1), 7);
        begin = store.not_before;
        script.at(begin.count() + 4, [this](Cycles) { bench.node(0).core.withdraw(); });
        other = &bench.next(2, {tlm::TLM_WRITE_COMMAND, shared(1), 8, 4, begin + Cycles(100)});
    }
    const BusAccess& comes_back(tlm::tlm_command command, std::uint64_t address) {
        return bench.next(0, {command, address, 7, 4, begin + Cycles(kPause)});
    }

    hw::testing::ScriptedPart script{bench.domain};
    Cycles begin{0};
    const BusAccess* other = nullptr;
};

TEST_F(InterruptedAccessTest, FindsItsLineWhoeverWantsIt) {
    interrupt_store();
    const BusAccess& again = comes_back(tlm::TLM_WRITE_COMMAND, shared(1));
    const BusAccess& read = bench.load(3, shared(1));
    bench.run();
    EXPECT_EQ(again.cost(), 3);
    EXPECT_EQ(other->end, again.issued + Cycles(kTaken));
    EXPECT_EQ(read.data, 8U) << "what was stored last";
    EXPECT_EQ(bench.count(0, &Statistics::packets_put_off), 1);
    EXPECT_EQ(bench.count(0, &Statistics::unused_lines), 0);
}

TEST_F(InterruptedAccessTest, ThatDoesNotComeBackLetsItsLineGo) {
    interrupt_store();
    const BusAccess& elsewhere = comes_back(tlm::TLM_READ_COMMAND, shared(3));
    bench.run();
    EXPECT_EQ(other->end, elsewhere.issued + Cycles(kTaken));
    EXPECT_EQ(bench.count(0, &Statistics::unused_lines), 1);
}

TEST_F(InterruptedAccessTest, HoldsUpNoOtherPacket) {
    bench.store(0, shared(1, 16), 9);
    interrupt_store();
    const BusAccess& beside =
        bench.next(3, {tlm::TLM_READ_COMMAND, shared(1, 16), 0, 4, begin + Cycles(200)});
    comes_back(tlm::TLM_WRITE_COMMAND, shared(1));
    bench.run();
    EXPECT_EQ(beside.data, 9U);
    EXPECT_EQ(beside.cost(), 4 + kWay + 2 + kWay + kWay + 5 + kWay + 2);
}

TEST_F(InterruptedAccessTest, LosesItsLineWithoutTurns) {
    CacheBench::set(bench.coherence.trap_turns, false);
    interrupt_store();
    const BusAccess& again = comes_back(tlm::TLM_WRITE_COMMAND, shared(1));
    bench.run();
    EXPECT_LT(other->end, again.issued);
    EXPECT_EQ(again.cost(), 4 + kWay + 2 + kWay + kWay + 5 + kWay + 3);
    EXPECT_EQ(bench.count(0, &Statistics::unused_lines), 1);
}

// With several contexts, an interrupted access that held the core holds it again.
TEST_F(InterruptedAccessTest, OfAContextThatHoldsTheCoreGoesOnHoldingIt) {
    bench.contexts = 2;
    bench.load(0, shared(1));
    store_by_context(2, shared(1), 6);
    const BusAccess& held = bench.load(0, shared(1));
    script.at(held.not_before.count() + 4, [this](Cycles) { bench.node(0).core.withdraw(); });
    const BusAccess& again =
        bench.next(0, {tlm::TLM_READ_COMMAND, shared(1), 0, 4, held.not_before + Cycles(10)});
    bench.run();
    EXPECT_FALSE(held.ok());
    EXPECT_TRUE(again.ok()) << "and is not answered before its line is there";
    EXPECT_EQ(again.data, 6U);
}

// An overflow trap takes a packet out of the queue, and returns it later.
TEST_F(CoherenceControllerTest, SoftwareMayHoldAPacketAndGiveItBack) {
    bench.store(1, WEIR_HOLD_PACKETS, 1);
    const BusAccess& remote = bench.load(2, shared(1, 32));
    const BusAccess& held = bench.load(1, WEIR_HELD_PACKET);
    const BusAccess& operation = bench.load(1, WEIR_PACKET_WORD(0));
    const BusAccess& line = bench.load(1, WEIR_PACKET_WORD(1));
    bench.store(1, WEIR_TAKE_PACKET, 0);
    const BusAccess& taken = bench.load(1, WEIR_HELD_PACKET);
    bench.run();
    EXPECT_EQ(held.data, 2U << 16 | 2U) << "two words, of node 2";
    EXPECT_EQ(operation.data, static_cast<std::uint32_t>(Packet::kReadRequest));
    EXPECT_EQ(line.data, shared(1, 32));
    EXPECT_EQ(taken.data, 0U);
    EXPECT_FALSE(remote.ok());

    bench.store(1, WEIR_PACKET_WORD(0), operation.data);
    bench.store(1, WEIR_PACKET_WORD(1), line.data);
    bench.store(1, WEIR_HOLD_PACKETS, 0);
    const BusAccess& returned = bench.store(1, WEIR_RETURN_PACKET, held.data);
    bench.run();
    EXPECT_TRUE(returned.ok());
    EXPECT_TRUE(remote.ok());
    EXPECT_EQ(bench.count(1, &Statistics::requests_served), 1);
}

// --- Faults of the protocol ---------------------------------------------------------------------

TEST_F(CoherenceControllerTest, APacketThatCannotComeIsReportedWithWhatTheLineHasMet) {
    bench.load(0, shared(1));
    bench.load(2, shared(1, 32));
    bench.run();
    bench.node(1).coherence.receive({.node = NodeId(3),
                                     .operation = static_cast<std::uint32_t>(Packet::kUpdate),
                                     .address = static_cast<std::uint32_t>(shared(1)),
                                     .has_line = true});
    bench.load(1, shared(1, 64));
    try {
        bench.run();
        FAIL() << "nothing was found";
    } catch (const ProtocolError& error) {
        const std::string what = error.what();
        EXPECT_THAT(what, Names("node 1", "line 0x80001000", "UPDATE", "node 3", "home",
                                "cycle 1017", "RREQ", "node 0", "Read-Only"));
        EXPECT_THAT(what, Not(Names("RREQ", "node 2"))) << "of another line";
    }
}

// --- Observers ----------------------------------------------------------------------------------

TEST(CoherenceObserversTest, LoadsAreComparedWithWhatWasStoredLast) {
    GoldenMemory golden;
    CoherenceBench bench(4, kWire);
    bench.golden = &golden;
    bench.store(0, CoherenceBench::shared(1), 5);
    bench.load(2, CoherenceBench::shared(1));
    EXPECT_NO_THROW(bench.run());
    const std::array<std::uint8_t, 1> other{6};
    golden.store(CoherenceBench::shared(1), other);
    bench.load(2, CoherenceBench::shared(1));
    try {
        bench.run();
        FAIL() << "nothing was found";
    } catch (const std::exception& error) {
        EXPECT_THAT(error.what(), Names("loaded", "5", "6", "stored"));
    }
}

// Keeps the traced transactions.
class Transactions final : public hw::TraceRecord {
  public:
    void message(const hw::Message& /*message*/) override {}
    void queue_level(NodeId /*node*/, hw::QueueKind /*queue*/, Cycles /*cycle*/,
                     hw::Bytes /*bytes*/, std::int64_t /*messages*/) override {}
};

// An invalidation belongs to the transaction of the writer that waits for it.
TEST(CoherenceObserversTest, ATransactionsPacketsAreThoseOfWhoBeganIt) {
    Transactions sink;
    TransactionTrace trace({sink, 4});
    CoherenceBench bench(4, kWire);
    bench.observers.transactions = &trace;
    bench.load(2, CoherenceBench::shared(1));
    bench.store(0, CoherenceBench::shared(1), 1);
    bench.run();
    trace.end_of_run();
    ASSERT_EQ(sink.transactions.size(), 2U);
    const hw::SharedTransaction& write = sink.transactions.back();
    EXPECT_EQ(write.node, NodeId(0));
    EXPECT_EQ(write.home, NodeId(1));
    EXPECT_EQ(write.begin, Cycles(2000));
    EXPECT_EQ(write.request, hw::SharedRequest::kWrite);
    EXPECT_EQ(write.invalidations, 1);
    EXPECT_EQ(write.busy_replies, 0);
    EXPECT_FALSE(write.is_trapped);
    EXPECT_FALSE(write.is_prefetch);
    EXPECT_EQ(write.first_asked, write.begin + Cycles(4));
    EXPECT_EQ(write.asked, write.first_asked);
    EXPECT_EQ(write.home_arrival, write.asked + Cycles(kWay));
    EXPECT_EQ(write.home_begin, write.home_arrival);
    EXPECT_EQ(write.first_invalidation, write.home_begin + Cycles(2));
    EXPECT_EQ(write.last_acknowledgement, write.first_invalidation + Cycles(2 * kWay));
    EXPECT_EQ(write.reply, write.last_acknowledgement + Cycles(5));
    EXPECT_EQ(write.fill, write.reply + Cycles(kWay));
    EXPECT_EQ(write.use, write.fill);
    const hw::SharedTransaction& read = sink.transactions.front();
    EXPECT_EQ(read.request, hw::SharedRequest::kRead);
    EXPECT_EQ(read.invalidations, 0);
    EXPECT_EQ(read.first_invalidation, hw::kNever);
    EXPECT_EQ(read.reply, read.home_begin + Cycles(5));
}

TEST(CoherenceObserversTest, EachWordIsToldAndTheBitOfOneThatIsUsed) {
    Transactions sink;
    CoherenceBench bench(2, kWire);
    bench.observers.accesses = &sink;
    hw::AccessTag take;
    take.only_loads = true;
    take.full_empty = {.is_used = true,
                       .needs = hw::FullEmptyUse::Needs::kFull,
                       .leaves = hw::FullEmptyUse::Leaves::kEmpty};
    const auto word = static_cast<std::int64_t>(CoherenceBench::shared(0, 4));
    bench.store(0, CoherenceBench::shared(0, 4), 0x33);
    bench.store(0, CoherenceBench::shared(0, 4), 0, &take);
    bench.run();
    std::vector<std::string> told;
    for (const hw::SharedAccess& one : sink.shared_accesses) {
        told.push_back(std::to_string(one.sequence) + ": " + std::to_string(one.address - word) +
                       " " + std::to_string(one.loaded) + " " + std::to_string(one.stored));
    }
    EXPECT_THAT(told, ElementsAre("0: 0 -1 51", "1: 0 51 -1", "2: 1 1 0"));
}

// The home only forwards the request; the owner answers.
TEST(CoherenceObserversTest, OfAForwardedRequestTheOwnersAnswerIsKnown) {
    Transactions sink;
    TransactionTrace trace({sink, 4});
    CoherenceBench bench(4, kWire);
    bench.observers.transactions = &trace;
    CacheBench::set(bench.coherence.protocol, std::string("forwarding"));
    bench.store(2, CoherenceBench::shared(1), 7);
    const BusAccess& load = bench.load(0, CoherenceBench::shared(1));
    bench.run();
    trace.end_of_run();
    EXPECT_EQ(load.data, 7U);
    ASSERT_EQ(sink.transactions.size(), 2U);
    const hw::SharedTransaction& read = sink.transactions.back();
    EXPECT_EQ(read.node, NodeId(0));
    EXPECT_EQ(read.first_invalidation, read.home_begin + Cycles(2));
    EXPECT_EQ(read.last_acknowledgement, read.first_invalidation + Cycles(kWay));
    EXPECT_EQ(read.reply, read.last_acknowledgement);
    EXPECT_EQ(read.fill, read.reply + Cycles(kWay));
    EXPECT_EQ(read.use, read.fill);
}

TEST_F(CoherenceControllerTest, AForwardedRequestIsAnsweredByTheOwner) {
    CacheBench::set(bench.coherence.protocol, std::string("forwarding"));
    bench.store(2, shared(1), 7);
    const BusAccess& load = bench.load(0, shared(1));
    EXPECT_EQ(cost_of(load), 4 + kWay + 2 + kWay + kWay + 2);
    EXPECT_EQ(load.data, 7U);
}

// The home's own lines: an engine's store changes the cached copy as well, and its load reads the
// newer bytes there.
TEST_F(CoherenceControllerTest, AnEnginesBurstSeesAndChangesTheCachesLine) {
    bench.store(1, shared(1, 4), 0x11223344);
    constexpr std::uint64_t kPart = CoherenceBench::kPrivateBytes;
    const auto& read = bench.node(1).dma.read(1500, kPart, 16);
    bench.node(1).dma.write(1600, kPart + 8, {9, 0, 0, 0, 0, 0, 0, 0});
    const BusAccess& changed = bench.load(1, shared(1, 8));
    const BusAccess& kept = bench.load(1, shared(1, 4));
    bench.run();
    EXPECT_EQ(read.data[4], 0x44);
    EXPECT_EQ(changed.data, 9U);
    EXPECT_EQ(changed.cost(), 2);
    EXPECT_EQ(kept.data, 0x11223344U);
    EXPECT_EQ(bench.count(1, &Statistics::dma_bursts), 2);
}

// Packets that software sends for a trapped request are counted in its trap.
TEST(CoherenceObserversTest, PacketsThatSoftwareSendsAreCounted) {
    Transactions sink;
    TransactionTrace trace({sink, 4});
    CoherenceBench bench(4, kWire);
    bench.observers.transactions = &trace;
    CacheBench::set(bench.coherence.pointers, std::int64_t{1});
    bench.load(0, CoherenceBench::shared(1));
    const BusAccess& second = bench.load(2, CoherenceBench::shared(1));
    bench.load(1, WEIR_TRAPPED_LINE);
    bench.store(1, WEIR_DIRECTORY_STATE, WEIR_COHERENCE_VALUE(WEIR_HOME_TRAPS_ON_WRITE, 0));
    bench.store(1, WEIR_SEND_PACKET, WEIR_COHERENCE_VALUE(WEIR_SENDS_READ_DATA, 2));
    bench.store(1, WEIR_TRAP_DONE, 0);
    bench.run();
    EXPECT_TRUE(second.ok());
    ASSERT_EQ(sink.coherence_traps.size(), 1U);
    EXPECT_EQ(sink.coherence_traps.front().packets, 1);
}

// States of each line in caches and homes, including silent replacements and states that software
// writes.
TEST(CoherenceObserversTest, LinesHaveStates) {
    Transactions sink;
    LineStates lines({sink, 4});
    CoherenceBench bench(4, kWire);
    bench.observers.lines = &lines;
    CacheBench::set(bench.coherence.pointers, std::int64_t{1});
    const std::uint64_t line = CoherenceBench::shared(1);
    bench.load(0, line);
    bench.load(0, line % (1 << 16));  // a private line that competes for the place in the cache
    bench.load(2, line);              // no pointer is left for node 2
    bench.load(1, WEIR_TRAPPED_LINE);
    bench.store(1, WEIR_DIRECTORY_STATE, WEIR_COHERENCE_VALUE(WEIR_HOME_TRAPS_ON_WRITE, 0));
    bench.run();
    std::vector<std::string> changes;
    std::vector<std::int64_t> states;
    for (const hw::LineState& one : sink.line_states) {
        EXPECT_EQ(one.line, static_cast<std::int64_t>(line));
        changes.push_back(std::to_string(one.cycle.count()) + " " +
                          std::to_string(one.node.index()) + "." + std::to_string(one.sequence) +
                          " " + std::to_string(one.pointers));
        states.push_back(one.state);
    }
    EXPECT_THAT(changes, ElementsAre("1000 0.0 -1", "1004 0.1 -1", "1017 1.0 1", "1035 0.2 -1",
                                     "2000 0.3 -1", "3000 2.0 -1", "3004 2.1 -1", "3017 1.1 1",
                                     "5000 1.2 0"));
    EXPECT_THAT(states,
                ElementsAre(number_of(CacheState::kReadAgain), number_of(CacheState::kReadAsked),
                            number_of(HomeState::kReadOnly), number_of(CacheState::kReadOnly),
                            number_of(CacheState::kInvalid), number_of(CacheState::kReadAgain),
                            number_of(CacheState::kReadAsked), number_of(HomeState::kSoftware),
                            number_of(HomeState::kTrapOnWrite)));
    EXPECT_EQ(name_of_line_state(number_of(CacheState::kReadOnly)), "cache: Read-Only");
    EXPECT_EQ(name_of_line_state(number_of(HomeState::kTrapOnWrite)), "home: Trap-On-Write");
}

// Observers of single accesses, and several contexts, disable plain hits.
enum class Looks : std::uint8_t { kNobody, kContexts, kGolden, kMisses, kAccesses, kLines };

class PlainHitsTest : public ::testing::TestWithParam<Looks> {};

TEST_P(PlainHitsTest, AreForAccessesOfWhichNobodyKeepsAccount) {
    GoldenMemory golden;
    Transactions sink;
    MissClasses misses(2, 16);
    LineStates lines({sink, 2});
    CoherenceBench bench(2, kWire);
    const Looks looks = GetParam();
    bench.contexts = looks == Looks::kContexts ? 2 : 1;
    bench.golden = looks == Looks::kGolden ? &golden : nullptr;
    bench.observers.misses = looks == Looks::kMisses ? &misses : nullptr;
    bench.observers.accesses = looks == Looks::kAccesses ? &sink : nullptr;
    bench.observers.lines = looks == Looks::kLines ? &lines : nullptr;
    EXPECT_EQ(bench.node(0).coherence.has_plain_hits(),
              looks == Looks::kNobody || looks == Looks::kLines);
}

INSTANTIATE_TEST_SUITE_P(WhoLooksOn, PlainHitsTest,
                         ::testing::Values(Looks::kNobody, Looks::kContexts, Looks::kGolden,
                                           Looks::kMisses, Looks::kAccesses, Looks::kLines));

TEST(CoherenceObserversTest, MissesAreClassified) {
    MissClasses misses(4, 4096);
    CoherenceBench bench(4, kWire);
    bench.observers.misses = &misses;
    const std::uint64_t line = CoherenceBench::shared(1);
    bench.load(0, line);
    bench.store(2, line, 1);
    bench.load(0, line);  // loads the word that node 2 has stored
    bench.store(2, line, 2);
    bench.load(0, line + 4);  // loads another word of the line
    bench.run();
    misses.end_of_run();
    const MissClasses::Statistics& statistics = misses.statistics(NodeId(0));
    EXPECT_EQ(statistics.cold_misses.value(), 1);
    EXPECT_EQ(statistics.true_sharing_misses.value(), 1);
    EXPECT_EQ(statistics.false_sharing_misses.value(), 1);
    EXPECT_EQ(statistics.capacity_misses.value(), 0);
    EXPECT_EQ(statistics.conflict_misses.value(), 0);
}

}  // namespace
}  // namespace weir::memory
