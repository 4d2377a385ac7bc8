#include "experiments/setup/text/text_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "experiments/pages/testing/page_width.h"

namespace weir::experiments::setup {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> texts(const std::vector<std::optional<double>>& values) {
    return column_text(values, "none");
}

TEST(NumberText, IsWholeOrHasSixDigits) {
    EXPECT_EQ(number_text(0.0), "0");
    EXPECT_EQ(number_text(-0.0), "0");
    EXPECT_EQ(number_text(1637.0), "1637");
    EXPECT_EQ(number_text(1637.114145), "1637.11");
    EXPECT_EQ(number_text(0.5), "0.5");
    EXPECT_EQ(number_text(0.001953125), "0.00195312");
    EXPECT_EQ(number_text(123456789.26), "123456789.3");
    EXPECT_EQ(number_text(-2.25), "-2.25");
}

TEST(NumberText, HasAnExponentWhereThatIsShorter) {
    EXPECT_EQ(number_text(1e15), "1e+15");
    EXPECT_EQ(number_text(0.0000123456789), "1.23457e-05");
}

TEST(ColumnText, HasTheSameDecimalsInEveryRow) {
    EXPECT_THAT(texts({701.4499, 4624.2, 0.0}), ElementsAre("701.45", "4624.20", "0.00"));
    EXPECT_THAT(texts({1.0, std::nullopt, 30.0}), ElementsAre("1", "none", "30"));
}

TEST(ColumnText, LeavesOutZerosThatEveryRowEndsWith) {
    EXPECT_THAT(texts({0.005, 0.06, std::nullopt}), ElementsAre("0.005", "0.060", "none"));
    EXPECT_THAT(texts({0.0, 2.5, 100.0}), ElementsAre("0.0", "2.5", "100.0"));
}

TEST(ColumnText, ShowsThreeDigitsOfTheSmallest) {
    EXPECT_THAT(texts({0.0123456, 1234.5}), ElementsAre("0.0123", "1234.5000"));
}

TEST(ColumnText, LetsEachRowHaveItsDecimalsWhereTheyAreTooFarApart) {
    EXPECT_THAT(texts({0.00012345, 123456789.5}), ElementsAre("0.00012345", "123456789.5"));
    EXPECT_THAT(texts({1e-9, 0.5}), ElementsAre("1e-09", "0.5"));
}

TEST(TextTable, AlignsNumbersRightUnderNameAndSymbol) {
    EXPECT_EQ(text_table({{"work", "W", {"1", "20"}}, {"turn", "R", {"3", "400000"}}}, 1),
              "  work    turn\n"
              "     W       R\n"
              "     1       3\n"
              "    20  400000\n");
}

TEST(TextTable, HasNoLineOfSymbolsWhenThereAreNone) {
    EXPECT_EQ(text_table({{"a", "", {"1"}}}, 1), "  a\n  1\n");
}

TEST(TextTable, ContinuesInBlocksThatRepeatTheFirstColumns) {
    const std::string wide(30, 'x');
    const std::string page =
        text_table({{"n", "", {"1"}}, {wide, "", {"2"}}, {wide, "", {"3"}}, {wide, "", {"4"}}}, 1);
    const std::string heading = "  n  " + wide + "  " + wide + "\n";
    EXPECT_EQ(page.substr(0, heading.size()), heading);
    EXPECT_THAT(page,
                ::testing::EndsWith("\n\n  n  " + wide + "\n  1  " + std::string(29, ' ') + "4\n"));
    pages::expect_fits_the_page(page);
}

TEST(TextTable, BreaksLongTextsIntoLines) {
    const std::string page = text_table(
        {{"n", "", {"1", "2"}},
         {"remark",
          "",
          {"fifteen letters" + std::string(70, ' ') + "and " + std::string(60, 'y'), "short"},
          true}},
        1);
    EXPECT_EQ(page, "  n  remark\n  1  fifteen letters and\n     " + std::string(60, 'y') +
                        "\n  2  short\n");
}

TEST(TextTable, BreaksPathsBehindAFolder) {
    const std::string page =
        text_table({column_of_text("line"), column_of_numbers("cycles")},
                   {{"firmware/kernels/remap/a_file_of_a_long_name.c:134", std::string(40, '7')}});
    EXPECT_THAT(page, ::testing::HasSubstr("  firmware/kernels/remap/"));
    EXPECT_THAT(page, ::testing::HasSubstr("\n  a_file_of_a_long_name.c:134\n"));
}

TEST(TextTable, RowsAreTheSameAsColumns) {
    EXPECT_EQ(
        text_table({column_of_text("name"), column_of_numbers("n")}, {{"a", "1"}, {"b", "20"}}),
        text_table({{"name", "", {"a", "b"}, true}, {"n", "", {"1", "20"}}}, 1));
    EXPECT_EQ(text_table({column_of_text(""), column_of_numbers("")}, {{"a", "1"}, {"bc", "20"}}),
              "  a    1\n  bc  20\n");
}

TEST(TextLine, TheFirstIsLeftAlignedAndTheOthersRight) {
    constexpr std::array<std::size_t, 3> kWidths{6, 4, 5};
    EXPECT_EQ(text_line(kWidths, {"a", "1", "2.5"}), "a        1  2.5\n");
    EXPECT_EQ(text_line(kWidths, {"a", "1", ""}), "a        1\n");
}

TEST(TextList, AWiderNameStandsAboveItsText) {
    EXPECT_EQ(text_list({{"a", "one"}, {"bcd", "two"}}), "  a    one\n  bcd  two\n");
    EXPECT_EQ(text_list({{"a", "one"}, {"bcd", "two"}}, 0, 2), "a   one\nbcd\n    two\n");
    pages::expect_fits_the_page(
        text_list({{"a", std::string(30, 'x') + " " + std::string(60, 'y')}}));
}

}  // namespace
}  // namespace weir::experiments::setup
