#include "experiments/analyses/model_questions/model_shown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/analyses/testing/fault_text.h"
#include "experiments/analyses/testing/workshop_model.h"
#include "hw/testing/names.h"

namespace weir::experiments::analyses {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using weir::testing::Names;

class TablesModel final : public models::Model {
  public:
    TablesModel() : Model("tables", "Two tables", "Nobody (1999), section 4") {}

    models::OutputTable sends{*this, "sends", "Who sends", {{"node", "which"}}};
    models::OutputTable receives{*this, "receives", "Who receives", {{"node", "which"}}};

  private:
    void evaluate() override {}
};

class ModelShownTest : public ::testing::Test {
  protected:
    [[nodiscard]] std::string refused(const std::vector<std::string>& names) const {
        return fault_of([&] { static_cast<void>(shown_parts(model_, names)); });
    }
    [[nodiscard]] std::string refused_in_csv(const models::Model& model,
                                             const std::vector<std::string>& names) const {
        return fault_of([&] { static_cast<void>(shown_in_csv(model, names)); });
    }

    WorkshopModel model_;
    TablesModel tables_;
};

TEST_F(ModelShownTest, WithoutNamesIsEverything) {
    EXPECT_THAT(shown_parts(model_, {}).outputs,
                ElementsAre(model_.find_output("turn_cycles"), model_.find_output("visit_cycles"),
                            model_.find_output("utilization"), model_.find_output("spare_cycles")));
    EXPECT_THAT(shown_parts(model_, {}).tables, ElementsAre(&model_.parts));
}

TEST_F(ModelShownTest, WithNamesIsThemAloneInTheirOrder) {
    const ShownParts outputs = shown_parts(model_, {"utilization", "turn_cycles", "utilization"});
    EXPECT_THAT(outputs.outputs,
                ElementsAre(model_.find_output("utilization"), model_.find_output("turn_cycles")));
    EXPECT_THAT(outputs.tables, IsEmpty());
    const ShownParts table = shown_parts(model_, {"parts", "parts"});
    EXPECT_THAT(table.outputs, IsEmpty());
    EXPECT_THAT(table.tables, ElementsAre(&model_.parts));
}

TEST_F(ModelShownTest, RefusesOtherNames) {
    EXPECT_THAT(refused({"utilisation"}),
                Names("--show utilisation", "workshop", "\"utilisation\"", "accepted",
                      "\"turn_cycles\"", "\"visit_cycles\"", "\"utilization\"", "\"spare_cycles\"",
                      "\"parts\"", "\"utilization\""));
    EXPECT_THAT(refused({"R_o"}), Names("\"parts\"", "\"visit_cycles\""));
    EXPECT_THAT(refused({"prats"}), Names("\"parts\"", "\"parts\""));
}

TEST_F(ModelShownTest, CsvIsOutputsOrOneTable) {
    EXPECT_EQ(shown_in_csv(model_, {}).outputs.size(), 4U);
    EXPECT_THAT(shown_in_csv(model_, {}).tables, IsEmpty());
    EXPECT_THAT(shown_in_csv(model_, {"parts"}).tables, ElementsAre(&model_.parts));
    EXPECT_THAT(refused_in_csv(model_, {"spare_cycles", "parts"}),
                Names("--csv", "\"parts\"", "outputs", "accepted", "--show"));
    EXPECT_THAT(refused_in_csv(tables_, {}),
                Names("--csv", "\"sends\"", "\"receives\"", "accepted"));
    EXPECT_THAT(shown_in_csv(tables_, {"receives"}).tables, ElementsAre(&tables_.receives));
}

TEST_F(ModelShownTest, ASweepShowsOutputsAlone) {
    EXPECT_EQ(shown_in_sweep(model_, {}).size(), 4U);
    EXPECT_THAT(shown_in_sweep(model_, {"spare_cycles"}),
                ElementsAre(model_.find_output("spare_cycles")));
    EXPECT_THAT(fault_of([&] {
                    static_cast<void>(shown_in_sweep(model_, {"spare_cycles", "parts"}));
                }),
                Names("--show parts", "parts", "accepted", "\"turn_cycles\"", "\"visit_cycles\"",
                      "\"utilization\"", "\"spare_cycles\""));
}

}  // namespace
}  // namespace weir::experiments::analyses
