#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/statistics/sample.h"
#include "hw/testing/names.h"

namespace weir::experiments::running {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

// Runs `weir search` as a user does, on machines of four nodes that run for milliseconds.
class SearchRunTest : public ProgramTest {
  protected:
    static constexpr const char* kTiny = R"(extends = "alewife"
title = "A tiny remap"
machine.nodes = 4
network.dimensions = [2, 2]

[workload]
kernel = "remap"
iterations = 40

)";
    // 24 points. Some of them differ by less than their seeds do.
    static constexpr const char* kSpace = R"([[sweep.axis]]
firmware.entry_cycles = { from = 60, to = 90, step = 10 }

[[sweep.axis]]
network.hop_cycles = [1, 4, 8]

[[sweep.axis]]
firmware.exit_cycles = [21, 22]

[run]
seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

)";
    static constexpr const char* kGoal =
        "[search]\nminimise = \"cycles_per_iteration\"\nbudget = 48\n";

    SearchRunTest() { write("study.toml", std::string(kTiny) + kSpace + kGoal); }

    [[nodiscard]] SweepDatabase open(const std::string& name) const {
        return SweepDatabase::open(file(name), SweepConnection::Access::kRead);
    }
    [[nodiscard]] std::size_t runs_in(const std::string& name) const {
        return static_cast<std::size_t>(open(name).count_of("runs"));
    }
    /// Output of a command that ends well. Progress goes to standard error.
    [[nodiscard]] std::string page_of(const Arguments& arguments) const {
        const ProgramEnd end = weir(arguments);
        EXPECT_EQ(end.status, 0) << end.error;
        return end.output;
    }
    /// Findings and rounds in a search's output, without the database's name and digest.
    [[nodiscard]] static std::string found_by(const std::string& page) {
        return page.substr(0, page.find("\n  study")) + page.substr(page.find("\nRounds\n"));
    }
    [[nodiscard]] std::string refusal(const std::string& text) const {
        write("bad.toml", std::string(kTiny) + text);
        return refused({"search", "bad.toml"});
    }
};

// On a space that was swept in full, the search finds the best point or one that is not
// significantly worse. The search needs at most a fifth of the sweep's runs.
TEST_F(SearchRunTest, FindsTheBestOfASweptSpaceWithAFifthOfItsRuns) {
    const std::string page = page_of({"search", "study.toml", "--out", "it.db"});
    EXPECT_LE(runs_in("it.db"), 48U);
    // A sweep continues after the search, and runs all points.
    EXPECT_THAT(weir({"sweep", "study.toml", "--resume", "--out", "it.db"}).error,
                Names("192", "240"));
    const SweepDatabase full = open("it.db");
    const std::map<std::int64_t, double> values = full.metric("cycles_per_iteration");
    std::map<std::size_t, statistics::Sample> samples;
    std::size_t best = 1;
    for (const StoredPoint& point : full.points()) {
        const auto number = static_cast<std::size_t>(*point.number);
        for (const StoredRun& run : point.runs) {
            samples[number].values.push_back(values.at(run.run_id));
        }
        best = samples[number].mean() < samples[best].mean() ? number : best;
    }
    ASSERT_EQ(samples.size(), 24U);
    EXPECT_EQ(runs_in("it.db"), 240U);
    const std::string marker = ", at point ";
    const std::size_t found = std::stoul(page.substr(page.find(marker) + marker.size()));
    statistics::Sample behind;
    for (std::size_t i = 0; i < samples[found].values.size(); ++i) {
        behind.values.push_back(samples[found].values[i] - samples[best].values[i]);
    }
    EXPECT_LE(behind.mean(), *behind.half_width()) << page;
    EXPECT_THAT(page, Names("48 runs", "20.0 %", "240"));
    // Most other points are far from the best point, so that a wrong answer would be noticed.
    EXPECT_GT(samples[7].mean(), samples[best].mean() + 20.0);
    // On the database of a sweep the search finds the same point, and runs nothing.
    const ProgramEnd again = weir({"search", "study.toml", "--resume", "--out", "it.db"});
    EXPECT_EQ(found_by(again.output), found_by(page));
    EXPECT_THAT(again.error, Names("24 points", "1 seed", "0"));
}

TEST_F(SearchRunTest, IsTheSameForAnyNumberOfProcesses) {
    const std::string page = page_of({"search", "study.toml", "-j", "1", "--out", "one.db"});
    const std::string three = page_of({"search", "study.toml", "-j", "3", "--out", "three.db"});
    EXPECT_EQ(found_by(three), found_by(page));
    EXPECT_EQ(open("three.db").digest(), open("one.db").digest());
    EXPECT_EQ(page_of({"search", "study.toml", "--resume", "--out", "one.db"}), page);
}

