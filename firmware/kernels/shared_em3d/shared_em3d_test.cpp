#include "firmware/kernels/shared_em3d/shared_em3d.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <string>

#include "firmware/testing/shared_kernel_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {

namespace {

using firmware::testing::answer_after;
using firmware::testing::cycles_of;
using firmware::testing::KernelBench;
using firmware::testing::SharedKernelBench;
using firmware::testing::WrongBit;
using weir::testing::Names;

void set_graph(KernelBench& bench, std::int64_t graph_nodes, std::int64_t local_percent) {
    bench.set_workload("graph_nodes", graph_nodes);
    bench.set_workload("degree", std::int64_t{6});
    bench.set_workload("local_percent", local_percent);
    bench.set_workload("span", std::int64_t{1});
    bench.set_workload("iterations", std::int64_t{3});
}

// Exact values of E and H after a run in a separate process; or the run's fault.
std::string values_after(const std::function<std::shared_ptr<KernelBench>()>& make) {
    return answer_after<Em3dComputation>(make, [](const auto& kernel, nodes::Machine& machine) {
        std::string all;
        for (std::int32_t node = 0; node < machine.node_count(); ++node) {
            for (const auto kind : Em3dComputation::kKinds) {
                for (const float value : kernel.values_of(kind, node, machine)) {
                    all += std::to_string(std::bit_cast<std::uint32_t>(value)) + " ";
                }
            }
        }
        return all;
    });
}

std::shared_ptr<KernelBench> shared_em3d_bench(std::int64_t nodes = 8,
                                               std::int64_t graph_nodes = 64,
                                               std::int64_t local_percent = 50) {
    auto bench = std::make_shared<SharedKernelBench>("shared-em3d", nodes);
    set_graph(*bench, graph_nodes, local_percent);
    return bench;
}

std::shared_ptr<KernelBench> em3d_bench(std::int64_t nodes, std::int64_t graph_nodes,
                                        std::int64_t local_percent) {
    auto bench = std::make_shared<KernelBench>("em3d");
    bench->set_dimensions({nodes / 2, 2});
    set_graph(*bench, graph_nodes, local_percent);
    return bench;
}

class SharedEm3dTest : public ::testing::Test {
  protected:
    SharedEm3dTest() { set_graph(bench, 64, 50); }

    void run() { ASSERT_EQ(bench.fault_of_run(), ""); }
    SharedKernelBench bench{"shared-em3d"};
};

TEST_F(SharedEm3dTest, ValuesAreThoseOfTheSequentialComputation) { run(); }

// Graphs of other sizes on other machines, also with partly filled lines: 3 values at a node.
TEST_F(SharedEm3dTest, AndThoseOfItsTwinByMessages) {
    struct Machine {
        std::int64_t nodes;
        std::int64_t graph_nodes;
        std::int64_t local_percent;
    };
    for (const auto machine : {Machine{4, 24, 0}, Machine{8, 128, 50}, Machine{16, 320, 80}}) {
        const std::string values = values_after([machine] {
            return shared_em3d_bench(machine.nodes, machine.graph_nodes, machine.local_percent);
        });
        EXPECT_EQ(std::count(values.begin(), values.end(), ' '), machine.graph_nodes) << values;
        EXPECT_EQ(values, values_after([machine] {
                      return em3d_bench(machine.nodes, machine.graph_nodes, machine.local_percent);
                  }));
    }
}

TEST_F(SharedEm3dTest, PrefetchesChangeNoValue) {
    EXPECT_EQ(values_after([] {
                  auto prefetching = shared_em3d_bench();
                  prefetching->set_workload("prefetch_edges", std::int64_t{3});
                  return prefetching;
              }),
              values_after([] { return shared_em3d_bench(); }));
}

TEST_F(SharedEm3dTest, PrefetchesSaveTime) {
    const std::int64_t prefetching = cycles_of([] {
        auto other = shared_em3d_bench();
        other->set_workload("prefetch_edges", std::int64_t{3});
        return other;
    });
    run();
    EXPECT_LT(prefetching, bench.machine().now().count());
}

// All homes' values map to the same sets of a direct-mapped cache.
TEST_F(SharedEm3dTest, AlignedValuesTakeOneAnothersPlaces) {
    const std::int64_t aligned = cycles_of([] {
        auto other = shared_em3d_bench();
        other->set_workload("placement", std::string("aligned"));
        return other;
    });
    run();
    EXPECT_GT(aligned, bench.machine().now().count());
}

TEST_F(SharedEm3dTest, AndWithHomesLineByLine) {
    bench.set(bench.configuration.coherence, "home", std::string("hash"));
    run();
}

TEST_F(SharedEm3dTest, AWrongValueIsFound) {
    run();
    const auto& kernel = dynamic_cast<const SharedEm3d&>(bench.kernel());
    WrongBit memory(bench.machine(), kernel.address(SharedEm3d::kMagnetic, 5, 2));
    EXPECT_THAT(bench.kernel().check(memory).value_or(""), Names("H[2]", "node 5"));
}

// Values propagate: a wrong initial value at one node makes values at other nodes wrong.
TEST_F(SharedEm3dTest, AWrongStartIsFoundElsewhere) {
    bench.load();
    const auto& kernel = dynamic_cast<const SharedEm3d&>(bench.kernel());
    for (std::int64_t index = 0; index < 4; ++index) {
        bench.flip_bit(0, kernel.address(SharedEm3d::kMagnetic, 7, index) + 3, 1);
    }
    ASSERT_EQ(bench.run(), nodes::RunEnd::kFinished);
    EXPECT_THAT(bench.check().value_or(""), Names("node 0"));
}

TEST_F(SharedEm3dTest, DataBeyondSharedMemoryAreRefused) {
    bench.set(bench.configuration.coherence, "shared_bytes", std::int64_t{4096});
    set_graph(bench, 8'192, 50);
    EXPECT_THAT(bench.fault_of_data(), Names("coherence.shared_bytes: ", "4096", "accepted"));
}

}  // namespace

}  // namespace weir::firmware
