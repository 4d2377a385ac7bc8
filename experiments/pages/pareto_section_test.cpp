#include "experiments/pages/pareto_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/pages/text_page.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/text/wrapped_text.h"
#include "hw/testing/names.h"

namespace weir::experiments::pages {
namespace {

using ::testing::HasSubstr;
using weir::testing::Names;

/// Points 1, 2, ... with a cost and a metric each.
records::SweepResult priced_sweep(const std::vector<std::pair<double, double>>& points) {
    records::SweepResult sweep;
    sweep.names = {{"network.hop_cycles", "hop_cycles", 1, "hop_cycles"}};
    sweep.costs = {{"cost.network", "copies * 8"}, {"cost", "the sum"}};
    for (const auto& [cost, value] : points) {
        records::StoredPoint point;
        point.number = static_cast<std::int64_t>(sweep.points.size()) + 1;
        point.main_metric = "cycles_per_iteration";
        point.values = {std::to_string(*point.number)};
        point.swept = {*point.number};
        point.runs = {{*point.number, 1, "ok", 0, false, "", ""}};
        point.costs = {cost, cost};
        sweep.metrics["cycles_per_iteration"].emplace(*point.number, value);
        sweep.metrics["bandwidth_bytes_per_cycle"].emplace(*point.number, value);
        sweep.points.push_back(point);
    }
    return sweep;
}

TEST(ParetoSectionTest, HasThePointsThatNoneBeats) {
    const records::SweepResult sweep = priced_sweep({{4, 10}, {1, 50}, {2, 20}, {3, 30}});
    const auto section =
        pareto_section(SweepValues(sweep), std::vector<std::string>{"cycles_per_iteration"});
    ASSERT_TRUE(section);
    const std::string text = text_section(*section);
    EXPECT_THAT(text, Names("Pareto", setup::spaced_name("cycles_per_iteration"), "cost"));
    EXPECT_THAT(text, HasSubstr("3 of 4 points"));
    const auto& table = std::get<records::Table>(section->blocks.back());
    ASSERT_EQ(table.rows.size(), 3U);
    EXPECT_EQ(table.rows[0][1].text, "2");  // hop_cycles
    EXPECT_EQ(table.rows[1][1].text, "3");
    EXPECT_EQ(table.rows[2][1].text, "1");
    const auto& chart =
        std::get<records::LineChart>(std::get<records::Figure>(section->blocks.front()).chart);
    ASSERT_EQ(chart.curves.size(), 2U);
    EXPECT_EQ(chart.curves[0].points.size(), 1U);
    EXPECT_EQ(chart.curves[1].points.front().x, 1.0);
}

TEST(ParetoSectionTest, MoreIsBetterOfWhatIsDoneInATime) {
    const records::SweepResult sweep = priced_sweep({{1, 10}, {2, 20}, {3, 15}});
    const auto section =
        pareto_section(SweepValues(sweep), std::vector<std::string>{"bandwidth_bytes_per_cycle"});
    ASSERT_TRUE(section);
    EXPECT_THAT(text_section(*section), HasSubstr("2 of 3 points"));
}

// A search leaves points with few seeds, whose values may be low for all points.
TEST(ParetoSectionTest, PointsAreComparedOverTheSeedsThatBothHave) {
    records::SweepResult sweep = priced_sweep({{1, 20}, {2, 14}});
    records::StoredPoint& cheap = sweep.points.front();
    cheap.runs.push_back({10, 2, "ok", 0, false, "", ""});
    sweep.points.back().runs = {{2, 2, "ok", 0, false, "", ""}};
    // The mean becomes 16; with seed 2 alone it is 12.
    sweep.metrics["cycles_per_iteration"][10] = 12;
    const auto section =
        pareto_section(SweepValues(sweep), std::vector<std::string>{"cycles_per_iteration"});
    ASSERT_TRUE(section);
    EXPECT_THAT(text_section(*section), HasSubstr("1 of 2 points"));
}

// Three seeds each. Paired differences of the second point from the first are -1, +1 and -1: not
// significant. The third differs by -10.
TEST(ParetoSectionTest, WhatTheRunsDoNotTellApartIsEqual) {
    records::SweepResult sweep = priced_sweep({{1, 0}, {2, 0}, {3, 0}, {3, 0}});
    const std::vector<std::vector<double>> values{
        {100, 102, 104}, {99, 103, 103}, {90, 92, 94}, {95, 97, 99}};
    auto& metric = sweep.metrics["cycles_per_iteration"];
    metric.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
        sweep.points[i].runs.clear();
        for (std::size_t seed = 0; seed < values[i].size(); ++seed) {
            const auto run = static_cast<std::int64_t>(10 * i + seed);
            sweep.points[i].runs.push_back({run, seed + 1, "ok", 0, false, "", ""});
            metric[run] = values[i][seed];
        }
    }
    const auto section =
        pareto_section(SweepValues(sweep), std::vector<std::string>{"cycles_per_iteration"});
    ASSERT_TRUE(section);
    const auto& table = std::get<records::Table>(section->blocks.back());
    EXPECT_THAT(table.caption, Names("2 of 4 points", "1 more"));
    ASSERT_EQ(table.rows.size(), 3U);
    const auto column = [&table](std::size_t row, const std::string& name) {
        const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                        [&name](const auto& each) { return each.name == name; });
        return table.rows[row][static_cast<std::size_t>(found - table.columns.begin())].text;
    };
    EXPECT_EQ(column(0, "front"), "step");
    EXPECT_EQ(column(0, "equal to"), "2");
    EXPECT_EQ(column(1, "front"), "equal");
    EXPECT_EQ(column(1, "equal to"), "1");
    EXPECT_EQ(column(2, "front"), "step");
    EXPECT_EQ(column(2, "equal to"), "–");
    const auto& chart =
        std::get<records::LineChart>(std::get<records::Figure>(section->blocks.front()).chart);
    ASSERT_EQ(chart.curves.size(), 3U);
    EXPECT_EQ(chart.curves[0].points.front().x,
              3.0);  // equal to a point of the front, but dominated by the third
    EXPECT_EQ(chart.curves[1].kind, records::CurveKind::kEqual);
    EXPECT_EQ(chart.curves[1].points.front().x, 2.0);
    EXPECT_EQ(chart.curves[2].kind, records::CurveKind::kFront);
    ASSERT_EQ(chart.curves[2].points.size(), 2U);
    EXPECT_EQ(chart.curves[2].points.back().x, 3.0);
}

TEST(ParetoSectionTest, WhatIsLeftOutIsCounted) {
    records::SweepResult sweep = priced_sweep({{1, 10}, {2, 20}});
    sweep.metrics["cycles_per_iteration"].erase(2);
    const auto section =
        pareto_section(SweepValues(sweep), std::vector<std::string>{"cycles_per_iteration"});
    ASSERT_TRUE(section);
    EXPECT_THAT(std::get<records::Table>(section->blocks.back()).caption,
                Names("1 point", "cost", "metric"));
}

TEST(ParetoSectionTest, WithoutPricesThereIsNone) {
    records::SweepResult sweep = priced_sweep({{1, 10}, {2, 20}});
    sweep.costs.clear();
    EXPECT_FALSE(pareto_section(SweepValues(sweep), std::vector<std::string>{}));
}

}  // namespace
}  // namespace weir::experiments::pages
