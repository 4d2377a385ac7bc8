#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ListCommandTest : public ProgramTest {};

TEST_F(ListCommandTest, OfEveryKindALine) {
    const std::string page = output_of({"list"});
    EXPECT_THAT(page, AllOf(HasSubstr("experiments (weir run FILE)\n"),
                            HasSubstr("\nkernels ([workload] kernel = \"NAME\")\n"),
                            HasSubstr("\nmachines (extends = \"NAME\")\n"),
                            HasSubstr("\nmodels (weir model NAME)\n"),
                            HasSubstr("\nrouters (network.router = \"NAME\")\n"),
                            HasSubstr("\nsweeps (weir sweep FILE)\n"),
                            HasSubstr("\ntopologies (network.topology = \"NAME\")\n"),
                            HasSubstr("\nclaims (weir validate FILE)\n")));
    EXPECT_THAT(page, HasSubstr("  experiments/logpc/\n    async-remap.toml "));
    EXPECT_THAT(page, HasSubstr("\n  alewife "));
    EXPECT_THAT(page, Not(HasSubstr("monsoon-256")));  // a study's part
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 80U) << line;
    }
}

TEST_F(ListCommandTest, OneKindAndAPattern) {
    EXPECT_EQ(output_of({"list", "experiments", "TABLE 1*idle"}),
              "experiments (weir run FILE)\n"
              "  experiments/logpc/\n"
              "    table1-ping.toml  LoGPC Table 1: short messages between every pair of an\n"
              "                      idle machine\n"
              "  experiments/sparcle/\n"
              "    table1-ping.toml  LoGPC Table 1 out of instructions: short messages between\n"
              "                      every pair of an idle machine\n");
    EXPECT_THAT(output_of({"list", "kernels", "spmv"}), Not(HasSubstr("machines")));
}

// What is listed is there: each file can be run from any folder, and each title is the file's.
TEST_F(ListCommandTest, NamesFilesThatRun) {
    const auto all = nlohmann::json::parse(output_of({"list", "--json"}));
    ASSERT_GT(all.at("experiments").size(), 60U);
    ASSERT_GT(all.at("machines").size(), 10U);
    for (const auto& [kind, entries] : all.items()) {
        for (const auto& entry : entries) {
            EXPECT_NE(entry.at("title"), "") << entry;
        }
    }
    const ProgramEnd end =
        weir({"run", "experiments/logpc/table1-ping.toml", "--set", "run.seeds=[1]"});
    EXPECT_EQ(end.status, running::kSuccess) << end.error;
}

TEST_F(ListCommandTest, WhatIsNotThereIsRefused) {
    const auto refused = [this](const Arguments& arguments) {
        const ProgramEnd end = weir(arguments);
        EXPECT_EQ(end.status, running::kBadInput);
        EXPECT_EQ(end.output, "");
        return end.error;
    };
    EXPECT_EQ(refused({"list", "kernel"}),
              "weir: weir list: no list \"kernel\"; accepted: \"experiments\", \"claims\", "
              "\"hypotheses\", "
              "\"kernels\", \"machines\", \"metrics\", \"models\", \"routers\", \"sweeps\", "
              "\"topologies\"; "
              "did you mean \"kernels\"?\n");
    EXPECT_EQ(refused({"list", "machines", "alwife"}),
              "weir: nothing listed fits \"alwife\"; accepted: part of a name or a title, * and ? "
              "in it; did you mean \"alewife\"?\n");
}

}  // namespace
}  // namespace weir::experiments
