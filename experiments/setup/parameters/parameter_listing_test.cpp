#include "experiments/setup/parameters/parameter_listing.h"

#include <gtest/gtest.h>

#include <sstream>

#include "experiments/setup/testing/setup_fixture.h"

namespace weir::experiments::setup {
namespace {

class ParameterListingTest : public ConfigTest {
  protected:
    std::string listing(std::string_view pattern = {}) {
        return parameter_listing(remap_machine_, pattern);
    }
    /// The first words of the lines that start a parameter.
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
    EXPECT_EQ(listing("network"),
              "[network] The mesh between the nodes.\n"
              "\n"
              "network.hop_cycles = 1\n"
              "    Cycles a header takes from router to router.\n"
              "    accepted: a whole number from 1 to 64, in cycles\n"
              "    source:   Paper A\n"
              "\n"
              "network.dimensions = [4, 8]\n"
              "    Nodes in each dimension.\n"
              "    accepted: a list, each entry a whole number from 1 to 64\n"
              "\n"
              "network.routing = \"dimension_order\"\n"
              "    Who decides the next hop.\n"
              "    accepted: one of \"dimension_order\", \"adaptive\"\n");
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
    EXPECT_NE(listing().find("\"adaptive\"\n\n[controller] The message controller of a node.\n"),
              std::string::npos);
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
    EXPECT_EQ(parameter_listing(groups),
              "[wordy] A table whose sentence goes on and on until it reaches far beyond the\n"
              "    edge of a terminal.\n"
              "\n"
              "wordy.numbers = [123, 123, 123, 123, 123, 123, 123, 123, 123, 123, 123, 123,\n"
              "    123, 123, 123, 123, 123, 123, 123, 123]\n"
              "    Numbers.\n"
              "    accepted: a list, each entry a whole number\n"
              "    source:   A paper with a long title that goes on and on, by many authors,\n"
              "              Section 3, Table 4\n");
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
    const std::string end =
        "\n[l2] The second level\n\n    the keys of [l1], with the same defaults but\n"
        "    l2.bytes = 64\n";
    ASSERT_GT(all.size(), end.size());
    EXPECT_EQ(all.substr(all.size() - end.size()), end);
    EXPECT_NE(parameter_listing(groups, "l2").find("l2.ways = 1\n    Ways\n"), std::string::npos);
}

TEST_F(ParameterListingTest, NothingFits) {
    EXPECT_EQ(
        fault_of([&] { (void)listing("hop_cylces"); }),
        "no parameter fits \"hop_cylces\"; accepted: part of a parameter's table.key, * and ? "
        "in it, or a table: \"network\", \"controller\", \"trace\", \"workload\"; did you "
        "mean \"hop_cycles\"?");
    EXPECT_EQ(
        fault_of([&] { (void)listing("netwrok.hop_cycles"); }),
        "no parameter fits \"netwrok.hop_cycles\"; accepted: part of a parameter's table.key, "
        "* and ? in it, or a table: \"network\", \"controller\", \"trace\", \"workload\"; did "
        "you mean \"network.hop_cycles\"?");
}

}  // namespace
}  // namespace weir::experiments::setup
