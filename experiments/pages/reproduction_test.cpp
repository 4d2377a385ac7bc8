#include "experiments/pages/reproduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "hw/testing/test_folder.h"

namespace weir::experiments::pages {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ReproductionTest, ASourceIsCitedByItsWork) {
    EXPECT_THAT(bibtex_of("LoGPC Table 4"), HasSubstr("moritz2001logpc"));
    EXPECT_THAT(bibtex_of("LogP Section 5.1"), HasSubstr("culler1993logp"));
    EXPECT_THAT(bibtex_of("Memory logP Figure 3"), HasSubstr("cameron2003memory"));
    EXPECT_EQ(bibtex_of("LogPQ Table 1"), "");
    EXPECT_EQ(bibtex_of(""), "");
}

TEST(ReproductionTest, EachWorkIsCitedOnce) {
    records::ExperimentResult result;
    records::PointResult& point = result.points.emplace_back();
    for (const char* source : {"LoPC Table 1", "own goal", "LoPC Figure 5"}) {
        point.published.emplace_back().source = source;
    }
    const records::Section section = citations_section(result);
    ASSERT_EQ(section.blocks.size(), 1);
    EXPECT_THAT(std::get<records::Listing>(section.blocks.front()).text,
                StartsWith("@inproceedings{frank1997lopc,"));
}

TEST(ReproductionTest, ARunIsRepeatedByItsOwnFile) {
    const hw::testing::CurrentTestFolder folder;
    for (const char* run : {"point-01-seed-1", "point-01-seed-2"}) {
        std::filesystem::create_directories(std::filesystem::path("runs/mine-001") / run);
    }
    records::ExperimentResult result;
    result.file = "mine.toml";
    result.folder = "runs/mine-001";
    result.points.emplace_back().seeds = {1, 2};
    const records::Section section = reproduction_section(result);
    EXPECT_EQ(std::get<records::Listing>(section.blocks[1]).text, "weir run mine.toml");
    const auto& table = std::get<records::Table>(section.blocks.back());
    ASSERT_EQ(table.rows.size(), 2);
    EXPECT_THAT(table.rows[1][2].text,
                ::testing::AllOf(StartsWith("runs/mine-001/"), HasSubstr("seed-2/")));
}

}  // namespace
}  // namespace weir::experiments::pages
