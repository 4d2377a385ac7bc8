#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/processes/exit_status.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

class ListCommandTest : public ProgramTest {};

TEST_F(ListCommandTest, OfEveryKindALine) {
    const std::string page = output_of({"list"});
    EXPECT_THAT(page, AllOf(Names("experiments", "weir", "run", "FILE"),
                            HasSubstr("\nkernels ([workload] kernel = \"NAME\")\n"),
                            HasSubstr("\nmachines (extends = \"NAME\")\n"),
                            Names("models", "weir", "model", "NAME"),
                            HasSubstr("\nrouters (network.router = \"NAME\")\n"),
                            Names("sweeps", "weir", "sweep", "FILE"),
                            HasSubstr("\ntopologies (network.topology = \"NAME\")\n"),
                            Names("claims", "weir", "validate", "FILE")));
    EXPECT_THAT(page, ContainsRegex("  experiments/logpc/\n(    [^\n]*\n)*    async-remap.toml "));
    EXPECT_THAT(page, HasSubstr("\n  alewife "));
    // Files that are part of a study are not listed.
    EXPECT_THAT(page, Not(HasSubstr("monsoon-256")));
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 80U) << line;
    }
}

TEST_F(ListCommandTest, OneKindAndAPattern) {
    const std::string page = output_of({"list", "experiments", "TABLE 1*idle"});
    EXPECT_THAT(page, Names("experiments", "weir", "run", "FILE", "experiments/logpc/",
                            "table1-ping.toml", "Table 1", "idle", "experiments/sparcle/",
                            "table1-ping.toml", "Table 1", "idle"));
    EXPECT_THAT(page, HasSubstr("\n" + std::string(22, ' ') + "idle "));
    EXPECT_EQ(std::count(page.begin(), page.end(), '\n'), 7);
    EXPECT_THAT(output_of({"list", "kernels", "spmv"}), Not(HasSubstr("machines")));
}

// Each listed file exists and can be run from any folder; each title is the file's own.
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
    EXPECT_THAT(refused({"list", "kernel"}),
                Names("weir", "\"kernel\"", "\"experiments\"", "\"claims\"", "\"hypotheses\"",
                      "\"kernels\"", "\"machines\"", "\"metrics\"", "\"models\"", "\"routers\"",
                      "\"sweeps\"", "\"topologies\"", "\"kernels\""));
    EXPECT_THAT(refused({"list", "machines", "alwife"}),
                Names("weir", "\"alwife\"", "*", "?", "\"alewife\""));
}

}  // namespace
}  // namespace weir::experiments