TEST_F(SearchRunTest, AnInterruptedSearchGoesOnToTheSameResult) {
    const std::string whole = page_of({"search", "study.toml", "--out", "whole.db"});
    RunningProgram program = start({"search", "study.toml", "-j", "1", "--out", "it.db"});
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < deadline &&
           (!std::filesystem::exists(file("it.db")) || runs_in("it.db") < 3)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    program.press_control_c();
    const ProgramEnd end = program.wait(std::chrono::seconds(30));
    EXPECT_EQ(end.status, 130);
    EXPECT_EQ(end.output, "");
    EXPECT_THAT(end.error, Names("weir", "interrupted", "it.db", "weir", "search", "study.toml",
                                 "--resume", "--out it.db"));
    EXPECT_LT(runs_in("it.db"), 48U);
    EXPECT_THAT(everything(), ElementsAre("it.db", "study.toml", "whole.db"));
    const std::string resumed = page_of({"search", "study.toml", "--resume", "--out", "it.db"});
    EXPECT_EQ(found_by(resumed), found_by(whole));
    EXPECT_EQ(open("it.db").digest(), open("whole.db").digest());
}

TEST_F(SearchRunTest, OnlyPointsThatMeetTheConstraintsAreTried) {
    write("study.toml", std::string(kTiny) + kSpace + kGoal +
                            "constraints = [\"hop_cycles * entry_cycles >= 240\", \"cost <= 6\"]\n"
                            "[cost]\nexit = \"23 - exit_cycles\"\nhops = \"9 - hop_cycles\"\n");
    const std::string page = page_of({"search", "study.toml", "--set", "run.seeds=[1, 2]"});
    EXPECT_THAT(page, AllOf(HasSubstr("- Best: "), HasSubstr(", cost "), Names("24 points", "12"),
                            HasSubstr("Pareto")));
    const SweepDatabase database = open("runs/study.db");
    for (const StoredPoint& point : database.points()) {
        const nlohmann::json values = nlohmann::json::parse(point.configuration);
        const bool is_slow = values.at("network.hop_cycles") == 8;
        EXPECT_TRUE(is_slow || (values.at("network.hop_cycles") == 4 &&
                                values.at("firmware.exit_cycles") == 22));
    }
    EXPECT_EQ(database.points().size(), 12U);
    // A page of the database shows the search's finding, until a sweep has run all other points.
    EXPECT_THAT(
        words_of(page_of({"sweep", "show", "runs/study.db"})),
        AllOf(Not(HasSubstr("Not finished")), Names("Searched", "cycles_per_iteration", "48")));
    static_cast<void>(page_of({"sweep", "study.toml", "--resume", "--set", "run.seeds=[1, 2]"}));
    EXPECT_THAT(page_of({"sweep", "show", "runs/study.db"}), Not(HasSubstr("Searched")));
}

TEST_F(SearchRunTest, TheMostCanBeSearchedForAndSomePointsDrawn) {
    write("study.toml", std::string(kTiny) + kSpace +
                            "[search]\nmaximise = \"cycles_per_iteration\"\nbudget = 30\n");
    const std::string page = page_of({"search", "study.toml"});
    EXPECT_THAT(page, AllOf(Names("most", setup::spaced_name("cycles_per_iteration"), "Best"),
                            Names("budget", "24 points")));
    EXPECT_LE(runs_in("runs/study.db"), 30U);
    // The user's seed chooses another draw.
    write("study.toml", read("study.toml") + "seed = 2\n");
    static_cast<void>(page_of({"search", "study.toml", "--out", "other.db"}));
    EXPECT_NE(open("other.db").digest(), open("runs/study.db").digest());
}

TEST_F(SearchRunTest, APointThatDoesNotEndWellIsOut) {
    write("study.toml", std::string(kTiny) +
                            "[[sweep.axis]]\nrun.most_cycles = [100, 100_000, 200_000]\n"
                            "[run]\nseeds = [1, 2]\n" +
                            kGoal);
    const ProgramEnd end = weir({"search", "study.toml"});
    EXPECT_EQ(end.status, 0);
    EXPECT_THAT(end.output,
                AllOf(Names("Excluded", "1 point"), HasSubstr("reached run.most_cycles"),
                      Names("Next", setup::spaced_name("cycles_per_iteration"), "seeds", "best")));
    // If no point ends well, the search fails as its first run did.
    write("study.toml",
          std::string(kTiny) + "[[sweep.axis]]\nrun.most_cycles = [100, 101]\n" + kGoal);
    const ProgramEnd none = weir({"search", "study.toml", "--out", "none.db"});
    EXPECT_EQ(none.status, 3);
    EXPECT_THAT(none.output, HasSubstr("None"));
}

