// Twins of routers in SystemVerilog, beside whole machines that run kernels: the same outputs in
// every cycle.
#include <gtest/gtest.h>

#include <iostream>
#include <variant>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/test_cost.h"
#include "hw/testing/twin/twin.h"
#include "network/mesh_network.h"
#include "network/routed_network.h"
#include "network/testing/router_recorder.h"

namespace weir::nodes {
namespace {

using firmware::testing::KernelBench;
using hw::twin::compare;
using hw::twin::Comparison;
using hw::twin::expect_equal;
using hw::Twin;
using network::testing::RouterRecorder;

WEIR_TESTS_COST("^MachineRouterTwinTest\\.", 20);

constexpr std::int64_t kCycles = 2500;

// Runs the kernel with 32 routers, and compares all of them from cycle 0 on.
template <class Net>
void expect_equal_routers(KernelBench& bench, std::int64_t least_flits) {
    bench.set(bench.configuration.network, "flit_by_flit", true);
    Machine& machine = bench.load();
    RouterRecorder recorder(machine.domain(), dynamic_cast<Net&>(machine.network()),
                            bench.configuration.network, hw::Cycles(kCycles - 1));
    EXPECT_EQ(bench.run(), RunEnd::kFinished);
    EXPECT_EQ(bench.check().value_or(""), "");
    EXPECT_GT(recorder.flits(), least_flits);
    const auto twin = std::get<Twin>(network::router_twin(bench.configuration.network));
    const Comparison comparison = compare(twin, recorder.routers());
    expect_equal(comparison, 32 * kCycles);
    expect_equal(compare(twin, recorder.routers(), recorder.wires()), 32 * kCycles);
    std::cout << comparison.cycles << " cycles of routers compared, with " << recorder.flits()
              << " flits\n";
}

TEST(MachineRouterTwinTest, Remap) {
    WEIR_NEEDS_VERILATOR();
    KernelBench bench("remap");
    bench.set_workload("iterations", std::int64_t{20});
    expect_equal_routers<network::MeshNetwork>(bench, 2000);
}

TEST(MachineRouterTwinTest, LongMessages) {
    WEIR_NEEDS_VERILATOR();
    KernelBench bench("remap");
    bench.set_workload("iterations", std::int64_t{20});
    bench.set_workload("body_bytes", std::int64_t{400});
    bench.set_workload("style", std::string("asynchronous"));
    expect_equal_routers<network::MeshNetwork>(bench, 20'000);
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
    expect_equal_routers<network::MeshNetwork>(bench, 20'000);
}

TEST(MachineRouterTwinTest, SharedMemory) {
    WEIR_NEEDS_VERILATOR();
    KernelBench bench("shared-spmv");
    bench.set(bench.configuration.memory, "caches", std::int64_t{1});
    bench.set(bench.configuration.memory, "bytes", std::int64_t{4} << 20);
    expect_equal_routers<network::MeshNetwork>(bench, 2000);
}

TEST(MachineRouterTwinTest, LongMessagesOnVirtualChannels) {
    WEIR_NEEDS_VERILATOR();
    KernelBench bench("remap");
    bench.set_workload("iterations", std::int64_t{20});
    bench.set_workload("body_bytes", std::int64_t{400});
    bench.set_workload("style", std::string("asynchronous"));
    bench.set(bench.configuration.network, "virtual_channels", std::int64_t{2});
    expect_equal_routers<network::RoutedNetwork>(bench, 20'000);
}

}  // namespace
}  // namespace weir::nodes
