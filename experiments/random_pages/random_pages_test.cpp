// Pages of drawn machines keep the laws, and a planted fault shows that each law can be broken.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "experiments/random_pages/known_numbers.h"
#include "experiments/random_pages/page_campaign.h"
#include "experiments/random_pages/page_laws.h"

namespace weir::experiments::random_pages {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(RandomPagesTest, ADozenDrawsHoldAllLaws) {
    const PageCampaign campaign{
        .chosen = {.seed = 1,
                   .count = 12,
                   .workers = std::max(1U, std::thread::hardware_concurrency())},
        .html_every = 6};
    const PageCampaignReport report =
        run_page_campaign(campaign, [](std::uint64_t number, const PageReport& broken) {
            for (const PageViolation& violation : broken.violations) {
                ADD_FAILURE() << "draw " << number << ", " << violation.law << ": "
                              << violation.what << "\n"
                              << broken.files;
            }
        });
    EXPECT_EQ(report.draws, 12U);
    EXPECT_GT(report.ends.at("compared"), 0U) << report.summary();
    EXPECT_GT(report.ends.at("swept"), 0U) << report.summary();
    EXPECT_GT(report.sentences, 20U) << report.summary();
    // The law detects most changed digits.
    EXPECT_GT(10 * report.digits.seen, 7 * report.digits.changed) << report.summary();
}

/// A page that keeps all laws: two machines whose parts sum, and a sentence of each kind.
class PageLawTest : public testing::Test {
  protected:
    PageLawTest() {
        records::Table parts;
        parts.caption = "Parts";
        parts.columns = {records::text_column("part"), records::number_column("first"),
                         records::number_column("second"), records::number_column("change")};
        const auto row = [&parts](const char* name, double first, double second) {
            parts.rows.push_back({records::text_cell(name), records::number_cell(first),
                                  records::number_cell(second),
                                  records::interval_cell(second - first, 2.0)});
        };
        row("compute", 1604.0, 1604.0);
        row("wait", 7130.5, 4402.25);
        row("sum", 8734.5, 6006.25);
        records::declare_last_row_as_sum(parts, {1, 2, 3});

        records::StackedBars chart;
        chart.title = "parts";
        chart.group_name = "machine";
        chart.unit = "cycles";
        chart.parts = {{"compute", ""}, {"wait", ""}};
        chart.bars = {{"first", "", {1604.0, 7130.5}, 8734.5}};

        records::Table points;
        points.columns = {records::number_column("point"), records::number_column("seeds"),
                          records::number_column("cycles"), records::status_column()};
        points.rows = {
            {records::number_cell(1.0), records::number_cell(3.0),
             records::interval_cell(8734.5, 9.5), records::text_cell("ok")},
            {records::number_cell(2.0), records::number_cell(0.0), records::absent_cell(),
             records::text_cell("failed", records::TableCell::Mark::kBad)}};

        records::Section section;
        section.title = "Results";
        section.blocks = {std::move(parts), records::Figure{"", std::move(chart)},
                          std::move(points)};
        page_.title = "second against first";
        page_.sections = {std::move(section)};
        page_.findings = {{"",
                           {"cycles: 8734 with first, 6006 with second: -2728 ± 2 (-31.2 %); 1.454 "
                            "times; 1 of 2 points failed."}}};
        page_.findings.front().rankings = {{"least cycles",
                                            false,
                                            {{"second", 0, {6006.0, 6007.0}, {}},
                                             {"like it", 0, {6010.0, 6004.0}, {}},
                                             {"first", 1, {8734.0, 8735.0}, {}}}}};
    }

    /// First word of each broken law's name.
    [[nodiscard]] std::vector<std::string> broken() const {
        std::vector<std::string> names;
        for (const PageViolation& violation : broken_laws(page_)) {
            names.push_back(violation.law.substr(0, violation.law.find(' ')));
        }
        return names;
    }
    [[nodiscard]] std::string& sentence() { return page_.findings.front().sentences.front(); }
    template <class Content>
    [[nodiscard]] Content& block(std::size_t index) {
        return std::get<Content>(page_.sections.front().blocks[index]);
    }
    [[nodiscard]] records::StackedBars& bars() {
        return std::get<records::StackedBars>(block<records::Figure>(1).chart);
    }
    void replace(const std::string& what, const std::string& with) {
        sentence().replace(sentence().find(what), what.size(), with);
    }

