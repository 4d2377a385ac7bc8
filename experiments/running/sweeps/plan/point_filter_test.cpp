#include "experiments/running/sweeps/plan/point_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/testing/fuzz_target.h"
#include "hw/testing/names.h"
namespace weir::experiments::running {
namespace {

using weir::testing::Names;

const std::vector<FilterName> kFilterNames{{"controller", "queue_bytes"},
                                           {"network", "topology"},
                                           {"network", "dimensions"},
                                           {"l1", "bytes"},
                                           {"l2", "bytes"}};

bool filter_keeps(const std::string& text, std::int64_t queue_bytes, const std::string& topology) {
    hw::testing::note_seed("filter", text);
    const std::vector<FilterText> filters{{text, {"study.toml", 2, 10}}};
    PointFilter filter(filters, kFilterNames);
    const std::vector<hw::ParameterValue> values{
        queue_bytes, topology, std::vector<std::int64_t>{8, 4}, std::int64_t{1}, std::int64_t{2}};
    return filter.keeps(values);
}

std::string filter_fault(const std::string& text) {
    try {
        static_cast<void>(filter_keeps(text, 64, "mesh"));
    } catch (const setup::UserFault& fault) {
        return fault.what();
    }
    return "none";
}

TEST(PointFilterTest, ConditionsOverAxes) {
    EXPECT_TRUE(filter_keeps("queue_bytes >= 128 or topology = 'mesh'", 64, "mesh"));
    EXPECT_FALSE(filter_keeps("queue_bytes >= 128 or topology = 'mesh'", 64, "torus"));
    EXPECT_TRUE(filter_keeps("queue_bytes >= 128 or topology = 'mesh'", 256, "torus"));
    EXPECT_TRUE(filter_keeps("controller.queue_bytes between 1 and 64", 64, "torus"));
    EXPECT_TRUE(filter_keeps("topology in ('mesh', 'torus')", 64, "torus"));
    EXPECT_TRUE(filter_keeps("dimensions = '[8, 4]'", 64, "mesh"));
    EXPECT_TRUE(filter_keeps("l2.bytes = 2 * l1.bytes -- a comment", 64, "mesh"));
}

TEST(PointFilterTest, AllOfSeveralMustHold) {
    const std::vector<FilterText> filters{{"queue_bytes > 1", {}}, {"topology = 'mesh'", {}}};
    PointFilter filter(filters, {{"controller", "queue_bytes"}, {"network", "topology"}});
    const std::vector<hw::ParameterValue> mesh{std::int64_t{2}, std::string("mesh")};
    const std::vector<hw::ParameterValue> torus{std::int64_t{2}, std::string("torus")};
    EXPECT_TRUE(filter.keeps(mesh));
    EXPECT_FALSE(filter.keeps(torus));
    EXPECT_TRUE(filter.keeps(mesh));
}

TEST(PointFilterTest, WithoutConditionsAllIsKept) {
    PointFilter filter({}, {});
    EXPECT_TRUE(filter.keeps({}));
}

TEST(PointFilterTest, AFilterThatNamesNoAxis) {
    EXPECT_THAT(filter_fault("1 < 2"),
                Names("study.toml:2:10", "filter", "\"queue_bytes\"", "\"topology\"",
                      "\"dimensions\"", "\"bytes\"", "\"bytes\""));
    EXPECT_THAT(filter_fault("queue_byts > 3"),
                Names("\"queue_byts\"", "\"queue_bytes\"", "\"topology\""));
    EXPECT_THAT(filter_fault("queue_byts > 3"),
                Names("\"queue_byts\"", "\"topology\"", "\"queue_bytes\""));
    EXPECT_THAT(filter_fault("topology = \"mesh\""),
                Names("\"mesh\"", "\"queue_bytes\"", "\"topology\""));
}

// Filters that need more time, memory or depth than a condition does.
TEST(PointFilterTest, AFilterIsNotEndless) {
    EXPECT_THAT(filter_fault("queue_bytes = '" + std::string(10'000, 'x') + "'"),
                Names("10000 bytes"));
    EXPECT_THAT(filter_fault("queue_bytes = length(zeroblob(1000000000))"), Names("true", "false"));
    EXPECT_THAT(filter_fault("queue_bytes = (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + "
                             "1 FROM n) SELECT count(*) FROM n)"),
                Names("filter", "expression"));
    EXPECT_THAT(filter_fault(std::string(5'000, '(') + "queue_bytes" + std::string(4'000, ')')),
                Names("filter", "expression"));
}

TEST(PointFilterTest, WhatIsNoCondition) {
    EXPECT_THAT(filter_fault("queue_bytes > 3 && topology"),
                Names("filter", "expression", "\"&\""));
    EXPECT_THAT(filter_fault("queue_bytes > 3; DROP TABLE controller"),
                Names("filter", "expression"));
    EXPECT_THAT(filter_fault("bytes > 3"), Names("\"bytes\"", "table.key"));
    EXPECT_THAT(filter_fault("topology"), Names("filter", "true", "false"));
    EXPECT_THAT(filter_fault("queue_bytes / 0"), Names("filter", "true", "false"));
    EXPECT_THAT(filter_fault("load_extension('x') + queue_bytes"),
                Names("filter", "true", "false"));
}

}  // namespace
}  // namespace weir::experiments::running
