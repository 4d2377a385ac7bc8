#include "experiments/setup/import/goal_experiment.h"

#include <gtest/gtest.h>

#include <string>

#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::setup {
namespace {

std::string value_of(const std::string& toml, const std::string& table, const std::string& key) {
    const TomlEntry whole = parse_toml(toml, "made.toml");
    return toml_text(*whole.as_table()->find(table)->as_table()->find(key));
}

TEST(GoalExperimentTest, HasANodeForEachRankAndLogGopsimsCosts) {
    const std::string made = goal_experiment("a \"quoted\".goal", "../a.goal", 5);
    EXPECT_EQ(value_of(made, "machine", "nodes"), "5");
    EXPECT_EQ(value_of(made, "network", "dimensions"), "[5]");
    EXPECT_EQ(value_of(made, "workload", "schedule"), "\"../a.goal\"");
    EXPECT_EQ(value_of(made, "controller", "launch_cycles"),
              value_of(made, "workload", "receive_cycles"));
    EXPECT_EQ(value_of(made, "network", "logp_gap_cycles"),
              value_of(made, "workload", "gap_cycles"));
}

// A path may have any bytes, but a comment of TOML has one line.
TEST(GoalExperimentTest, ALineEndInThePathAddsNoLine) {
    const std::string made = goal_experiment("a\n[other]\n.goal", "a.goal", 5);
    EXPECT_EQ(parse_toml(made, "made.toml").as_table()->find("other"), nullptr);
}

TEST(GoalExperimentTest, AMachineHasTwoNodes) {
    EXPECT_EQ(value_of(goal_experiment("a", "a", 1), "machine", "nodes"), "2");
}

}  // namespace
}  // namespace weir::experiments::setup
