#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "experiments/pages/run_page.h"
#include "experiments/pages/run_sections.h"
#include "experiments/pages/sweep_page.h"
#include "experiments/pages/text_page.h"
#include "experiments/records/run_file.h"
#include "experiments/setup/files/temporary_folder.h"
#include "hw/testing/names.h"

namespace weir::experiments::pages {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

records::RunEnding starved(std::uint64_t seed) {
    return {.point = "P = 2",
            .seed = seed,
            .how = "starved",
            .exit_status = 3,
            .cycles = 12345,
            .messages = 678,
            .explanation = "cycle 12345: node 3 starves, refused 900 times:\n  served meanwhile: 1",
            .folder = "point-01-seed-1",
            .partial = {{"run_cycles", 12345.0}},
            .configuration = {{"network.model", std::string("wormhole")},
                              {"network.hop_cycles", std::int64_t{4}}}};
}

// The page with single blanks between words.
std::string words(const std::string& page) {
    std::string text;
    for (const char c : page) {
        const bool is_blank = c == ' ' || c == '\n';
        if (!is_blank || (!text.empty() && text.back() != ' ')) {
            text += is_blank ? ' ' : c;
        }
    }
    return text;
}

TEST(RunEndingsTest, AnEndIsShownByItsNameAndItsExplanation) {
    records::ExperimentResult result;
    result.title = "A lock";
    result.file = "lock.toml";
    result.endings = {starved(1)};
    const std::string page = words(text_page(run_document(result)));
    EXPECT_THAT(page, Names("starved", "cycle 12345", "3", "node 3", "900"));
    EXPECT_THAT(page, Names("meanwhile", "1"));
    EXPECT_THAT(page, HasSubstr("partial"));
    EXPECT_THAT(page, Names("sent", "678"));
    EXPECT_THAT(page, Not(HasSubstr("Measured:")));
    // The page of a study of several experiments shows the end, too.
    records::StudyResult study;
    study.parts = {result};
    EXPECT_THAT(words(text_page(run_document(study))), Names("starved", "cycle 12345"));
}

TEST(RunEndingsTest, ManyEndingsAreCountedAndAFewTold) {
    records::ExperimentResult result;
    for (std::uint64_t seed = 1; seed <= 9; ++seed) {
        result.endings.push_back(starved(seed));
    }
    const records::Finding finding = *endings_finding(result);
    EXPECT_THAT(finding.about, Names("9 of 9"));
    EXPECT_EQ(finding.sentences.size(), 6U);
    EXPECT_EQ(finding.sentences.back(), "And 4 more, below.");
    const records::Section section = endings_section(result);
    ASSERT_EQ(section.parts.size(), 5U);
    EXPECT_TRUE(section.parts.back().is_folded);
    EXPECT_EQ(section.parts.back().parts.size(), 5U);
    EXPECT_EQ(with_configurations(result).points.size(), 1U);
}

TEST(RunEndingsTest, ASingleRunShowsWhatItsProgramPrinted) {
    const setup::TemporaryFolder folder("weir-printed");
    records::ExperimentResult result;
    result.folder = folder.path().string();
    result.points.push_back({.seeds = {3}});
    std::filesystem::create_directory(folder.path() / "point-01-seed-3");
    EXPECT_TRUE(printed_section(result).blocks.empty());
    records::write_run_file(folder.path() / "point-01-seed-3/console.txt", "0: all is well\n");
    const std::string page = words(text_page(run_document(result)));
    EXPECT_THAT(page, HasSubstr("0: all is well"));
    EXPECT_LT(page.find("all is well"), page.find("Results"));
    result.points.front().seeds.push_back(4);
    EXPECT_TRUE(printed_section(result).blocks.empty());
}

TEST(RunEndingsTest, WhereAllEndedWellThereIsNothing) {
    const records::ExperimentResult result;
    EXPECT_FALSE(endings_finding(result).has_value());
    EXPECT_TRUE(endings_section(result).parts.empty());
    EXPECT_TRUE(endings_section(result).blocks.empty());
}

TEST(SweepPageTest, APointThatDidNotEndWellIsNamedWithItsEndAndExplained) {
    records::SweepResult sweep;
    sweep.names = {{"network.hop_cycles", "hop_cycles", 1, "hop_cycles"}};
    for (std::int64_t hops = 1; hops <= 2; ++hops) {
        records::StoredPoint point;
        point.number = hops;
        point.main_metric = "cycles_per_iteration";
        point.values = {std::to_string(hops)};
        point.swept = {hops};
        point.runs = {{hops, 1, "ok", 0, false, "", ""}};
        sweep.points.push_back(point);
    }
    sweep.metrics["cycles_per_iteration"] = {{1, 400.0}};
    sweep.points[1].runs[0].status = "deadlocked";
    sweep.points[1].runs[0].message =
        "cycle 500: deadlock; a cycle of parts:\n  machine.node_1 waits for machine.node_2";
    const records::Document document = sweep_document(sweep);
    const std::string page = words(text_page(document));
    EXPECT_THAT(page, Names("1 of 2", "1 point", "hop_cycles = 2", "1 of 1", "Seed 1", "cycle 500",
                            "deadlock"));
    EXPECT_THAT(page, HasSubstr("hop_cycles = 2, seed 1 "));
    EXPECT_THAT(page, Names("cycle 500", "deadlock", "machine.node_1", "machine.node_2"));
}

}  // namespace
}  // namespace weir::experiments::pages
