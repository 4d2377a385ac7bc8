// Twins of routers and network interfaces in SystemVerilog, beside whole machines that run kernels:
// the same outputs in every cycle.
#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/test_cost.h"
#include "hw/testing/twin/twin.h"
#include "network/fabric/interface_twin.h"
#include "network/mesh_network.h"
#include "network/routed_network.h"
#include "network/testing/interface_recorder.h"
#include "network/testing/router_recorder.h"

namespace weir::nodes {
namespace {

using firmware::testing::KernelBench;
using hw::Twin;
using hw::twin::compare;
using hw::twin::Comparison;
using hw::twin::expect_equal;
using network::testing::InterfaceRecorder;
using network::testing::RouterRecorder;

WEIR_TESTS_COST("^MachineRouterTwinTest\\.", 20);

constexpr std::int64_t kCycles = 2500;

const network::FlitChannel& injection(network::MeshNetwork& network, std::size_t node) {
    return network.channels()[channels_of(network.mesh().graph()).size() + 2 * node];
}
const network::FlitChannel& ejection(network::MeshNetwork& network, std::size_t node) {
    return network.channels()[channels_of(network.mesh().graph()).size() + 2 * node + 1];
}
const network::FlitChannel& injection(network::RoutedNetwork& network, std::size_t node) {
    const auto id = hw::NodeId(static_cast<std::int32_t>(node));
    return *network.fabric(0).interface_channels(id).injection.front();
}
const network::FlitChannel& ejection(network::RoutedNetwork& network, std::size_t node) {
    const auto id = hw::NodeId(static_cast<std::int32_t>(node));
    return *network.fabric(0).interface_channels(id).ejection.front();
}

// Runs the kernel with 32 nodes. Compares all routers and network interfaces from cycle 0 on.
template <class Net>
void expect_equal_networks(KernelBench& bench, std::int64_t least_flits) {
    bench.set(bench.configuration.network, "flit_by_flit", true);
    Machine& machine = bench.load();
    RouterRecorder recorder(machine.domain(), dynamic_cast<Net&>(machine.network()),
                            bench.configuration.network, hw::Cycles(kCycles - 1));
    auto& net = dynamic_cast<Net&>(machine.network());
    std::vector<std::unique_ptr<InterfaceRecorder>> interfaces;
    for (std::int32_t i = 0; i < machine.node_count(); ++i) {
        hw::MessageController& node = firmware::testing::controller(machine, i);
        interfaces.push_back(std::make_unique<InterfaceRecorder>(
            machine.domain(), bench.configuration.network, machine.messages(),
            InterfaceRecorder::Neighbours{node.output_queue(), node.input_queue(),
                                          injection(net, static_cast<std::size_t>(i)),
                                          ejection(net, static_cast<std::size_t>(i))},
            hw::Cycles(kCycles - 1)));
    }
    EXPECT_EQ(bench.run(), RunEnd::kFinished);
    EXPECT_EQ(bench.check().value_or(""), "");
    EXPECT_GT(recorder.flits(), least_flits);
    const auto twin = std::get<Twin>(network::router_twin(bench.configuration.network));
    const Comparison comparison = compare(twin, recorder.routers());
    expect_equal(comparison, 32 * kCycles);
    expect_equal(compare(twin, recorder.routers(), recorder.wires()), 32 * kCycles);
    std::vector<hw::twin::PortRecording> recordings;
    for (const auto& interface : interfaces) {
        recordings.push_back(interface->recording());
    }
    const hw::Bytes queue = bench.configuration.controller.input_queue_bytes.value();
    expect_equal(
        compare(std::get<Twin>(network::interface_twin(bench.configuration.network, queue)),
                recordings),
        32 * kCycles);
    std::cout << comparison.cycles << " cycles of routers compared, with " << recorder.flits()
              << " flits\n";
}

TEST(MachineRouterTwinTest, Remap) {
    WEIR_NEEDS_VERILATOR();
    KernelBench bench("remap");
    bench.set_workload("iterations", std::int64_t{20});
    expect_equal_networks<network::MeshNetwork>(bench, 2000);
}

TEST(MachineRouterTwinTest, LongMessages) {
    WEIR_NEEDS_VERILATOR();
    KernelBench bench("remap");
    bench.set_workload("iterations", std::int64_t{20});
    bench.set_workload("body_bytes", std::int64_t{400});
    bench.set_workload("style", std::string("asynchronous"));
    expect_equal_networks<network::MeshNetwork>(bench, 20'000);
}

// Full input queues stop the network, until the trap empties them.
TEST(MachineRouterTwinTest, Overflow) {
    WEIR_NEEDS_VERILATOR();
    KernelBench bench("remap");
    bench.set_workload("iterations", std::int64_t{10});
    bench.set_workload("body_bytes", std::int64_t{1024});
    bench.set(bench.firmware_parameters, "body_send", std::string("blocking"));
    bench.set(bench.firmware_parameters, "body_receive", std::string("blocking"));
    bench.set(bench.configuration.controller, "overflow_trap", true);
    expect_equal_networks<network::MeshNetwork>(bench, 20'000);
}

TEST(MachineRouterTwinTest, SharedMemory) {
    WEIR_NEEDS_VERILATOR();
    KernelBench bench("shared-spmv");
    bench.set(bench.configuration.memory, "caches", std::int64_t{1});
    bench.set(bench.configuration.memory, "bytes", std::int64_t{4} << 20);
    expect_equal_networks<network::MeshNetwork>(bench, 2000);
}

TEST(MachineRouterTwinTest, LongMessagesOnVirtualChannels) {
    WEIR_NEEDS_VERILATOR();
    KernelBench bench("remap");
    bench.set_workload("iterations", std::int64_t{20});
    bench.set_workload("body_bytes", std::int64_t{400});
    bench.set_workload("style", std::string("asynchronous"));
    bench.set(bench.configuration.network, "virtual_channels", std::int64_t{2});
    expect_equal_networks<network::RoutedNetwork>(bench, 20'000);
}

}  // namespace
}  // namespace weir::nodes
