// Machines on networks of virtual-channel routers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"
#include "nodes/testing/explained_waits.h"

namespace weir::nodes {
namespace {

using firmware::ActiveMessages;
using firmware::testing::KernelBench;
using firmware::testing::ScriptBench;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::ExplainedWaits;
using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;
using weir::testing::NamesMatcher;

// Returns the times of all messages of a run, as text.
std::string run_of(KernelBench& bench) {
    EXPECT_EQ(bench.fault_of_run(), "");
    std::ostringstream text;
    text << bench.machine().now() << '\n';
    for (const auto& [id, message] : bench.trace.messages) {
        const hw::MessageTimes& times = message.times;
        text << id.source << ' ' << id.sequence << ' ' << message.hops << ' ' << message.unloaded
             << ' ' << times.launch << ' ' << times.network_entry << ' ' << times.tail_entry << ' '
             << times.first_arrival << ' ' << times.header_arrival << ' ' << times.tail_arrival
             << ' ' << times.handler_begin << ' ' << times.dispose << '\n';
    }
    return text.str();
}

std::string remap_on_8_by_4(bool routed, std::int64_t body_bytes, const char* arbitration) {
    return hw::testing::result_of_separate_run([&] {
        KernelBench bench("remap");
        bench.set_workload("iterations", std::int64_t{20});
        if (body_bytes > 0) {
            bench.set_workload("body_bytes", body_bytes);
            bench.set_workload("style", std::string("asynchronous"));
        } else {
            bench.set(bench.configuration.controller, "input_queue_bytes", std::int64_t{64});
        }
        bench.set(bench.configuration.network, "arbitration", std::string(arbitration));
        bench.configuration.routes_plain_meshes = routed;
        return run_of(bench);
    });
}

TEST(RoutedMachineTest, APlainMeshIsTheSameToTheCycle) {
    for (const std::int64_t body_bytes : {0, 400}) {
        const std::string plain = remap_on_8_by_4(false, body_bytes, "round_robin");
        EXPECT_GT(plain.size(), 10'000U);
        EXPECT_TRUE(remap_on_8_by_4(true, body_bytes, "round_robin") == plain) << body_bytes;
        // planted fault: another arbiter
        EXPECT_FALSE(remap_on_8_by_4(true, body_bytes, "fixed") == plain) << body_bytes;
    }
}

void make_ring(firmware::testing::MachineBench& bench, std::int64_t virtual_channels) {
    bench.set_dimensions({4});
    bench.set(bench.configuration.machine, "nodes", std::int64_t{4});
    bench.set(bench.configuration.network, "topology", std::string("torus"));
    bench.set(bench.configuration.network, "ring_ties", std::string("up"));
    bench.set(bench.configuration.network, "virtual_channels", virtual_channels);
}

// Every node sends to the node two hops further on, as often as possible.
void load_ring(ScriptBench& bench) {
    bench.handlers = {[](Processor&, ActiveMessages&) -> Task { co_return; }};
    bench.thread = [](Processor& processor, ActiveMessages& messages) -> Task {
        const ActiveMessages::Arguments arguments = [] {
            ActiveMessages::Arguments words;
            for (std::uint32_t i = 0; i < 14; ++i) {
                words.push_back(i);
            }
            return words;
        }();
        const hw::NodeId opposite((processor.node().index() + 2) % 4);
        for (int i = 0; i < 20; ++i) {
            co_await messages.send(opposite, 0, arguments);
        }
    };
}

// Matches the line of a channel that waits for another channel.
NamesMatcher is_step(const std::string& who, const std::string& for_whom) {
    return Names(who, for_whom + ": ", "node");
}

TEST(RoutedMachineTest, ARingWithoutDatelinesIsRefusedWithItsCycle) {
    ScriptBench bench;
    make_ring(bench, 1);
    const auto fault = bench.configuration.check();
    ASSERT_TRUE(fault.has_value());
    EXPECT_EQ(fault->key, "network.virtual_channels");
    EXPECT_THAT(fault->found, Names("routing", "deadlock", "(1) +x", "(2) +x", "(2) +x", "(3) +x",
                                    "(3) +x", "(0) +x", "(0) +x", "(1) +x"));
    EXPECT_THAT(fault->accepted, HasSubstr("network.allow_deadlock = true"));
    bench.set(bench.configuration.network, "allow_deadlock", true);
    EXPECT_FALSE(bench.configuration.check().has_value());
}

TEST(RoutedMachineTest, WhenItDeadlocksTheSameCycleIsNamed) {
    ScriptBench bench;
    make_ring(bench, 1);
    const std::vector<std::string> cycle = bench.configuration.deadlock_proof()->cycle;
    ASSERT_EQ(cycle.size(), 4U);
    load_ring(bench);
    EXPECT_EQ(bench.run(), RunEnd::kDeadlock);
    const ExplainedWaits explained(bench.machine().explain_waits());
    ASSERT_FALSE(explained.sentences.empty());
    EXPECT_THAT(explained.sentences.front(), Names("a", "cycle"));
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        EXPECT_THAT(explained.steps, Contains(is_step(cycle[i], cycle[(i + 1) % cycle.size()])));
    }
}

void make_torus(firmware::testing::MachineBench& bench) {
    bench.set_dimensions({4, 4});
    bench.set(bench.configuration.machine, "nodes", std::int64_t{16});
    bench.set(bench.configuration.network, "topology", std::string("torus"));
    bench.set(bench.configuration.network, "ring_ties", std::string("up"));
    bench.set(bench.configuration.network, "virtual_channels", std::int64_t{1});
    bench.set(bench.configuration.network, "allow_deadlock", true);
}

// A ring whose nodes send to the node two hops further on, as often as possible: "+x of row 0".
struct LoadedRing {
    bool is_row;
    int number;

