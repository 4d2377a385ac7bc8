// The three receive modes, and the ideal machine of LoPC: exact cycles.
#include <gtest/gtest.h>

#include <array>

#include "firmware/testing/machine_bench.h"
#include "hw/controller/ideal_controller.h"

namespace weir::nodes {
namespace {

using firmware::ActiveMessages;
using hw::Cycles;
using hw::NodeId;

// Node 0 launches a message at 9. Node 1 can take it from 27 on (one hop: 17 + 1).
class ReceiveModeTest : public ::testing::Test {
  protected:
    void run(const char* mode, Cycles work) {
        bench_.set_dimensions({2});
        bench_.set(bench_.configuration.core, "receive_mode", std::string(mode));
        bench_.handlers.emplace_back([this](Processor&, ActiveMessages&) -> Task {
            arrived_ = true;
            co_return;
        });
        bench_.thread = [this, work](Processor& processor, ActiveMessages& messages) -> Task {
            if (processor.node() == NodeId(0)) {
                co_await messages.send(NodeId(1), 0, {});
            } else {
                co_await processor.compute(work);
                work_end_ = processor.now();
                co_await processor.wait_for(arrived_);
                go_on_ = processor.now();
            }
        };
        bench_.set(bench_.firmware_parameters, "poll_to_send", false);
        ASSERT_EQ(bench_.run(), RunEnd::kFinished);
        times_ = bench_.trace.messages.begin()->second.times;
        EXPECT_EQ(times_.notify, Cycles(27));
    }

