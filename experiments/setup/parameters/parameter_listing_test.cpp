#include "experiments/setup/parameters/parameter_listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "experiments/setup/testing/setup_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::setup {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;
using ::weir::testing::Names;

class ParameterListingTest : public ConfigTest {
  protected:
    std::string listing(std::string_view pattern = {}) {
        return parameter_listing(remap_machine_, pattern);
    }
    /// Keys in the listing: the first word of each line that begins a parameter.
    std::vector<std::string> keys(std::string_view pattern) {
        std::vector<std::string> found;
        std::istringstream lines(listing(pattern));
        for (std::string line; std::getline(lines, line);) {
            if (!line.empty() && line.front() != '[' && line.front() != ' ') {
                found.push_back(line.substr(0, line.find(' ')));
            }
        }
        return found;
    }
};

using Keys = std::vector<std::string>;

TEST_F(ParameterListingTest, TellsAllAboutAParameter) {
    EXPECT_THAT(
        listing("network"),
        MatchesRegex("\\[network\\] " + network_.sentence() + "\n\nnetwork\\.hop_cycles = 1\n    " +
                     network_.hop_cycles.sentence() +
                     "\n    accepted: [^\n]* 1 to 64,[^\n]*cycles\n    source:   " +
                     network_.hop_cycles.source() + "\n\nnetwork\\.dimensions = \\[4, 8\\]\n    " +
                     network_.dimensions.sentence() +
                     "\n    accepted: [^\n]*list[^\n]* 1 to 64\n"
                     "\nnetwork\\.routing = \"dimension_order\"\n    " +
                     network_.routing.sentence() +
                     "\n    accepted: [^\n]*\"dimension_order\", \"adaptive\"\n"));
}

TEST_F(ParameterListingTest, ShowsTheDefaultWhateverTheValue) {
    ASSERT_TRUE(network_.hop_cycles.set(std::int64_t{9}));
    EXPECT_NE(listing("hop").find("network.hop_cycles = 1\n"), std::string::npos);
}

TEST_F(ParameterListingTest, APatternIsATableOrAPieceOfAKey) {
    EXPECT_EQ(keys("trace"), Keys{"trace.file"});
    EXPECT_EQ(keys("network.hop_cycles"), Keys{"network.hop_cycles"});
    EXPECT_EQ(keys("cycles"), (Keys{"network.hop_cycles", "controller.dma_cycles_per_byte"}));
    EXPECT_EQ(keys("network.*s"), (Keys{"network.hop_cycles", "network.dimensions"}));
    EXPECT_EQ(keys("r?ut"), Keys{"network.routing"});
    EXPECT_EQ(keys("").size(), 8);
}

TEST_F(ParameterListingTest, SeparatesTables) {
    EXPECT_THAT(listing(),
                HasSubstr("\"adaptive\"\n\n[controller] " + controller_.sentence() + "\n"));
}

TEST_F(ParameterListingTest, FillsEightyColumnsCountedInLetters) {
    struct Wordy : hw::ParameterGroup {
        explicit Wordy(const std::string& last_word)
            : ParameterGroup("wordy", "x"),
              flag(*this, "flag", false, {},
                   "A line of the sentence that ends in the very last column of a terminal " +
                       last_word) {}
        hw::Parameter<bool> flag;
    };
    const auto lines_with = [](const std::string& last_word) {
        Wordy wordy(last_word);
        const std::vector<hw::ParameterGroup*> groups = {&wordy};
        return parameter_listing(groups);
    };
    EXPECT_NE(lines_with("µµµµµ").find(" of a terminal µµµµµ\n"), std::string::npos);
    EXPECT_NE(lines_with("µµµµµµ").find(" of a terminal\n    µµµµµµ\n"), std::string::npos);
}

TEST_F(ParameterListingTest, WrapsEveryPart) {
    struct Wordy : hw::ParameterGroup {
        Wordy()
            : ParameterGroup("wordy",
                             "A table whose sentence goes on and on until it reaches far beyond "
                             "the edge of a terminal.") {}
        hw::Parameter<std::vector<std::int64_t>> numbers{
            *this,
            "numbers",
            std::vector<std::int64_t>(20, 123),
            {},
            "Numbers.",
            "A paper with a long title that goes on and on, by many authors, Section 3, Table 4"};
    } wordy;
    const std::vector<hw::ParameterGroup*> groups = {&wordy};
    EXPECT_THAT(
        parameter_listing(groups),
        AllOf(
            StartsWith(
                "[wordy] A table whose sentence goes on and on until it reaches far beyond the\n"
                "    edge of a terminal.\n"
                "\n"
                "wordy.numbers = [123, 123, 123, 123, 123, 123, 123, 123, 123, 123, 123, 123,\n"
                "    123, 123, 123, 123, 123, 123, 123, 123]\n"
                "    Numbers.\n"
                "    accepted: "),
            EndsWith(
                "\n    source:   A paper with a long title that goes on and on, by many authors,\n"
                "              Section 3, Table 4\n")));
}

TEST(ParameterListing, SaysOnceThatTablesHaveTheSameKeys) {
    struct Level : hw::ParameterGroup {
        Level(const char* table, const char* sentence, std::int64_t default_bytes)
            : ParameterGroup(table, sentence),
              bytes{*this, "bytes", default_bytes, {1, 1024}, "Size"} {}
        hw::Parameter<std::int64_t> bytes;
        hw::Parameter<std::int64_t> ways{*this, "ways", 1, {1, 8}, "Ways"};
    };
    Level first("l1", "The first level", 16);
    Level second("l2", "The second level", 64);
    const std::vector<hw::ParameterGroup*> groups{&first, &second};
    const std::string all = parameter_listing(groups);
    EXPECT_THAT(all,
                AllOf(Names("[l2]", second.sentence(), "[l1]"), EndsWith("\n    l2.bytes = 64\n")));
    EXPECT_THAT(all, Not(HasSubstr("l2.ways")));
    EXPECT_NE(parameter_listing(groups, "l2").find("l2.ways = 1\n    Ways\n"), std::string::npos);
}

TEST_F(ParameterListingTest, NothingFits) {
    EXPECT_THAT(
        fault_of([&] { (void)listing("hop_cylces"); }),
        AllOf(Names("hop_cylces", "table.key", "*", "network", "controller", "trace", "workload"),
              EndsWith("\"hop_cycles\"?")));
    EXPECT_THAT(fault_of([&] { (void)listing("netwrok.hop_cycles"); }),
                AllOf(Names("netwrok.hop_cycles", "table.key", "*", "network", "controller",
                            "trace", "workload"),
                      EndsWith("\"network.hop_cycles\"?")));
}

}  // namespace
}  // namespace weir::experiments::setup
