#include "firmware/kernels/meetings/meetings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "firmware/testing/shared_kernel_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {

namespace {

using firmware::testing::SharedKernelBench;
using ::testing::Optional;
using weir::testing::Names;

struct MeetingsBench : SharedKernelBench {
    explicit MeetingsBench(const std::string& barrier) : SharedKernelBench("meetings") {
        set_workload("barrier", barrier);
        set_workload("work_cycles", std::int64_t{500});
        set(configuration.network, "barrier", barrier == "hardware");
        if (barrier != "shared_tree") {
            set(configuration.memory, "caches", std::int64_t{0});
            set(configuration.coherence, "check_loads", false);
        }
    }
    Meetings& meetings() { return dynamic_cast<Meetings&>(kernel()); }
};

class MeetingsTest : public ::testing::TestWithParam<const char*> {
  protected:
    MeetingsBench bench{GetParam()};
};

TEST_P(MeetingsTest, NobodyLeavesBeforeAllHaveCome) {
    ASSERT_EQ(bench.fault_of_run(), "");
    EXPECT_EQ(bench.machine().account().fault(true), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Barriers, MeetingsTest,
                         ::testing::Values("shared_tree", "messages", "hardware"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(MeetingsCheckTest, SeesWhoLeavesEarlyAndWhoNeverLeaves) {
    MeetingsBench bench("messages");
    bench.set_workload("meetings", std::int64_t{2});
    bench.load();
    EXPECT_THAT(bench.check(), Optional(Names("left", "0", "16")));
    for (int node = 0; node < 7; ++node) {
        bench.meetings().comes(0);
    }
    bench.meetings().leaves(hw::NodeId(0), 0);
    EXPECT_THAT(bench.check(), Optional(Names("left", "meeting 0", "before")));
}

}  // namespace

}  // namespace weir::firmware
