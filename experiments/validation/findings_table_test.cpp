#include "experiments/validation/findings_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/setup/user_fault.h"
#include "hw/testing/names.h"
#include "hw/testing/test_cost.h"

namespace weir::experiments::validation {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using weir::testing::Names;

CheckedClaim claim(const std::string& what, double published, double ours) {
    CheckedClaim checked;
    checked.claim.name = what;
    checked.claim.what = what;
    checked.claim.source = "LogP Figure 3";
    checked.claim.published = published;
    checked.claim.tolerance = 0.03;
    checked.claim.ours = ClaimValue{MetricOfRun{"a.toml", "a.toml", {}, "", "cycles"}, {}};
    checked.ours = ours;
    return checked;
}

std::string last_row(const CheckedClaim& checked) {
    const std::string table = findings_table({checked});
    return table.substr(table.rfind('\n', table.size() - 2) + 1);
}

TEST(FindingsTableTest, ARowSetsPublishedMachineAndModelsSideBySide) {
    CheckedClaim checked = claim("a remap", 486, 481.25);
    checked.models = {{"lopc", 512.0}, {"logp", 431.04}};
    checked.claim.evidence = Evidence::kPredicted;
    checked.claim.of = PublishedOf::kHardware;
    EXPECT_THAT(last_row(checked), AllOf(StartsWith("| a remap | LogP Figure 3 | 486 | 481.2 | "
                                                    "lopc 512, logp 431 | -1.0 % | predicted "),
                                         EndsWith(" hardware | reproduced |  |\n")));
}

TEST(FindingsTableTest, WhatAModelComputesStandsInTheModelsColumn) {
    CheckedClaim checked = claim("a | b", 24, 25);
    checked.claim.ours = ClaimValue{AnswerOfModel{.model = "logp-broadcast"}, {}};
    checked.claim.evidence = Evidence::kFormula;
    EXPECT_EQ(last_row(checked),
              "| a \\| b | LogP Figure 3 | 24 |  | 25 | +4.2 % | formula | differs |  |\n");
}

TEST(FindingsTableTest, ARowThatDiffersOrIsClosedIsFollowedByItsCause) {
    CheckedClaim checked = claim("a", 24, 25);
    checked.claim.evidence = Evidence::kPredicted;
    checked.claim.because = "of x | y.";
    EXPECT_THAT(last_row(checked), EndsWith(" differs | of x \\| y. |\n"));
    checked.claim.missing = "a cache.";
    EXPECT_THAT(last_row(checked), EndsWith(" y. Missing: a cache. |\n"));
    checked.claim.closed = "it is not printed.";
    EXPECT_THAT(last_row(checked), EndsWith(" closed | it is not printed. |\n"));
    checked.ours = 24;
    EXPECT_THAT(last_row(checked), EndsWith(" closed | it is not printed. |\n"));
    checked.claim.closed.clear();
    EXPECT_THAT(last_row(checked), EndsWith(" reproduced |  |\n"));
}

TEST(FindingsTableTest, ANumberThatIsNoLongerComputedIsADifference) {
    const std::string page = findings_table({claim("a", 24, 24), claim("b", 10, 10)});
    EXPECT_THAT(differences(page, page, true), IsEmpty());
    EXPECT_THAT(differences(page, findings_table({claim("b", 10, 10)}), false), IsEmpty());
    EXPECT_THAT(differences(page, findings_table({claim("b", 10, 10)}), true),
                ElementsAre(Names("experiments/claims.toml")));
    EXPECT_THAT(differences(page, findings_table({claim("b", 10, 10.1)}), false),
                ElementsAre(AllOf(HasSubstr("| 10 | 10 |"), HasSubstr("| 10 | 10.1 |"))));
    EXPECT_THAT(differences(page, findings_table({claim("c", 10, 10)}), false),
                ElementsAre(Names("page", "| c |")));
}

class PaperPageTest : public ProgramTest {};

TEST_F(PaperPageTest, TheTableStandsBetweenTwoComments) {
    write("README.md",
          "# LogP\n\n<!-- weir paper logp --markdown -->\n| a |\n| - |\n<!-- end -->\nMore.\n");
    EXPECT_EQ(table_on_page(file("README.md"), "logp"), "| a |\n| - |\n");
    try {
        static_cast<void>(table_on_page(file("README.md"), "lopc"));
        FAIL() << "took a page without its mark";
    } catch (const setup::UserFault& fault) {
        EXPECT_THAT(fault.what(), Names("weir", "paper", "lopc", "--markdown"));
    }
}

// Only rows that compute quickly; weir paper --check compares all.
TEST_F(PaperPageTest, QuickRowsOfThePagesAreAsComputed) {
    const std::string page = output_of(
        {"paper", "--check", "-j", "2", "--only", "LogP Figure", "--only", "LogP Section 3",
         "--only", "LogP Section 5.1", "--only", "LoGPC Table 1", "--only", "LoGPC Table 2",
         "--only", "LoPC Section 3.1.1", "--only", "Memory logP Section 9"});
    EXPECT_THAT(page, Names("logp/README.md", "computed"));
    EXPECT_THAT(page, Names("memory-logp/README.md", "computed"));
}

WEIR_TESTS_COST("PaperPageTest.QuickRowsOfThePages", 17);

}  // namespace
}  // namespace weir::experiments::validation
