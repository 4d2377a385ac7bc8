#include "experiments/running/sweeps/plan/swept_axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::running {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

SweptAxes axes_of(const std::string& text) {
    const setup::TomlEntry file = setup::parse_toml(text, "study.toml");
    return read_axes(*file.as_table()->find("sweep"));
}

// Of the first key of an axis of this one line.
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
    EXPECT_THAT(axes_fault("[sweep]\nfilter = 3\n"),
                StartsWith("study.toml:2:10: a filter is the whole number 3"));
}

TEST(SweptAxesTest, AnEmptyAxis) {
    EXPECT_THAT(axis_fault("network.hop_cycles = []"),
                StartsWith("study.toml:2:22: the axis is empty: network.hop_cycles has no value"));
    EXPECT_THAT(axis_fault(""), StartsWith("study.toml:1:1: the axis is empty: it sets no key"));
}

TEST(SweptAxesTest, TwoAxesThatSetOneKey) {
    EXPECT_EQ(axes_fault("[[sweep.axis]]\nnetwork.hop_cycles = [1, 2]\n"
                         "[[sweep.axis]]\nnetwork.hop_cycles = [3]\n"),
              "study.toml:4:9: two axes set network.hop_cycles: this one and that at "
              "study.toml:2:9; accepted: one axis for each key");
}

TEST(SweptAxesTest, WhatIsNoAxis) {
    EXPECT_THAT(axis_fault("network.hop_cycles = 3"),
                HasSubstr("network.hop_cycles is the whole number 3; accepted: table.key = ["));
    EXPECT_THAT(axis_fault("hop_cycles = [3]"),
                HasSubstr("an axis sets no key \"hop_cycles\" without its table"));
    EXPECT_THAT(axis_fault("a.b = [1, 2, 1]"), HasSubstr("the axis has a.b = 1 twice"));
    EXPECT_THAT(axis_fault("a.b = [1, 2]\na.c = [1]"),
                HasSubstr("a.c has 1 values and a.b, which goes with it, has 2"));
    EXPECT_THAT(axes_fault("[sweep]\naxes = 1\n"),
                HasSubstr("[sweep] has no key \"axes\"; accepted: \"axis\", \"filter\", "
                          "\"design\", \"figure\"; did you "
                          "mean \"axis\"?"));
}

TEST(SweptAxesTest, WhatIsNoRange) {
    EXPECT_THAT(axis_fault("a.b = { from = 1, to = 3 }"),
                HasSubstr("this is no range; accepted: "));
    EXPECT_THAT(axis_fault("a.b = { from = 1, to = 9, step = 1, factor = 2 }"),
                HasSubstr("this is no range"));
    EXPECT_THAT(axis_fault("a.b = { from = 1, to = 9, step = -1 }"),
                HasSubstr("step = -1 does not lead from 1 to 9"));
    EXPECT_THAT(axis_fault("a.b = { from = 0, to = 9, factor = 2 }"),
                HasSubstr("factor = 2 does not lead from 0 to 9"));
    EXPECT_THAT(axis_fault("a.b = { from = 0, to = 9, count = 4, scale = \"logarithmic\" }"),
                HasSubstr("a logarithmic range that is not above 0"));
    EXPECT_THAT(axis_fault("a.b = { from = 0, to = 9, count = 1 }"),
                HasSubstr("count is the whole"));
    EXPECT_THAT(axis_fault("a.b = { from = 0, to = 1e9, step = 1 }"),
                HasSubstr("more than 100000 values"));
    EXPECT_THAT(axis_fault("a.b = { from = 0, to = 9, stp = 4 }"),
                HasSubstr("a range has no key \"stp\""));
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
    EXPECT_EQ(axes_fault("[sweep]\ndesign = \"latin\"\n"),
              "study.toml:2:10: design is the string \"latin\"; accepted: \"crossed\" or "
              "\"one-at-a-time\"");
    EXPECT_EQ(
        axis_fault("name = 3\na.b = [1]"),
        "study.toml:2:8: an axis's name is the whole number 3; accepted: a text, as in name = "
        "\"interrupt cost\"");
}

}  // namespace
}  // namespace weir::experiments::running
