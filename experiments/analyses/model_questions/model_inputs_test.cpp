#include "experiments/analyses/model_questions/model_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <memory>
#include <system_error>

#include "experiments/analyses/testing/fault_text.h"
#include "experiments/analyses/testing/workshop_inputs.h"
#include "experiments/analyses/testing/workshop_model.h"
#include "hw/testing/names.h"
#include "hw/testing/test_folder.h"

namespace weir::experiments::analyses {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::StartsWith;
using weir::testing::Names;

class ModelInputsTest : public WorkshopInputsTest {
  protected:
    [[nodiscard]] std::string file_with(const std::string& text) const {
        const std::string path = folder_.path() / "inputs.toml";
        std::ofstream(path) << text;
        return path;
    }
    [[nodiscard]] std::string refused_set(const std::string& option) {
        return fault_of([&] { inputs_.set(option); });
    }
    /// The message without the file's path.
    [[nodiscard]] std::string refused_file(const std::string& text) {
        const std::string path = file_with(text);
        const std::string message = fault_of([&] { inputs_.read_file(path); });
        return message.starts_with(path) ? message.substr(path.size()) : message;
    }
    [[nodiscard]] std::string refused_matrix(const std::string& value) {
        return fault_of([&] { routing_inputs_.set("visits=" + value); });
    }

    RoutingModel routing_;
    ModelInputs routing_inputs_{routing_};

