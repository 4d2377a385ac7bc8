#include "experiments/pages/models/model_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "experiments/analyses/model_questions/model_shown.h"
#include "experiments/analyses/testing/fault_text.h"
#include "experiments/analyses/testing/workshop_model.h"
#include "experiments/pages/figures/drawing.h"
#include "hw/testing/names.h"
#include "hw/testing/test_folder.h"

namespace weir::experiments::pages {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;
using weir::testing::Names;

/// Model with more inputs than fit below a picture's title.
class ManyInputsModel final : public models::Model {
  public:
    ManyInputsModel() : Model("many", "Many inputs", "Nobody (1999), section 5") {
        input(work_cycles_, "work_cycles", "W", "Work");
        for (std::size_t i = 0; i < others_.size(); ++i) {
            input(others_[i], "input_of_a_long_name_" + std::to_string(i), "", "Nothing");
        }
        input(last_, "input_that_comes_last", "", "Nothing");
        output(work_cycles_, "turn_cycles", "R", "One turn");
    }

  private:
    void evaluate() override {}

    double work_cycles_ = models::kNotGiven;
    std::vector<double> others_ = std::vector<double>(12, 0.5);
    double last_ = 0.5;
};

class ModelPlotTest : public ::testing::Test {
  protected:
    ModelPlotTest() { inputs_.set("customers=3"); }

    [[nodiscard]] std::string path(const std::string& name) const { return folder_.path() / name; }
    [[nodiscard]] std::ptrdiff_t files() const {
        return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
    }
    [[nodiscard]] std::string text_of(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(path(name)).rdbuf();
        return text.str();
    }

    /// Draws the sweep of these options, and reads the picture's texts.
    struct Drawn {
        std::vector<records::LineChart> charts;
        std::string summary;
    };
    Drawn drawn(const std::string& file, const std::vector<std::string>& options,
                const std::vector<std::string>& shown) {
        std::vector<analyses::SweepAxis> axes;
        for (const std::string& option : options) {
            axes.push_back(analyses::parse_sweep_option(option, inputs_));
        }
        const auto outputs = analyses::shown_in_sweep(model_, shown);
        const ModelPlot plot(path(file), axes, outputs, !shown.empty());
        const analyses::ModelSweep sweep = analyses::solve_sweep(model_, axes, outputs);
        draw(plot.drawing(sweep, inputs_), plot.format(), path(file));
        return {plot.charts(sweep), plot.summary()};
    }
    /// Lines below the title.
    [[nodiscard]] std::vector<std::string> small_lines() const {
        const std::vector<analyses::SweepAxis> axes = {
            analyses::parse_sweep_option("work_cycles=0,1", inputs_)};
        return fixed_inputs({&model_, axes, {}, {}}, inputs_);
    }

    analyses::WorkshopModel model_;
    analyses::ModelInputs inputs_{model_};

