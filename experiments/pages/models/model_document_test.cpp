#include "experiments/pages/models/model_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "experiments/analyses/testing/workshop_model.h"
#include "hw/testing/names.h"

namespace weir::experiments::pages {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::StartsWith;
using weir::testing::Names;

class ModelDocumentTest : public ::testing::Test {
  protected:
    ModelDocumentTest() {
        inputs_.set("customers=3");
        inputs_.set("handler_cycles=100");
    }

    [[nodiscard]] analyses::ModelSweep swept(const std::string& option) {
        return analyses::solve_sweep(
            model_, {analyses::parse_sweep_option(option, inputs_)},
            analyses::shown_in_sweep(model_, {"utilization", "spare_cycles"}));
    }

    analyses::WorkshopModel model_;
    analyses::ModelInputs inputs_{model_};
};

TEST_F(ModelDocumentTest, SolutionHasTheDocumentedShape) {
    inputs_.set("work_cycles=600");
    model_.solve();
    const ordered_json document = solution_document(
        model_, analyses::shown_parts(model_, {"utilization", "spare_cycles", "parts"}));
    EXPECT_EQ(json(document), json::parse(R"end({
        "model": "workshop",
        "source": "Nobody, \"Workshops\" (1999), section 2",
        "inputs": {"customers": 3, "work_cycles": 600.0, "handler_cycles": 100.0,
                   "handler_squared_cv": 0.0, "gap_cycles_per_byte": 0.5, "beside": false,
                   "order": "first_come", "shares": [1.0]},
        "outputs": {
            "utilization": {"value": 0.14285714285714285, "unit": "", "symbol": "U",
                            "equation": "(3)"},
            "spare_cycles": {"value": 100.0, "unit": "cycles", "symbol": "", "equation": ""}},
        "tables": {"parts": {
            "columns": ["part", "cycles", "remark"],
            "rows": [["work", 600.0, "own"],
                     ["wait", "none", "never"],
                     ["visit", 33.333333333333336, "a third of what a visit takes"]]}},
        "notes": ["above 500 cycles there is time to spare"]
    })end"));
    EXPECT_EQ(document.begin().key(), "model");
}

TEST_F(ModelDocumentTest, AnOutputThatDoesNotApplyIsNull) {
    inputs_.set("work_cycles=5");
    model_.solve();
    EXPECT_TRUE(solution_document(
                    model_, analyses::shown_parts(model_, {}))["outputs"]["spare_cycles"]["value"]
                    .is_null());
}

TEST_F(ModelDocumentTest, SolutionHasOnlyWhatIsShown) {
    inputs_.set("work_cycles=5");
    model_.solve();
    const ordered_json output =
        solution_document(model_, analyses::shown_parts(model_, {"turn_cycles"}));
    EXPECT_EQ(output["outputs"].size(), 1U);
    EXPECT_EQ(output["tables"].dump(), "{}");
    const ordered_json table = solution_document(model_, analyses::shown_parts(model_, {"parts"}));
    EXPECT_EQ(table["outputs"].dump(), "{}");
    EXPECT_EQ(table["tables"].size(), 1U);
}

TEST_F(ModelDocumentTest, CsvOfASolutionIsItsOutputsOrATable) {
    inputs_.set("work_cycles=5");
    model_.solve();
    EXPECT_EQ(solution_csv(analyses::shown_in_csv(model_, {"turn_cycles", "spare_cycles"})),
              "turn_cycles,spare_cycles\n105,\n");
    EXPECT_THAT(
        solution_csv(analyses::shown_in_csv(model_, {"parts"})),
        StartsWith(
            "part,cycles,remark\nwork,5,own\nwait,none,never\nvisit,33.333333333333336,a third "));
}

TEST_F(ModelDocumentTest, CsvQuotesCommasAndQuotes) {
    model_.parts.add_row({std::string("a, b"), 1.0, std::string("\"so\"")});
    EXPECT_EQ(solution_csv(analyses::shown_in_csv(model_, {"parts"})),
              "part,cycles,remark\n\"a, b\",1,\"\"\"so\"\"\"\n");
}

TEST_F(ModelDocumentTest, MatricesAreRows) {
    analyses::RoutingModel routing;
    analyses::ModelInputs inputs(routing);
    inputs.set("visits=[[0, 1], [1, 0.5]]");
    routing.solve();
    EXPECT_EQ(solution_document(routing, {})["inputs"].dump(),
              R"({"visits":[[0.0,1.0],[1.0,0.5]]})");
}

TEST_F(ModelDocumentTest, SweepHasAPointOrAnErrorForEachValue) {
    const ordered_json document = model_sweep_document(swept("work_cycles=300,1000"));
    EXPECT_EQ(json(document), json::parse(R"end({
        "model": "workshop",
        "source": "Nobody, \"Workshops\" (1999), section 2",
        "inputs": {"customers": 3, "handler_cycles": 100.0,
                   "handler_squared_cv": 0.0, "gap_cycles_per_byte": 0.5, "beside": false,
                   "order": "first_come", "shares": [1.0]},
        "points": [
            {"inputs": {"work_cycles": 300.0},
             "outputs": {
                "utilization": {"value": 0.25, "unit": "", "symbol": "U", "equation": "(3)"},
                "spare_cycles": {"value": null, "unit": "cycles", "symbol": "", "equation": ""}},
             "notes": []},
            {"inputs": {"work_cycles": 1000.0},
             "error": "work_cycles (W) is 1000; accepted: below 1000 cycles"}]
    })end"));
}

TEST_F(ModelDocumentTest, SweptCountsStayWhole) {
    analyses::WorkshopModel model;
    analyses::ModelInputs inputs(model);
    inputs.set("work_cycles=1");
    inputs.set("handler_cycles=1");
    const analyses::ModelSweep sweep =
        analyses::solve_sweep(model, {analyses::parse_sweep_option("customers=1,2", inputs)},
                              {model.find_output("turn_cycles")});
    EXPECT_EQ(model_sweep_document(sweep)["points"][1]["inputs"].dump(), R"({"customers":2})");
}

TEST_F(ModelDocumentTest, ASweptListIsANumberAtEachPoint) {
    inputs_.set("work_cycles=5");
    EXPECT_EQ(model_sweep_document(swept("shares=0.25"))["points"][0]["inputs"].dump(),
              R"({"shares":0.25})");
}

TEST_F(ModelDocumentTest, CsvOfASweepIsExactAndSaysWhyAPointHasNoSolution) {
    EXPECT_THAT(model_sweep_csv(swept("work_cycles=600,300,1000")),
                AllOf(StartsWith("work_cycles,utilization,spare_cycles,error\n600,0."
                                 "14285714285714285,100,\n300,0.25,,\n1000,,,work_cycles (W) "),
                      Names("1000", "1000")));
}

TEST_F(ModelDocumentTest, CatalogueSaysWhatEachModelTakesAndGives) {
    models::Models models;
    models.push_back(std::make_unique<analyses::WorkshopModel>());
    const json document = catalogue_document(models);
    const json& workshop = document.at("models").at(0);
    EXPECT_EQ(workshop.at("name"), "workshop");
    EXPECT_EQ(workshop.at("inputs").at(1), json::parse(R"end({
        "name": "work_cycles", "symbol": "W", "unit": "cycles",
        "sentence": "Work between two visits", "accepted": "a number from 0 to 1e+15",
        "required": true})end"));
    EXPECT_EQ(workshop.at("inputs").at(4).at("default"), 0.5);
    EXPECT_EQ(workshop.at("inputs").at(4).at("required"), false);
    EXPECT_EQ(workshop.at("outputs").at(0).at("equation"), "(1)");
    EXPECT_EQ(workshop.at("tables").at(0).at("columns").at(1),
              json::parse(R"({"name": "cycles", "sentence": "how long"})"));
}

}  // namespace
}  // namespace weir::experiments::pages
