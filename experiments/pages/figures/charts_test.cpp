#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "experiments/pages/figures/drawing.h"
#include "experiments/pages/figures/gnuplot.h"
#include "experiments/pages/html_page.h"
#include "experiments/pages/testing/browser.h"
#include "experiments/records/document.h"
#include "hw/testing/names.h"

namespace weir::experiments::pages {
namespace {

using records::Curve;
using records::CurveKind;
using records::DotChart;
using records::LineChart;
using records::NetworkUse;
using records::PanelChart;
using records::StackedBars;
using records::TornadoChart;

using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

LineChart small_chart() {
    LineChart chart;
    chart.title = "cycles \"over\" <hops> & 'more'";
    chart.x_name = "hop_cycles";
    chart.y_name = "cycles";
    chart.x_label = "hop_cycles {a}";
    chart.y_label = "cycles";
    chart.curves = {
        {CurveKind::kMeasured, "measured", "", {{1, 10, 0.5}, {2, 20, 1.0}}, false},
        {CurveKind::kModel, "lopc_rule_of_thumb", "", {{1, 11, {}}, {2, 19, {}}}, false},
        {CurveKind::kPublished, "published", "", {{2, 21, {}}}, false},
    };
    return chart;
}

/// A named figure of each kind.
records::Document every_chart() {
    records::Document document;
    document.title = "All";
    records::Section section;
    section.title = "All";
    const auto add = [&section](const records::Chart& chart) {
        section.blocks.emplace_back(records::Figure{"", chart});
    };
    add(small_chart());
    LineChart logarithmic = small_chart();
    logarithmic.x_is_logarithmic = logarithmic.y_is_logarithmic = true;
    logarithmic.curves[0].points.insert(logarithmic.curves[0].points.begin(), {0, 0, {}});
    for (Curve& curve : logarithmic.curves) {
        curve.series = "queue_bytes = 64";
    }
    logarithmic.curves.push_back(
        {CurveKind::kMeasured, "measured", "queue_bytes = 128", {{1, 3, {}}}, false});
    add(logarithmic);
    DotChart dots{"dots",
                  "caption",
                  "point",
                  "cycles",
                  "cycles",
                  false,
                  {"a_b", "c"},
                  {{CurveKind::kMeasured, "measured", {{0, 1.0, 0.1}, {1, 2.0, {}}}},
                   {CurveKind::kModel, "logp", {{0, 1.5, {}}}},
                   {CurveKind::kPublished, "published", {{1, 2.5, {}}}}}};
    add(dots);
    dots.as_bars = true;
    add(dots);
    StackedBars bars{
        "bars",
        "",
        "point",
        "cycles",
        "cycles",
        {{"send", ""}, {"wait", "#112233"}},
        {{"a", "measured", {1.0, 2.0}}, {"a", "lopc", {1.5, {}}}, {"b", "", {-1.0, 4.0}}}};
    add(bars);
    add(TornadoChart{
        "tornado",
        "",
        "%",
        {{"small", {{"1", 2.0, {}}}}, {"large", {{"1", -20.0, 1.0}, {"2", 30.0, {}}}}}});
    PanelChart panels{"panels", "", "cycles", "cycles", "mean", "average", {}};
    panels.panels = {
        {"a <b>",
         "x",
         {{1, "1"}, {2, "2"}},
         false,
         false,
         {{1, 9, 0.5}, {2, 8, 0.5}},
         {{1, 8, {}}, {2, 8, {}}}},
        {"c", "network", {{0, "mesh"}, {1, "torus"}}, false, true, {{0, 9, {}}, {1, 7, {}}}, {}}};
    add(panels);
    NetworkUse map{
        "map",
        "",
        {{"(0,0) +x", 0.5}, {"(1,0) -x", 0.25}, {"(0,0) +y", 0.1}, {"(0,1) -y", 0.0}},
        {{0, 1.0, 8, 0.5, 4}, {1, 2.0, 16, 0.5, 4}, {2, 0.0, 0, 0.0, 0}, {3, 0.0, 0, 0.0, 0}},
        0.0,
        0.0};
    add(map);
    map.channels = {{"switch 1 up", 0.5}, {"switch 1 down", 0.7}};
    add(map);
    document.sections.push_back(section);
    records::name_figures(document);
    return document;
}

// Steps with their points' intervals extend to the right edge; equal points are not joined.
TEST(ChartsTest, AFrontIsAStaircase) {
    LineChart chart = small_chart();
    chart.curves = {{CurveKind::kEqual, "equal", "", {{2, 19, 3.0}}, false},
                    {CurveKind::kFront, "Pareto front", "", {{1, 20, 2.0}, {3, 10, 1.0}}, false}};
    const std::string script = line_drawing(chart).script;
    EXPECT_THAT(script, Names("$curve_2 using 1:2:3:4", "yerrorbars", "pointtype 7"));
    EXPECT_THAT(script, Names("$curve_2 using 1:2", "steps"));
    EXPECT_THAT(script, HasSubstr("\n1 20 18 22\n3 10 9 11\n"));
    EXPECT_THAT(script, Names("arrow", "3,10", "nohead"));
    EXPECT_THAT(script, Names("$curve_1 using 1:2:3:4", "yerrorbars", "pointtype 6"));
}

TEST(ChartsTest, EveryKindIsDrawnInEveryFormat) {
    const records::Document document = every_chart();
    const std::filesystem::path folder = std::filesystem::temp_directory_path();
    const std::vector<const records::Figure*> figures = records::figures_of(document);
    ASSERT_EQ(figures.size(), 9U);
    for (const records::Figure* figure : figures) {
        const Drawing drawing = drawing_of(*figure);
        const std::string svg = svg_element(*figure, drawing);
        EXPECT_THAT(svg, HasSubstr("<path")) << figure->name;
        EXPECT_THAT(svg, HasSubstr("role=\"img\"")) << figure->name;
        EXPECT_THAT(svg, Not(HasSubstr("Gnuplot"))) << figure->name;
        for (const auto& [format, ending] :
             {std::pair{PictureFormat::kPdf, ".pdf"}, std::pair{PictureFormat::kPng, ".png"}}) {
            const std::filesystem::path path =
                folder / ("weir-chart-" + std::to_string(getpid()) + ending);
            draw(drawing, format, path.string());
            EXPECT_GT(std::filesystem::file_size(path), 1000U) << figure->name << ending;
            std::filesystem::remove(path);
        }
    }
}

// All figures on one page: their elements have different names.
TEST(ChartsTest, NamesInsideDoNotClash) {
    const std::string page = html_page(every_chart());
    static const std::regex kId("\\bid=['\"]([^'\"]+)['\"]");
    std::set<std::string> ids;
    for (std::sregex_iterator at(page.begin(), page.end(), kId), end; at != end; ++at) {
        EXPECT_TRUE(ids.insert((*at)[1]).second) << (*at)[1] << " is there twice";
    }
    EXPECT_GT(ids.size(), 50U);
}

TEST(ChartsTest, TextsOfUsersStayTexts) {
    const std::string page = html_page(every_chart());
    EXPECT_THAT(page, HasSubstr("cycles &quot;over&quot; &lt;hops&gt; &amp; 'more'"));
    EXPECT_THAT(page, Not(HasSubstr("<hops>")));
}

TEST(ChartsTest, LogarithmicAxesLeaveOutWhatIsNotAboveZero) {
    LineChart chart = small_chart();
    chart.y_is_logarithmic = true;
    chart.curves = {{CurveKind::kMeasured, "measured", "", {{1, 0, {}}}, false}};
    EXPECT_TRUE(chart.is_empty());
    chart.curves.front().points.push_back({2, 1, {}});
    EXPECT_FALSE(chart.is_empty());
    // Undrawn points stay in the data.
    EXPECT_EQ(line_drawing(chart).data.rows.size(), 2U);
}

TEST(ChartsTest, CurvesThatLookTheSameAreDrawnOnceWithAllNames) {
    LineChart chart = small_chart();
    chart.curves = {
        {CurveKind::kMeasured, "measured", "64 bytes", {{1, 10, {}}, {2, 100, {}}}, false},
        {CurveKind::kMeasured, "measured", "128 bytes", {{1, 10, {}}, {2, 100.1, {}}}, false},
        {CurveKind::kMeasured, "measured", "256 bytes", {{1, 10, {}}, {2, 102, {}}}, false}};
    const Drawing drawing = line_drawing(chart);
    EXPECT_THAT(drawing.script, HasSubstr("title \"64 bytes, 128 bytes ("));
    EXPECT_THAT(drawing.script, HasSubstr("title \"256 bytes\""));
    EXPECT_THAT(drawing.script, Not(HasSubstr("$curve_2")));
    EXPECT_EQ(drawing.data.rows.size(), 6U);
    chart.curves.push_back(chart.curves.front());
    EXPECT_THAT(line_drawing(chart).script, Names("title \"64 bytes", "2 more"));
}

TEST(ChartsTest, TicksStandAtTheMeasuredValues) {
    LineChart chart = small_chart();
    chart.x_is_logarithmic = true;
    chart.curves = {{CurveKind::kMeasured,
                     "measured",
                     "",
                     {{64, 1, {}}, {128, 2, {}}, {130, 2, {}}, {512, 3, {}}},
                     false}};
    // Labels of ticks that would overlap are left out; the ticks themselves stay.
    EXPECT_THAT(line_drawing(chart).script,
                HasSubstr("xtics (\"64\" 64, \"128\" 128, \"\" 130, \"512\" 512)"));
}

TEST(ChartsTest, AnAxisThatDoesNotStartAtZeroSaysSo) {
    LineChart chart = small_chart();
    EXPECT_THAT(line_drawing(chart).script, Not(HasSubstr("(axis ")));
    EXPECT_THAT(line_drawing(chart).script, HasSubstr("yrange [0:*]"));
    for (Curve& curve : chart.curves) {
        for (records::CurvePoint& point : curve.points) {
            point.y += 1000.0;
        }
    }
    EXPECT_THAT(line_drawing(chart).script, Names("cycles (axis", "0)"));
    PanelChart panels{"", "", "cycles", "cycles", "mean", "", {}};
    panels.panels = {{"", "x", {{1, "1"}, {2, "2"}}, false, false, {{1, 90, {}}, {2, 95, {}}}, {}},
                     {"", "y", {{1, "1"}, {2, "2"}}, false, false, {{1, 92, {}}, {2, 92, {}}}, {}}};
    EXPECT_THAT(drawing_of({"", panels}).script, HasSubstr("(axis "));
    panels.panels[1].points[0].y = 10;
    EXPECT_THAT(drawing_of({"", panels}).script, HasSubstr("yrange [0:"));
    EXPECT_THAT(drawing_of({"", panels}).script, Not(HasSubstr("(axis ")));
}

TEST(ChartsTest, TornadoesHaveTheWidestBarOnTop) {
    const Drawing drawing = tornado_drawing(
        {"",
         "",
         "",
         {{"small", {{"1", 2.0, {}}}}, {"large", {{"1", -20.0, {}}, {"2", 30.0, {}}}}}});
    EXPECT_EQ(std::get<std::string>(drawing.data.rows.front().front()), "large");
    EXPECT_EQ(std::get<double>(drawing.data.rows.front().back()), 50.0);
    EXPECT_EQ(std::get<double>(drawing.data.rows.back().back()), 2.0);
}

// 3 ± 5 cycles are drawn from 0 to 8; a change of 3 ± 5 % is drawn from -2.
TEST(ChartsTest, IntervalsOfWhatCannotBeNegativeEndAtZero) {
    LineChart lines = small_chart();
    lines.curves = {{CurveKind::kMeasured, "measured", "", {{1, 3, 5}, {2, 4, 1}}, false}};
    EXPECT_THAT(line_drawing(lines).script, HasSubstr("1 3 0 8\n2 4 3 5\n"));
    lines.axis.is_signed = true;
    EXPECT_THAT(line_drawing(lines).script, HasSubstr("1 3 -2 8\n"));
    DotChart bars{"",       "",    "point", "cycles",
                  "cycles", false, {"a"},   {{CurveKind::kMeasured, "measured", {{0, 3, 5}}}}};
    EXPECT_THAT(dot_drawing(bars).script, HasSubstr("3 1 0 8\n"));
    bars.as_bars = true;
    EXPECT_THAT(dot_drawing(bars).script, HasSubstr(" 3 0 8\n"));
    PanelChart panels{"", "", "cycles", "cycles", "mean", "", {}};
    panels.panels = {{"", "x", {{1, "1"}, {2, "2"}}, false, false, {{1, 3, 5}, {2, 4, 1}}, {}}};
    EXPECT_THAT(drawing_of({"", panels}).script, HasSubstr("1 3 0 8\n"));
    EXPECT_THAT(drawing_of({"", panels}).script, HasSubstr("yrange [0"));
}

TEST(ChartsTest, ALogarithmicAxisSaysSo) {
    LineChart chart = small_chart();
    EXPECT_THAT(line_drawing(chart).script, Not(HasSubstr("(logarithmic)")));
    chart.x_is_logarithmic = true;
    EXPECT_THAT(line_drawing(chart).script, HasSubstr("xlabel \"hop"));
    EXPECT_THAT(line_drawing(chart).script, HasSubstr(" (logarithmic)\""));
    PanelChart panels{"", "", "cycles", "cycles", "mean", "", {}};
    panels.panels = {{"", "x", {{1, "1"}, {2, "2"}}, true, false, {{1, 3, {}}, {2, 4, {}}}, {}}};
    EXPECT_THAT(drawing_of({"", panels}).script, HasSubstr("xlabel \"x (logarithmic)\""));
}

TEST(ChartsTest, CategoriesAreNotJoined) {
    PanelChart panels{"", "", "cycles", "cycles", "mean", "average", {}};
    panels.panels = {{"",
                      "x",
                      {{0, "mesh"}, {1, "torus"}},
                      false,
                      true,
                      {{0, 3, 1}, {1, 4, 1}},
                      {{0, 3, {}}, {1, 3, {}}}}};
    const std::string script = drawing_of({"", panels}).script;
    EXPECT_THAT(script, HasSubstr("yerrorbars"));
    EXPECT_THAT(script, Not(HasSubstr("lines ")));
    EXPECT_THAT(script, Not(HasSubstr("filledcurves")));
    panels.panels.front().has_categories = false;
    EXPECT_THAT(drawing_of({"", panels}).script, HasSubstr("linespoints"));
}

// Colour in the plot command with this title.
std::string colour_of(const std::string& script, const std::string& title) {
    const std::size_t at = script.find("title \"" + title + "\"");
    const std::size_t colour = script.rfind("rgb \"", at);
    return at == std::string::npos || colour == std::string::npos ? ""
                                                                  : script.substr(colour + 5, 7);
}

TEST(ChartsTest, AModelHasOneColourInAllCharts) {
    const auto curve = [](const std::string& model) {
        return Curve{CurveKind::kModel, model, "", {{1, 10, {}}, {2, 20, {}}}, false};
    };
    LineChart alone = small_chart();
    LineChart together = small_chart();
    alone.curves = {curve("logpc")};
    together.curves = {curve("logp"), curve("lopc"), curve("logpc"), curve("of my own")};
    together.curves[0].points[0].y = 11;
    together.curves[1].points[0].y = 12;
    together.curves[3].points[0].y = 13;
    const std::string script = line_drawing(together).script;
    const std::string colour = colour_of(script, "logpc");
    EXPECT_NE(colour, "");
    EXPECT_EQ(colour_of(line_drawing(alone).script, "logpc"), colour);
    DotChart dots{"",
                  "",
                  "point",
                  "cycles",
                  "cycles",
                  false,
                  {"a"},
                  {{CurveKind::kMeasured, "measured", {{0, 3, 5}}},
                   {CurveKind::kModel, "logpc", {{0, 2, {}}}}}};
    EXPECT_EQ(colour_of(dot_drawing(dots).script, "logpc"), colour);
    dots.as_bars = true;
    EXPECT_EQ(colour_of(dot_drawing(dots).script, "logpc"), colour);
    EXPECT_NE(colour_of(script, "of my own"), colour_of(script, "logp"));
}

TEST(ChartsTest, TitlesInAPictureAreNamesOfSeries) {
    const records::Document document = every_chart();
    for (const records::Figure* figure : records::figures_of(document)) {
        const std::string svg = svg_element(*figure, drawing_of(*figure));
        EXPECT_THAT(svg, HasSubstr("<title>")) << figure->name;
        EXPECT_THAT(svg, Not(HasSubstr("<title>gnuplot"))) << figure->name;
    }
    const std::string svg =
        svg_element(*records::figures_of(document).front(), line_drawing(small_chart()));
    EXPECT_THAT(svg, HasSubstr("<title>measured, 95 % interval</title>"));
    EXPECT_THAT(svg, HasSubstr("<title>measured</title>"));
}

TEST(ChartsTest, WhatGnuplotHasAgainstAScriptIsTold) {
    Drawing drawing;
    drawing.script = "plot nothing_known\n";
    EXPECT_THROW(static_cast<void>(svg_element({}, drawing)), GnuplotError);
}

}  // namespace
}  // namespace weir::experiments::pages
