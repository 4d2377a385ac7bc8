// Programs on machines with the logp network, and with a hardware barrier.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "firmware/hardware_barrier.h"
#include "firmware/testing/machine_bench.h"
#include "hw/controller/ideal_controller.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"

namespace weir::nodes {
namespace {

using firmware::ActiveMessages;
using firmware::HardwareBarrier;
using hw::Cycles;
using hw::MessageId;
using hw::NodeId;
using hw::testing::result_of_separate_run;
using weir::testing::Names;

// Stores and launches take 3 cycles each; a handler's interrupt comes 10 cycles after its message.
void make_logp(firmware::testing::MachineBench& bench, std::int64_t latency, std::int64_t gap) {
    hw::ParameterGroup& network = bench.configuration.network;
    bench.set(network, "model", std::string("logp"));
    bench.set(network, "logp_latency_cycles", latency);
    bench.set(network, "logp_gap_cycles", gap);
}

const hw::IdealController::Statistics& controller_statistics(Machine& machine, std::int32_t node) {
    return dynamic_cast<hw::IdealController&>(machine.node(NodeId(node)).controller()).statistics();
}

class LogpMachineTest : public ::testing::Test {
  protected:
    LogpMachineTest() {
        bench_.set_dimensions({6});
        bench_.handlers.emplace_back([](Processor&, ActiveMessages&) -> Task { co_return; });
    }
    // Nodes 1 to `senders` send to node 0 without arguments: two stores, and the launch at 6.
    void run_fan_in(std::int32_t senders) {
        bench_.thread = [senders](Processor& processor, ActiveMessages& messages) -> Task {
            const std::int32_t self = processor.node().index();
            if (self >= 1 && self <= senders) {
                co_await messages.send(NodeId(0), 0, {});
            } else if (self == 5) {
                co_await messages.send(NodeId(senders), 0, {});
            }
        };
        ASSERT_EQ(bench_.run(), RunEnd::kFinished);
        EXPECT_EQ(bench_.machine().account().fault(true), std::nullopt);
    }
    const hw::Message& message_of(std::int32_t node) {
        return bench_.trace.messages.at({NodeId(node), 0});
    }
    firmware::testing::ScriptBench bench_;
};

TEST_F(LogpMachineTest, AMessageTakesOverheadLatencyAndOverhead) {
    make_logp(bench_, 40, 4);
    run_fan_in(1);
    const hw::MessageTimes& times = message_of(1).times;
    EXPECT_EQ(times.launch, Cycles(9));
    EXPECT_EQ(times.header_arrival, Cycles(9 + 40));
    EXPECT_EQ(times.handler_begin, Cycles(9 + 40 + 10));
    EXPECT_EQ(message_of(1).unloaded, Cycles(40));
    EXPECT_EQ(message_of(1).launch_blocked, Cycles(0));
    EXPECT_EQ(message_of(1).hops, 0) << "it has no routers";
}

// ceil(10/4) = 3 messages may be in transit to node 0; the fourth sender's launch stalls for 10
// cycles and ends at 9 + 10.
TEST_F(LogpMachineTest, AStallIsBlockedTimeAsBeforeAFullQueue) {
    make_logp(bench_, 10, 4);
    run_fan_in(4);
    EXPECT_EQ(message_of(3).times.launch, Cycles(9));
    EXPECT_EQ(message_of(4).times.launch, Cycles(19));
    EXPECT_EQ(message_of(4).launch_blocked, Cycles(10));
    EXPECT_EQ(bench_.machine().node(NodeId(4)).core.statistics().blocked_cycles.value(), 10);
    EXPECT_EQ(bench_.machine().node(NodeId(4)).core.statistics().send_cycles.value(), 9);
    EXPECT_EQ(bench_.machine().node(NodeId(3)).core.statistics().blocked_cycles.value(), 0);
    EXPECT_EQ(controller_statistics(bench_.machine(), 4).launch_blocked_cycles.value(), 10);
    EXPECT_EQ(controller_statistics(bench_.machine(), 4).blocked_launches.value(), 1);
    ASSERT_EQ(bench_.trace.stalls.size(), 1U);
    const hw::Stall& stall = bench_.trace.stalls.front();
    EXPECT_EQ(stall.node, NodeId(4));
    EXPECT_EQ(stall.place, hw::StallPlace::kLaunch);
    EXPECT_EQ(stall.begin, Cycles(6));
    EXPECT_EQ(stall.end, Cycles(16));
    EXPECT_EQ(stall.waiting, (MessageId{NodeId(4), 0}));
    EXPECT_EQ(stall.holder, (MessageId{NodeId(1), 0}));
}

// One message in transit at a time: node 4's turn comes at 306. A message for node 4 arrives at
// 109. The message's interrupt at 119 withdraws node 4's launch, and the handler begins in the next
// cycle.
TEST_F(LogpMachineTest, AStalledThreadTakesInterrupts) {
    make_logp(bench_, 100, 100);
    run_fan_in(4);
    EXPECT_EQ(message_of(5).times.notify, Cycles(119));
    EXPECT_EQ(message_of(5).times.handler_begin, Cycles(120));
    EXPECT_EQ(message_of(4).times.launch, Cycles(309));
    EXPECT_EQ(controller_statistics(bench_.machine(), 4).withdrawn_launches.value(), 1);
    EXPECT_EQ(controller_statistics(bench_.machine(), 4).blocked_launches.value(), 2);
    const auto& core = bench_.machine().node(NodeId(4)).core.statistics();
    EXPECT_EQ(core.handler_cycles.value(), (message_of(5).times.handler_end - Cycles(120)).count());
    // Cycles from the first attempt to launch, at 6, to the launch at 306; the handler takes part
    // of them.
    EXPECT_EQ(core.blocked_cycles.value() + core.handler_cycles.value() + core.wait_cycles.value(),
              306 - 6);
}

// A stall of one cycle is counted, although a second port delays answers by a cycle.
TEST_F(LogpMachineTest, AStallOfOneCycleIsSeenBesideAProtocolProcessor) {
    make_logp(bench_, 9, 9);
    bench_.set(bench_.configuration.core, "receive_mode", std::string("protocol_processor"));
    bench_.thread = [](Processor& processor, ActiveMessages& messages) -> Task {
        if (processor.node() == NodeId(1)) {
            co_await messages.send(NodeId(0), 0, {});
        }
        if (processor.node() == NodeId(3)) {
            co_await processor.compute(Cycles(8));
            co_await messages.send(NodeId(0), 0, {});
        }
    };
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(message_of(3).launch_blocked, Cycles(1));
    EXPECT_EQ(bench_.machine().node(NodeId(3)).core.statistics().blocked_cycles.value(), 1);
}

using MachineEdit = std::function<void(firmware::testing::KernelBench&)>;

std::string remap_on_logp(const char* order, bool sleeping, const MachineEdit& edit) {
    return result_of_separate_run([=] {
        firmware::testing::KernelBench bench("remap");
        bench.set_dimensions({8});
        make_logp(bench, 300, 40);
        bench.set_workload("iterations", std::int64_t{30});
        bench.set_ticks(order, sleeping);
        edit(bench);
        bench.load();
        std::ostringstream text;
        text << (bench.run() == RunEnd::kFinished ? "finished" : "stuck") << ' '
             << bench.check().value_or("right") << ' '
             << bench.machine().account().fault(true).value_or("conserved") << '\n';
        for (const auto& [id, message] : bench.trace.messages) {
            text << message.times.launch << ' ' << message.times.first_arrival << ' '
                 << message.times.handler_begin << ' ' << message.launch_blocked << '\n';
        }
        std::sort(bench.trace.intervals.begin(), bench.trace.intervals.end());
        for (const auto& interval : bench.trace.intervals) {
            text << interval.node << ' ' << static_cast<int>(interval.state) << ' '
                 << interval.begin << ' ' << interval.end << '\n';
        }
        return text.str();
    });
}

void expect_no_order_matters(const MachineEdit& edit) {
    const std::string reference = remap_on_logp("wake", true, edit);
    EXPECT_THAT(reference, Names("finished", "right", "conserved\n"));
    EXPECT_TRUE(remap_on_logp("reversed", true, edit) == reference);
    EXPECT_TRUE(remap_on_logp("shuffled", true, edit) == reference);
    EXPECT_TRUE(remap_on_logp("shuffled", false, edit) == reference);
}

TEST(LogpMachineOrderTest, ARemapInNaiveOrder) {
    expect_no_order_matters([](firmware::testing::KernelBench& bench) {
        bench.set_workload("style", std::string("asynchronous"));
        bench.set_workload("destinations", std::string("ascending"));
        bench.set_workload("consecutive_messages", std::int64_t{4});
        bench.set(bench.configuration.network, "logp_least_latency_cycles", std::int64_t{1});
    });
}

TEST(LogpMachineOrderTest, RequestsAndRepliesOfProtocolProcessors) {
    expect_no_order_matters([](firmware::testing::KernelBench& bench) {
        bench.set(bench.configuration.core, "receive_mode", std::string("protocol_processor"));
    });
}

TEST(LogpMachineOrderTest, NodesThatMeetAtABarrier) {
    for (const char* mode : {"interrupt", "polling", "protocol_processor"}) {
        expect_no_order_matters([mode](firmware::testing::KernelBench& bench) {
            bench.set(bench.configuration.core, "receive_mode", std::string(mode));
            bench.set_workload("style", std::string("asynchronous"));
            bench.set_workload("barrier_messages", std::int64_t{7});
            bench.set(bench.configuration.network, "barrier", true);
        });
    }
}

// --- The barrier on the machine with routers --------------------------------------------------

class MachineBarrierTest : public ::testing::Test {
  protected:
    MachineBarrierTest() {
        bench_.set_dimensions({3});
        bench_.set(bench_.configuration.network, "barrier", true);
        bench_.set(bench_.configuration.network, "barrier_cycles", std::int64_t{50});
        bench_.handlers.emplace_back([](Processor&, ActiveMessages&) -> Task { co_return; });
    }
    // Nodes wait until cycle 100, 200 and 300 and enter the barrier. Before its wait, the last node
    // sends to the first.
    void use_nodes_that_meet() {
        bench_.thread = [this](Processor& processor, ActiveMessages& messages) -> Task {
            const std::int32_t self = processor.node().index();
            if (self == 2) {
                co_await messages.send(NodeId(0), 0, {});
            }
            co_await processor.wait_until(Cycles(100 * (self + 1)));
            co_await HardwareBarrier(processor).meet();
            ends_.push_back(processor.now());
        };
    }
    firmware::testing::ScriptBench bench_;
    std::vector<Cycles> ends_;
};

// The last node's store ends at 303. All nodes are released at 803, and have read this at 805.
// While it waits, node 0 handles a message: its load from the barrier is withdrawn and issued
// again.
TEST_F(MachineBarrierTest, AllGoOnTogetherAndTakeMessagesMeanwhile) {
    bench_.thread = [this](Processor& processor, ActiveMessages& messages) -> Task {
        const std::int32_t self = processor.node().index();
        co_await processor.compute(Cycles(100 * (self + 1) - (self == 2 ? 9 : 0)));
        if (self == 2) {
            co_await messages.send(NodeId(0), 0, {});
        }
        co_await HardwareBarrier(processor).meet();
        ends_.push_back(processor.now());
    };
    bench_.set(bench_.configuration.network, "barrier_cycles", std::int64_t{500});
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(ends_, (std::vector<Cycles>(3, Cycles(300 + 3 + 500 + 2))));
    const hw::Message& message = bench_.trace.messages.at({NodeId(2), 0});
    // 2 hops, 17 more to the interrupt (Table 1); the load is withdrawn in the next cycle.
    EXPECT_EQ(message.times.handler_begin, Cycles(300 + 19 + 2));
    const auto& waiting = bench_.machine().node(NodeId(0)).core.statistics();
    EXPECT_EQ(waiting.blocked_cycles.value(), 0);
    EXPECT_EQ(waiting.send_cycles.value(), 0);
    EXPECT_EQ(waiting.wait_cycles.value(), 805 - 100 - waiting.handler_cycles.value());
}

TEST_F(MachineBarrierTest, ANodeThatPollsTakesMessagesBetweenItsQuestions) {
    bench_.set(bench_.configuration.core, "receive_mode", std::string("polling"));
    use_nodes_that_meet();
    ASSERT_EQ(bench_.run(), RunEnd::kFinished);
    ASSERT_EQ(ends_.size(), 3U);
    for (const Cycles end : ends_) {
        EXPECT_GE(end, Cycles(353));
        EXPECT_LE(end, Cycles(353 + 2 + 1 + 2));
    }
    EXPECT_EQ(bench_.trace.messages.size(), 1U);
}

TEST_F(MachineBarrierTest, WhoNeverArrivesIsNamed) {
    for (const char* mode : {"interrupt", "polling"}) {
        EXPECT_THAT(
            result_of_separate_run([mode] {
                firmware::testing::ScriptBench bench;
                bench.set_dimensions({3});
                bench.set(bench.configuration.network, "barrier", true);
                bench.set(bench.configuration.core, "receive_mode", std::string(mode));
                bench.thread = [](Processor& processor, ActiveMessages&) -> Task {
                    if (processor.node() != NodeId(1)) {
                        co_await HardwareBarrier(processor).meet();
                    }
                };
                Machine::RunLimits limits;
                limits.watchdog_cycles = Cycles(20'000);
                limits.most_cycles = Cycles(200'000);
                const RunEnd end = bench.run(limits);
                EXPECT_TRUE(end == RunEnd::kDeadlock || end == RunEnd::kNoProgress);
                return bench.machine().explain_waits();
            }),
            Names("no", "cycle", "machine.node_0.core", "machine.node_1.core", "barrier", "node 1",
                  "machine.node_2.core", "machine.node_1.core", "barrier", "node 1"))
            << mode;
    }
}

TEST_F(MachineBarrierTest, AMachineWithoutOneRefusesItsRegisters) {
    bench_.set(bench_.configuration.network, "barrier", false);
    use_nodes_that_meet();
    try {
        bench_.run();
        FAIL() << "not refused";
    } catch (const ProgramFault& fault) {
        EXPECT_THAT(fault.what(), Names("store", "0xffff0100", "network.barrier = true"));
    }
}

// --- Other topologies ---------------------------------------------------------------------------

// A graph with more nodes than network.dimensions give.
class GraphMachineTest : public ::testing::Test {
  protected:
    GraphMachineTest() {
        std::ofstream(file_) << "graph { a -- b; b -- c; c -- d; d -- e; e -- f; }";
        make_logp(bench_, 6, 4);
        bench_.set_dimensions({2});
        bench_.set(bench_.configuration.machine, "nodes", std::int64_t{6});
        bench_.set(bench_.configuration.network, "topology", std::string("graph"));
        bench_.set(bench_.configuration.network, "graph_file", file_.string());
    }
    ~GraphMachineTest() override { std::filesystem::remove(file_); }

    firmware::testing::ScriptBench bench_;

  private:
    std::filesystem::path file_ =
        std::filesystem::path(::testing::TempDir()) /
        ("weir_logp_machine_test_" +
         std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + ".dot");
};

TEST_F(GraphMachineTest, TheLogpNetworkHasAsManyNodesAsTheFile) {
    EXPECT_FALSE(bench_.configuration.check().has_value());
    bench_.handlers.emplace_back([](Processor&, ActiveMessages&) -> Task { co_return; });
    bench_.thread = [](Processor& processor, ActiveMessages& messages) -> Task {
        co_await messages.send(NodeId((processor.node().index() + 5) % 6), 0, {});
    };
    EXPECT_EQ(bench_.run(), RunEnd::kFinished);
    EXPECT_EQ(bench_.trace.messages.size(), 6U);
}

TEST_F(GraphMachineTest, TheDelayNetworkHasNoGraphs) {
    bench_.set(bench_.configuration.network, "model", std::string("delay"));
    const auto fault = bench_.configuration.check();
    ASSERT_TRUE(fault.has_value());
    EXPECT_EQ(fault->key, "network.topology");
    EXPECT_THROW(Machine("unchecked", bench_.configuration, 1, nullptr), MachineFault);
}

TEST(LogpConfigurationTest, ALaunchTakesACycleOrMore) {
    MachineConfiguration configuration;
    ASSERT_TRUE(configuration.network.find("model")->set(std::string("logp")));
    ASSERT_TRUE(configuration.controller.launch_cycles.set(std::int64_t{1}));
    EXPECT_FALSE(configuration.check().has_value());
    ASSERT_TRUE(configuration.controller.launch_cycles.set(std::int64_t{0}));
    ASSERT_TRUE(configuration.check().has_value());
    EXPECT_EQ(configuration.check()->key, "controller.launch_cycles");
}

}  // namespace
}  // namespace weir::nodes
