#include "experiments/running/sweeps/plan/swept_axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/setup/files/toml_tree.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

using ::testing::ElementsAre;
using weir::testing::Names;

SweptAxes axes_of(const std::string& text) {
    const setup::TomlEntry file = setup::parse_toml(text, "study.toml");
    return read_axes(*file.as_table()->find("sweep"));
}

// Values of the first key of an axis with this line.
std::vector<std::string> axis_values(const std::string& line) {
    const SweptAxes axes = axes_of("[[sweep.axis]]\n" + line + "\n");
    std::vector<std::string> texts;
    for (const setup::TomlEntry& value : axes.axes.front().keys.front().values) {
        texts.push_back(setup::toml_text(value));
    }
    return texts;
}

std::string axes_fault(const std::string& text) {
    try {
        static_cast<void>(axes_of(text));
    } catch (const setup::UserFault& fault) {
        return fault.what();
    }
    return "none";
}

std::string axis_fault(const std::string& line) {
    return axes_fault("[[sweep.axis]]\n" + line + "\n");
}

TEST(SweptAxesTest, ListsOfAnything) {
    EXPECT_THAT(axis_values("network.hop_cycles = [1, 2, 4]"), ElementsAre("1", "2", "4"));
    EXPECT_THAT(axis_values("network.topology = [\"mesh\", \"torus\"]"),
                ElementsAre("\"mesh\"", "\"torus\""));
    EXPECT_THAT(axis_values("clock.sleeping = [true, false]"), ElementsAre("true", "false"));
    EXPECT_THAT(axis_values("network.dimensions = [[2, 2], [4, 2]]"),
                ElementsAre("[2, 2]", "[4, 2]"));
}

TEST(SweptAxesTest, Ranges) {
    EXPECT_THAT(axis_values("a.b = { from = 30, to = 120, step = 30 }"),
                ElementsAre("30", "60", "90", "120"));
    EXPECT_THAT(axis_values("a.b = { from = 0.1, to = 0.3, step = 0.1 }"),
                ElementsAre("0.1", "0.2", "0.3"));
    EXPECT_THAT(axis_values("a.b = { from = 16, to = 128, factor = 2 }"),
                ElementsAre("16", "32", "64", "128"));
    EXPECT_THAT(axis_values("a.b = { from = 0, to = 1, count = 3 }"), ElementsAre("0", "0.5", "1"));
    EXPECT_THAT(axis_values("a.b = { from = 1, to = 100, count = 3, scale = \"logarithmic\" }"),
                ElementsAre("1", "10", "100"));
}

TEST(SweptAxesTest, KeysOfOneAxisGoTogether) {
    const SweptAxes axes = axes_of(
        "[[sweep.axis]]\nmachine.nodes = [4, 8]\nnetwork.dimensions = [[2, 2], [4, 2]]\n"
        "[[sweep.axis]]\nnetwork.hop_cycles = { from = 1, to = 3, step = 1 }\n");
    ASSERT_EQ(axes.axes.size(), 2U);
    EXPECT_EQ(axes.axes[0].size(), 2U);
    ASSERT_EQ(axes.axes[0].keys.size(), 2U);
    EXPECT_EQ(axes.axes[0].keys[1].full_name(), "network.dimensions");
    EXPECT_FALSE(axes.axes[0].keys[1].is_range);
    EXPECT_TRUE(axes.axes[1].keys[0].is_range);
    EXPECT_EQ(axes.axes[1].size(), 3U);
}

TEST(SweptAxesTest, FiltersAreOneOrSeveral) {
    EXPECT_EQ(axes_of("[sweep]\nfilter = \"a > 1\"\n").filters.size(), 1U);
    EXPECT_EQ(axes_of("[sweep]\nfilter = [\"a > 1\", \"a < 9\"]\n").filters.back().text, "a < 9");
    EXPECT_THAT(axes_fault("[sweep]\nfilter = 3\n"), Names("study.toml:2:10", "filter", "3"));
}

