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
    // An interval smaller than the mean's last digit is not shown as nothing.
    EXPECT_EQ(interval_cell(12000.0, 0.25).text, "12000 ± 0.25");
    EXPECT_EQ(interval_cell(1.0, std::nullopt).text, "1");
    EXPECT_EQ(percent_cell(-27.94).text, "-27.9 %");
    EXPECT_FALSE(absent_cell().value);
}

}  // namespace
}  // namespace weir::experiments::records