TEST_F(SearchRunTest, ADryRunShowsTheRoundsAndLeavesNothing) {
    const std::string page = page_of({"search", "study.toml", "--dry-run"});
    EXPECT_THAT(words_of(page), AllOf(Names("round", "points", "seeds", "runs", "1", "24", "1",
                                            "24", "2", "8", "2", "8"),
                                      HasSubstr(" budget 48 runs ")));
    EXPECT_THAT(everything(), ElementsAre("study.toml"));
}

TEST_F(SearchRunTest, BadInputIsOneMessage) {
    const std::string space = kSpace;
    const std::string minimise = "[search]\nminimise = \"cycles_per_iteration\"\n";
    EXPECT_THAT(refusal(space + minimise), Names("weir", "bad.toml:22:1", "search", "budget = N"));
    EXPECT_THAT(refusal(space + "[search]\nbudget = 9\n"),
                Names("minimise = \"METRIC\"", "maximise = \"METRIC\""));
    EXPECT_THAT(refusal(space + "[search]\nminimise = \"cycles_per_iterations\"\nbudget = 90\n"),
                Names("\"cycles_per_iterations\"", "\"cycles_per_iteration\""));
    EXPECT_THAT(refusal(space + minimise + "budget = 19\n"),
                Names("19 runs", "10 seeds", "budget = 20"));
    EXPECT_THAT(refusal(space + minimise + "budget = 48\nconstraints = \"hop_cycles > 8\"\n"),
                Names("24 points", "constraints"));
    EXPECT_THAT(refusal(space + minimise + "budget = 48\nconstraints = \"hop_cycle > 3\"\n"),
                Names("\"hop_cycle\"", "entry_cycles = 60", "\"hop_cycles > 3\""));
    EXPECT_THAT(refusal(space + minimise + "budget = 48\nconstraints = \"hop_cycles + 3\"\n"),
                Names("\"hop_cycles + 3\"", "true", "false"));
    EXPECT_THAT(refusal(space + minimise + "budget = 48\nbudjet = 4\n"),
                Names("[search]", "\"budjet\"", "\"budget\""));
    EXPECT_THAT(
        refusal(space + "[cost]\nx = \"1 / (hop_cycles - 4)\"\n" + minimise + "budget = 48\n"),
        Names("0", "entry_cycles = 60, hop_cycles = 4"));
    EXPECT_THAT(refusal(space + "[cost]\nx = \"hop_cycles > 2\"\n" + minimise + "budget = 48\n"),
                Names("true", "false", "hop_cycles > 2"));
    EXPECT_THAT(refusal(space), Names("[search]", "minimise = \"METRIC\"", "budget = N"));
    EXPECT_THAT(refused({"run", "study.toml"}), Names("study.toml", "[sweep]", "weir", "sweep"));
}

// A known metric that these runs do not have.
TEST_F(SearchRunTest, AMetricThatNoRunHas) {
    for (const std::string metric : {"lopc.cycles_per_iteration", "cycles_per_nonzero"}) {
        write("study.toml", std::string(kTiny) + kSpace + "[search]\nminimise = \"" + metric +
                                "\"\nbudget = 48\n");
        const ProgramEnd end = weir({"search", "study.toml", "--out", metric + ".db"});
        EXPECT_EQ(end.status, 2);
        EXPECT_EQ(end.output, "");
        EXPECT_THAT(end.error, Names("\"" + metric + "\"", "\"cycles_per_iteration\""));
    }
}

TEST_F(SearchRunTest, ASweepShowsTheParetoFrontOfItsPrices) {
    write("study.toml", std::string(kTiny) +
                            "[[sweep.axis]]\nfirmware.entry_cycles = [20, 60, 100]\n"
                            "[[sweep.axis]]\nworkload.loop_cycles = [0, 50]\n"
                            "[cost]\nfast = \"200 ÷ entry_cycles\"\nloop = \"loop_cycles × 2\"\n");
    static_cast<void>(page_of({"sweep", "study.toml"}));
    const std::string page = words_of(page_of({"sweep", "show", "runs/study.db"}));
    EXPECT_THAT(page, HasSubstr(" 3 of 6 points: "));
    EXPECT_THAT(page, AllOf(HasSubstr(" cost.fast "), HasSubstr(" cost.loop ")));
    // A search with other prices needs no new runs.
    std::string text = read("study.toml");
    text.replace(text.find("200 ÷ entry"), std::string("200 ÷ entry").size(), "0 * entry");
    write("study.toml", text);
    static_cast<void>(page_of({"sweep", "study.toml", "--resume"}));
    EXPECT_THAT(words_of(page_of({"sweep", "show", "runs/study.db"})),
                HasSubstr(" 1 of 6 points: "));
}

}  // namespace
}  // namespace weir::experiments::running