    firmware::testing::ScriptBench bench_;
    bool arrived_ = false;
    Cycles work_end_;
    Cycles go_on_;
    hw::MessageTimes times_;
};

TEST_F(ReceiveModeTest, AnInterruptIsTakenAtOnceAndTheThreadPaysForIt) {
    run("interrupt", Cycles(1000));
    EXPECT_EQ(times_.handler_begin, Cycles(27));
    EXPECT_EQ(times_.handler_end, Cycles(27 + 117));
    EXPECT_EQ(work_end_, Cycles(1000 + 117));
}

TEST_F(ReceiveModeTest, APollingThreadTakesTheMessageWhenItHasDoneItsWork) {
    run("polling", Cycles(1000));
    EXPECT_EQ(work_end_, Cycles(1000));
    EXPECT_EQ(times_.handler_begin, Cycles(1000));
    // Cycles of the polled message: status load 2, entry 5, the handler's address 2, dispatch 7,
    // dispose 3, exit 2.
    EXPECT_EQ(times_.handler_end, Cycles(1000 + 2 + 5 + 2 + 7 + 3 + 2));
    EXPECT_EQ(go_on_, times_.handler_end);
}

// A wait that began at 10 polls at 10, 14, 18, 22, 26 and 30; the message has arrived by 27.
TEST_F(ReceiveModeTest, AWaitingThreadLooksEveryPollPeriod) {
    run("polling", Cycles(10));
    EXPECT_EQ(times_.handler_begin, Cycles(30));
}

TEST_F(ReceiveModeTest, BetweenTwoLooksLiesACycleOrMore) {
    hw::Parameter<Cycles>& period = bench_.configuration.core.poll_period_cycles;
    EXPECT_TRUE(period.set(std::int64_t{1}));
    EXPECT_FALSE(period.set(std::int64_t{0}));
}

TEST_F(ReceiveModeTest, AProtocolProcessorRunsHandlersBesideTheThread) {
    run("protocol_processor", Cycles(1000));
    EXPECT_EQ(times_.handler_begin, Cycles(27));
    EXPECT_EQ(times_.handler_end, Cycles(27 + 117));
    EXPECT_EQ(work_end_, Cycles(1000));
    EXPECT_EQ(go_on_, Cycles(1000));
}

// With two ports in use the controller answers a cycle later, which does not count as waiting for
// room.
TEST_F(ReceiveModeTest, ALaunchThatHasRoomIsNotBlockedBesideAProtocolProcessor) {
    run("protocol_processor", Cycles(10));
    EXPECT_EQ(times_.launch, Cycles(9));
    const auto& sender = bench_.machine().node(NodeId(0)).core.statistics();
    EXPECT_EQ(sender.send_cycles.value(), 9);
    EXPECT_EQ(sender.blocked_cycles.value(), 0);
}

TEST_F(ReceiveModeTest, AThreadSeesWhatAHandlerBesideItDidWhenThatHasEnded) {
    run("protocol_processor", Cycles(10));
    EXPECT_EQ(go_on_, Cycles(27 + 117));
}

// LoPC Section 4.4: sends are free; a handler takes S_o, and its reply leaves at its end; a trip
// takes a cycle for each hop. Messages that arrive in the same cycle are taken in the order of
// their senders.
class IdealMachineTest : public ::testing::Test {
  protected:
    IdealMachineTest() {
        bench_.set_dimensions({3});
        auto& network = bench_.configuration.network;
        auto& controller = bench_.configuration.controller;
        bench_.set(network, "model", std::string("delay"));
        bench_.set(network, "flit_bytes", std::int64_t{8});
        for (const char* edge : {"injection_cycles", "ejection_cycles"}) {
            bench_.set(network, edge, std::int64_t{0});
        }
        for (const char* cost : {"store_cycles", "launch_cycles", "load_cycles",
                                 "consecutive_load_cycles", "notify_cycles"}) {
            bench_.set(controller, cost, std::int64_t{0});
        }
        bench_.set(bench_.firmware_parameters, "entry_cycles", std::int64_t{200});
        bench_.set(bench_.firmware_parameters, "dispatch_cycles", std::int64_t{0});
        bench_.set(bench_.firmware_parameters, "exit_cycles", std::int64_t{0});
    }
    firmware::testing::ScriptBench bench_;
};

TEST_F(IdealMachineTest, ARoundTripIsTwoTripsAndTwoHandlers) {
    bool replied = false;
    Cycles end;
    bench_.handlers.emplace_back([](Processor&, ActiveMessages& messages) -> Task {
        co_await messages.send(NodeId(0), 1, {});
    });
    bench_.handlers.emplace_back([&replied](Processor&, ActiveMessages&) -> Task {
        replied = true;
        co_return;
    });
    bench_.thread = [&](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node() == NodeId(0)) {
            co_await processor.compute(Cycles(50));
            co_await messages.send(NodeId(2), 0, {});
            co_await processor.wait_for(replied);
            end = processor.now();
        }
    };
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(end, Cycles(50 + 2 + 200 + 2 + 200));
    EXPECT_EQ(bench_.machine().account().fault(true), std::nullopt);
}

TEST_F(IdealMachineTest, MessagesOfOneCycleAreTakenInTheOrderOfTheirSenders) {
    bench_.handlers.emplace_back([](Processor&, ActiveMessages&) -> Task { co_return; });
    bench_.thread = [](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node() != NodeId(1)) {  // both nodes are a hop away from node 1
            co_await processor.compute(Cycles(10));
            co_await messages.send(NodeId(1), 0, {});
        }
    };
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(bench_.trace.messages.at({NodeId(0), 0}).times.handler_begin, Cycles(11));
    EXPECT_EQ(bench_.trace.messages.at({NodeId(2), 0}).times.handler_begin, Cycles(211));
}

TEST_F(IdealMachineTest, AConstantDelayIsTheSameBetweenAnyTwoNodes) {
    bench_.set(bench_.configuration.network, "delay", std::string("constant"));
    bench_.set(bench_.configuration.network, "delay_cycles", std::int64_t{6});
    bench_.handlers.emplace_back([](Processor&, ActiveMessages&) -> Task { co_return; });
    bench_.thread = [](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node() != NodeId(1)) {
            co_await messages.send(NodeId(1), 0, {});
        } else {
            co_await messages.send(NodeId(2), 0, {});
        }
    };
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    for (const auto& [id, message] : bench_.trace.messages) {
        EXPECT_EQ(message.times.notify - message.times.launch, Cycles(6));
    }
}

