#include "experiments/running/sweeps/database/sweep_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/running/testing/sweep_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

using weir::testing::Names;

class SweepDifferenceTest : public SweepTest {
  protected:
    static constexpr const char* kHops = "[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n";

    SweepDifferenceTest() : plan_(plan(kHops)) {}
    [[nodiscard]] SweepDatabase create(const std::string& name) const {
        return create(name, plan_);
    }
    [[nodiscard]] SweepDatabase create(const std::string& name, const SweepPlan& of) const {
        return SweepDatabase::create(file(name), file(name + ".new"), of);
    }
    void record(const SweepDatabase& database, std::size_t point,
                const std::vector<double>& values) const {
        for (std::size_t i = 0; i < values.size(); ++i) {
            database.record(plan_, plan_.points[point], i + 1, outcome(values[i]));
        }
    }

    SweepPlan plan_;
};

TEST_F(SweepDifferenceTest, EqualResultsHaveNotChanged) {
    const SweepDatabase a = create("a.db");
    const SweepDatabase b = create("b.db");
    record(a, 0, {1, 2});
    record(b, 0, {1, 2});
    record(b, 1, {1});
    const SweepDifference difference = difference_of(a, b, "");
    EXPECT_EQ(difference.compared, 1U);
    EXPECT_EQ(difference.only_before, 0U);
    EXPECT_EQ(difference.only_after, 1U);
    EXPECT_TRUE(difference.changed.empty());
}

TEST_F(SweepDifferenceTest, SeveralSeedsHaveAnInterval) {
    const SweepDatabase a = create("a.db");
    const SweepDatabase b = create("b.db");
    record(a, 0, {1, 2, 3, 4, 5});
    record(b, 0, {11, 12, 13, 14, 15});
    record(a, 1, {1, 2, 3, 4, 5});
    record(b, 1, {2, 3, 4, 5, 6});
    const SweepDifference difference = difference_of(a, b, "");
    ASSERT_EQ(difference.changed.size(), 2U);
    const ChangedPoint& first = difference.changed[0];
    EXPECT_EQ(first.description, "hop_cycles = 1");
    EXPECT_EQ(first.metric, "cycles_per_iteration");
    EXPECT_DOUBLE_EQ(first.difference(), 10.0);
    EXPECT_NEAR(first.half_width.value(), 2.306, 1e-3);
    EXPECT_TRUE(first.is_significant());
    EXPECT_FALSE(difference.changed[1].is_significant());
}

TEST_F(SweepDifferenceTest, ASingleSeedIsExact) {
    const SweepDatabase a = create("a.db");
    const SweepDatabase b = create("b.db");
    record(a, 0, {1});
    record(b, 0, {1.5});
    const SweepDifference difference = difference_of(a, b, "lopc.cycles_per_iteration");
    ASSERT_EQ(difference.changed.size(), 1U);
    EXPECT_DOUBLE_EQ(difference.changed[0].difference(), 1.0);
    EXPECT_EQ(difference.changed[0].half_width, std::nullopt);
    EXPECT_TRUE(difference.changed[0].is_significant());
}

TEST_F(SweepDifferenceTest, WhatElseOfTheConfigurationsDiffersIsTold) {
    const SweepPlan other = plan(kHops, {"workload.iterations=11"});
    const SweepDatabase a = create("a.db");
    const SweepDatabase b = create("b.db", other);
    record(a, 0, {1});
    b.record(other, other.points[0], 1, outcome(1));
    const SweepDifference difference = difference_of(a, b, "");
    EXPECT_EQ(difference.compared, 1U);
    ASSERT_EQ(difference.parameters.size(), 1U);
    EXPECT_EQ(difference.parameters[0].key, "workload.iterations");
    EXPECT_EQ(difference.parameters[0].before, "10");
    EXPECT_EQ(difference.parameters[0].after, "11");
}

TEST_F(SweepDifferenceTest, WhatCannotBeCompared) {
    const SweepDatabase a = create("a.db");
    record(a, 0, {1});
    const SweepDatabase b =
        create("b.db", plan("[[sweep.axis]]\ncontroller.input_queue_bytes = [128]\n"));
    EXPECT_THAT(fault_of([&] { static_cast<void>(difference_of(a, b, "")); }),
                Names("b.db", "axes", "a.db"));
    EXPECT_THAT(fault_of([&] { static_cast<void>(difference_of(a, a, "cycles")); }),
                Names("--metric cycles", "\"cycles\"", "\"cycles_per_iteration\""));
}

}  // namespace
}  // namespace weir::experiments::running
