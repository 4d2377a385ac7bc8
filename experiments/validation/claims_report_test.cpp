#include "experiments/validation/claims_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "experiments/setup/text/wrapped_text.h"
#include "hw/testing/names.h"

namespace weir::experiments::validation {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using weir::testing::Names;

ClaimValue a_model() { return {AnswerOfModel{.model = "logp-fft", .output = "a"}, {}}; }

CheckedClaim published_row(double value, double ours) {
    CheckedClaim checked;
    checked.claim.name = "it";
    checked.claim.what = "cycles";
    checked.claim.source = "a paper";
    checked.claim.evidence = Evidence::kFormula;
    checked.claim.published = value;
    checked.claim.within = 0.0;
    checked.claim.ours = a_model();
    checked.ours = ours;
    return checked;
}

// Row whose published number was measured on a real machine and is no input of the run.
CheckedClaim hardware_row(double value, double ours, std::optional<int> listed) {
    CheckedClaim checked = published_row(value, ours);
    checked.claim.evidence = Evidence::kPredicted;
    checked.claim.of = PublishedOf::kHardware;
    checked.claim.listed = listed;
    checked.claim.ours = ClaimValue{MetricOfRun{"a.toml", "a.toml", {}, "", "cycles"}, {}};
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

// A row holds only if its computed status is the status in the file.
TEST(ClaimsReportTest, ARowHoldsWhenTheFileSaysWhatTheComputationDoes) {
    CheckedClaim checked = published_row(100, 100);
    EXPECT_TRUE(checked.holds());
    checked.claim.status = ClaimStatus::kDiffers;
    EXPECT_FALSE(checked.holds());
    checked.ours = 101;
    EXPECT_TRUE(checked.holds());
    checked.claim.status = ClaimStatus::kReproduced;
    EXPECT_FALSE(checked.holds());
    CheckedClaim insignificant;
    insignificant.claim.status = ClaimStatus::kNotTestable;
    EXPECT_TRUE(insignificant.holds());
}

TEST(ClaimsReportTest, TheSummaryNamesTheRowsThatTurned) {
    CheckedClaim now_differs = published_row(100, 101);
    now_differs.claim.name = "first";
    now_differs.claim.place = {"claims.toml", 7, 8};
    CheckedClaim now_holds = published_row(100, 100);
    now_holds.claim.name = "second";
    now_holds.claim.status = ClaimStatus::kDiffers;
    now_holds.claim.place = {"claims.toml", 17, 8};
    EXPECT_THAT(claims_summary({now_differs, published_row(1, 1), now_holds}),
                Names("3 claims", "2", "1", "0", "formulas", "2", "1", "claims.toml:7:8", "first",
                      "\"reproduced\"", "101", "100", "claims.toml:17:8", "second", "\"differs\"",
                      "100", "100"));
    EXPECT_THAT(claims_page("", {now_differs}), HasSubstr("NOW DIFFERS"));
    EXPECT_THAT(claims_page("", {now_holds}), HasSubstr("NOW HOLDS"));
}

TEST(ClaimsReportTest, ARowShowsWhatBothAreAndHowFarApart) {
    CheckedClaim relative = published_row(486, 438.3028);
    relative.claim.within.reset();
    relative.claim.tolerance = 0.03;
    relative.claim.status = ClaimStatus::kDiffers;
    relative.claim.because = "of it.";
    CheckedClaim other = bound(1.5, std::nullopt, 0.4481);
    other.claim.what = "naive remap by computation, of more words than go into a line";
    other.claim.status = ClaimStatus::kDiffers;
    other.claim.because = "of that.";
    EXPECT_THAT(
        claims_page("A title", {relative, other}),
        AllOf(HasSubstr(
                  "  cycles                                   486     438.3    -9.8 %  differs\n"),
              HasSubstr(", of        >= 1.5    0.4481    -1.052  differs\n    more "),
              Names("A title", "Formulas", "published", "ours", "a paper", "486", "weir", "model",
                    "logp-fft", relative.claim.because, ">= 1.5", "weir", "model", "logp-fft",
                    other.claim.because)));
}

TEST(ClaimsReportTest, LongTextsStayWithin80Columns) {
    CheckedClaim checked = published_row(1'234'567.25, -0.000123456);
    checked.claim.because = std::string(40, 'x') + " " + std::string(60, 'y') + " more";
    checked.claim.status = ClaimStatus::kDiffers;
    CheckedClaim insignificant;
    insignificant.claim.source =
        "a source with C² in it that is longer than a line of eighty columns is";
    insignificant.claim.what = "a claim";
    insignificant.claim.published_text =
        "some " + std::string(40, 'z') + " and what comes after it";
    insignificant.claim.because = "nothing compares";
    insignificant.claim.status = ClaimStatus::kNotTestable;
    std::istringstream lines(claims_page("", {checked, insignificant, bound(-1.2345, 123.45, 7)}));
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(setup::width_of(line), setup::kPageColumns) << line;
    }
}

TEST(ClaimsReportTest, TheDocumentHasExactNumbers) {
    CheckedClaim checked = published_row(486, 438.30281234);
    nlohmann::ordered_json row = claims_document({checked}).at(0);
    EXPECT_THAT(row.at("computed_by").at(0).get<std::string>(), Names("weir", "model", "logp-fft"));
    row.erase("computed_by");
    EXPECT_EQ(row.dump(), R"({"name":"it","what":"cycles","source":"a paper","kind":"formula",)"
                          R"("published":486.0,)"
                          R"("within":0.0,"ours":438.30281234,)"
                          R"("status":"differs","declared":"reproduced","holds":false})");
}

TEST(ClaimsReportTest, WhatIsPredictedOfRealMachinesComesFirstAndIsCounted) {
    CheckedClaim predicted = hardware_row(100, 104, 1);
    predicted.band = Band{98, 104, 2};
    CheckedClaim far = hardware_row(100, 150, std::nullopt);
    far.band = Band{120, 150, 1};
    const std::string page = claims_page("", {published_row(8, 8), predicted, far});
    EXPECT_THAT(page, HasSubstr("of 1 listed rows: 0 within 3 %, 1 within 5 %, 1 within 10 %\n"));
    EXPECT_THAT(page,
                HasSubstr("of 1 decidable rows: 0 within 3 %, 1 within 5 %, 1 within 10 %\n"));
    EXPECT_THAT(page, Names("2 rows of real machines", "0", "3 %", "1", "5 %", "1", "10 %",
                            "1 inside", "1 outside", "0 closed", "Measured"));
    EXPECT_THAT(page, Names("band", "98", "104", "2", "inside"));
    EXPECT_THAT(page, Names("band", "120", "150", "1", "outside"));
    EXPECT_LT(page.find("Measured"), page.find("Formulas:"));
    EXPECT_THAT(claims_summary({published_row(8, 8), predicted, far}),
                AllOf(Names("predicted", "0 reproduced", "2 differ"),
                      Names("formulas", "1 reproduced", "0 differ")));
}

TEST(ClaimsReportTest, OffIsAShareOfWhatIsPublished) {
    EXPECT_DOUBLE_EQ(hardware_row(50, 53, 1).off(), 0.06);
    EXPECT_DOUBLE_EQ(hardware_row(-50, -53, 1).off(), 0.06);
    EXPECT_EQ(hardware_row(0, 0, 1).off(), 0.0);
    EXPECT_EQ(hardware_row(0, 4, 1).off(), 4.0);
    CheckedClaim percent = hardware_row(0, 4, 1);
    std::get<MetricOfRun>(percent.claim.ours->from).metric = "spread_percent";
    EXPECT_EQ(percent.off(), 0.04);
    EXPECT_EQ(bound(-3, 3, 2).off(), 0.1);
    EXPECT_EQ(bound(-3, 3, 4).off(), HUGE_VAL);
}

TEST(ClaimsReportTest, ThreePerCentAreWithinThreePerCent) {
    const std::vector<CheckedClaim> claims{hardware_row(100, 103, 1), hardware_row(100, 95, 2),
                                           hardware_row(100, 110, std::nullopt),
                                           hardware_row(100, 110.1, 4), published_row(1, 1)};
    const Nearness listed = nearness_of(claims, CountedRows::kListed);
    EXPECT_EQ(listed.rows, 3);
    EXPECT_EQ(listed.within_3_percent, 1);
    EXPECT_EQ(listed.within_5_percent, 2);
    EXPECT_EQ(listed.within_10_percent, 2);
    const Nearness all = nearness_of(claims, CountedRows::kHardware);
    EXPECT_EQ(all.rows, 4);
    EXPECT_EQ(all.within_10_percent, 3);
    EXPECT_EQ(counted_document(claims).at("listed").at("within_5_percent"), 2);
}

// A calibrated row, one without a printed number, an undecidable one that agrees, and two decidable
// ones. Closing rows takes them out of every number of agreeing rows.
TEST(ClaimsReportTest, ClosedRowsAreCountedAndNeverAgree) {
    CheckedClaim calibrated = hardware_row(100, 100, 1);
    calibrated.claim.evidence = Evidence::kCalibrated;
    calibrated.claim.of.reset();
    CheckedClaim unprinted = hardware_row(0, 0, 2);
    unprinted.claim.closed = "no number is printed";
    unprinted.claim.prints_no_number = true;
    CheckedClaim undecidable = hardware_row(100, 100, 3);
    undecidable.claim.closed = "the program is not published";
    const std::vector<CheckedClaim> claims{calibrated, unprinted, undecidable,
                                           hardware_row(100, 100, 4), hardware_row(100, 150, 5)};
    const auto counts = [&claims](CountedRows counted) {
        const Nearness nearness = nearness_of(claims, counted);
        return std::vector<int>{nearness.rows, nearness.within_3_percent, nearness.inside_band,
                                nearness.outside_band, nearness.closed};
    };
    EXPECT_EQ(counts(CountedRows::kListed), (std::vector<int>{5, 2, 2, 1, 2}));
    EXPECT_EQ(counts(CountedRows::kPredicted), (std::vector<int>{3, 1, 1, 1, 1}));
    EXPECT_EQ(counts(CountedRows::kDecidable), (std::vector<int>{2, 1, 1, 1, 0}));
    EXPECT_EQ(counted_document(claims).at("decidable").at("rows"), 2);
    const std::string page = claims_page("", claims);
    EXPECT_THAT(page, Names("5 listed", "3 listed predictions", "2 decidable", "Closed",
                            "no number is printed", "the program is not published", "Measured"));
    EXPECT_EQ(claims_document(claims).at(1).at("prints_no_number"), true);
    EXPECT_EQ(claims_document(claims).at(2).at("closed"), "the program is not published");
}

TEST(ClaimsReportTest, ADecidableRowOutsideItsBandNamesAMechanism) {
    CheckedClaim checked = hardware_row(100, 150, 1);
    checked.claim.status = ClaimStatus::kDiffers;
    EXPECT_TRUE(checked.is_sound());  // no hypothesis was run
    checked.band = Band{120, 150, 2};
    EXPECT_FALSE(checked.is_sound());
    EXPECT_THAT(claims_summary({checked}), Names("it", "100", "outside", "missing"));
    checked.claim.missing = "drift";
    EXPECT_TRUE(checked.is_sound());
    EXPECT_THAT(claims_page("", {checked}), Names("missing", "drift"));
    checked.claim.missing.clear();
    checked.claim.closed = "it cannot be decided";
    EXPECT_TRUE(checked.is_sound());
    checked.claim.closed.clear();
    checked.band = Band{90, 150, 2};
    EXPECT_TRUE(checked.is_sound());
}

TEST(ClaimsReportTest, APredictionThatItsInputsDecideIsRefused) {
    CheckedClaim checked = hardware_row(100, 100, 1);
    checked.claim.although = "of a reason";
    checked.claim.without = {"controller.load_cycles=0"};
    checked.without_inputs = 91;
    EXPECT_TRUE(checked.is_sound());
    checked.without_inputs = 89;
    EXPECT_FALSE(checked.is_sound());
    EXPECT_THAT(claims_summary({checked}),
                Names("it", "controller.load_cycles=0", "100", "89", "\"calibrated\""));
}

TEST(ClaimsReportTest, ABandHoldsABoundThatItReaches) {
    CheckedClaim checked = bound(-3, 3, 7);
    checked.band = Band{2.5, 9, 1};
    EXPECT_TRUE(checked.is_inside_band());
    checked.band = Band{3.5, 9, 1};
    EXPECT_FALSE(checked.is_inside_band());
    checked.claim.at_most.reset();
    EXPECT_TRUE(checked.is_inside_band());
}

}  // namespace
}  // namespace weir::experiments::validation