  private:
    hw::testing::TestFolder folder_;
};

TEST_F(ModelPlotTest, DrawsEachKindOfFile) {
    inputs_.set("handler_cycles=100");
    for (const auto& [name, first_bytes] :
         {std::pair("a.svg", "<?xml"), std::pair("a.png", "\x89PNG"),
          std::pair("it's a.pdf", "%PDF")}) {
        drawn(name, {"work_cycles=0:900:100"}, {});
        EXPECT_THAT(text_of(name), StartsWith(first_bytes)) << name;
    }
    EXPECT_EQ(files(), 3);
}

TEST_F(ModelPlotTest, NamesAxesWithSymbolAndUnit) {
    inputs_.set("handler_cycles=100");
    const Drawn drawing = drawn("a.svg", {"work_cycles=0:900:100"}, {"turn_cycles"});
    ASSERT_EQ(drawing.charts.size(), 1U);
    EXPECT_EQ(drawing.charts[0].x_label, "work_cycles (W), cycles");
    EXPECT_EQ(drawing.charts[0].y_label, "turn_cycles (R), cycles");
    EXPECT_THAT(
        text_of("a.svg"),
        AllOf(HasSubstr("work_cycles (W), cycles"), HasSubstr("turn_cycles (R), cycles"),
              HasSubstr("workshop: Customers of a workshop"), HasSubstr("handler_cycles 100")));
}

TEST_F(ModelPlotTest, NamesGivenInputsBeforeDefaults) {
    inputs_.set("shares=[0.1, 0.2]");
    inputs_.set("handler_cycles=100");
    EXPECT_THAT(small_lines(),
                ElementsAre(Names("customers 3", "handler_cycles 100", "shares [0.1, 0.2]",
                                  "handler_squared_cv 0", "gap_cycles_per_byte 0.5", "beside",
                                  "false", "order", "first_come")));
    inputs_.set("shares=[0.11, 0.12, 0.13, 0.14, 0.15, 0.16]");
    EXPECT_THAT(small_lines().front(), Names("shares", "6"));
}

TEST_F(ModelPlotTest, KeepsGivenInputsWhereDefaultsDoNotFit) {
    ManyInputsModel model;
    analyses::ModelInputs inputs(model);
    inputs.set("input_that_comes_last=7");
    const std::vector<analyses::SweepAxis> axes = {
        analyses::parse_sweep_option("work_cycles=1,2", inputs)};
    EXPECT_THAT(fixed_inputs({&model, axes, {}, {}}, inputs),
                ElementsAre(StartsWith("input_that_comes_last 7, input_of_a"), Names("others")));
}

TEST_F(ModelPlotTest, DrawsTheOutputsOfTheFirstsUnitUnlessOthersAreNamed) {
    inputs_.set("handler_cycles=100");
    const Drawn all = drawn("a.svg", {"work_cycles=0:900:100"}, {});
    ASSERT_EQ(all.charts.size(), 1U);
    EXPECT_EQ(all.charts[0].y_label, "cycles");
    ASSERT_EQ(all.charts[0].curves.size(), 3U);
    EXPECT_EQ(all.charts[0].curves[1].who, "visit_cycles (R_o)");
    EXPECT_THAT(all.summary,
                EndsWith("/a.svg shows turn_cycles, visit_cycles, spare_cycles (others: "
                         "--show NAME,NAME)"));
    const Drawn two = drawn("b.svg", {"work_cycles=0:900:100"}, {"turn_cycles", "utilization"});
    ASSERT_EQ(two.charts.size(), 2U);
    EXPECT_EQ(two.charts[1].y_label, "utilization (U)");
    EXPECT_THAT(two.summary, EndsWith("/b.svg shows turn_cycles, utilization"));
    EXPECT_THAT(text_of("b.svg"),
                AllOf(HasSubstr("turn_cycles (R), cycles"), HasSubstr("utilization (U)")));
}

/// Model with numbers of several kinds, none of which has a unit.
class KindsModel final : public models::Model {
  public:
    KindsModel() : Model("kinds", "Numbers without units", "Assumed (1999), section 5") {
        input(work_cycles_, "work_cycles", "W", "Work");
        output(work_cycles_, "best_servers", "", "Servers");
        output(work_cycles_, "servers_used", "", "Servers");
        output(work_cycles_, "requests_at_server", "", "Requests");
        output(work_cycles_, "server_utilization", "", "Utilization");
        output(work_cycles_, "contention_fraction", "", "Share");
    }

  private:
    void evaluate() override {}

