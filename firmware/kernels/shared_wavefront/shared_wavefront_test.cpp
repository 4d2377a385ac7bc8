#include "firmware/kernels/shared_wavefront/shared_wavefront.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "firmware/testing/shared_kernel_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {

namespace {

using firmware::testing::SharedKernelBench;
using firmware::testing::WrongBit;
using weir::testing::Names;

class SharedWavefrontTest : public ::testing::TestWithParam<const char*> {
  protected:
    SharedWavefrontTest() {
        bench.set_workload("grid", std::int64_t{16});
        bench.set_workload("synchronization", std::string(GetParam()));
    }
    SharedKernelBench bench{"shared-wavefront"};
};

TEST_P(SharedWavefrontTest, TheGridIsWhatASequentialProgramComputes) {
    bench.set_workload("iterations", std::int64_t{3});
    ASSERT_EQ(bench.fault_of_run(), "");
}

TEST_P(SharedWavefrontTest, AndWithHomesLineByLine) {
    bench.set(bench.configuration.coherence, "home", std::string("hash"));
    ASSERT_EQ(bench.fault_of_run(), "");
}

TEST_P(SharedWavefrontTest, AWrongBitIsFound) {
    bench.load();
    ASSERT_EQ(bench.run(), nodes::RunEnd::kFinished);
    const auto& kernel = dynamic_cast<const SharedWavefront&>(bench.kernel());
    WrongBit wrong(bench.machine(), kernel.strip_of(hw::NodeId(7)));
    EXPECT_NE(bench.kernel().check(wrong), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Ways, SharedWavefrontTest,
                         ::testing::Values("barrier", "flags", "j_structures"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(SharedWavefront, BlocksThatDoNotDivideTheColumnsAreRightToo) {
    SharedKernelBench bench("shared-wavefront");
    bench.set_workload("grid", std::int64_t{16});
    bench.set_workload("synchronization", std::string("barrier"));
    bench.set_workload("block", std::int64_t{5});
    ASSERT_EQ(bench.fault_of_run(), "");
}

TEST(SharedWavefront, AGridThatDoesNotDivideIsRefused) {
    SharedKernelBench bench("shared-wavefront");
    bench.set_workload("grid", std::int64_t{17});
    EXPECT_THAT(bench.fault_of_data(), Names("workload.grid: ", "17", "8", "multiple", "8"));
}

}  // namespace

}  // namespace weir::firmware
