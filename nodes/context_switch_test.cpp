// Several contexts on the behavioural core: exact cycles of switches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"

namespace weir::nodes {
namespace {

using weir::testing::Names;

using firmware::ActiveMessages;
using hw::CoreState;
using hw::Cycles;
using hw::NodeId;
using ::testing::ElementsAre;
using ::testing::Pair;

// Two nodes, one hop apart: a message launched at t interrupts at t + 18, and a handler without
// arguments takes 117 cycles. A switch takes 14.
class ContextSwitchTest : public ::testing::Test {
  protected:
    ContextSwitchTest() {
        bench_.set_dimensions({2});
        bench_.handlers.emplace_back([this](Processor&, ActiveMessages&) -> Task {
            come_ = true;
            co_return;
        });
    }

    void set_contexts(std::int64_t contexts) {
        bench_.set(bench_.configuration.core, "contexts", contexts);
        for (std::int64_t i = 1; i < contexts; ++i) {
            bench_.further_threads.emplace_back(nothing());
        }
    }
    static firmware::testing::ScriptedProgram::Script nothing() {
        return [](Processor&, ActiveMessages&) -> Task { co_return; };
    }
    // Runs the script on node 0 only.
    static firmware::testing::ScriptedProgram::Script on_node_0(
        firmware::testing::ScriptedProgram::Script script) {
        return
            [script = std::move(script)](Processor& processor, ActiveMessages& messages) -> Task {
                if (processor.node() == NodeId(0)) {
                    co_await script(processor, messages);
                }
            };
    }
    // Returns the states of node 0's core, each with its first cycle.
    std::vector<std::pair<CoreState, std::int64_t>> course() {
        std::vector<std::pair<CoreState, std::int64_t>> found;
        for (const auto& interval : bench_.trace.intervals) {
            if (interval.node == NodeId(0)) {
                found.emplace_back(interval.state, interval.begin.count());
            }
        }
        return found;
    }
    const Core::Statistics& statistics() {
        return bench_.machine().node(NodeId(0)).core.statistics();
    }

    firmware::testing::ScriptBench bench_;
    bool come_ = false;
};

TEST_F(ContextSwitchTest, AThreadThatWaitsLeavesTheCoreToTheNext) {
    set_contexts(2);
    bool is_made = false;
    bench_.thread = on_node_0([&](Processor& processor, ActiveMessages&) -> Task {
        co_await processor.compute(Cycles(10));
        co_await processor.wait_for(is_made);  // waits until cycle 24
        co_await processor.compute(Cycles(5));
    });
    bench_.further_threads[0] = on_node_0([&](Processor& processor, ActiveMessages&) -> Task {
        co_await processor.compute(Cycles(20));
        is_made = true;
        co_await processor.compute(Cycles(3));  // the thread ends at 47, and the switch back ends
                                                // at 61
    });
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_THAT(course(), ElementsAre(Pair(CoreState::kCompute, 0), Pair(CoreState::kSwitch, 10),
                                      Pair(CoreState::kCompute, 24), Pair(CoreState::kSwitch, 47),
                                      Pair(CoreState::kCompute, 61)));
    EXPECT_EQ(bench_.machine().now(), Cycles(66));
    EXPECT_EQ(statistics().switch_cycles.value(), 28);
    EXPECT_EQ(statistics().context_switches.value(), 2);
    EXPECT_EQ(bench_.machine().threads_running(), 0);
}

TEST_F(ContextSwitchTest, AWaitForWhatHasComeIsNoSwitch) {
    set_contexts(2);
    bench_.further_threads[0] = nothing();
    bench_.thread = on_node_0([&](Processor& processor, ActiveMessages&) -> Task {
        come_ = true;
        co_await processor.wait_for(come_);
        co_await processor.compute(Cycles(5));
    });
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_THAT(course(), ElementsAre(Pair(CoreState::kCompute, 0), Pair(CoreState::kSwitch, 5)));
}

// The third context is ready from cycle 1 on, but must await its turn.
TEST_F(ContextSwitchTest, TheTurnGoesRoundWithoutALookAtWhoIsReady) {
    set_contexts(3);
    std::vector<std::int64_t> turns;
    const auto waits_until = [&turns](std::int64_t cycle) {
        return on_node_0([&turns, cycle](Processor& processor, ActiveMessages&) -> Task {
            co_await processor.wait_until(Cycles(cycle));
            turns.push_back(processor.now().count());
        });
    };
    bench_.thread = waits_until(50);
    bench_.further_threads = {waits_until(1000), waits_until(1)};
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    // Turns of contexts: 0, then 1 at 14, and 2 at 28, which ends. Next are 0 at 42, 1 at 56, and 0
    // at 70, which ends. At 84 only context 1 is left, and waits in place.
    EXPECT_THAT(turns, ElementsAre(28, 70, 1000));
    EXPECT_EQ(statistics().context_switches.value(), 6);
    EXPECT_EQ(statistics().switch_cycles.value(), 84);
    EXPECT_EQ(statistics().wait_cycles.value(), 1000 - 84);
}

TEST_F(ContextSwitchTest, AHandlerInterruptsWhicheverRunsButNoSwitch) {
    set_contexts(2);
    bench_.thread = [&](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node() == NodeId(1)) {
            co_await messages.send(NodeId(0), 0, {});  // launched at 9, interrupts at 27
            co_return;
        }
        co_await processor.compute(Cycles(20));
        co_await processor.wait_for(come_);  // the switch lasts until 34
        co_await processor.compute(Cycles(1));
    };
    bench_.further_threads[0] = on_node_0([&](Processor& processor, ActiveMessages&) -> Task {
        co_await processor.compute(Cycles(7));  // computes from cycle 34 + 117 on
    });
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_THAT(course(),
                ElementsAre(Pair(CoreState::kCompute, 0), Pair(CoreState::kSwitch, 20),
                            Pair(CoreState::kHandler, 34), Pair(CoreState::kCompute, 34 + 117),
                            Pair(CoreState::kSwitch, 34 + 117 + 7),
                            Pair(CoreState::kCompute, 34 + 117 + 7 + 14)));
}

TEST_F(ContextSwitchTest, ANodeThatPollsLooksBeforeItSwitches) {
    set_contexts(2);
    bench_.set(bench_.configuration.core, "receive_mode", std::string("polling"));
    bench_.thread = [&](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node() == NodeId(1)) {
            co_await messages.send(NodeId(0), 0, {});  // the message can be taken from cycle 27 on
            co_return;
        }
        co_await processor.compute(Cycles(20));
        co_await processor.wait_for(come_);  // no message has arrived in cycle 20
        co_await processor.compute(Cycles(1));
    };
    bench_.further_threads[0] = on_node_0([&](Processor& processor, ActiveMessages&) -> Task {
        co_await processor.compute(Cycles(6));  // computes from cycle 34 to 40
    });
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(bench_.trace.messages.at({NodeId(1), 0}).times.handler_begin, Cycles(40));
}

