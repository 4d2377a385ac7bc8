#include "experiments/records/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::experiments::records {
namespace {

using ::testing::ElementsAre;

TEST(DocumentTest, FiguresAreNumberedAndNamedThroughAllSections) {
    Document document;
    Figure figure;
    LineChart chart;
    chart.title = "Cycles per iteration, over W = 0";
    figure.chart = chart;
    Section inner;
    inner.blocks.emplace_back(figure);
    Section section;
    chart.title = "µ";
    figure.chart = chart;
    section.blocks.emplace_back(figure);
    section.parts.push_back(inner);
    document.sections = {section};
    name_figures(document);
    std::vector<std::string> names;
    for (const Figure* each : figures_of(document)) {
        names.push_back(each->name);
    }
    EXPECT_THAT(names, ElementsAre("figure-01", "figure-02-cycles-per-iteration-over-w-0"));
}

TEST(DocumentTest, ChartsOfOneMetricAndSubjectShareTheirAxis) {
    const auto lines = [](const std::string& metric, const std::string& subject, double value) {
        LineChart chart;
        chart.y_name = metric;
        chart.axis.subject = subject;
        chart.curves = {{CurveKind::kMeasured, "measured", "", {{1, value, 2.0}}, false}};
        return chart;
    };
    PanelChart panels;
    panels.value_name = "cycles";
    panels.axis.subject = "em3d";
    panels.panels.emplace_back().points = {{0, 50, std::nullopt}};
    Document document;
    Section& section = document.sections.emplace_back();
    const auto add = [&section](const Chart& chart) {
        section.blocks.emplace_back(Figure{"", chart});
    };
    add(lines("cycles", "em3d", 1.0));
    add(panels);
    add(lines("cycles", "fft", 900.0));
    add(lines("bytes", "em3d", 900.0));
    share_value_axes(document);
    const std::vector<const Figure*> figures = figures_of(document);
    const auto& first = std::get<LineChart>(figures[0]->chart).axis.shared_range;
    const auto& second = std::get<PanelChart>(figures[1]->chart).axis.shared_range;
    ASSERT_TRUE(first && second);
    // Axes without negative values end at 0, although an interval ends at 1 - 2.
    EXPECT_EQ(first->least, 0.0);
    EXPECT_EQ(first->most, 50.0);
    EXPECT_EQ(second->most, 50.0);
    EXPECT_FALSE(std::get<LineChart>(figures[2]->chart).axis.shared_range);
    EXPECT_FALSE(std::get<LineChart>(figures[3]->chart).axis.shared_range);
}

TEST(DocumentTest, CellsShowFourDigitsAndHoldAll) {
    EXPECT_EQ(number_cell(438.25).text, "438.2");
    EXPECT_EQ(number_cell(438.25).value, 438.25);
    EXPECT_EQ(number_cell(0.0).text, "0");
    EXPECT_EQ(number_cell(123456.7).text, "123457");
    EXPECT_EQ(number_cell(2.5).text, "2.5");
    EXPECT_EQ(interval_cell(438.25, 1.02).text, "438.2 ± 1.0");
    EXPECT_EQ(interval_cell(2.0, 0.0).text, "2 ± 0");
    EXPECT_EQ(interval_cell(400.0, 2.5).text, "400 ± 2.5");
    EXPECT_EQ(interval_cell(400.0, 64.2).text, "400 ± 64");
    // An interval smaller than the mean's last digit is not shown as 0.
    EXPECT_EQ(interval_cell(12000.0, 0.25).text, "12000 ± 0.25");
    EXPECT_EQ(interval_cell(1.0, std::nullopt).text, "1");
    EXPECT_EQ(percent_cell(-27.94).text, "-27.9 %");
    EXPECT_FALSE(absent_cell().value);
}

}  // namespace
}  // namespace weir::experiments::records