  private:
    hw::testing::TestFolder folder_;
};

TEST_F(ModelInputsTest, SetTakesEveryKindOfValue) {
    for (const char* option : {"customers=3", "work_cycles=0.25", " handler_cycles = 1e2 ",
                               "beside=true", "order=random", "shares=[0.25, 1]"}) {
        inputs_.set(option);
    }
    EXPECT_EQ(model_.customers, 3);
    EXPECT_EQ(model_.work_cycles, 0.25);
    EXPECT_EQ(model_.handler_cycles, 100.0);
    EXPECT_TRUE(model_.beside);
    EXPECT_EQ(model_.order, "random");
    EXPECT_THAT(model_.shares, ElementsAre(0.25, 1.0));
    routing_inputs_.set("visits=[[0, 1], [1, 0.5]]");
    EXPECT_THAT(routing_.visits, ElementsAre(ElementsAre(0, 1), ElementsAre(1, 0.5)));
}

TEST_F(ModelInputsTest, ANumberStandsForAListOfOne) {
    inputs_.set("shares=0.25");
    EXPECT_THAT(model_.shares, ElementsAre(0.25));
}

TEST_F(ModelInputsTest, FileHoldsALineAnInput) {
    inputs_.read_file(
        file_with("customers = 3\nshares = [\n  0.5,\n  1,\n]\norder = \"random\"\n"));
    EXPECT_EQ(model_.customers, 3);
    EXPECT_THAT(model_.shares, ElementsAre(0.5, 1.0));
    EXPECT_EQ(model_.order, "random");
}

TEST_F(ModelInputsTest, FileMayHoldATableOfInputs) {
    inputs_.read_file(file_with("[inputs]\ncustomers = 3\nwork_cycles = 8\n"));
    EXPECT_EQ(model_.customers, 3);
    EXPECT_EQ(model_.work_cycles, 8.0);
}

TEST_F(ModelInputsTest, KnowsWhatWasGivenAndWhatWasSet) {
    inputs_.read_file(file_with("customers = 3\n"));
    inputs_.set("handler_squared_cv=0");
    EXPECT_TRUE(inputs_.is_given(*model_.find_input("customers")));
    EXPECT_TRUE(inputs_.is_given(*model_.find_input("handler_squared_cv")));
    EXPECT_FALSE(inputs_.is_given(*model_.find_input("beside")));
    EXPECT_FALSE(inputs_.is_set(*model_.find_input("customers")));
    EXPECT_TRUE(inputs_.is_set(*model_.find_input("handler_squared_cv")));
}

TEST_F(ModelInputsTest, UnknownModelIsAnsweredWithTheNearest) {
    models::Models models;
    models.push_back(std::make_unique<WorkshopModel>());
    EXPECT_EQ(&find_model(models, "workshop"), models.front().get());
    EXPECT_THAT(fault_of([&] { static_cast<void>(find_model(models, "workshp")); }),
                Names("\"workshp\"", "accepted", "\"weir model\"", "\"workshop\""));
    EXPECT_THAT(fault_of([&] { static_cast<void>(find_model(models, "work")); }),
                Names("\"work\"", "\"workshop\""));
}

TEST_F(ModelInputsTest, UnknownInputIsAnsweredWithTheNearest) {
    const std::string refusal = refused_set("handlr_cycles=3");
    EXPECT_THAT(refusal, StartsWith("--set handlr_cycles=3: workshop "));
    EXPECT_THAT(refusal,
                Names("\"handlr_cycles\"", "accepted", "\"customers\"", "\"work_cycles\"",
                      "\"handler_cycles\"", "\"handler_squared_cv\"", "\"gap_cycles_per_byte\"",
                      "\"beside\"", "\"order\"", "\"shares\"", "\"handler_cycles\""));
}

TEST_F(ModelInputsTest, InputWithAnotherUnitIsAnsweredWithTheModels) {
    EXPECT_THAT(refused_set("handler_us=3"),
                Names("--set handler_us=3", "workshop", "\"handler_us\"", "cycles", "accepted",
                      "\"shares\"", "\"handler_cycles\""));
    EXPECT_THAT(refused_set("gap_ns_per_byte=3"),
                Names("cycles per byte", "accepted", "\"shares\"", "\"gap_cycles_per_byte\""));
    EXPECT_THAT(refused_set("hander_cycles=3"), ::testing::Not(Names("counts")));
}

TEST_F(ModelInputsTest, SymbolAndNameWithoutUnitAreAnsweredWithTheName) {
    for (const char* name : {"S_o", "handler"}) {
        EXPECT_THAT(refused_set(std::string(name) + "=3"),
                    Names("accepted", "\"shares\"", "\"handler_cycles\""));
    }
}

TEST_F(ModelInputsTest, RefusesValuesOfAnotherKindOrOutOfRange) {
    EXPECT_THAT(refused_set("handler_cycles=200us"),
                Names("--set handler_cycles=200us", "handler_cycles (S_o)", "\"200us\"", "accepted",
                      "0", "1e+15", "unit"));
    EXPECT_THAT(
        refused_set("handler_cycles=-5"),
        Names("--set handler_cycles=-5", "handler_cycles (S_o)", "-5", "accepted", "0", "1e+15"));
    EXPECT_THAT(refused_set("handler_cycles=true"), Names("boolean", "true", "accepted"));
    EXPECT_THAT(refused_set("handler_cycles=nan"), Names("nan", "accepted"));
    EXPECT_THAT(refused_set("handler_cycles=many"), EndsWith("0 to 1e+15"));
    EXPECT_THAT(refused_set("customers=2.5"), Names("2.5", "accepted", "whole", "1", "100"));
    EXPECT_THAT(refused_set("customers=[1]"), Names("customers (N)", "[1]", "accepted"));
    EXPECT_THAT(refused_set("beside=1"), Names("beside", "1", "accepted", "true", "false"));
    EXPECT_THAT(refused_set("order=last"),
                Names("\"last\"", "accepted", "\"first_come\"", "\"random\""));
    EXPECT_THAT(refused_set("order={a = 1}"), Names("order", "table", "accepted"));
    EXPECT_THAT(refused_set("order=1979-05-27"), Names("order", "date", "accepted"));
    EXPECT_FALSE(inputs_.is_given(*model_.find_input("order")));
}

TEST_F(ModelInputsTest, NamesTheItemOfAListThatIsWrong) {
    EXPECT_THAT(refused_set("shares=[0.5, 1.5]"), Names("--set shares=[0.5, 1.5]", "shares (s)",
                                                        "item 1", "1.5", "accepted", "0", "1"));
    EXPECT_THAT(refused_set("shares=[\"a\"]"), Names("shares (s)", "item 0", "\"a\""));
    EXPECT_THAT(refused_set("shares=[]"), Names("shares (s)", "empty", "accepted"));
    EXPECT_THAT(refused_set("shares=2"), Names("shares (s)", "2", "accepted"));
    EXPECT_THAT(refused_set("shares=all"), Names("shares (s)", "\"all\"", "accepted"));
    EXPECT_THAT(refused_set("shares=[[1]]"), Names("item 0", "[1]", "accepted"));
}

TEST_F(ModelInputsTest, NamesTheRowOfAMatrixThatIsWrong) {
    EXPECT_THAT(refused_matrix("[[0, 1], [1]]"),
                Names("--set visits=[[0, 1], [1]]", "visits (V)", "row 1", "1", "row 0", "2",
                      "accepted", "0", "1"));
    EXPECT_THAT(refused_matrix("[[0], [1], [0, 1]]"),
                Names("visits (V)", "row 2", "2", "row 0", "1", "accepted"));
    EXPECT_THAT(refused_matrix("[[0, 1], [1, 2]]"),
                Names("visits (V)", "item 1", "row 1", "2", "accepted"));
    EXPECT_THAT(refused_matrix("[[0, 1], 1]"), Names("row 1", "1", "accepted"));
    EXPECT_THAT(refused_matrix("[1, 2]"), Names("row 0", "1", "accepted"));
    EXPECT_THAT(refused_matrix("[[], []]"), Names("row 0", "empty", "accepted"));
    EXPECT_THAT(refused_matrix("[]"), Names("visits (V)", "empty", "accepted"));
    EXPECT_THAT(refused_matrix("3"), Names("visits (V)", "3", "accepted"));
}

TEST_F(ModelInputsTest, ShortensWhatIsLong) {
    std::string list = "[7";
    for (int i = 0; i < 1000; ++i) {
        list += ", 0";
    }
    EXPECT_LT(refused_set("work_cycles=" + list + "]").size(), 250U);
    EXPECT_LT(refused_set("wrk_cycles=" + list + "]").size(), 350U);
}

TEST_F(ModelInputsTest, RefusesWhatIsNoNameAndValue) {
    EXPECT_THAT(refused_set("customers"),
                Names("--set customers", "\"=\"", "accepted", "--set NAME=VALUE"));
    EXPECT_THAT(refused_set("=3"), Names("\"\"", "key", "accepted", "--set NAME=VALUE"));
    EXPECT_THAT(refused_set("shares=[1,"), Names("--set shares=[1,", "TOML"));
    EXPECT_THAT(refused_set("a.b=3"), Names("--set a.b=3", "\"a\"", "accepted"));
}

TEST_F(ModelInputsTest, SaysWhereInTheFileItIs) {
    const std::string unknown = refused_file("customers = 3\nwrk_cycles = 4\n");
    EXPECT_THAT(unknown, StartsWith(":2:1: "));
    EXPECT_THAT(unknown, Names("workshop", "\"wrk_cycles\"", "accepted"));
    EXPECT_THAT(refused_file("customers = 0\n"),
                Names(":1:13:", "customers (N)", "0", "accepted", "1", "100"));
    EXPECT_THAT(refused_file("customers = 3us\n"), Names(":1:14:", "TOML"));
    EXPECT_THAT(refused_file("customers = 3\n[inputs]\nwork_cycles = 3\n"),
                Names(":1:1:", "\"customers\"", "[inputs]", "accepted", "[inputs]"));
}

TEST_F(ModelInputsTest, RefusesAFileThatCanNotBeRead) {
    EXPECT_THAT(fault_of([&] { inputs_.read_file("/nonexistent/a.toml"); }),
                Names("/nonexistent/a.toml:", std::generic_category().message(ENOENT), "accepted",
                      "--from", "TOML"));
    EXPECT_THAT(fault_of([&] { inputs_.read_file("/"); }),
                Names("/:", std::generic_category().message(EISDIR)));
}

TEST_F(ModelInputsTest, AnEmptyFileGivesNothing) {
    inputs_.read_file(file_with(""));
    EXPECT_FALSE(inputs_.is_given(*model_.find_input("customers")));
}

TEST_F(ModelInputsTest, NamesAllMissingInputsAtOnce) {
    inputs_.set("customers=3");
    const auto shown = [&](const char* input) { return model_.find_input(input)->sentence(); };
    EXPECT_THAT(
        fault_of([&] { inputs_.require_all(); }),
        Names("workshop", "2", "work_cycles (W)", shown("work_cycles"), "handler_cycles (S_o)",
              shown("handler_cycles"), "accepted", "--set NAME=VALUE", "--from FILE"));
    const std::vector<const models::Input*> swept = {model_.find_input("work_cycles")};
    EXPECT_THAT(
        fault_of([&] { inputs_.require_all(swept); }),
        ::testing::AllOf(Names("workshop", "1", "handler_cycles (S_o)", shown("handler_cycles")),
                         ::testing::Not(Names("work_cycles (W)"))));
    inputs_.set("handler_cycles=3");
    EXPECT_NO_THROW(inputs_.require_all(swept));
}

}  // namespace
}  // namespace weir::experiments::analyses
