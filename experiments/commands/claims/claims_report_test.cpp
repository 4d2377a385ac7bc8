#include "experiments/commands/claims/claims_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "experiments/setup/text/wrapped_text.h"

namespace weir::experiments::commands {
namespace {

using ::testing::HasSubstr;

ClaimValue a_model() { return {AnswerOfModel{.model = "logp-fft", .output = "a"}, {}}; }

CheckedClaim published_row(double value, double ours) {
    CheckedClaim checked;
    checked.claim.name = "it";
    checked.claim.what = "cycles";
    checked.claim.source = "a paper";
    checked.claim.published = value;
    checked.claim.within = 0.0;
    checked.claim.ours = a_model();
    checked.ours = ours;
    return checked;
}

CheckedClaim bound(std::optional<double> least, std::optional<double> most, double ours) {
    CheckedClaim checked = published_row(0.0, ours);
    checked.claim.published.reset();
    checked.claim.within.reset();
    checked.claim.at_least = least;
    checked.claim.at_most = most;
    return checked;
}

TEST(ClaimsReportTest, AValueAtItsDistanceIsReproducedAndOnePastItDiffers) {
    CheckedClaim checked = published_row(100, 103);
    EXPECT_EQ(checked.status(), ClaimStatus::kDiffers);
    checked.claim.within = 3.0;
    EXPECT_EQ(checked.status(), ClaimStatus::kReproduced);
    checked.ours = 96.9;
    EXPECT_EQ(checked.status(), ClaimStatus::kDiffers);
    checked.claim.within.reset();
    checked.claim.tolerance = 0.04;
    EXPECT_EQ(checked.status(), ClaimStatus::kReproduced);
    checked.claim.published = -100;
    checked.ours = -95.9;
    EXPECT_EQ(checked.status(), ClaimStatus::kDiffers);
}

TEST(ClaimsReportTest, ABoundHoldsOnItselfToo) {
    EXPECT_EQ(bound(1.5, std::nullopt, 1.5).status(), ClaimStatus::kReproduced);
    EXPECT_EQ(bound(1.5, std::nullopt, 1.4).status(), ClaimStatus::kDiffers);
    EXPECT_EQ(bound(std::nullopt, 3, 3).status(), ClaimStatus::kReproduced);
    EXPECT_EQ(bound(std::nullopt, 3, 3.1).status(), ClaimStatus::kDiffers);
    EXPECT_EQ(bound(-3, 0, -4).status(), ClaimStatus::kDiffers);
    EXPECT_EQ(bound(-3, 0, 1).status(), ClaimStatus::kDiffers);
}

// What the file says is checked both ways.
TEST(ClaimsReportTest, ARowHoldsWhenTheFileSaysWhatTheComputationDoes) {
    CheckedClaim checked = published_row(100, 100);
    EXPECT_TRUE(checked.holds());
    checked.claim.status = ClaimStatus::kDiffers;
    EXPECT_FALSE(checked.holds());
    checked.ours = 101;
    EXPECT_TRUE(checked.holds());
    checked.claim.status = ClaimStatus::kReproduced;
    EXPECT_FALSE(checked.holds());
    CheckedClaim untold;
    untold.claim.status = ClaimStatus::kNotTestable;
    EXPECT_TRUE(untold.holds());
}

TEST(ClaimsReportTest, TheSummaryNamesTheRowsThatTurned) {
    CheckedClaim now_differs = published_row(100, 101);
    now_differs.claim.name = "first";
    now_differs.claim.place = {"claims.toml", 7, 8};
    CheckedClaim now_holds = published_row(100, 100);
    now_holds.claim.name = "second";
    now_holds.claim.status = ClaimStatus::kDiffers;
    now_holds.claim.place = {"claims.toml", 17, 8};
    EXPECT_EQ(claims_summary({now_differs, published_row(1, 1), now_holds}),
              "3 claims: 2 reproduced, 1 differ, 0 not testable\n"
              "claims.toml:7:8: first: the file says \"reproduced\", and ours is 101 where 100 is\n"
              "  published\n"
              "claims.toml:17:8: second: the file says \"differs\", and ours is 100 where 100 is\n"
              "  published\n");
    EXPECT_THAT(claims_page("", {now_differs}), HasSubstr("NOW DIFFERS"));
    EXPECT_THAT(claims_page("", {now_holds}), HasSubstr("NOW HOLDS"));
}

TEST(ClaimsReportTest, ARowShowsWhatBothAreAndHowFarApart) {
    CheckedClaim relative = published_row(486, 438.3028);
    relative.claim.within.reset();
    relative.claim.tolerance = 0.03;
    relative.claim.status = ClaimStatus::kDiffers;
    relative.claim.because = "of what is not said.";
    CheckedClaim other = bound(1.5, std::nullopt, 0.4481);
    other.claim.what = "naive remap by computation, of more words than go into a line";
    other.claim.status = ClaimStatus::kDiffers;
    other.claim.because = "of that.";
    EXPECT_EQ(claims_page("A title", {relative, other}),
              "A title\n"
              "                                     published      ours    off by\n"
              "a paper\n"
              "  cycles                                   486     438.3    -9.8 %  differs\n"
              "      by weir model logp-fft\n"
              "      because of what is not said.\n"
              "  naive remap by computation, of        >= 1.5    0.4481    -1.052  differs\n"
              "    more words than go into a line\n"
              "      by weir model logp-fft\n"
              "      because of that.\n"
              "\n");
}

TEST(ClaimsReportTest, LongTextsStayWithin80Columns) {
    CheckedClaim checked = published_row(1'234'567.25, -0.000123456);
    checked.claim.because = std::string(40, 'x') + " " + std::string(60, 'y') + " and so on";
    checked.claim.status = ClaimStatus::kDiffers;
    CheckedClaim untold;
    untold.claim.source = "a source with C² in it that is longer than a line of eighty columns is";
    untold.claim.what = "a claim";
    untold.claim.published_text = "some " + std::string(40, 'z') + " and what comes after it";
    untold.claim.because = "there is nothing to compare with";
    untold.claim.status = ClaimStatus::kNotTestable;
    std::istringstream lines(claims_page("", {checked, untold, bound(-1.2345, 123.45, 7)}));
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(setup::width_of(line), setup::kPageColumns) << line;
    }
}

TEST(ClaimsReportTest, TheDocumentHasExactNumbers) {
    CheckedClaim checked = published_row(486, 438.30281234);
    const nlohmann::ordered_json row = claims_document({checked}).at(0);
    EXPECT_EQ(row.dump(),
              R"({"name":"it","what":"cycles","source":"a paper","published":486.0,)"
              R"("within":0.0,"ours":438.30281234,"computed_by":["weir model logp-fft"],)"
              R"("status":"differs","declared":"reproduced","holds":false})");
}

}  // namespace
}  // namespace weir::experiments::commands