    records::Document page_;
};

TEST_F(PageLawTest, ARightPageHoldsAll) { EXPECT_THAT(broken(), IsEmpty()); }

// The row of a part that only one machine has is left out of the sum.
TEST_F(PageLawTest, ARowThatIsMissingFromASumIsSeen) {
    block<records::Table>(0).rows[1][1].value = 0.0;
    block<records::Table>(0).rows[1][1].text = "0";
    EXPECT_THAT(broken(), ElementsAre("parts"));
}

TEST_F(PageLawTest, ABarWhosePartsAreOfAnotherQuantityIsSeen) {
    bars().bars.front().whole = 873.45;
    EXPECT_THAT(broken(), ElementsAre("parts"));
}

TEST_F(PageLawTest, APartBelowZeroIsSeen) {
    bars().bars.front().parts = {-1604.0, 7130.5 + 2 * 1604.0};
    EXPECT_THAT(broken(), ElementsAre("parts"));
}

TEST_F(PageLawTest, ANumberOfAnotherQuantityIsSeen) {
    replace("-2728", "-272.8");
    EXPECT_THAT(broken(), ElementsAre("sentences"));
}

TEST_F(PageLawTest, APercentageThatFollowsFromNoTwoNumbersIsSeen) {
    replace("-31.2", "-47.3");
    EXPECT_THAT(broken(), ElementsAre("sentences"));
}

TEST_F(PageLawTest, ARatioTheWrongWayRoundIsNot) {
    replace("1.454 times", "0.6876 times");
    EXPECT_THAT(broken(), IsEmpty());
    replace("0.6876 times", "0.7876 times");
    EXPECT_THAT(broken(), ElementsAre("sentences"));
}

TEST_F(PageLawTest, AnIntervalThatNoCellHasIsSeen) {
    replace("± 2 ", "± 4 ");
    EXPECT_THAT(broken(), ElementsAre("sentences"));
}

TEST_F(PageLawTest, ARankThatTheSeedsDoNotTellIsSeen) {
    page_.findings.front().rankings.front().entries[1].place = 1;
    EXPECT_THAT(broken(), ElementsAre("ranks"));
}

TEST_F(PageLawTest, ARankTheWrongWayRoundIsSeen) {
    page_.findings.front().rankings.front().is_most = true;
    std::swap(page_.findings.front().rankings.front().entries[0].place,
              page_.findings.front().rankings.front().entries[2].place);
    EXPECT_THAT(broken(), IsEmpty());
    page_.findings.front().rankings.front().is_most = false;
    EXPECT_THAT(broken(), ElementsAre("ranks"));
}

TEST_F(PageLawTest, AFailedPointThatIsCalledOkIsSeen) {
    block<records::Table>(2).rows[1][3] = records::text_cell("ok");
    EXPECT_THAT(broken(), ElementsAre("statuses"));
}

TEST_F(PageLawTest, ACellThatShowsAnotherNumberIsSeen) {
    block<records::Table>(2).rows[0][2].text = "8743 ± 9.5";
    EXPECT_THAT(broken(), ElementsAre("cells"));
}

TEST_F(PageLawTest, ChangedDigitsAreCounted) {
    const ChangedDigits digits = change_digits(page_);
    EXPECT_EQ(digits.changed, 5U);  // numbers with fewer than three digits are not changed
    EXPECT_EQ(digits.seen, 5U);
}

TEST(NumbersInTest, FindsNumbersWithWhatTheyAre) {
    const std::vector<ShownNumber> numbers =
        numbers_in("p50 of node_7: -24.4 ± 1.2 % at 30, below 0.3 %, 3 of 8 runs, 1.5e+06 more");
    ASSERT_EQ(numbers.size(), 7U);
    EXPECT_EQ(numbers[0].value, -24.4);
    EXPECT_TRUE(numbers[0].has_sign && numbers[0].is_percent);
    EXPECT_TRUE(numbers[1].is_half_width && numbers[1].is_percent);
    EXPECT_NEAR(numbers[1].rounding, 0.05, 1e-12);
    EXPECT_FALSE(numbers[2].is_percent);
    EXPECT_TRUE(numbers[3].is_bound);
    EXPECT_TRUE(numbers[4].is_count && numbers[5].is_count);
    EXPECT_EQ(numbers[6].value, 1.5e6);
    EXPECT_NEAR(numbers[6].rounding, 5e4, 1e-6);
    EXPECT_FALSE(numbers_in("+0.2 % at 671.5 to +0.2 % at 12.7").at(1).is_percent);
}

}  // namespace
}  // namespace weir::experiments::random_pages
