// A behavioural core between a scripted program and the message controller, in exact cycles.
#include "nodes/behavioural_core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"

namespace weir::nodes {
namespace {

using firmware::ActiveMessages;
using hw::CoreState;
using hw::Cycles;
using hw::NodeId;
using testing::RecordedTrace;
using weir::testing::Names;

// Two nodes, one hop apart: a message launched at t interrupts at t + 18, and a handler without
// arguments takes 117 cycles.
class TwoNodesTest : public ::testing::Test {
  protected:
    TwoNodesTest() {
        bench_.set_dimensions({2});
        bench_.handlers.emplace_back([](Processor&, ActiveMessages&) -> Task { co_return; });
    }

    static constexpr Cycles kTrip{18};
    static constexpr Cycles kHandler{117};

    std::vector<RecordedTrace::Interval> intervals_of(std::int32_t node) {
        std::vector<RecordedTrace::Interval> found;
        for (const auto& interval : bench_.trace.intervals) {
            if (interval.node == NodeId(node)) {
                found.push_back(interval);
            }
        }
        return found;
    }

    firmware::testing::ScriptBench bench_;
};

TEST_F(TwoNodesTest, AnInterruptedComputationGoesOnWithWhatWasLeft) {
    Cycles end;
    bench_.thread = [&end](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node() == NodeId(0)) {
            co_await messages.send(NodeId(1), 0, {});  // launched at 9
        } else {
            co_await processor.compute(Cycles(1000));
            end = processor.now();
        }
    };
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(end, Cycles(1000) + kHandler);
    const auto intervals = intervals_of(1);
    ASSERT_EQ(intervals.size(), 3U);  // compute, handler, compute; what follows takes no cycles
    EXPECT_EQ(intervals[0].end, Cycles(9) + kTrip);
    EXPECT_EQ(intervals[1].state, CoreState::kHandler);
    EXPECT_EQ(intervals[1].end, Cycles(9) + kTrip + kHandler);
    EXPECT_EQ(intervals[2].end, end);
    EXPECT_EQ(bench_.machine().node(NodeId(1)).core.statistics().interrupts.value(), 1);
}

// LoGPC Section 5.1.2: the interrupted thread pays for the interference, once for each message.
TEST_F(TwoNodesTest, AHandlerTakesLinesOfTheThreadsCache) {
    bench_.set(bench_.configuration.core, "cache_interference_cycles", std::int64_t{5});
    Cycles end;
    bench_.thread = [&end](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node() == NodeId(0)) {
            co_await messages.send(NodeId(1), 0, {});
            co_await messages.send(NodeId(1), 0, {});
            co_await processor.wait_until(Cycles(500));
            co_await messages.send(NodeId(1), 0, {});
        } else {
            co_await processor.compute(Cycles(1000));
            end = processor.now();
        }
    };
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(end, Cycles(1000) + kHandler * 3 + Cycles(3 * 5));
    for (const auto& [id, message] : bench_.trace.messages) {
        EXPECT_EQ(message.times.handler_end - message.times.handler_begin, kHandler);
    }
}

// The rest of an interrupted refill is paid when the thread continues. Node 1 would continue at 144
// and end the refill at 244, but the second message interrupts it at 227.
TEST_F(TwoNodesTest, AnInterruptComesInTheMiddleOfWhatItCosts) {
    bench_.set(bench_.configuration.core, "cache_interference_cycles", std::int64_t{100});
    Cycles end;
    bench_.thread = [&end](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node() == NodeId(0)) {
            co_await messages.send(NodeId(1), 0, {});
            co_await processor.wait_until(Cycles(200));
            co_await messages.send(NodeId(1), 0, {});
        } else {
            co_await processor.compute(Cycles(1000));
            end = processor.now();
        }
    };
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(end, Cycles(1000) + kHandler * 2 + Cycles(2 * 100));
    Cycles last_begin;
    for (const auto& [id, message] : bench_.trace.messages) {
        last_begin = std::max(last_begin, message.times.handler_begin);
    }
    EXPECT_EQ(last_begin, Cycles(200 + 9) + kTrip);
}

// A message for the last cycle of a computation is taken before the thread continues: handlers have
// priority.
TEST_F(TwoNodesTest, AMessageThatArrivesAsTheThreadGoesOnIsTakenFirst) {
    Cycles next_begin;
    bench_.thread = [&next_begin](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node() == NodeId(0)) {
            co_await messages.send(NodeId(1), 0, {});
        } else {
            co_await processor.compute(Cycles(9) + kTrip);
            next_begin = processor.now();
        }
    };
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(next_begin, Cycles(9) + kTrip + kHandler);
}

// An access ends before the interrupt is taken.
TEST_F(TwoNodesTest, AnAccessUnderWayEndsFirst) {
    bench_.thread = [](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node() == NodeId(0)) {
            co_await messages.send(NodeId(1), 0, {});
        } else {
            co_await processor.compute(Cycles(26));
            co_await processor.store(0x100, 7);  // from 26 to 29; the interrupt comes at 27
        }
    };
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    const hw::Message& message = bench_.trace.messages.begin()->second;
    EXPECT_EQ(message.times.notify, Cycles(27));
    EXPECT_EQ(message.times.handler_begin, Cycles(29));
}

