#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hw/testing/names.h"
#include "nodes/shared_memory/testing/shared_bench.h"

namespace weir::nodes {

namespace {

using firmware::ActiveMessages;
using hw::Cycles;
using hw::SharedRequest;
using memory::CacheState;
using testing::cycles_of;
using testing::kLoad;
using testing::kStore;
using testing::SharedBench;
using testing::Step;
using weir::testing::Names;

// Returns the stages of a transaction in cycles from its begin; "-" for a stage that was not
// reached.
std::string stages(const hw::SharedTransaction& transaction) {
    std::string text;
    for (const Cycles cycle :
         {transaction.first_asked, transaction.asked, transaction.home_arrival,
          transaction.home_begin, transaction.first_invalidation, transaction.last_acknowledgement,
          transaction.reply, transaction.fill, transaction.use}) {
        text += (text.empty() ? "" : " ") +
                (cycle >= hw::kNever ? "-" : std::to_string((cycle - transaction.begin).count()));
    }
    return text;
}

// Returns the transaction that began in the 1000 cycles from `cycle` on.
hw::SharedTransaction transaction_from(const SharedBench& bench, std::int64_t cycle) {
    for (const hw::SharedTransaction& one : bench.trace.transactions) {
        if (one.begin.count() / 1000 == cycle / 1000) {
            return one;
        }
    }
    ADD_FAILURE() << "no transaction from cycle " << cycle << " on";
    return {};
}

// The example in memory/coherence/README.md and memory/README.md.
TEST(TransactionTest, AWriterWaitsUntilAReadersCopyIsGone) {
    SharedBench bench;
    const auto line = SharedBench::shared(1, 0);
    cycles_of(bench, {{2, kLoad, line}, {0, kStore, line}});
    const hw::SharedTransaction store = transaction_from(bench, 2000);
    EXPECT_EQ(store.node, hw::NodeId(0));
    EXPECT_EQ(store.begin, Cycles(2000));
    EXPECT_EQ(store.line, line);
    EXPECT_EQ(store.home, hw::NodeId(1));
    EXPECT_EQ(store.request, SharedRequest::kWrite);
    EXPECT_EQ(store.invalidations, 1);
    EXPECT_EQ(store.busy_replies, 0);
    EXPECT_FALSE(store.is_trapped || store.is_prefetch);
    EXPECT_EQ(stages(store), "4 4 15 15 17 39 44 63 63");
    EXPECT_EQ(bench.trace.transactions.size(), 2);
    EXPECT_TRUE(bench.trace.coherence_traps.empty());
    EXPECT_TRUE(bench.trace.shared_accesses.empty());
    EXPECT_TRUE(bench.trace.line_states.empty());
}

// The request is in the network when the run ends, and must not appear as a message.
TEST(TransactionTest, ARunThatIsCutShortTracesNoPacketsAsMessages) {
    SharedBench bench;
    bench.thread = [](Processor& processor, ActiveMessages&) -> Task {
        if (processor.node() == hw::NodeId(0)) {
            co_await processor.load(SharedBench::shared(7, 0));
        }
    };
    EXPECT_EQ(bench.run(Machine::RunLimits{.most_cycles = Cycles(12)}), RunEnd::kCycleLimit);
    const hw::ConservationAccount account = bench.machine().account();
    EXPECT_EQ(account.messages_launched, 1);
    EXPECT_EQ(account.messages_disposed, 0);
    EXPECT_TRUE(bench.trace.messages.empty());
}

std::string line_state_name(CacheState state) {
    return memory::name_of_line_state(memory::number_of(state));
}

// The states of a line at its home and in each cache, in cycles from the store's begin.
TEST(TransactionTest, ALinesStatesAreTracedWhereTheyAreAskedFor) {
    SharedBench bench;
    bench.traced.line_states = true;
    const auto line = SharedBench::shared(1, 0);
    cycles_of(bench, {{2, kLoad, line}, {0, kStore, line}});
    std::vector<std::string> changes;
    for (const hw::LineState& one : bench.trace.line_states) {
        EXPECT_EQ(one.line, line);
        if (one.cycle >= Cycles(2000)) {
            changes.push_back(std::to_string(one.cycle.count() - 2000) + ": node " +
                              std::to_string(one.node.index()) + ", " +
                              memory::name_of_line_state(one.state) +
                              (one.pointers < 0 ? "" : " " + std::to_string(one.pointers)));
        }
    }
    EXPECT_THAT(changes, ::testing::ElementsAre(
                             "0: node 0, " + line_state_name(CacheState::kWriteAgain),
                             "4: node 0, " + line_state_name(CacheState::kWriteAsked),
                             "15: node 1, home: Write-Transaction 1", "28: node 2, cache: Invalid",
                             "39: node 1, home: Read-Write 1", "63: node 0, cache: Read-Write"));
}

// A copy that another line replaces leaves without a packet, yet its change of state is traced;
// likewise a copy in a transaction buffer.
TEST(TransactionTest, CopiesThatLeaveUnseenAreSeenInTheTrace) {
    SharedBench bench;
    bench.traced.line_states = true;
    bench.set(bench.configuration.caches.levels.front(), "bytes", std::int64_t{16});
    const auto first = SharedBench::shared(1, 0);
    const auto second = SharedBench::shared(1, 16);
    cycles_of(bench, {{0, kLoad, first}, {0, kLoad, second}, {0, kStore, first}});
    std::vector<std::string> copies;
    for (const hw::LineState& one : bench.trace.line_states) {
        if (one.node == hw::NodeId(0)) {
            copies.push_back((one.line == first ? "1 " : "2 ") +
                             memory::name_of_line_state(one.state));
        }
    }
    EXPECT_THAT(copies, ::testing::ElementsAre(
                            "1 " + line_state_name(CacheState::kReadAgain),
                            "1 " + line_state_name(CacheState::kReadAsked), "1 cache: Read-Only",
                            "2 " + line_state_name(CacheState::kReadAgain),
                            "2 " + line_state_name(CacheState::kReadAsked), "2 cache: Read-Only",
                            "1 cache: Invalid", "1 " + line_state_name(CacheState::kWriteAgain),
                            "1 " + line_state_name(CacheState::kWriteAsked), "1 cache: Read-Write",
                            "2 cache: Invalid"));
}

TEST(TransactionTest, AnUpgradeAndALocalLineHaveTheirs) {
    SharedBench bench;
    const auto line = SharedBench::shared(1, 0);
    cycles_of(bench, {{0, kLoad, line}, {0, kStore, line}, {1, kLoad, SharedBench::shared(1, 64)}});
    EXPECT_EQ(transaction_from(bench, 1000).request, SharedRequest::kRead);
    EXPECT_EQ(stages(transaction_from(bench, 1000)), "4 4 15 15 - - 20 39 39");
    EXPECT_EQ(transaction_from(bench, 2000).request, SharedRequest::kModify);
    EXPECT_EQ(stages(transaction_from(bench, 2000)), "4 4 15 15 - - 17 28 28");
    EXPECT_EQ(transaction_from(bench, 3000).home, hw::NodeId(1));
    EXPECT_EQ(stages(transaction_from(bench, 3000)), "4 4 4 4 - - 9 9 9");
}

// One pointer: software serves the second reader and the following writer.
TEST(TransactionTest, SoftwareHelps) {
    SharedBench bench;
    bench.set(bench.configuration.coherence, "pointers", std::int64_t{1});
    const auto line = SharedBench::shared(0, 0);
    cycles_of(bench, {{1, kLoad, line}, {2, kLoad, line}, {3, kStore, line}});
    EXPECT_FALSE(transaction_from(bench, 1000).is_trapped);
    EXPECT_TRUE(transaction_from(bench, 2000).is_trapped);
    const hw::SharedTransaction store = transaction_from(bench, 3000);
    EXPECT_TRUE(store.is_trapped);
    EXPECT_EQ(store.invalidations, 2);
    ASSERT_EQ(bench.trace.coherence_traps.size(), 2);
    const hw::CoherenceTrap& read = bench.trace.coherence_traps.front();
    const hw::CoherenceTrap& write = bench.trace.coherence_traps.back();
    EXPECT_EQ(read.requester, hw::NodeId(2));
    EXPECT_EQ(read.request, SharedRequest::kRead);
    EXPECT_EQ(read.packets, 1);
    EXPECT_EQ(read.raised, transaction_from(bench, 2000).home_begin);
    // The trap's entry, after the cycle in which the core sees its interrupt line.
    EXPECT_EQ(read.begin - read.raised, Cycles(61));
    EXPECT_GT(transaction_from(bench, 2000).reply, read.begin);
    EXPECT_EQ(write.request, SharedRequest::kWrite);
    EXPECT_EQ(write.line, line);
    EXPECT_EQ(write.packets, 2);
    // Software still sends the second INV after the first has left.
    EXPECT_LT(store.first_invalidation, write.end);
    EXPECT_LT(store.first_invalidation, store.last_acknowledgement);
    EXPECT_LT(store.last_acknowledgement, store.reply);
}

// No pointers: hardware serves the home until node 1 asks. The home's copy is then invalidated, and
// software receives this packet and all later ones.
TEST(TransactionTest, SoftwareAloneIsToldOfEveryPacket) {
    SharedBench bench;
    bench.set(bench.configuration.coherence, "protocol", std::string("software"));
    const auto line = SharedBench::shared(0, 0);
    const auto taken = cycles_of(bench, {{0, kStore, line},
                                         {1, kLoad, line},
                                         {2, kLoad, line},
                                         {3, kStore, line},
                                         {0, kLoad, line}});
    EXPECT_FALSE(transaction_from(bench, 1000).is_trapped);
    std::string traps;
    for (const hw::CoherenceTrap& trap : bench.trace.coherence_traps) {
        traps += std::string(hw::shared_request_name(trap.request)) + " " +
                 std::to_string(trap.requester.index()) + ">" + std::to_string(trap.packets) + "; ";
    }
    EXPECT_EQ(traps,
              "read 1>1; acknowledge 0>1; read 2>1; write 3>2; acknowledge 1>0; acknowledge 2>1; "
              "read 0>1; acknowledge 3>1; ");
    for (const std::int64_t begin : {2000, 3000, 4000, 5000}) {
        EXPECT_TRUE(transaction_from(bench, begin).is_trapped) << begin;
    }
    EXPECT_EQ(transaction_from(bench, 2000).invalidations, 1);
    EXPECT_EQ(transaction_from(bench, 4000).invalidations, 2);
    EXPECT_LT(taken[0], 20);
    EXPECT_GT(taken[4], 200);
}

/// Homes that forward requests: a transaction of three nodes takes three hops.
class ForwardingTest : public ::testing::Test {
  protected:
    ForwardingTest() {
        bench.set(bench.configuration.coherence, "protocol", std::string("forwarding"));
    }
    std::int64_t forwarded() {
        return bench.sum(&memory::CoherenceController::Statistics::forwarded_requests);
    }