TEST(SweptAxesTest, AnEmptyAxis) {
    EXPECT_THAT(axis_fault("network.hop_cycles = []"),
                Names("study.toml:2:22", "empty", "network.hop_cycles"));
    EXPECT_THAT(axis_fault(""), Names("study.toml:1:1", "empty", "table.key"));
}

TEST(SweptAxesTest, TwoAxesThatSetOneKey) {
    EXPECT_THAT(axes_fault("[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n"
                           "[[sweep.axis]]\nnetwork.hop_cycles = [3]\n"),
                Names("study.toml:4:9", "network.hop_cycles", "study.toml:2:9"));
}

TEST(SweptAxesTest, WhatIsNoAxis) {
    EXPECT_THAT(axis_fault("network.hop_cycles = 3"),
                Names("network.hop_cycles", "3", "table.key = ["));
    EXPECT_THAT(axis_fault("hop_cycles = [3]"), Names("\"hop_cycles\"", "table"));
    EXPECT_THAT(axis_fault("a.b = [1, 2, 1]"), Names("a.b = 1", "twice"));
    EXPECT_THAT(axis_fault("a.b = [1, 2]\na.c = [1]"), Names("a.c", "1", "a.b", "2"));
    EXPECT_THAT(axes_fault("[sweep]\naxes = 1\n"),
                Names("[sweep]", "\"axes\"", "\"axis\"", "\"filter\"", "\"design\"", "\"figure\"",
                      "\"axis\""));
}

TEST(SweptAxesTest, WhatIsNoRange) {
    EXPECT_THAT(axis_fault("a.b = { from = 1, to = 3 }"),
                Names("range", "step = 10", "factor = 10", "count = 7"));
    EXPECT_THAT(axis_fault("a.b = { from = 1, to = 9, step = 1, factor = 2 }"),
                Names("range", "step = 10", "factor = 10", "count = 7"));
    EXPECT_THAT(axis_fault("a.b = { from = 1, to = 9, step = -1 }"), Names("step = -1", "1", "9"));
    EXPECT_THAT(axis_fault("a.b = { from = 0, to = 9, factor = 2 }"),
                Names("factor = 2", "0", "9"));
    EXPECT_THAT(axis_fault("a.b = { from = 0, to = 9, count = 4, scale = \"logarithmic\" }"),
                Names("logarithmic", "0", "from", "to"));
    EXPECT_THAT(axis_fault("a.b = { from = 0, to = 9, count = 1 }"),
                Names("count", "1", "2", "100000"));
    EXPECT_THAT(axis_fault("a.b = { from = 0, to = 1e9, step = 1 }"), Names("100000 values"));
    EXPECT_THAT(axis_fault("a.b = { from = 0, to = 9, stp = 4 }"),
                Names("range", "\"stp\"", "\"step\""));
}

TEST(SweptAxesTest, DesignsAndNames) {
    EXPECT_EQ(axes_of("[[sweep.axis]]\na.b = [1]\n").design, SweepDesign::kCrossed);
    const SweptAxes axes = axes_of(
        "[sweep]\ndesign = \"one-at-a-time\"\n[[sweep.axis]]\nname = \"interrupt cost\"\na.b = "
        "[1]\n"
        "[[sweep.axis]]\nrun.seeds = [1, 2]\n");
    EXPECT_EQ(axes.design, SweepDesign::kOneAtATime);
    EXPECT_EQ(axes.axes[0].name, "interrupt cost");
    EXPECT_FALSE(axes.axes[0].is_of_seeds());
    EXPECT_TRUE(axes.axes[1].is_of_seeds());
    EXPECT_THAT(
        axes_fault("[sweep]\ndesign = \"latin\"\n"),
        Names("study.toml:2:10", "design", "\"latin\"", "\"crossed\"", "\"one-at-a-time\""));
    EXPECT_THAT(axis_fault("name = 3\na.b = [1]"), Names("study.toml:2:8", "name", "3", "name ="));
}

}  // namespace
}  // namespace weir::experiments::running