    [[nodiscard]] std::optional<int> opposite(int node) const {
        const int x = node % 4;
        const int y = node / 4;
        if ((is_row ? y : x) != number) {
            return std::nullopt;
        }
        return is_row ? 4 * y + (x + 2) % 4 : 4 * ((y + 2) % 4) + x;
    }
};
void load_rings(ScriptBench& bench, const std::vector<LoadedRing>& rings) {
    bench.handlers = {[](Processor&, ActiveMessages&) -> Task { co_return; }};
    bench.thread = [rings](Processor& processor, ActiveMessages& messages) -> Task {
        ActiveMessages::Arguments arguments;
        for (std::uint32_t i = 0; i < 14; ++i) {
            arguments.push_back(i);
        }
        for (const LoadedRing& ring : rings) {
            const std::optional<int> opposite = ring.opposite(processor.node().index());
            for (int i = 0; opposite && i < 20; ++i) {
                co_await messages.send(hw::NodeId(*opposite), 0, arguments);
            }
        }
    };
}

// Two rings deadlock, and the proof names one of them.
TEST(RoutedMachineTest, OfManyRingsOfATorusTheProofsIsNamedWhereItIsClosed) {
    for (const LoadedRing other : {LoadedRing{true, 3}, LoadedRing{true, 1}}) {
        const std::string found = hw::testing::result_of_separate_run([&]() -> std::string {
            ScriptBench bench;
            make_torus(bench);
            load_rings(bench, {other, LoadedRing{true, 0}});
            return bench.run() == RunEnd::kDeadlock ? bench.machine().explain_waits() : "none";
        });
        ScriptBench bench;
        make_torus(bench);
        const std::vector<std::string> cycle = bench.configuration.deadlock_proof()->cycle;
        ASSERT_THAT(cycle, ElementsAre("(1,0) +x", "(2,0) +x", "(3,0) +x", "(0,0) +x"));
        const ExplainedWaits explained(found);
        EXPECT_THAT(explained.sentences,
                    ElementsAre(Names("a", "cycle"),
                                AllOf(Names("cycle", "proof"), Not(Names("another")))));
        ASSERT_EQ(explained.steps.size(), cycle.size());
        for (std::size_t i = 0; i < cycle.size(); ++i) {
            EXPECT_THAT(explained.steps[i], is_step(cycle[i], cycle[(i + 1) % cycle.size()]));
        }
    }
}

TEST(RoutedMachineTest, ACycleOtherThanTheProofsIsSaidToBeAnother) {
    ScriptBench bench;
    make_torus(bench);
    load_rings(bench, {LoadedRing{false, 2}});
    EXPECT_EQ(bench.run(), RunEnd::kDeadlock);
    const ExplainedWaits explained(bench.machine().explain_waits());
    for (int y = 0; y < 4; ++y) {
        EXPECT_THAT(explained.steps,
                    Contains(is_step("(2," + std::to_string(y) + ") +y",
                                     "(2," + std::to_string((y + 1) % 4) + ") +y")));
    }
    EXPECT_THAT(explained.sentences,
                ElementsAre(Names("a", "cycle"),
                            Names("another", "cycle", "proof", "channel", "dependency")));
}

// The routing is free of deadlock, but handlers send while queues fill.
TEST(RoutedMachineTest, ACycleThatEndPointsCloseIsSaidToBeTheirs) {
    ScriptBench bench;
    make_ring(bench, 0);
    bench.set(bench.configuration.controller, "input_queue_bytes", std::int64_t{64});
    bench.set(bench.configuration.controller, "output_queue_bytes", std::int64_t{64});
    const auto send_on = [](int step) {
        return [step](Processor& processor, ActiveMessages& messages) -> Task {
            const hw::NodeId to((processor.node().index() + step) % 4);
            ActiveMessages::Arguments arguments;
            for (std::uint32_t i = 0; i < 12; ++i) {
                arguments.push_back(i);
            }
            for (int i = 0; i < 8; ++i) {
                co_await messages.send(to, step == 1 ? 0 : 1, arguments);
            }
        };
    };
    bench.thread = send_on(1);
    bench.handlers = {send_on(3), [](Processor&, ActiveMessages&) -> Task { co_return; }};
    ASSERT_EQ(bench.run(), RunEnd::kDeadlock);
    const std::string explanation = bench.machine().explain_waits();
    const std::size_t theirs = explanation.find("protocol");
    ASSERT_NE(theirs, std::string::npos) << explanation;
    EXPECT_THAT(explanation.substr(theirs), Names(".controller.input", "machine."));
    EXPECT_THAT(explanation.substr(theirs), Not(HasSubstr("+x")));
}

TEST(RoutedMachineTest, WithDatelinesTheSameRingRunsToItsEnd) {
    ScriptBench bench;
    make_ring(bench, 0);
    load_ring(bench);
    EXPECT_FALSE(bench.configuration.check().has_value());
    EXPECT_EQ(bench.run(), RunEnd::kFinished);
    EXPECT_EQ(bench.trace.messages.size(), 80U);
}

// Whether packets stay in order is a property of the routing, which the check of the configuration
// reads.
TEST(RoutedMachineTest, SharedMemoryIsRefusedWhereMessagesChooseAmongChannels) {
    const auto fault_with = [](const char* key, const hw::ParameterValue& value) {
        ScriptBench bench;
        make_ring(bench, 0);
        bench.set(bench.configuration.memory, "caches", std::int64_t{1});
        bench.configuration.shares_memory = true;
        EXPECT_FALSE(bench.configuration.check().has_value());
        bench.set(bench.configuration.network, key, value);
        const auto fault = bench.configuration.check();
        return fault ? fault->found : std::string("none");
    };
    const auto is_refused = Names("packets", "different", "channels");
    EXPECT_THAT(fault_with("virtual_channels", std::int64_t{4}), is_refused);
    EXPECT_THAT(fault_with("ring_ties", std::string("lot")), is_refused);
    EXPECT_EQ(fault_with("ring_ties", std::string("parity")), "none");
    EXPECT_THAT(fault_with("ring_classes", std::string("balanced")), is_refused);
    EXPECT_EQ(fault_with("ring_classes", std::string("dateline")), "none");
}

// The coherence protocol does not repeat lost packets.
TEST(RoutedMachineTest, SharedMemoryIsRefusedWhereFlitsAreLostOrFlipped) {
    for (const char* key : {"lost_flits_per_million", "flipped_flits_per_million"}) {
        ScriptBench bench;
        bench.set(bench.configuration.memory, "caches", std::int64_t{1});
        bench.set(bench.configuration.faults, key, 1.0);
        EXPECT_FALSE(bench.configuration.check().has_value());
        bench.configuration.shares_memory = true;
        const auto fault = bench.configuration.check();
        ASSERT_TRUE(fault.has_value());
        EXPECT_EQ(fault->key, std::string("faults.") + key);
    }
}

TEST(RoutedMachineTest, EveryTopologyRunsAKernelToTheRightAnswer) {
    for (const char* topology : {"mesh", "torus", "hypercube", "butterfly", "fat_tree"}) {
        for (const char* kernel : {"remap", "spmv"}) {
            const std::string end = hw::testing::result_of_separate_run([&]() -> std::string {
                KernelBench bench(kernel);
                bench.set(bench.configuration.machine, "nodes", std::int64_t{16});
                bench.set_dimensions({4, 4});
                bench.set(bench.configuration.network, "topology", std::string(topology));
                bench.set(bench.configuration.network, "virtual_channels", std::int64_t{2});
                if (std::string_view(kernel) == "remap") {
                    bench.set_workload("iterations", std::int64_t{20});
                } else {
                    bench.set_workload("rows", std::int64_t{160});
                    bench.set_workload("nonzeros", std::int64_t{2'000});
                }
                if (const auto fault = bench.configuration.check()) {
                    return fault->found;
                }
                bench.load();
                const bool finished = bench.run() == RunEnd::kFinished;
                const auto fault = bench.machine().account().fault(true);
                return finished && !bench.check() && !fault ? "right" : "wrong";
            });
            EXPECT_EQ(end, "right") << topology << ", " << kernel;
        }
    }
}

TEST(RoutedMachineTest, AMessageTooLongForItsSwitchingIsTheUsersFault) {
    KernelBench bench("remap");
    bench.set(bench.configuration.network, "switching", std::string("store_and_forward"));
    bench.load();
    try {
        bench.run();
        FAIL() << "it ran";
    } catch (const MachineFault& fault) {
        EXPECT_THAT(fault.what(), Names("buffers", "whole", "4", "flits"));
    }
}

TEST(RoutedMachineTest, ShapesWithoutExtentsHaveOne) {
    ScriptBench bench;
    bench.set(bench.configuration.network, "topology", std::string("fat_tree"));
    EXPECT_EQ(bench.build().shape().mesh_extents, (std::vector<std::int32_t>{32}));
}

TEST(RoutedMachineTest, AHypercubesExtentsAreTwos) {
    ScriptBench bench;
    bench.set(bench.configuration.network, "topology", std::string("hypercube"));
    EXPECT_EQ(bench.build().shape().mesh_extents, (std::vector<std::int32_t>{2, 2, 2, 2, 2}));
}

}  // namespace
}  // namespace weir::nodes