    const std::uint32_t line = SharedBench::shared(1, 0);
    SharedBench bench;
};

// The forwarded request, of 12 bytes, takes 13 cycles to the neighbour, and the line 20 from there.
TEST_F(ForwardingTest, WhoHasTheOnlyCopyAnswersAReader) {
    const auto taken =
        cycles_of(bench, {{2, kStore, line}, {0, kLoad, line}, {2, kLoad, line}, {3, kLoad, line}});
    EXPECT_EQ(stages(transaction_from(bench, 2000)), "4 4 15 15 17 30 30 50 50");
    EXPECT_EQ(transaction_from(bench, 2000).invalidations, 0);
    EXPECT_EQ(taken[2], 2);
    // The home has the line again.
    EXPECT_EQ(transaction_from(bench, 4000).first_invalidation, hw::kNever);
    EXPECT_EQ(forwarded(), 1);
}

TEST_F(ForwardingTest, WhoHasTheOnlyCopyGivesItToAWriter) {
    cycles_of(bench, {{2, kStore, line}, {0, kStore, line}, {3, kStore, line}, {2, kLoad, line}});
    EXPECT_EQ(stages(transaction_from(bench, 2000)), "4 4 15 15 17 30 30 50 50");
    EXPECT_EQ(transaction_from(bench, 2000).invalidations, 1);
    EXPECT_EQ(forwarded(), 3);
}

// Both acknowledgements follow the grant, whose worm holds the channel into the writer's node from
// cycle 23 on.
TEST_F(ForwardingTest, AWriterCountsAcknowledgements) {
    cycles_of(bench, {{2, kLoad, line}, {3, kLoad, line}, {0, kStore, line}, {2, kStore, line}});
    EXPECT_EQ(stages(transaction_from(bench, 3000)), "4 4 15 15 17 - 21 58 58");
    EXPECT_EQ(transaction_from(bench, 3000).invalidations, 2);
    EXPECT_EQ(bench.sum(&memory::CoherenceController::Statistics::copies_lost), 3);
}

TEST_F(ForwardingTest, AReaderThatBecomesAWriterCountsThem) {
    cycles_of(bench, {{2, kLoad, line}, {0, kLoad, line}, {0, kStore, line}});
    EXPECT_EQ(transaction_from(bench, 3000).request, SharedRequest::kModify);
    EXPECT_EQ(stages(transaction_from(bench, 3000)), "4 4 15 15 17 - 19 42 42");
}

TEST(TransactionTest, AHomeThatIsBusyIsAskedAgain) {
    SharedBench bench;
    const auto line = SharedBench::shared(1, 0);
    bench.thread = [&](Processor& processor, ActiveMessages&) -> Task {
        if (processor.node().index() == 2) {
            co_await processor.load(line);
        } else if (processor.node().index() == 0 || processor.node().index() == 3) {
            co_await processor.wait_until(Cycles(1000));
            co_await processor.store(line, 1);
        }
    };
    EXPECT_EQ(bench.run(), RunEnd::kFinished);
    std::int64_t busy = 0;
    for (const hw::SharedTransaction& one : bench.trace.transactions) {
        busy += one.busy_replies;
        EXPECT_EQ(one.asked > one.first_asked, one.busy_replies > 0);
        EXPECT_GT(one.home_arrival, one.asked);
    }
    EXPECT_EQ(busy, bench.sum(&memory::CoherenceController::Statistics::busy_replies));
    EXPECT_GT(busy, 0);
}

TEST(TransactionTest, APrefetchSaysSoAndMayGoUnused) {
    SharedBench bench;
    bench.thread = [&](Processor& processor, ActiveMessages&) -> Task {
        if (processor.node().index() == 0) {
            co_await processor.prefetch(SharedBench::shared(1, 0));
            co_await processor.prefetch(SharedBench::shared(1, 16));
            co_await processor.wait_until(Cycles(500));
            co_await processor.load(SharedBench::shared(1, 16));
        }
    };
    EXPECT_EQ(bench.run(), RunEnd::kFinished);
    ASSERT_EQ(bench.trace.transactions.size(), 2);
    EXPECT_TRUE(bench.trace.transactions.front().is_prefetch);
    EXPECT_EQ(bench.trace.transactions.front().use, Cycles(500));
    EXPECT_EQ(bench.trace.transactions.back().line, SharedBench::shared(1, 0));
    EXPECT_EQ(bench.trace.transactions.back().use, hw::kNever);
}

// A core's wait for lines of shared memory is not counted as computing.
TEST(TransactionTest, ACoreWaitsForMemory) {
    SharedBench bench;
    cycles_of(bench, {{0, kLoad, SharedBench::shared(1, 0)},
                      {0, kLoad, SharedBench::shared(1, 4)},
                      {0, kStore, SharedBench::shared(0, 0)}});
    const Core::Statistics& core = bench.machine().node(hw::NodeId(0)).core.statistics();
    // Waiting takes all cycles but those of the three hits: 2, 2 and 3.
    EXPECT_EQ(core.memory_wait_cycles.value(), 39 + 9);
    EXPECT_EQ(core.compute_cycles.value(), 2 + 2 + 3);
    const auto waits = std::count_if(bench.trace.intervals.begin(), bench.trace.intervals.end(),
                                     [](const hw::TraceRecord::Interval& interval) {
                                         return interval.state == hw::CoreState::kMemoryWait;
                                     });
    EXPECT_EQ(waits, 2);
}

// The access could wait for ever: its line could come behind the message that the handler has not
// yet disposed of.
TEST(TransactionTest, AHandlerMayNotAccessSharedMemory) {
    SharedBench bench;
    bench.handlers.emplace_back([](Processor& processor, ActiveMessages&) -> Task {
        co_await processor.load(SharedBench::shared(2, 16));
    });
    bench.thread = [](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node() == hw::NodeId(0)) {
            co_await messages.send(hw::NodeId(1), 0, {});
        } else {
            co_await processor.wait_until(Cycles(1000));
        }
    };
    try {
        bench.run();
        FAIL() << "no fault";
    } catch (const ProgramFault& fault) {
        EXPECT_THAT(fault.what(), Names("access", "0x80002010", "shared"));
    }
}

/// Two nodes that each store to a word in turn; the words share a line or not.
class SharingTest : public ::testing::Test {
  protected:
    std::string misses_of_node_0(std::int64_t distance) {
        bench_.set(bench_.configuration.coherence, "classify_misses", true);
        std::vector<Step> steps;
        for (int i = 0; i < 4; ++i) {
            steps.push_back({0, kLoad, SharedBench::shared(2, 0)});
            steps.push_back({1, kStore, SharedBench::shared(2, distance)});
        }
        cycles_of(bench_, steps);
        std::string text;
        for (const hw::PartStatistics& part : bench_.machine().statistics()) {
            if (part.part == "machine.node_0.coherence.misses") {
                for (const hw::Counter* counter : part.group->counters()) {
                    text += (text.empty() ? "" : " ") + std::to_string(counter->value());
                }
            }
        }
        return text;
    }
    SharedBench bench_;
};

TEST_F(SharingTest, OneWordIsTrueSharing) { EXPECT_EQ(misses_of_node_0(0), "1 0 0 3 0 0"); }
TEST_F(SharingTest, AnotherWordOfTheLineIsFalseSharing) {
    EXPECT_EQ(misses_of_node_0(4), "1 0 0 0 3 0");
}
TEST_F(SharingTest, AnotherLineIsNone) { EXPECT_EQ(misses_of_node_0(16), "1 0 0 0 0 0"); }

}  // namespace

}  // namespace weir::nodes
