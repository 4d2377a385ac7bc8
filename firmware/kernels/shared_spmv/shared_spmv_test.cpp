#include "firmware/kernels/shared_spmv/shared_spmv.h"

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
using ::testing::AllOf;
using ::testing::HasSubstr;
using weir::testing::Names;

void set_matrix(KernelBench& bench, std::int64_t rows, std::int64_t nonzeros,
                const char* distribution = "cyclic") {
    bench.set_workload("rows", rows);
    bench.set_workload("nonzeros", nonzeros);
    bench.set_workload("distribution", std::string(distribution));
}

// Exact elements of y after a run in a separate process; or the run's fault.
std::string y_after(const std::function<std::shared_ptr<KernelBench>()>& make) {
    return answer_after<SparseProduct>(make, [](const auto& kernel, nodes::Machine& machine) {
        std::string all;
        for (std::int32_t node = 0; node < machine.node_count(); ++node) {
            for (const double y : kernel.y_of(node, machine)) {
                all += std::to_string(std::bit_cast<std::uint64_t>(y)) + " ";
            }
        }
        return all;
    });
}

std::shared_ptr<KernelBench> shared_spmv_bench(std::int64_t nodes = 8) {
    auto bench = std::make_shared<SharedKernelBench>("shared-spmv", nodes);
    set_matrix(*bench, 64, 512);
    return bench;
}

std::shared_ptr<KernelBench> spmv_bench(std::int64_t nodes) {
    auto bench = std::make_shared<KernelBench>("spmv");
    bench->set_dimensions({nodes / 2, 2});
    return bench;
}

class SharedSpmvTest : public ::testing::Test {
  protected:
    SharedSpmvTest() { set_matrix(bench, 64, 512); }

    void run() { ASSERT_EQ(bench.fault_of_run(), ""); }
    SharedKernelBench bench{"shared-spmv"};
};

TEST_F(SharedSpmvTest, TheAnswerIsThePlainProduct) { run(); }

// Matrices of other sizes on other machines, also with different, odd or zero numbers of rows on
// nodes.
TEST_F(SharedSpmvTest, AndThatOfItsTwinByMessages) {
    struct Machine {
        std::int64_t nodes;
        std::int64_t rows;
        std::int64_t nonzeros;
        const char* distribution;
    };
    for (const auto machine : {Machine{4, 3, 7, "cyclic"}, Machine{8, 77, 500, "nonzeros"},
                               Machine{16, 200, 900, "random"}, Machine{8, 50, 300, "blocked"}}) {
        const auto y_of = [machine](auto make) {
            return y_after([machine, make] {
                auto made = make(machine.nodes);
                set_matrix(*made, machine.rows, machine.nonzeros, machine.distribution);
                return made;
            });
        };
        const std::string y = y_of(shared_spmv_bench);
        EXPECT_EQ(std::count(y.begin(), y.end(), ' '), machine.rows) << y;
        EXPECT_EQ(y, y_of(spmv_bench));
    }
}

TEST_F(SharedSpmvTest, PrefetchesChangeNoElement) {
    EXPECT_EQ(y_after([] {
                  auto prefetching = shared_spmv_bench();
                  prefetching->set_workload("prefetch_nonzeros", std::int64_t{3});
                  return prefetching;
              }),
              y_after([] { return shared_spmv_bench(); }));
}

TEST_F(SharedSpmvTest, PrefetchesSaveTime) {
    const std::int64_t prefetching = cycles_of([] {
        auto other = shared_spmv_bench();
        other->set_workload("prefetch_nonzeros", std::int64_t{3});
        return other;
    });
    run();
    EXPECT_LT(prefetching, bench.machine().now().count());
}

// All homes' elements map to the same sets of a direct-mapped cache.
TEST_F(SharedSpmvTest, AlignedElementsTakeOneAnothersPlaces) {
    const std::int64_t aligned = cycles_of([] {
        auto other = shared_spmv_bench();
        other->set_workload("placement", std::string("aligned"));
        return other;
    });
    run();
    EXPECT_GT(aligned, bench.machine().now().count());
}

TEST_F(SharedSpmvTest, AndWithHomesLineByLine) {
    bench.set(bench.configuration.coherence, "home", std::string("hash"));
    run();
}

TEST_F(SharedSpmvTest, AWrongElementIsFound) {
    run();
    const auto& kernel = dynamic_cast<const SharedSpmv&>(bench.kernel());
    // Third row of node 5, cyclic: 5 + 2 x 8.
    WrongBit memory(bench.machine(), kernel.y_address(5, 2));
    EXPECT_THAT(bench.kernel().check(memory).value_or(""), HasSubstr("y[21] is"));
}

// Other nodes load the current value of a node's element of x.
TEST_F(SharedSpmvTest, AWrongElementOfXReachesTheAnswer) {
    bench.load();
    const auto& kernel = dynamic_cast<const SharedSpmv&>(bench.kernel());
    bench.flip_bit(0, kernel.x_address(5, 2) + 6, 2);
    ASSERT_EQ(bench.run(), nodes::RunEnd::kFinished);
    EXPECT_THAT(bench.check().value_or(""), AllOf(HasSubstr("y["), Names("product")));
}

// An element of y that is not computed is NaN.
TEST_F(SharedSpmvTest, WhatNobodyComputesIsNoAnswer) {
    bench.load();
    EXPECT_THAT(bench.check().value_or(""), Names("y[0]", "nan"));
}

TEST_F(SharedSpmvTest, DataBeyondSharedMemoryAreRefused) {
    bench.set(bench.configuration.coherence, "shared_bytes", std::int64_t{4096});
    set_matrix(bench, 4'000, 8'000);
    EXPECT_THAT(bench.fault_of_data(), Names("coherence.shared_bytes: ", "4096", "accepted"));
}

}  // namespace

}  // namespace weir::firmware