// Two nodes send to each other without pause: all queues fill before either has finished.
class PollToSendTest : public ::testing::Test {
  protected:
    static constexpr int kMessages = 60;

    PollToSendTest() {
        bench_.set_dimensions({2});
        bench_.set(bench_.configuration.core, "receive_mode", std::string("polling"));
        bench_.handlers.emplace_back([this](Processor&, ActiveMessages&) -> Task {
            ++handled_;
            co_return;
        });
        bench_.thread = [](Processor& processor, ActiveMessages& messages) -> Task {
            const NodeId other(1 - processor.node().index());
            for (int i = 0; i < kMessages; ++i) {
                co_await messages.send(other, 0, {1U, 2U, 3U, 4U, 5U, 6U});
            }
        };
    }
    firmware::testing::ScriptBench bench_;
    int handled_ = 0;
};

TEST_F(PollToSendTest, ALaunchThatWaitsTakesNothingAndNeitherDoesTheOther) {
    bench_.set(bench_.firmware_parameters, "poll_to_send", false);
    EXPECT_EQ(bench_.run(), RunEnd::kDeadlock);
    EXPECT_EQ(handled_, 0);
}

TEST_F(PollToSendTest, AThreadThatPollsForRoomGetsOn) {
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(handled_, 2 * kMessages);
    // Each send asks for room at least once, 2 cycles, and composes 8 words and launches, 27.
    const auto& core = bench_.machine().node(NodeId(0)).core.statistics();
    EXPECT_GE(core.send_cycles.value(), kMessages * (2 + 27));
}

// Node 1 receives nothing for 5,000 cycles; 60 messages of 32 bytes are more than all queues hold.
TEST_F(PollToSendTest, WaitingForRoomIsBlockedTime) {
    bench_.thread = [](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node() == NodeId(1)) {
            co_await processor.compute(Cycles(5000));
            co_return;
        }
        for (int i = 0; i < kMessages; ++i) {
            co_await messages.send(NodeId(1), 0, {1U, 2U, 3U, 4U, 5U, 6U});
        }
    };
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(handled_, kMessages);
    const auto& core = bench_.machine().node(NodeId(0)).core.statistics();
    EXPECT_GT(core.blocked_cycles.value(), 4000);
    EXPECT_EQ(core.wait_cycles.value(), 0);
    EXPECT_EQ(core.send_cycles.value(), kMessages * (2 + 27));
}

// Only the question for room precedes the first message.
TEST_F(PollToSendTest, RoomIsAskedForBeforeComposing) {
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(bench_.trace.messages.at({NodeId(0), 0}).times.compose, Cycles(2));
    EXPECT_EQ(bench_.trace.messages.at({NodeId(0), 0}).times.launch, Cycles(2 + 27));
}

// A handler cannot poll, so its launch waits for room.
TEST_F(PollToSendTest, AHandlerDoesNotAsk) {
    bench_.handlers[0] = [this](Processor& processor, ActiveMessages& messages) -> Task {
        ++handled_;
        const std::int32_t self = processor.node().index();
        if (self == 1) {
            co_await messages.send(NodeId(0), 0, {});
        }
    };
    bench_.thread = [](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node() == NodeId(0)) {
            co_await messages.send(NodeId(1), 0, {});
        }
    };
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(handled_, 2);
    const hw::MessageTimes& reply = bench_.trace.messages.at({NodeId(1), 0}).times;
    EXPECT_EQ(reply.launch - reply.compose, Cycles(9));
    EXPECT_EQ(reply.compose, bench_.trace.messages.at({NodeId(0), 0}).times.code_begin);
}