TEST_F(ContextSwitchTest, SwitchesAloneAreNoProgress) {
    set_contexts(4);
    const auto waits_for_ever = on_node_0(
        [&](Processor& processor, ActiveMessages&) -> Task { co_await processor.wait_for(come_); });
    bench_.thread = waits_for_ever;
    bench_.further_threads = {waits_for_ever, waits_for_ever, waits_for_ever};
    Machine::RunLimits limits;
    limits.watchdog_cycles = Cycles(20'000);
    EXPECT_EQ(bench_.run(limits), RunEnd::kNoProgress);
    EXPECT_THAT(bench_.machine().explain_waits(), Names("waits", "not", "come"));
}

// Two nodes with two threads each exchange messages. Returns all states of both cores.
std::string course_of_an_exchange(bool sleeping, const char* order) {
    firmware::testing::ScriptBench bench;
    bench.set_dimensions({2});
    bench.set(bench.configuration.core, "contexts", std::int64_t{2});
    bench.set_ticks(order, sleeping);
    std::array<std::array<bool, 2>, 2> come{};
    const auto flag = [&come](Processor& processor, std::uint32_t context) -> bool& {
        return come.at(static_cast<std::size_t>(processor.node().index())).at(context);
    };
    const auto exchange = [flag](std::uint32_t context) {
        return [flag, context](Processor& processor, ActiveMessages& messages) -> Task {
            for (int i = 0; i < 5; ++i) {
                flag(processor, context) = false;
                co_await messages.send(NodeId(1 - processor.node().index()), context, {});
                co_await processor.wait_for(flag(processor, context));
            }
        };
    };
    for (std::uint32_t context = 0; context < 2; ++context) {
        bench.handlers.emplace_back([flag, context](Processor& processor, ActiveMessages&) -> Task {
            flag(processor, context) = true;
            co_return;
        });
    }
    bench.thread = exchange(0);
    bench.further_threads = {exchange(1)};
    static_cast<void>(bench.run());
    std::ostringstream text;
    for (std::int32_t node = 0; node < 2; ++node) {
        for (const auto& interval : bench.trace.intervals) {
            if (interval.node == NodeId(node)) {
                text << static_cast<int>(interval.state) << ' ' << interval.begin << '\n';
            }
        }
    }
    return text.str();
}

TEST(ContextSwitchOrderTest, NoResultDependsOnSleepOrOrder) {
    const std::string course =
        hw::testing::result_of_separate_run([] { return course_of_an_exchange(true, "wake"); });
    EXPECT_GT(course.size(), 300U);
    for (const bool sleeping : {true, false}) {
        for (const char* order : {"wake", "reversed", "shuffled"}) {
            EXPECT_EQ(hw::testing::result_of_separate_run(
                          [&] { return course_of_an_exchange(sleeping, order); }),
                      course)
                << sleeping << ' ' << order;
        }
    }
}

TEST_F(ContextSwitchTest, AContextWithoutAThreadIsRefused) {
    bench_.set(bench_.configuration.core, "contexts", std::int64_t{2});
    try {
        bench_.run();
        FAIL();
    } catch (const ProgramFault& fault) {
        EXPECT_THAT(fault.what(), Names("1", "threads", "core", "2", "contexts"));
    }
}

}  // namespace
}  // namespace weir::nodes
