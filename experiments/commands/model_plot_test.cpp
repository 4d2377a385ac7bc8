#include "experiments/commands/model_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "experiments/commands/model_shown.h"
#include "experiments/commands/testing/fault_text.h"
#include "experiments/commands/testing/workshop_model.h"

namespace weir::experiments::commands {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// More inputs than stand below a picture's title.
class ManyInputsModel final : public models::Model {
  public:
    ManyInputsModel() : Model("many", "Many inputs", "Nobody (1999), section 5") {
        for (int i = 0; i < 12; ++i) {
            others_.push_back(std::make_unique<models::QuantityInput>(
                *this, "input_of_a_long_name_" + std::to_string(i), "", "", "Nothing",
                models::Limits{}, 0.5));
        }
        last_ = std::make_unique<models::QuantityInput>(*this, "input_that_comes_last", "", "",
                                                        "Nothing", models::Limits{}, 0.5);
    }

    models::QuantityInput work_cycles{*this, "work_cycles", "W", "cycles", "Work"};
    models::Output turn_cycles{*this, "turn_cycles", "R", "cycles", "One turn"};

  private:
    void evaluate() override { turn_cycles = work_cycles.value(); }

    std::vector<std::unique_ptr<models::QuantityInput>> others_;
    std::unique_ptr<models::QuantityInput> last_;
};

class ModelPlotTest : public testing::Test {
  protected:
    ModelPlotTest() {
        std::string name = (fs::temp_directory_path() / "weir_plot_XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            throw std::runtime_error("no temporary folder");
        }
        folder_ = name;
        inputs_.set("customers=3");
    }
    ~ModelPlotTest() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
    [[nodiscard]] std::ptrdiff_t files() const {
        return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
    }
    [[nodiscard]] std::string text_of(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(path(name)).rdbuf();
        return text.str();
    }

    /// Draws the sweep of these options; what there is to read of the picture.
    struct Drawn {
        std::string script;
        std::string summary;
    };
    Drawn drawn(const std::string& file, const std::vector<std::string>& options,
                const std::vector<std::string>& shown) {
        std::vector<SweepAxis> axes;
        for (const std::string& option : options) {
            axes.push_back(parse_sweep_option(option, inputs_));
        }
        const auto outputs = shown_in_sweep(model_, shown);
        const ModelPlot plot(path(file), axes, outputs, !shown.empty());
        const ModelSweep sweep = solve_sweep(model_, axes, outputs);
        plot.draw(sweep, inputs_);
        return {plot.script(sweep, inputs_, "picture"), plot.summary()};
    }

    WorkshopModel model_;
    ModelInputs inputs_{model_};