    double work_cycles_ = models::kNotGiven;
};

TEST_F(ModelPlotTest, EachKindOfQuantityHasAPanel) {
    KindsModel model;
    analyses::ModelInputs inputs(model);
    const std::vector<analyses::SweepAxis> axes = {
        analyses::parse_sweep_option("work_cycles=1,2,99", inputs)};
    const std::vector<const models::Output*> outputs(model.outputs().begin(),
                                                     model.outputs().end());
    const ModelPlot plot(path("a.svg"), axes, outputs, true);
    const auto charts = plot.charts(analyses::solve_sweep(model, axes, outputs));
    ASSERT_EQ(charts.size(), 3U);
    EXPECT_EQ(charts[0].y_label, "servers");
    EXPECT_EQ(charts[0].curves.size(), 2U);
    EXPECT_EQ(charts[1].y_label, "requests_at_server");
    EXPECT_EQ(charts[2].y_label, "share");
    EXPECT_EQ(charts[2].curves.size(), 2U);
    EXPECT_FALSE(charts[2].y_is_logarithmic);
    // Panels with logarithmic and linear axes, in any order.
    std::vector<records::LineChart> mixed{charts[0], charts[1], charts[2]};
    mixed[1].y_is_logarithmic = true;
    draw(panels("Mixed", {}, mixed), PictureFormat::kSvg, path("mixed.svg"));
    EXPECT_EQ(files(), 1);
    EXPECT_THAT(ModelPlot(path("a.svg"), axes, outputs, false).summary(),
                Names("best_servers", "servers_used", "--show"));
}

TEST_F(ModelPlotTest, AWideRangeHasALogarithmicAxisUnlessALinearOneIsNamed) {
    inputs_.set("handler_cycles=5");
    const auto outputs = analyses::shown_in_sweep(model_, {"turn_cycles"});
    const auto is_logarithmic = [&](const char* work, YAxis axis) {
        const std::vector<analyses::SweepAxis> swept = {
            analyses::parse_sweep_option(std::string("work_cycles=") + work, inputs_)};
        const ModelPlot plot(path("a.svg"), swept, outputs, true, axis);
        return plot.charts(analyses::solve_sweep(model_, swept, outputs)).front().y_is_logarithmic;
    };
    // Turns take 5 cycles more than the work.
    EXPECT_TRUE(is_logarithmic("0,495", YAxis::kChosen));
    EXPECT_FALSE(is_logarithmic("0,494", YAxis::kChosen));
    EXPECT_FALSE(is_logarithmic("0,495", YAxis::kLinear));
    EXPECT_TRUE(is_logarithmic("0,1", YAxis::kLogarithmic));
    inputs_.set("handler_cycles=0");
    EXPECT_FALSE(is_logarithmic("0,495", YAxis::kChosen)) << "0 is on no logarithmic axis";
}

TEST_F(ModelPlotTest, DrawsALineForEachValueOfTheOtherAxes) {
    const Drawn drawing =
        drawn("a.svg", {"work_cycles=1:100:x10", "handler_cycles=5,10"}, {"turn_cycles"});
    ASSERT_EQ(drawing.charts.size(), 1U);
    const std::vector<records::Curve>& curves = drawing.charts[0].curves;
    ASSERT_EQ(curves.size(), 2U);
    const auto values = [](const records::Curve& curve) {
        std::vector<std::pair<double, double>> pairs;
        for (const records::CurvePoint& point : curve.points) {
            pairs.emplace_back(point.x, point.y);
        }
        return pairs;
    };
    EXPECT_THAT(values(curves[0]), ElementsAre(Pair(1, 6), Pair(10, 15), Pair(100, 105)));
    EXPECT_THAT(values(curves[1]), ElementsAre(Pair(1, 11), Pair(10, 20), Pair(100, 110)));
    EXPECT_EQ(curves[0].series, "S_o = 5");
    EXPECT_EQ(curves[1].series, "S_o = 10");
    EXPECT_TRUE(drawing.charts[0].x_is_logarithmic);
    EXPECT_THAT(text_of("a.svg"), AllOf(HasSubstr("S_o = 5"), HasSubstr("S_o = 10")));
}

TEST_F(ModelPlotTest, LeavesAGapWhereThereIsNoSolution) {
    inputs_.set("handler_cycles=1");
    const Drawn drawing = drawn("a.svg", {"work_cycles=1,1000,3"}, {"turn_cycles"});
    const std::vector<records::CurvePoint>& points = drawing.charts.at(0).curves.at(0).points;
    ASSERT_EQ(points.size(), 3U);
    EXPECT_EQ(points[0].y, 2);
    EXPECT_TRUE(std::isnan(points[1].y));
    EXPECT_EQ(points[2].y, 4);
    EXPECT_THAT(line_drawing(drawing.charts[0]).script, HasSubstr("\n1 2 2 2\n\n3 4 4 4\n"));
}

TEST_F(ModelPlotTest, DrawsOnePointAndConstants) {
    inputs_.set("handler_cycles=0");
    drawn("a.svg", {"work_cycles=7"}, {"utilization"});
    drawn("b.svg", {"work_cycles=0:7:1"}, {"visit_cycles"});
    EXPECT_EQ(files(), 2);
}

TEST_F(ModelPlotTest, SaysWhenThereIsNothingToDraw) {
    inputs_.set("handler_cycles=0");
    EXPECT_THAT(analyses::fault_of([&] { drawn("a.svg", {"work_cycles=7"}, {"spare_cycles"}); }),
                Names("a.svg", "value"));
    EXPECT_EQ(files(), 0);
}

TEST_F(ModelPlotTest, RefusesBeforeSolving) {
    inputs_.set("handler_cycles=1");
    const std::vector<analyses::SweepAxis> axes = {
        analyses::parse_sweep_option("work_cycles=1,2", inputs_),
        analyses::parse_sweep_option("handler_squared_cv=0:2:0.1", inputs_)};
    const auto outputs = analyses::shown_in_sweep(model_, {});
    EXPECT_THAT(analyses::fault_of([&] { const ModelPlot plot("a.jpg", axes, outputs, false); }),
                Names("--plot a.jpg", ".svg", ".png", ".pdf"));
    EXPECT_THAT(analyses::fault_of([&] { const ModelPlot plot("a.png", {}, outputs, false); }),
                Names("--plot a.png", "--plot", "--sweep"));
    EXPECT_THAT(analyses::fault_of([&] { const ModelPlot plot("a.png", axes, outputs, false); }),
                Names("--plot a.png", "63", "24", "--show"));
}

}  // namespace
}  // namespace weir::experiments::pages
