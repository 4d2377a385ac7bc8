#include "firmware/kernels/shared_jacobi/shared_jacobi.h"

#include <gtest/gtest.h>

#include <string>

#include "firmware/testing/shared_kernel_bench.h"

namespace weir::firmware {

namespace {

using firmware::testing::SharedKernelBench;

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
    EXPECT_EQ(bench.fault_of_data(),
              "workload.grid: found 17, whose rows don't divide among 8 nodes; accepted: a "
              "multiple of 8");
}

TEST_F(SharedJacobiTest, DataBeyondSharedMemoryAreRefused) {
    bench.set_workload("grid", std::int64_t{64});
    bench.set(bench.configuration.coherence, "shared_bytes", std::int64_t{4096});
    EXPECT_EQ(bench.fault_of_data(),
              "coherence.shared_bytes: found 4096, and the program's data take 14720 bytes at "
              "node 0; accepted: at least 16384");
}

}  // namespace

}  // namespace weir::firmware