// Two nodes send a body to each other. A body is longer than all queues between the nodes, so that
// it leaves memory only if the other node receives it.
class PollWhileSendingTest : public ::testing::Test {
  protected:
    static constexpr std::uint32_t kBytes = 2048;
    static constexpr std::uint32_t kReceived = 4096;

    PollWhileSendingTest() {
        bench_.set_dimensions({2});
        bench_.set(bench_.configuration.core, "receive_mode", std::string("polling"));
        bench_.set(bench_.firmware_parameters, "body_send", std::string("blocking"));
        bench_.set(bench_.firmware_parameters, "body_receive", std::string("blocking"));
        bench_.handlers.emplace_back(
            [this](Processor& processor, ActiveMessages& messages) -> Task {
                co_await messages.receive_body(kReceived, stored_.at(processor.node().index()));
            });
        bench_.thread = [this](Processor& processor, ActiveMessages& messages) -> Task {
            const NodeId other(1 - processor.node().index());
            co_await messages.send_body(other, 0, {}, {0, kBytes});
            co_await messages.wait_body_sent();
            sent_.at(processor.node().index()) = processor.now();
            co_await processor.wait_for(stored_.at(processor.node().index()));
        };
    }
    RunEnd run() {
        nodes::Machine::RunLimits limits;
        limits.watchdog_cycles = Cycles(50'000);
        return bench_.run(limits);
    }
    [[nodiscard]] const hw::MessageTimes& times(std::int32_t sender) {
        return bench_.trace.messages.at({NodeId(sender), 0}).times;
    }

    firmware::testing::ScriptBench bench_;
    std::array<bool, 2> stored_{};
    std::array<Cycles, 2> sent_{};
};

TEST_F(PollWhileSendingTest, AThreadThatWaitsForItsBodyReceivesTheOthers) {
    ASSERT_EQ(run(), RunEnd::kFinished);
    for (const std::int32_t node : {0, 1}) {
        // The question for room, four stores, launch and set-up.
        EXPECT_EQ(times(node).launch, Cycles(2 + 4 * 3 + 3 + 10));
        // One hop, the header and the notify delay. The wait polls from 27 on, every 4 cycles.
        EXPECT_EQ(times(node).notify, Cycles(27 + 18));
        EXPECT_EQ(times(node).handler_begin, Cycles(27 + 5 * 4));
        EXPECT_EQ(times(node).code_begin, Cycles(47 + 2 + 5 + 2 + 7));
        // The handler ends with the other body. Then a poll finds that the own body has left:
        // entry 5, status load 2, its acknowledgement 3, dispatch 7, exit 2.
        const Cycles polled = times(1 - node).handler_end;
        EXPECT_GT(polled, times(node).send_dma_end);
        EXPECT_EQ(sent_.at(node), polled + Cycles(5 + 2 + 3 + 7 + 2));
    }
    const auto& core = bench_.machine().node(NodeId(0)).core.statistics();
    EXPECT_EQ(core.wait_cycles.value(), 0);
    EXPECT_EQ(core.dma_cycles.value(), 20);
}

TEST_F(PollWhileSendingTest, AThreadThatAsksForTheStatusReceivesToo) {
    bench_.set(bench_.firmware_parameters, "body_send", std::string("status"));
    ASSERT_EQ(run(), RunEnd::kFinished);
    // The status is loaded from 27 to 29. The wait of 2 cycles polls at its beginning, and every
    // fourth cycle after a load.
    EXPECT_EQ(times(0).handler_begin, Cycles(29 + 4 * 4));
    EXPECT_TRUE(stored_[0] && stored_[1]);
}

TEST_F(PollWhileSendingTest, ALoadThatBlocksTheCoreReceivesNothing) {
    bench_.set(bench_.firmware_parameters, "poll_to_send", false);
    EXPECT_EQ(run(), RunEnd::kDeadlock);
    EXPECT_FALSE(stored_[0] || stored_[1]);
}

}  // namespace
}  // namespace weir::nodes
