#include "experiments/pages/models/model_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "experiments/analyses/testing/workshop_model.h"
#include "experiments/pages/testing/page_width.h"
#include "hw/testing/names.h"

namespace weir::experiments::pages {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using weir::testing::Names;

class TitledModel final : public models::Model {
  public:
    TitledModel(const char* name, const char* source) : Model(name, "A title", source) {}

  private:
    void evaluate() override {}
};

class ModelPageTest : public ::testing::Test {
  protected:
    ModelPageTest() {
        inputs_.set("customers=3");
        inputs_.set("handler_cycles=100");
    }

    [[nodiscard]] std::string solved(double work_cycles) {
        model_.find_input("work_cycles")->set(work_cycles);
        model_.solve();
        return solution_page(model_, inputs_, analyses::shown_parts(model_, {}));
    }
    [[nodiscard]] std::string swept(const std::string& option) {
        return model_sweep_page(
            analyses::solve_sweep(model_, {analyses::parse_sweep_option(option, inputs_)},
                                  analyses::shown_in_sweep(model_, {})),
            inputs_);
    }

    analyses::WorkshopModel model_;
    analyses::ModelInputs inputs_{model_};
};

TEST_F(ModelPageTest, ListingGroupsByPaper) {
    models::Models models;
    for (const auto& [name, source] :
         {std::pair("one", "Some, \"Paper\" (1997), section 4"), std::pair("other", "LogP (1993)"),
          std::pair("three", "Some, \"Paper\" (1997), sections 5 and 6"),
          std::pair("four", "A report, section 3")}) {
        models.push_back(std::make_unique<TitledModel>(name, source));
    }
    EXPECT_THAT(
        model_listing(models),
        AllOf(StartsWith("Some, \"Paper\" (1997)\n  one    A title\n  three  A title\n\nLogP "
                         "(1993)\n  other  A title\n\nA report\n  four   A title\n\n"),
              Names("weir", "model", "NAME", "--help")));
}

TEST_F(ModelPageTest, ReferenceSaysWhatEachInputAndOutputIs) {
    const std::string page = model_reference(analyses::WorkshopModel());
    expect_fits_the_page(page);
    EXPECT_THAT(page, ::testing::StartsWith("workshop: Customers of a workshop\n"
                                            "Nobody, \"Workshops\" (1999), section 2\n\ninputs\n"));
    EXPECT_THAT(page, AllOf(HasSubstr("\n  handler_cycles (S_o), cycles" + std::string(42, ' ') +
                                      "required\n      One visit\n"),
                            Names("handler_cycles (S_o)", "One visit", "0", "1e+15")));
    EXPECT_THAT(page,
                HasSubstr("\n  handler_squared_cv (C_o^2)" + std::string(43, ' ') + "default 0\n"));
    EXPECT_THAT(page, Names("order", "\"first_come\"", "\"random\""));
    EXPECT_THAT(page, HasSubstr("\n  turn_cycles (R), cycles" + std::string(52, ' ') +
                                "(1)\n      One turn\n"));
    EXPECT_THAT(page, AllOf(HasSubstr("\n  parts" + std::string(65, ' ') + "Figure 1\n"),
                            Names("parts", "Figure 1", model_.parts.sentence(), "part")));
}

TEST_F(ModelPageTest, SolutionMarksInputsThatHaveTheirDefaults) {
    const std::string page = solved(0.5);
    expect_fits_the_page(page);
    EXPECT_THAT(page, HasSubstr("\n  handler_cycles       S_o           100  cycles\n"));
    EXPECT_THAT(
        page, HasSubstr("\n  gap_cycles_per_byte  G             0.5  cycles per byte  default\n"));
    EXPECT_THAT(
        page, HasSubstr("\n  order                       first_come                   default\n"));
}

TEST_F(ModelPageTest, SolutionShowsOutputsWithSymbolUnitAndEquation) {
    EXPECT_THAT(solved(0.5), HasSubstr("\noutputs\n"
                                       "  turn_cycles   R       100.5  cycles  (1)\n"
                                       "  visit_cycles  R_o       100  cycles  (2)\n"
                                       "  utilization   U    0.995025          (3)\n"
                                       "  spare_cycles           none  cycles\n"));
}

TEST_F(ModelPageTest, SolutionShowsTablesAndNotes) {
    EXPECT_THAT(solved(600),
                AllOf(HasSubstr("; Figure 1\n  part    cycles  remark\n  work   600.000  own\n  "
                                "wait      none  never\n  visit   33.333  a third "),
                      Names("parts", "Figure 1", "note", "500")));
}

TEST_F(ModelPageTest, SolutionShowsOnlyWhatIsShown) {
    inputs_.set("work_cycles=600");
    model_.solve();
    const std::string output =
        solution_page(model_, inputs_, analyses::shown_parts(model_, {"turn_cycles"}));
    EXPECT_THAT(output, HasSubstr("\noutputs\n  turn_cycles  R  700  cycles  (1)\n\nnote: "));
    const std::string table =
        solution_page(model_, inputs_, analyses::shown_parts(model_, {"parts"}));
    EXPECT_THAT(table, Not(HasSubstr("\noutputs\n")));
    EXPECT_THAT(table, Names("parts", "Figure 1"));
}

TEST_F(ModelPageTest, SolutionShowsFortyRowsOfATable) {
    inputs_.set("work_cycles=5");
    model_.solve();
    const auto with_rows = [&](std::size_t rows) {
        while (model_.parts.rows().size() < rows) {
            const auto row = static_cast<double>(model_.parts.rows().size());
            model_.parts.add_row({"row", row, std::string()});
        }
        return solution_page(model_, inputs_, analyses::shown_parts(model_, {"parts"}));
    };
    EXPECT_THAT(with_rows(40), EndsWith("\n  row    39.0000\n"));
    EXPECT_THAT(with_rows(41), AllOf(HasSubstr("\n  row    39.0000\n  ... 1 "),
                                     Names("--json", "--show parts --csv")));
    // Hidden rows do not widen the columns.
    model_.parts.add_row({std::string(30, 'x'), 1e9, std::string(50, 'y')});
    EXPECT_THAT(with_rows(1042), AllOf(HasSubstr("\n  row    39.0000\n  ... 1002 "),
                                       Names("--json", "--show parts --csv")));
}

TEST_F(ModelPageTest, SolutionShowsLongListsAndMatricesBySize) {
    analyses::RoutingModel routing;
    analyses::ModelInputs routing_inputs(routing);
    routing_inputs.set("visits=[[0, 1, 0], [1, 0, 0]]");
    routing.solve();
    EXPECT_THAT(solution_page(routing, routing_inputs, {}),
                HasSubstr("\n  visits  V  2 x 3 numbers\n"));
    inputs_.set("shares=[0.1, 0.2, 0.3]");
    EXPECT_THAT(solved(1), HasSubstr("  [0.1, 0.2, 0.3]\n"));
    inputs_.set("shares=[0.11, 0.12, 0.13, 0.14, 0.15]");
    EXPECT_THAT(solved(1), HasSubstr("  5 numbers\n"));
}

TEST_F(ModelPageTest, SweepHasARowAPoint) {
    const std::string page = swept("work_cycles=0:900:300");
    expect_fits_the_page(page);
    EXPECT_THAT(
        page,
        AllOf(HasSubstr("\n"
                        "  work_cycles  turn_cycles  visit_cycles  utilization  spare_cycles\n"
                        "            W            R           R_o            U\n"
                        "            0          100           100      1.00000          none\n"
                        "          300          400           100      0.25000          none\n"
                        "          600          700           100      0.14286           100\n"
                        "          900         1000           100      0.10000           400\n\n"),
              Names("900", "note", "500")));
    EXPECT_THAT(page, Not(HasSubstr("Work between")));
    EXPECT_THAT(page, HasSubstr("\n  customers"));
    EXPECT_THAT(page, Not(HasSubstr("\n  work_cycles  W")));  // not among the fixed inputs
}

TEST_F(ModelPageTest, SweepSaysBelowTheTableWhyAPointHasNoSolution) {
    EXPECT_THAT(
        swept("work_cycles=400,1000"),
        AllOf(HasSubstr("         1000         none          none         none          none\n\n"),
              Names("solution", "work_cycles = 1000", "work_cycles (W)", "1000", "1000")));
}

TEST_F(ModelPageTest, SweepGivesTwentyReasonsAtMost) {
    const std::string page = swept("work_cycles=1000:1029:1");
    EXPECT_THAT(page, HasSubstr("\n  work_cycles = 1019: "));
    EXPECT_THAT(page, Not(HasSubstr("\n  work_cycles = 1020: ")));
    EXPECT_THAT(page, Names("work_cycles = 1019", "10", "--json"));
}

}  // namespace
}  // namespace weir::experiments::pages
