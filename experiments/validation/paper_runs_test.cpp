#include "experiments/validation/paper_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/processes/default_run_options.h"
#include "hw/testing/names.h"

namespace weir::experiments::validation {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using weir::testing::Names;

/// A paper's folder with small experiments, and claims of the paper.
class PaperRunsTest : public ProgramTest {
  protected:
    PaperRunsTest() {
        options_ = running::default_run_options();
        options_.show_progress = false;
        fs::create_directory(file("paper"));
        const std::string small =
            "extends = \"alewife\"\nmachine.nodes = 4\n"
            "network.dimensions = [2, 2]\n[workload]\nkernel = \"remap\"\n"
            "iterations = 10\n";
        write("paper/figure1.toml", small);
        write("paper/start.toml", small);
        write("paper/claimed.toml", small);
        write("paper/given.toml", small +
                                      "[published.cycles_per_iteration]\nvalue = 300\n"
                                      "source = \"it\"\n");
        write("paper/study.toml", "title = \"both\"\nparts = [\"figure1.toml\", \"start.toml\"]\n");
        write("claims.toml", claim("one", "paper/claimed.toml", "") +
                                 claim("two", "paper/claimed.toml", "ours.set.run.seeds = [5]\n"));
    }

    static std::string claim(const std::string& name, const std::string& experiment,
                             const std::string& set) {
        return "[claim." + name + "]\nwhat = \"w\"\nsource = \"Paper Table 1\"\npublished = 300\n" +
               "tolerance = 0.5\nours.experiment = \"" + experiment + "\"\n" + set +
               "ours.metric = \"cycles_per_iteration\"\nstatus = \"reproduced\"\n";
    }
    [[nodiscard]] std::vector<Claim> claims() const {
        return read_claims(file("claims.toml"))->claims;
    }
    [[nodiscard]] static std::vector<std::string> names_of(const std::vector<PaperRun>& runs) {
        std::vector<std::string> names;
        for (const PaperRun& each : runs) {
            names.push_back(each.name + (each.is_shown ? "" : " claims"));
        }
        return names;
    }

    running::RunOptions options_;
};

TEST_F(PaperRunsTest, AreWhatThePaperHasAndWhatClaimsNeedEachOnce) {
    const std::vector<Claim> rows = claims();
    const ClaimValues values(rows, options_);
    EXPECT_THAT(names_of(paper_runs(file("paper"), values, options_)),
                ElementsAre("claimed", "figure1", "given", "claimed-2 claims"));
}

TEST_F(PaperRunsTest, ClaimsTakeTheirValuesFromThem) {
    const std::vector<Claim> rows = claims();
    ClaimValues values(rows, options_);
    std::vector<PaperRun> runs = paper_runs(file("paper"), values, options_);
    run_all(runs, file("out"), false);
    values.take_results(results_for(values, runs));
    for (const auto& [claim, number] : {std::pair{0, 0}, std::pair{1, 3}}) {
        ASSERT_TRUE(runs[number].result) << runs[number].fault;
        EXPECT_EQ(
            values.value_of(*rows[claim].ours),
            records::find_estimate(runs[number].result->points.front(), "cycles_per_iteration")
                ->mean);
    }
    EXPECT_EQ(runs[3].result->points.front().seeds.front(), 5U);
    EXPECT_TRUE(fs::exists(file("out/figure1/report.txt")));
}

TEST_F(PaperRunsTest, WhatIsThereOfTheSameFilesIsNotRunAgain) {
    const std::vector<Claim> rows = claims();
    const ClaimValues values(rows, options_);
    const auto run_them = [&](bool again) {
        std::vector<PaperRun> runs = paper_runs(file("paper"), values, options_);
        run_all(runs, file("out"), again);
        return fs::last_write_time(file("out/figure1/result.json"));
    };
    const auto first = run_them(false);
    EXPECT_EQ(run_them(false), first);
    const auto again = run_them(true);
    EXPECT_NE(again, first);
    write("paper/figure1.toml", read("paper/figure1.toml") + "work_cycles = 5\n");
    EXPECT_NE(run_them(false), again);
}

TEST_F(PaperRunsTest, WhatFailsIsToldAndTheRestGoesOn) {
    write("paper/claimed.toml", read("paper/claimed.toml") + "[run]\nmost_cycles = 100\n");
    const std::vector<Claim> rows = claims();
    ClaimValues values(rows, options_);
    std::vector<PaperRun> runs = paper_runs(file("paper"), values, options_);
    run_all(runs, file("out"), false);
    EXPECT_EQ(runs[0].status, running::kDeadlock);
    EXPECT_THAT(runs[0].fault, HasSubstr("run.most_cycles reached"));
    EXPECT_TRUE(runs[1].result);
    values.take_results(results_for(values, runs));
    EXPECT_THROW(static_cast<void>(values.value_of(*rows[0].ours)), setup::UserFault);
}

TEST_F(PaperRunsTest, AnotherRunIsNotOverwritten) {
    static_cast<void>(output_of({"run", "paper/figure1.toml", "--out", "out/figure1"}));
    const std::vector<Claim> rows = claims();
    const ClaimValues values(rows, options_);
    std::vector<PaperRun> runs = paper_runs(file("paper"), values, options_);
    EXPECT_THROW(run_all(runs, file("out"), true), setup::UserFault);
    EXPECT_TRUE(fs::exists(file("out/figure1/point-01-seed-1/trace.weir")));
}

TEST_F(PaperRunsTest, AnUnknownPaperIsRefused) {
    const ProgramEnd end = weir({"paper", "lopcc"});
    EXPECT_EQ(end.status, 2);
    EXPECT_THAT(end.error, Names("\"lopcc\"", "\"lopc\"", "\"logp\"", "\"logpc\"",
                                 "\"memory-logp\"", "\"lopc\""));
}

}  // namespace
}  // namespace weir::experiments::validation
