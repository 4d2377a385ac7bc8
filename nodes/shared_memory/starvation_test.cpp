#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "firmware/hardware_barrier.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"
#include "memory/coherence/coherence_registers.h"
#include "nodes/shared_memory/testing/faulty_port.h"
#include "nodes/shared_memory/testing/shared_bench.h"

namespace weir::nodes {

namespace {

using firmware::ActiveMessages;
using firmware::testing::ScriptedProgram;
using hw::Cycles;
using hw::NodeId;
using hw::testing::result_of_separate_run;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using testing::FaultyPort;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::SharedBench;
using weir::testing::Names;

const std::uint32_t kLine = SharedBench::shared(0, 0);
constexpr Cycles kPause{4096};  // longest time between two looks, with the least limit

std::int64_t number_behind(const std::string& text, const std::string& word) {
    const std::size_t at = text.find_first_of("0123456789", text.find(word) + word.size());
    return text.find(word) == std::string::npos || at == std::string::npos
               ? -1
               : std::stoll(text.substr(at));
}

/// Eight nodes; planted faults are in node 0, the home.
class StarvationTest : public ::testing::Test {
  protected:
    // Sets the least limit, which is independent of the time of an access.
    StarvationTest() { allow_accesses(1); }

    void allow_accesses(std::int64_t count) {
        bench.set(bench.configuration.coherence, "starved_after_accesses", count);
    }
    RunEnd run(const Machine::RunLimits& limits = {}) {
        bench.build().load([this](Processor& processor) {
            return std::make_unique<ScriptedProgram>(processor, bench.firmware_parameters,
                                                     bench.thread, bench.handlers,
                                                     bench.further_threads);
        });
        if (refuses) {
            port = std::make_unique<FaultyPort>(bench.machine(), 0, FaultyPort::Fault::kRefuses);
        }
        return bench.machine().run(limits);
    }
    Cycles limit() { return bench.machine().starvation_limit()->cycles(); }
    std::string text() { return bench.machine().explain_starvation(); }
    // Returns the end of the run, its cycle, and the report of a starved run.
    std::string outcome() {
        const RunEnd end = run({.most_cycles = Cycles(600'000)});
        return std::string(run_end_name(end)) + " in cycle " +
               std::to_string(bench.machine().now().count()) +
               (end == RunEnd::kStarved ? ": " + text() : "");
    }
    static Task store_often(Processor& processor, std::uint32_t address, int times) {
        for (int i = 0; i < times; ++i) {
            co_await processor.store(address, 1);
            co_await processor.compute(Cycles(50));
        }
    }
    // Nodes 1 and 3 store to the line repeatedly; node 2 wants to load it from cycle `begin` on.
    void have_two_store_and_one_load(Cycles begin = Cycles(1000)) {
        refuses = true;
        bench.thread = [begin](Processor& p, ActiveMessages&) -> Task {
            if (p.node() == NodeId(1) || p.node() == NodeId(3)) {
                co_await store_often(p, kLine, 100'000);
            } else if (p.node() == FaultyPort::kRefused) {
                co_await p.wait_until(begin);
                co_await p.load(kLine + 4);
            }
        };
    }

    SharedBench bench;
    bool refuses = false;
    std::unique_ptr<FaultyPort> port;
};

TEST_F(StarvationTest, ANodeThatIsRefusedForEverEndsTheRunWithAReport) {
    have_two_store_and_one_load();
    EXPECT_EQ(run(), RunEnd::kStarved);
    EXPECT_EQ(limit(), Cycles(100'000));
    const Cycles begin(1000);
    EXPECT_GT(bench.machine().now(), begin + limit());
    EXPECT_LE(bench.machine().now(), begin + limit() + 2 * kPause);
    EXPECT_THAT(text(),
                AllOf(Names("node 2, context 0: ", "load", "0x80000004", "cycle 1000", "line",
                            "0x80000000", "node 0", "refused", "lost", "0"),
                      HasSubstr("node 1 ("), HasSubstr("node 3 ("), Not(HasSubstr("node 4"))));
    // Counting starts at the first look after a quarter of the limit. Pauses between repeated
    // requests are random.
    const std::int64_t refused = number_behind(text(), "refused");
    const auto& node = *bench.machine().node(FaultyPort::kRefused).coherence();
    const auto all = static_cast<double>(node.statistics().busy_replies.value());
    const double share = static_cast<double>((bench.machine().now() - Cycles(32'768)).count()) /
                         static_cast<double>((bench.machine().now() - begin).count());
    EXPECT_NEAR(static_cast<double>(refused), share * all, 0.02 * all);
    // Each store takes the line from the other node.
    EXPECT_GT(number_behind(text(), "node 1 ("), 200);
    EXPECT_GT(number_behind(text(), "node 3 ("), 200);
}

// Node 2's core is often in traps, as the home of other lines.
TEST_F(StarvationTest, AnAccessThatTrapsWithdrawIsOneAccess) {
    have_two_store_and_one_load();
    bench.set(bench.configuration.coherence, "pointers", std::int64_t{1});
    bench.thread = [others = bench.thread](Processor& p, ActiveMessages& messages) -> Task {
        const std::uint32_t line = SharedBench::shared(2, 64);
        if (p.node().index() < 4) {
            co_await others(p, messages);
        } else {
            for (int i = 0; i < 3'000; ++i) {
                if (p.node() == NodeId(4)) {
                    co_await p.store(line, 1);
                } else {
                    co_await p.load(line);
                }
                co_await p.compute(Cycles(100));
            }
        }
    };
    EXPECT_EQ(run(), RunEnd::kStarved);
    EXPECT_LE(bench.machine().now(), Cycles(1000) + limit() + 2 * kPause);
    EXPECT_THAT(text(), Names("no", "answer", "cycle 1000"));
    const Core& core = bench.machine().node(FaultyPort::kRefused).core;
    EXPECT_GT(core.statistics().coherence_traps.value(), 50);
}

TEST_F(StarvationTest, IsSeenWhereNothingElseMoves) {
    refuses = true;
    bench.thread = [](Processor& p, ActiveMessages&) -> Task {
        if (p.node() == FaultyPort::kRefused) {
            co_await p.store(kLine, 7);
        }
    };
    EXPECT_EQ(run(), RunEnd::kStarved);
    EXPECT_LE(bench.machine().now(), limit() + 2 * kPause);
    EXPECT_THAT(text(), Names("node 2, context 0: ", "store", "0x80000000", "line", "no", "node"));
}

TEST_F(StarvationTest, WithoutALimitSuchARunGoesOn) {
    have_two_store_and_one_load();
    allow_accesses(0);
    EXPECT_EQ(run({.most_cycles = Cycles(200'000)}), RunEnd::kCycleLimit);
}

// The other context never waits, so this context gets no turn; its request is refused nevertheless.
TEST_F(StarvationTest, AContextThatIsRefusedIsNamedWhileAnotherOfItsCoreGoesOn) {
    have_two_store_and_one_load(Cycles(0));
    bench.set(bench.configuration.core, "contexts", std::int64_t{2});
    bench.further_threads.push_back([](Processor& p, ActiveMessages&) -> Task {
        if (p.node() == FaultyPort::kRefused) {
            co_await store_often(p, SharedBench::shared(5, 0), 100'000);
        }
    });
    EXPECT_EQ(run(), RunEnd::kStarved);
    EXPECT_LE(bench.machine().now(), limit() + 2 * kPause);
    EXPECT_THAT(text(), AllOf(Names("node 2, context 0: ", "load", "0x80000004"),
                              Not(HasSubstr("context 1"))));
}

// A computation is a long step, so the other context waits for its turn and not for its line.
TEST_F(StarvationTest, AThreadThatKeepsTheCoreStarvesNobody) {
    bench.set(bench.configuration.core, "contexts", std::int64_t{2});
    bench.thread = [](Processor& p, ActiveMessages&) -> Task {
        if (p.node() == NodeId(2)) {
            co_await p.wait_until(Cycles(20));
            co_await p.compute(Cycles(500'000));
        } else if (p.node() == NodeId(1)) {
            co_await store_often(p, kLine, 5'000);
        }
    };
    bench.further_threads.push_back([](Processor& p, ActiveMessages&) -> Task {
        if (p.node() == NodeId(2)) {
            co_await store_often(p, kLine, 10);
        }
    });
    EXPECT_EQ(run(), RunEnd::kFinished);
    EXPECT_GT(bench.machine().now(), Cycles(500'000));
}

TEST_F(StarvationTest, AThreadThatSpinsOnALockThatNobodyReleasesDoesNotStarve) {
    bench.thread = [](Processor& p, ActiveMessages&) -> Task {
        if (p.node() == NodeId(1)) {
            co_await p.store(kLine, 1);
            co_await p.compute(Cycles(400'000));
            co_await p.store(kLine, 0);
        } else if (p.node().index() < 5) {
            co_await p.wait_until(Cycles(500));
            while (co_await p.load(kLine) != 0) {
                co_await p.compute(Cycles(5));
            }
        }
    };
    EXPECT_EQ(run(), RunEnd::kFinished);
    EXPECT_GT(bench.machine().now(), 3 * limit());
}

// Four trips of three or four hops; each hop takes 10,000 cycles.
TEST_F(StarvationTest, TheLimitGrowsWithTheNetwork) {
    allow_accesses(20);
    bench.set(bench.configuration.network, "hop_cycles", std::int64_t{10'000});
    Cycles taken;
    bench.thread = [&](Processor& p, ActiveMessages&) -> Task {
        if (p.node() == NodeId(7)) {
            co_await p.load(kLine);
        } else if (p.node() == NodeId(3)) {
            co_await p.wait_until(Cycles(400'000));
            co_await p.store(kLine, 1);
            taken = p.now() - Cycles(400'000);
        }
    };
    EXPECT_EQ(run(), RunEnd::kFinished);
    EXPECT_GT(taken, StarvationLimit::kLeast);
    EXPECT_LT(taken, bench.machine().starvation_limit()->access);
    EXPECT_GT(limit(), 20 * 8 * taken);
}

// Returns the cycles of a store that must invalidate copies of other nodes, with node 0 as the
// home, and their upper bound.
std::string store_and_bound(const std::string& protocol, bool is_owned) {
    SharedBench bench;
    bench.set(bench.configuration.coherence, "protocol", protocol);
    if (protocol == "limitless" || protocol == "limited") {
        bench.set(bench.configuration.coherence, "pointers", std::int64_t{1});
    }
    Cycles taken;
    bench.thread = [&](Processor& p, ActiveMessages&) -> Task {
        constexpr Cycles kBegin(5'000);
        if (p.node() == NodeId(7) && is_owned) {
            co_await p.store(kLine, 2);
        } else if (p.node().index() > 5 && !is_owned) {  // one reader more than there are pointers
            co_await p.load(kLine);
        } else if (p.node() == NodeId(3)) {
            co_await p.wait_until(kBegin);
            co_await p.store(kLine, 1);
            taken = p.now() - kBegin;
        }
    };
    if (bench.run() != RunEnd::kFinished) {
        return bench.machine().explain_waits();
    }
    const StarvationLimit limit = *bench.machine().starvation_limit();
    const bool is_tight = taken <= limit.access && limit.access <= 30 * taken;
    return (is_tight
                ? "bounded"
                : std::to_string(limit.access.count()) + " for " + std::to_string(taken.count())) +
           ", " + std::to_string(limit.threads);
}

/// The bound lies between the measured cycles and 30 times as many: it allows for software and for
/// trips of twice the distance.
TEST_F(StarvationTest, TheLimitIsOfTheMachinesOwnAccess) {
    for (const char* protocol : {"full_map", "limited", "forwarding", "limitless", "software"}) {
        for (const bool is_owned : {false, true}) {
            EXPECT_EQ(result_of_separate_run([&] { return store_and_bound(protocol, is_owned); }),
                      "bounded, 8")
                << protocol;
        }
    }
}

/// Threads that wait far longer than the limit, but neither for an access nor for their core.
TEST_F(StarvationTest, WaitsForOthersDoNotStarve) {
    bench.set(bench.configuration.network, "barrier", true);
    const std::uint32_t word = SharedBench::shared(1, 8);
    bool has_come = false;
    bench.handlers.push_back([&](Processor&, ActiveMessages&) -> Task {
        has_come = true;
        co_return;
    });
    bench.thread = [&](Processor& p, ActiveMessages& messages) -> Task {
        constexpr Cycles kLong(400'000);
        switch (p.node().index()) {
            case 0:  // lets the others wait
                co_await p.empty(word, 0);
                co_await p.wait_until(kLong);
                co_await p.fill(word, 1);
                co_await messages.send(NodeId(3), 0, {});
                co_await firmware::HardwareBarrier(p).meet();
                break;
            case 1:
            case 2:
                co_await p.wait_until(Cycles(1'000));
                co_await p.load_full(word);
                co_await firmware::HardwareBarrier(p).meet();
                break;
            case 3:
                co_await p.wait_for(has_come);
                co_await firmware::HardwareBarrier(p).meet();
                break;
            case 4:
            case 5:
                co_await store_often(p, kLine, 3'000);
                co_await firmware::HardwareBarrier(p).meet();
                break;
            default:
                co_await firmware::HardwareBarrier(p).meet();
                break;
        }
    };
    EXPECT_EQ(run(), RunEnd::kFinished);
}

TEST_F(StarvationTest, AWordThatNobodyFillsIsNoStarvation) {
    const std::uint32_t word = SharedBench::shared(1, 8);
    bench.thread = [&](Processor& p, ActiveMessages&) -> Task {
        if (p.node().index() < 2) {
            co_await p.take_found(word);
            co_await p.wait_until(Cycles(500));
            co_await p.take_full(word);  // both nodes take the word, so the line goes to and fro
        }
    };
    EXPECT_EQ(run({.most_cycles = Cycles(300'000)}), RunEnd::kCycleLimit);
}

/// The home's software takes a packet, and never reports that it is done with it.
class EndlessTraps final : public NodeProgram {
  public:
    explicit EndlessTraps(Processor& processor) : processor_(processor) {}

    Task thread() override {
        const std::int32_t node = processor_.node().index();
        if (node == 0) {
            for (;;) {
                co_await processor_.compute(Cycles(30));
            }
        }
        if (node < 4) {
            co_await processor_.wait_until(Cycles(1000 * node));
            co_await processor_.load(kLine);
        }
    }
    Task interrupt() override { co_return; }
    Task dma_interrupt() override { co_return; }
    Task overflow_trap() override { co_return; }
    Task coherence_trap() override { co_await processor_.compute(Cycles(100)); }

  private:
    Processor& processor_;
};

TEST_F(StarvationTest, AThreadWhoseCoreIsInTrapsForEverEndsTheRunWithAReport) {
    bench.set(bench.configuration.coherence, "pointers", std::int64_t{1});
    bench.set(bench.configuration.coherence, "trap_turns", false);
    bench.build().load(
        [](Processor& processor) { return std::make_unique<EndlessTraps>(processor); });
    EXPECT_EQ(bench.machine().run({}), RunEnd::kStarved);
    // The second reader finds no free pointer, so its request goes to the endless trap.
    EXPECT_GT(bench.machine().now(), Cycles(2000) + limit());
    EXPECT_LE(bench.machine().now(), Cycles(2100) + limit() + 2 * kPause);
    EXPECT_THAT(text(), ContainsRegex("node 0: .* cycle 2[0-9]*, "));
    EXPECT_GT(number_behind(text(), "traps"), 100'000);
}

// In any order of ticks, without sleep, in tiles, and with a trace.
TEST_F(StarvationTest, IsSeenInTheSameCycleWhateverTheOrderOfTicks) {
    std::set<std::string> outcomes;
    struct Way {
        const char* order;
        bool sleeping;
        std::int64_t tiles;
    };
    for (const Way& way : {Way{"wake", true, 1}, Way{"shuffled", true, 1},
                           Way{"reversed", false, 1}, Way{"wake", true, 2}}) {
        outcomes.insert(result_of_separate_run([&] {
            have_two_store_and_one_load();
            bench.set_ticks(way.order, way.sleeping);
            bench.set(bench.configuration.network, "tiles", way.tiles);
            bench.set(bench.configuration.coherence, "check_loads", false);
            return outcome();
        }));
    }
    EXPECT_THAT(outcomes, ::testing::ElementsAre(Names("starved", "cycle 106496: ")));
}

}  // namespace

}  // namespace weir::nodes