// Node 1 is interrupted after composing three words; both messages arrive intact.
class HalfComposedTest : public TwoNodesTest {
  protected:
    const hw::Message& interrupting_message() {
        bench_.handlers[0] = [](Processor&, ActiveMessages& messages) -> Task {
            co_await messages.send(NodeId(0), 1, {99});
        };
        bench_.handlers.emplace_back([this](Processor&, ActiveMessages& messages) -> Task {
            received_.push_back(co_await messages.argument(0));
        });
        bench_.thread = [](Processor& processor, ActiveMessages& messages) -> Task {
            if (processor.node() == NodeId(0)) {
                co_await messages.send(NodeId(1), 0, {});  // interrupts node 1 at 27
            } else {
                co_await processor.compute(Cycles(20));
                co_await messages.send(NodeId(0), 1, {42});  // stores at 20, 23, 26; launch at 29
            }
        };
        EXPECT_EQ(bench_.run(), RunEnd::kFinished);
        EXPECT_EQ(received_, (std::vector<std::uint32_t>{99, 42}));
        const hw::Message& interrupting = bench_.trace.messages.at({NodeId(0), 0});
        EXPECT_EQ(interrupting.times.handler_begin, Cycles(29));
        EXPECT_EQ(interrupting.restored_words, 3);
        // Each message keeps its own first store: the thread's is before the interrupt.
        EXPECT_EQ(bench_.trace.messages.at({NodeId(1), 1}).times.compose, Cycles(20));
        EXPECT_GT(bench_.trace.messages.at({NodeId(1), 0}).times.compose, Cycles(29));
        return interrupting;
    }

  private:
    std::vector<std::uint32_t> received_;
};

// LoGPC Section 5.1.2: an interrupt between the first store and the launch saves the composed words
// and restores them. k words add 2 + 3 (k - 1) cycles for loads, one for the load that follows
// them, and 3 k for stores.
TEST_F(HalfComposedTest, SurvivesAHandlerThatSends) {
    const hw::Message& interrupting = interrupting_message();
    const Cycles saved_and_restored(3 + 3 + 3 + 3 * 3);
    EXPECT_EQ(interrupting.times.handler_end - interrupting.times.handler_begin,
              kHandler + Cycles(12) + saved_and_restored);
}

// Saving two words at a time takes a cycle more than saving one; the third word is saved alone.
TEST_F(HalfComposedTest, CanBeSavedByDoubleWords) {
    bench_.set(bench_.firmware_parameters, "save_double_words", true);
    const hw::Message& interrupting = interrupting_message();
    const Cycles saved_and_restored(4 + 3 + 4 + 3);
    EXPECT_EQ(interrupting.times.handler_end - interrupting.times.handler_begin,
              kHandler + Cycles(12) + saved_and_restored);
}

// A thread whose launch waits for room takes interrupts; the launch is issued again afterwards.
TEST_F(TwoNodesTest, AThreadBlockedInASendTakesInterrupts) {
    bench_.set(bench_.configuration.controller, "input_queue_bytes", std::int64_t{64});
    bench_.set(bench_.configuration.controller, "output_queue_bytes", std::int64_t{64});
    std::int32_t replies = 0;
    bench_.handlers[0] = [](Processor& processor, ActiveMessages& messages) -> Task {
        co_await processor.compute(Cycles(500));  // node 0 is blocked long before this message
        co_await messages.send(NodeId(0), 1, {});
    };
    bench_.handlers.emplace_back([&replies](Processor&, ActiveMessages&) -> Task {
        ++replies;
        co_return;
    });
    bench_.thread = [](Processor& processor, ActiveMessages& messages) -> Task {
        for (int i = 0; processor.node() == NodeId(0) && i < 12; ++i) {
            co_await messages.send(NodeId(1), 0, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
        }
    };
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(replies, 12);
    const Node& sender = bench_.machine().node(NodeId(0));
    const auto& launches = firmware::testing::controller(bench_.machine(), 0).statistics();
    EXPECT_GT(launches.withdrawn_launches.value(), 0);
    // The answer to a withdrawal takes a cycle, in which the core still waits.
    EXPECT_EQ(sender.core.statistics().blocked_cycles.value(),
              launches.launch_blocked_cycles.value() + launches.withdrawn_launches.value());
    EXPECT_EQ(bench_.machine().account().fault(true), std::nullopt);
}

TEST_F(TwoNodesTest, MemoryKeepsWhatIsStored) {
    std::uint32_t word = 0;
    double real = 0.0;
    Cycles end;
    bench_.thread = [&](Processor& processor, ActiveMessages&) -> Task {
        if (processor.node() == NodeId(1)) {
            co_return;
        }
        co_await processor.store(0x2000, 123);        // a word is stored in 3 cycles
        co_await processor.store_real(0x2008, -0.5);  // a double is stored in 4 cycles
        word = co_await processor.load(0x2000);       // a word is loaded in 2 cycles
        real = co_await processor.load_real(0x2008);  // a double is loaded in 3 cycles
        end = processor.now();
    };
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(word, 123U);
    EXPECT_EQ(real, -0.5);
    EXPECT_EQ(end, Cycles(12));
}

TEST_F(TwoNodesTest, AProgramsMistakeEndsTheRunAndSaysWhere) {
    bench_.thread = [](Processor& processor, ActiveMessages&) -> Task {
        co_await processor.compute(Cycles(5));
        co_await processor.load(WEIR_INPUT_WINDOW);  // no message has arrived
    };
    try {
        bench_.run();
        FAIL() << "no fault";
    } catch (const ProgramFault& fault) {
        EXPECT_THAT(fault.what(), Names("node 0, cycle 5:", "load", "0xffff0040"));
    }
}

}  // namespace
}  // namespace weir::nodes
