#include "firmware/kernels/message_lock/message_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {

namespace {

using firmware::testing::KernelBench;
using weir::testing::Names;

class MessageLockTest : public ::testing::TestWithParam<const char*> {
  protected:
    MessageLockTest() {
        bench.set_dimensions({4, 2});
        bench.set_workload("method", std::string(GetParam()));
        bench.set_workload("acquisitions", std::int64_t{20});
    }

    KernelBench bench{"message-lock"};
};

TEST_P(MessageLockTest, TheCounterIsWhatAllHaveAdded) {
    ASSERT_EQ(bench.fault_of_run(), "");
    EXPECT_EQ(bench.machine().account().fault(true), std::nullopt);
}

TEST_P(MessageLockTest, ACounterThatIsOffIsFound) {
    bench.load();
    ASSERT_EQ(bench.run(), nodes::RunEnd::kFinished);
    bench.set_workload("acquisitions", std::int64_t{21});
    EXPECT_THAT(bench.check(), ::testing::Optional(Names("counter", "160", "168")));
}

INSTANTIATE_TEST_SUITE_P(Methods, MessageLockTest, ::testing::Values("lock", "add_at_home"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace

}  // namespace weir::firmware
