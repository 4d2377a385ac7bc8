#include "firmware/kernels/shared_jacobi/shared_jacobi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "firmware/testing/shared_kernel_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {

namespace {

using firmware::testing::SharedKernelBench;
using weir::testing::Names;

class SharedJacobiTest : public ::testing::Test {
  protected:
    SharedJacobiTest() {
        bench.set_workload("grid", std::int64_t{16});
        bench.set_workload("iterations", std::int64_t{3});
    }
    SharedKernelBench bench{"shared-jacobi"};
};

TEST_F(SharedJacobiTest, TheGridIsWhatASequentialProgramComputes) {
    ASSERT_EQ(bench.fault_of_run(), "");
}

TEST_F(SharedJacobiTest, AndWithHomesLineByLine) {
    bench.set(bench.configuration.coherence, "home", std::string("hash"));
    bench.set_workload("placement", std::string("spread"));
    ASSERT_EQ(bench.fault_of_run(), "");
}

TEST_F(SharedJacobiTest, AndWithLinesThatAreAskedForAhead) {
    bench.set_workload("prefetch_lines", std::int64_t{3});
    ASSERT_EQ(bench.fault_of_run(), "");
}

TEST_F(SharedJacobiTest, AnIterationLessIsFound) {
    bench.load();
    ASSERT_EQ(bench.run(), nodes::RunEnd::kFinished);
    bench.set_workload("iterations", std::int64_t{2});
    EXPECT_NE(bench.check(), std::nullopt);
}

TEST_F(SharedJacobiTest, AGridThatDoesNotDivideOrFitIsRefused) {
    bench.set_workload("grid", std::int64_t{17});
    EXPECT_THAT(bench.fault_of_data(), Names("workload.grid: ", "17", "8", "multiple", "8"));
}

TEST_F(SharedJacobiTest, DataBeyondSharedMemoryAreRefused) {
    bench.set_workload("grid", std::int64_t{64});
    bench.set(bench.configuration.coherence, "shared_bytes", std::int64_t{4096});
    EXPECT_THAT(bench.fault_of_data(),
                Names("coherence.shared_bytes: ", "4096", "14720", "node 0", "16384"));
}

}  // namespace

}  // namespace weir::firmware
