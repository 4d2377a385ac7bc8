#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"
#include "nodes/shared_memory/testing/faulty_port.h"
#include "nodes/shared_memory/testing/shared_bench.h"

namespace weir::nodes {

namespace {

using firmware::ActiveMessages;
using hw::Cycles;
using testing::FaultyPort;
using testing::SharedBench;
using weir::testing::Names;

class FullEmptyTest : public ::testing::Test {
  protected:
    using Script = std::function<Task(Processor&)>;

    // Runs a program on each node, beginning with node 0; nodes without a program end at once.
    RunEnd run(std::vector<Script> programs) {
        bench_.thread = [programs](Processor& processor, ActiveMessages&) -> Task {
            const auto node = static_cast<std::size_t>(processor.node().index());
            if (node < programs.size() && programs[node]) {
                co_await programs[node](processor);
            }
        };
        const RunEnd end = bench_.run({.watchdog_cycles = Cycles(20'000)});
        fault_ = bench_.machine().account().fault(true).value_or("");
        return end;
    }
    void note(std::uint32_t word, bool was_full) {
        found_.push_back(std::to_string(word) + (was_full ? " full" : " empty"));
    }
    void note(const Processor::FoundWord& found) { note(found.word, found.was_full); }
    // Notes the cycles since `since`.
    void note_cycles(const Processor& processor, Cycles since) {
        cycles_.push_back((processor.now() - since).count());
    }

    static constexpr std::uint32_t kWord = 7;
    SharedBench bench_;
    std::vector<std::string> found_;
    std::vector<std::int64_t> cycles_;
    std::string fault_;
};

TEST_F(FullEmptyTest, AccessesThatReportTakePlaceInEitherStateAndSayWhichItWas) {
    const std::uint32_t word = SharedBench::shared(0, 4);
    run({[&](Processor& p) -> Task {
        note(co_await p.load_found(word));  // the word is full at first
        note(co_await p.empty(word, 1));
        note(co_await p.load_found(word));
        note(co_await p.store_found(word, 2));
        note(co_await p.fill(word, 3));
        note(co_await p.take_found(word));
        note(co_await p.take_found(word));
        note(co_await p.fill(word, 4));
        note(co_await p.fill(word, 5));
        note(co_await p.load_found(word));
    }});
    EXPECT_THAT(found_, ::testing::ElementsAre("0 full", "1 full", "1 empty", "2 empty", "3 empty",
                                               "3 full", "3 empty", "4 empty", "5 full", "5 full"));
    EXPECT_EQ(fault_, "");
}

TEST_F(FullEmptyTest, OrdinaryAccessesNeitherSeeNorChangeTheBitNorDoAccessesToOtherWords) {
    const std::uint32_t line = SharedBench::shared(1, 0);
    run({[&](Processor& p) -> Task {
        co_await p.empty(line + 8, 1);
        co_await p.store(line + 8, 2);
        note(co_await p.exchange(line + 8, 3), false);
        note(co_await p.load(line + 8), false);
        for (const std::uint32_t offset : {0U, 4U, 8U, 12U}) {
            note(co_await p.load_found(line + offset));
        }
    }});
    EXPECT_THAT(found_, ::testing::ElementsAre("2 empty", "3 empty", "0 full", "0 full", "3 empty",
                                               "0 full"));
}

// The bits follow the line to a reader, back to its home, to another writer, and out of a cache
// that replaces it.
TEST_F(FullEmptyTest, TheBitsGoWhereTheLineGoes) {
    const std::uint32_t line = SharedBench::shared(1, 0);
    const auto at = [](std::int64_t cycle, std::function<Task(Processor&)> what) -> Script {
        return [cycle, what](Processor& p) -> Task {
            co_await p.wait_until(Cycles(cycle));
            co_await what(p);
        };
    };
    bench_.set(bench_.configuration.caches.levels.front(), "bytes", std::int64_t{64});
    run({at(1000,
            [&](Processor& p) -> Task {
                co_await p.empty(line, 1);
                co_await p.empty(line + 12, 4);
                // This store replaces the line in the cache.
                co_await p.store(SharedBench::shared(0, 64), 0);
                note(co_await p.load_found(line));
            }),
         at(4000,
            [&](Processor& p) -> Task {
                note(co_await p.load_found(line + 12));
                note(co_await p.take_found(line + 4));
            }),
         at(2000, [&](Processor& p) -> Task { note(co_await p.load_found(line + 12)); }),
         at(3000, [&](Processor& p) -> Task { note(co_await p.fill(line, 5)); }),
         at(5000, [&](Processor& p) -> Task {
             note(co_await p.load_found(line));
             note(co_await p.load_found(line + 4));
             note(co_await p.load_found(line + 12));
         })});
    EXPECT_THAT(found_, ::testing::ElementsAre("1 empty", "4 empty", "5 empty", "4 empty", "0 full",
                                               "5 full", "0 empty", "4 empty"));
    EXPECT_EQ(fault_, "");
    EXPECT_GT(bench_.sum(&memory::CoherenceController::Statistics::lines_sent_home), 0);
}

// A load takes 2 cycles and a store 3. A line of the neighbour takes 41 cycles to read, 42 to
// write, and an upgrade 31. A load that empties its word needs the only copy, like a store, and
// takes the cycles of a load.
TEST_F(FullEmptyTest, AccessesTakeWhatOrdinaryOnesTakeAndThoseThatChangeTheBitNeedTheOnlyCopy) {
    const std::uint32_t line = SharedBench::shared(1, 0);
    run({[&](Processor& p) -> Task {
        co_await p.wait_until(Cycles(1000));
        Cycles since = p.now();
        const auto lap = [&] {
            note_cycles(p, since);
            since = p.now();
        };
        co_await p.load_full(line);
        lap();  // 41: a copy to read
        co_await p.load_found(line + 4);
        lap();  // 2
        co_await p.take_full(line);
        lap();  // 28 + 2: the grant
        co_await p.fill_empty(line, 1);
        lap();  // 3
        co_await p.take_found(line);
        lap();  // 2
        co_await p.take_full(line + 16);
        lap();  // 39 + 2: the only copy
        co_await p.load_full_real(line + 8);
        lap();  // 2, and 1 more for the double word
    }});
    EXPECT_THAT(cycles_, ::testing::ElementsAre(41, 2, 30, 3, 2, 41, 3));
}

TEST_F(FullEmptyTest, ADoubleUsesTheBitOfItsFirstWord) {
    const std::uint32_t line = SharedBench::shared(2, 0);
    run({[&](Processor& p) -> Task {
        co_await p.empty(line + 4, 0);
        const double zero = co_await p.take_full_real(line);
        EXPECT_EQ(zero, 0.0);
        co_await p.fill_empty_real(line, 2.5);
        const double value = co_await p.load_full_real(line);
        EXPECT_EQ(value, 2.5);
        note((co_await p.load_found(line + 4)).was_full ? 1 : 0, false);
    }});
    EXPECT_THAT(found_, ::testing::ElementsAre("0 empty"));
}

// An attempt of the load is made every 13 cycles. The load sees the store when the line comes back.
TEST_F(FullEmptyTest, ALoadOfAnEmptyWordIsMadeAgainUntilTheWordIsFull) {
    const std::uint32_t word = SharedBench::shared(0, 0);
    const RunEnd end = run({[&](Processor& p) -> Task {
                                co_await p.empty(word, 0);
                                note(co_await p.load_full(word), true);
                                cycles_.push_back(p.now().count());
                            },
                            [&](Processor& p) -> Task {
                                co_await p.wait_until(Cycles(2000));
                                co_await p.fill_empty(word, kWord);
                                cycles_.push_back(p.now().count());
                            }});
    EXPECT_EQ(end, RunEnd::kFinished);
    EXPECT_THAT(found_, ::testing::ElementsAre("7 full"));
    ASSERT_EQ(cycles_.size(), 2U);
    EXPECT_GT(cycles_[1], cycles_[0]);
    EXPECT_LT(cycles_[1], cycles_[0] + 100);
    const Core::Statistics& core = bench_.machine().node(hw::NodeId(0)).core.statistics();
    EXPECT_NEAR(core.full_empty_traps.value(), 2000 / 13, 10);
    EXPECT_EQ(core.full_empty_traps.value(),
              bench_.sum(&memory::CoherenceController::Statistics::wrong_states));
    EXPECT_EQ(core.trap_cycles.value(), 13 * core.full_empty_traps.value());
}

TEST_F(FullEmptyTest, AStoreToAFullWordIsMadeAgainUntilTheWordIsEmpty) {
    const std::uint32_t word = SharedBench::shared(1, 0);
    EXPECT_EQ(run({[&](Processor& p) -> Task {
                       co_await p.fill_empty(word, kWord);
                       cycles_.push_back(p.now().count());
                   },
                   [&](Processor& p) -> Task {
                       co_await p.wait_until(Cycles(2000));
                       note(co_await p.take_full(word), true);
                       co_await p.wait_until(Cycles(4000));
                       note(co_await p.take_full(word), true);
                   }}),
              RunEnd::kFinished);
    EXPECT_THAT(found_, ::testing::ElementsAre("0 full", "7 full"));
    EXPECT_THAT(cycles_,
                ::testing::ElementsAre(::testing::AllOf(::testing::Gt(2000), ::testing::Lt(2200))));
}

// The node handles a message between two attempts of the thread.
TEST_F(FullEmptyTest, AMessageIsHandledWhileAThreadWaitsForAFullWord) {
    const std::uint32_t word = SharedBench::shared(0, 0);
    bool has_come = false;
    bench_.handlers = {[&](Processor& p, ActiveMessages&) -> Task {
        has_come = true;
        cycles_.push_back(p.now().count());
        co_return;
    }};
    bench_.thread = [&](Processor& p, ActiveMessages& messages) -> Task {
        if (p.node().index() == 0) {
            co_await p.empty(word, 0);
            co_await p.load_full(word);
        } else if (p.node().index() == 1) {
            co_await p.wait_until(Cycles(1000));
            co_await messages.send(hw::NodeId(0), 0, {});
            co_await p.wait_until(Cycles(3000));
            co_await p.fill(word, 1);
        }
    };
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_TRUE(has_come);
    EXPECT_THAT(cycles_, ::testing::ElementsAre(::testing::Lt(1300)));
}

// Producer and consumer are threads of the same node.
TEST_F(FullEmptyTest, WithSeveralContextsTheCoreSwitches) {
    const std::uint32_t word = SharedBench::shared(0, 0);
    bench_.set(bench_.configuration.core, "contexts", std::int64_t{2});
    bench_.thread = [&](Processor& p, ActiveMessages&) -> Task {
        if (p.node().index() == 0) {
            co_await p.empty(word, 0);
            note(co_await p.load_full(word), true);
            cycles_.push_back(p.now().count());
        }
    };
    bench_.further_threads = {[&](Processor& p, ActiveMessages&) -> Task {
        if (p.node().index() == 0) {
            co_await p.compute(Cycles(100));
            co_await p.fill_empty(word, kWord);
        }
    }};
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_THAT(found_, ::testing::ElementsAre("7 full"));
    // Cycles: 12 to empty the word, 14 for each of two switches, 100 of work, 3 to fill the word, 2
    // to load it.
    EXPECT_THAT(cycles_, ::testing::ElementsAre(12 + 14 + 100 + 3 + 14 + 2));
    EXPECT_EQ(bench_.machine().node(hw::NodeId(0)).core.statistics().full_empty_traps.value(), 1);
}

TEST_F(FullEmptyTest, AWordThatNobodyFillsIsFoundAndExplained) {
    const std::uint32_t word = SharedBench::shared(1, 8);
    EXPECT_EQ(run({[&](Processor& p) -> Task {
                       co_await p.take_full(word);
                       co_await p.load_full(word);
                   },
                   [&](Processor& p) -> Task {
                       co_await p.wait_until(Cycles(500));
                       co_await p.load_full(word);
                   }}),
              RunEnd::kNoProgress);
    EXPECT_THAT(bench_.machine().explain_waits(), Names("word", "0x80001008", "full", "empty"));
}

TEST_F(FullEmptyTest, OnlyWordsOfSharedMemoryHaveABit) {
    EXPECT_THAT(hw::testing::result_of_separate_run([&] {
                    try {
                        run({[&](Processor& p) -> Task { co_await p.load_full(64); }});
                    } catch (const ProgramFault& fault) {
                        return std::string(fault.what());
                    }
                    return std::string();
                }),
                Names("full/empty", "0x40", "shared"));
}

TEST_F(FullEmptyTest, AnUnalignedAccessOrOneBeyondSharedMemoryIsRefused) {
    for (const auto& [address, name] : {std::pair(SharedBench::shared(0, 2), "0x80000002"),
                                        std::pair(SharedBench::shared(8, 0), "0x80008000")}) {
        EXPECT_THAT(hw::testing::result_of_separate_run([&, at = address] {
                        try {
                            run({[&](Processor& p) -> Task { co_await p.load_full(at); }});
                        } catch (const ProgramFault& fault) {
                            return std::string(fault.what());
                        }
                        return std::string();
                    }),
                    Names("load", name));
    }
}

}  // namespace

}  // namespace weir::nodes
