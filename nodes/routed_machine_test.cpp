// Machines on networks of virtual-channel routers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "nodes/testing/in_child.h"
#include "nodes/testing/machine_bench.h"

namespace weir::nodes {
namespace {

using firmware::ActiveMessages;
using ::testing::HasSubstr;
using testing::KernelBench;
using testing::ScriptBench;

// All that a run reported of its messages, as text.
std::string run_of(KernelBench& bench) {
    bench.load();
    EXPECT_EQ(bench.run(), RunEnd::kFinished);
    EXPECT_EQ(bench.check(), std::nullopt);
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
    return testing::in_child([&] {
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
        // The planted fault.
        EXPECT_FALSE(remap_on_8_by_4(true, body_bytes, "fixed") == plain) << body_bytes;
    }
}

void make_ring(testing::MachineBench& bench, std::int64_t virtual_channels) {
    bench.set_dimensions({4});
    bench.set(bench.configuration.machine, "nodes", std::int64_t{4});
    bench.set(bench.configuration.network, "topology", std::string("torus"));
    bench.set(bench.configuration.network, "virtual_channels", virtual_channels);
}

// Every node sends to the one two further on, as often as it can.
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

TEST(RoutedMachineTest, ARingWithoutDatelinesIsRefusedWithItsCycle) {
    ScriptBench bench;
    make_ring(bench, 1);
    const auto fault = bench.configuration.check();
    ASSERT_TRUE(fault.has_value());
    EXPECT_EQ(fault->key, "network.virtual_channels");
    EXPECT_THAT(fault->what, HasSubstr("this routing is not free of deadlock: "));
    EXPECT_THAT(
        fault->what,
        HasSubstr(
            "(1) +x waits for (2) +x, (2) +x for (3) +x, (3) +x for (0) +x, (0) +x for (1) +x"));
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
    const std::string explanation = bench.machine().explain_waits();
    EXPECT_THAT(explanation, HasSubstr("a cycle of parts that wait for one another:\n"));
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        EXPECT_THAT(explanation, HasSubstr("  " + cycle[i] + " waits for " +
                                           cycle[(i + 1) % cycle.size()] + ": a message for node"));
    }
}

TEST(RoutedMachineTest, WithDatelinesTheSameRingRunsToItsEnd) {
    ScriptBench bench;
    make_ring(bench, 0);
    load_ring(bench);
    EXPECT_FALSE(bench.configuration.check().has_value());
    EXPECT_EQ(bench.run(), RunEnd::kFinished);
    EXPECT_EQ(bench.trace.messages.size(), 80U);
}

TEST(RoutedMachineTest, EveryTopologyRunsAKernelToTheRightAnswer) {
    for (const char* topology : {"mesh", "torus", "hypercube", "butterfly", "fat_tree"}) {
        for (const char* kernel : {"remap", "spmv"}) {
            const std::string end = testing::in_child([&]() -> std::string {
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
                    return fault->what;
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
        EXPECT_THAT(fault.what(), HasSubstr("needs buffers that hold whole messages, not 4 flits"));
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