  private:
    fs::path folder_;
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
    const std::string script = drawn("a.svg", {"work_cycles=0:900:100"}, {"turn_cycles"}).script;
    EXPECT_THAT(script, HasSubstr(R"(set xlabel "work\\_cycles (W), cycles")"));
    EXPECT_THAT(script, HasSubstr(R"(set ylabel "turn\\_cycles (R), cycles")"));
    EXPECT_THAT(script, HasSubstr("notitle"));
    EXPECT_THAT(script, HasSubstr(R"(title "workshop: Customers of a workshop\n)"));
    EXPECT_THAT(script, HasSubstr(R"(handler\\_cycles 100)"));
    const std::string picture = text_of("a.svg");
    EXPECT_THAT(picture, HasSubstr("work_cycles (W), cycles"));
    EXPECT_THAT(picture, HasSubstr("turn_cycles (R), cycles"));
}

TEST_F(ModelPlotTest, NamesGivenInputsBeforeDefaults) {
    inputs_.set("shares=[0.1, 0.2]");
    inputs_.set("handler_cycles=100");
    EXPECT_THAT(drawn("a.svg", {"work_cycles=0:900:100"}, {"turn_cycles"}).script,
                HasSubstr(R"(Customers of a workshop\n{/*0.8 customers 3, handler\\_cycles 100, )"
                          R"(shares [0.1, 0.2], handler\\_squared\\_cv 0, )"
                          R"(gap\\_cycles\\_per\\_byte 0.5, beside false, )"
                          R"(order first\\_come}\n ")"));
    inputs_.set("shares=[0.11, 0.12, 0.13, 0.14, 0.15, 0.16]");
    EXPECT_THAT(drawn("a.svg", {"work_cycles=0:900:100"}, {"turn_cycles"}).script,
                HasSubstr("shares of 6 numbers"));
}

TEST_F(ModelPlotTest, KeepsGivenInputsWhereDefaultsDoNotFit) {
    ManyInputsModel model;
    ModelInputs inputs(model);
    inputs.set("input_that_comes_last=7");
    const std::vector<SweepAxis> axes = {parse_sweep_option("work_cycles=1,2", inputs)};
    const ModelPlot plot("a.svg", axes, {&model.turn_cycles}, false);
    const std::string script =
        plot.script(solve_sweep(model, axes, {&model.turn_cycles}), inputs, "picture");
    EXPECT_THAT(script, HasSubstr(R"({/*0.8 input\\_that\\_comes\\_last 7, input\\_of\\_a)"));
    // Two lines, in small letters.
    EXPECT_EQ(script.find("{/*0.8 ", script.find("{/*0.8 ") + 1), script.rfind("{/*0.8 "));
    EXPECT_NE(script.find("{/*0.8 "), script.rfind("{/*0.8 "));
    EXPECT_THAT(script, HasSubstr(", others at their defaults}\\n \"\n"));
}

TEST_F(ModelPlotTest, KeyStandsAboveThePanel) {
    inputs_.set("handler_cycles=100");
    EXPECT_THAT(drawn("a.svg", {"work_cycles=0:900:100"}, {"turn_cycles"}).script,
                HasSubstr("\nset key above left horizontal "));
}

TEST_F(ModelPlotTest, DrawsTheOutputsOfTheFirstsUnitUnlessOthersAreNamed) {
    inputs_.set("handler_cycles=100");
    const Drawn all = drawn("a.svg", {"work_cycles=0:900:100"}, {});
    EXPECT_THAT(all.script, HasSubstr("set multiplot layout 1,1"));
    EXPECT_THAT(all.script, HasSubstr(R"(set ylabel "cycles")"));
    EXPECT_THAT(all.script, HasSubstr(R"x(title "visit\\_cycles (R_{o})")x"));
    EXPECT_THAT(all.script, Not(HasSubstr("utilization")));
    EXPECT_THAT(all.summary, EndsWith("/a.svg shows turn_cycles, visit_cycles, spare (others: "
                                      "--show NAME,NAME)"));
    const Drawn two = drawn("b.svg", {"work_cycles=0:900:100"}, {"turn_cycles", "utilization"});
    EXPECT_THAT(two.script, HasSubstr("set multiplot layout 2,1"));
    EXPECT_THAT(two.script, HasSubstr("set ylabel \"utilization (U)\""));
    EXPECT_THAT(two.summary, EndsWith("/b.svg shows turn_cycles, utilization"));
}

TEST_F(ModelPlotTest, DrawsALineForEachValueOfTheOtherAxes) {
    const std::string script =
        drawn("a.svg", {"work_cycles=1:100:x10", "handler_cycles=5,10"}, {"turn_cycles"}).script;
    EXPECT_THAT(script, HasSubstr("$line_1_1 << END\n1 6\n10 15\n100 105\nEND\n"));
    EXPECT_THAT(script, HasSubstr("$line_1_2 << END\n1 11\n10 20\n100 110\nEND\n"));
    EXPECT_THAT(script, HasSubstr("title \"S_{o} = 5\""));
    EXPECT_THAT(script, HasSubstr("title \"S_{o} = 10\""));
    EXPECT_THAT(script, HasSubstr("set logscale x\n"));
}

TEST_F(ModelPlotTest, LeavesAGapWhereThereIsNoSolution) {
    inputs_.set("handler_cycles=1");
    EXPECT_THAT(drawn("a.svg", {"work_cycles=1,1000,3"}, {"turn_cycles"}).script,
                HasSubstr("$line_1_1 << END\n1 2\n1000 NaN\n3 4\nEND\n"));
}

TEST_F(ModelPlotTest, DrawsOnePointAndConstants) {
    inputs_.set("handler_cycles=0");
    drawn("a.svg", {"work_cycles=7"}, {"utilization"});
    drawn("b.svg", {"work_cycles=0:7:1"}, {"visit_cycles"});
    EXPECT_EQ(files(), 2);
}

TEST_F(ModelPlotTest, SaysWhenThereIsNothingToDraw) {
    inputs_.set("handler_cycles=0");
    EXPECT_THAT(fault_of([&] { drawn("a.svg", {"work_cycles=7"}, {"spare"}); }),
                EndsWith("a.svg: none of the outputs drawn has a value at any point"));
    EXPECT_EQ(files(), 0);
}

TEST_F(ModelPlotTest, RefusesBeforeSolving) {
    inputs_.set("handler_cycles=1");
    const std::vector<SweepAxis> axes = {parse_sweep_option("work_cycles=1,2", inputs_),
                                         parse_sweep_option("handler_squared_cv=0:2:0.1", inputs_)};
    const auto outputs = shown_in_sweep(model_, {});
    EXPECT_EQ(
        fault_of([&] { const ModelPlot plot("a.jpg", axes, outputs, false); }),
        "--plot a.jpg: no picture of this kind; accepted: a file name that ends in .svg, .png "
        "or .pdf");
    EXPECT_EQ(fault_of([&] { const ModelPlot plot("a.png", {}, outputs, false); }),
              "--plot a.png: there is no sweep to plot; accepted: --plot with --sweep");
    EXPECT_EQ(fault_of([&] { const ModelPlot plot("a.png", axes, outputs, false); }),
              "--plot a.png: the picture would have 63 lines; accepted: 24 at most: fewer outputs "
              "with --show, or fewer values of the second sweep");
}

}  // namespace
}  // namespace weir::experiments::commands
