#include "experiments/analyses/model_questions/model_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>

#include "experiments/analyses/testing/fault_text.h"
#include "experiments/analyses/testing/workshop_inputs.h"
#include "experiments/analyses/testing/workshop_model.h"
#include "hw/testing/test_folder.h"

namespace weir::experiments::analyses {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

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
    EXPECT_EQ(model_.customers.value(), 3);
    EXPECT_EQ(model_.work_cycles.value(), 0.25);
    EXPECT_EQ(model_.handler_cycles.value(), 100.0);
    EXPECT_TRUE(model_.beside.value());
    EXPECT_EQ(model_.order.value(), "random");
    EXPECT_THAT(model_.shares.value(), ElementsAre(0.25, 1.0));
    routing_inputs_.set("visits=[[0, 1], [1, 0.5]]");
    EXPECT_THAT(routing_.visits.value(), ElementsAre(ElementsAre(0, 1), ElementsAre(1, 0.5)));
}

TEST_F(ModelInputsTest, ANumberStandsForAListOfOne) {
    inputs_.set("shares=0.25");
    EXPECT_THAT(model_.shares.value(), ElementsAre(0.25));
}

TEST_F(ModelInputsTest, FileHoldsALineAnInput) {
    inputs_.read_file(
        file_with("customers = 3\nshares = [\n  0.5,\n  1,\n]\norder = \"random\"\n"));
    EXPECT_EQ(model_.customers.value(), 3);
    EXPECT_THAT(model_.shares.value(), ElementsAre(0.5, 1.0));
    EXPECT_EQ(model_.order.value(), "random");
}

TEST_F(ModelInputsTest, FileMayHoldATableOfInputs) {
    inputs_.read_file(file_with("[inputs]\ncustomers = 3\nwork_cycles = 8\n"));
    EXPECT_EQ(model_.customers.value(), 3);
    EXPECT_EQ(model_.work_cycles.value(), 8.0);
}

TEST_F(ModelInputsTest, KnowsWhatWasGivenAndWhatWasSet) {
    inputs_.read_file(file_with("customers = 3\n"));
    inputs_.set("handler_squared_cv=0");
    EXPECT_TRUE(inputs_.is_given(model_.customers));
    EXPECT_TRUE(inputs_.is_given(model_.handler_squared_cv));
    EXPECT_FALSE(inputs_.is_given(model_.beside));
    EXPECT_FALSE(inputs_.is_set(model_.customers));
    EXPECT_TRUE(inputs_.is_set(model_.handler_squared_cv));
}

TEST_F(ModelInputsTest, UnknownModelIsAnsweredWithTheNearest) {
    models::Models models;
    models.push_back(std::make_unique<WorkshopModel>());
    EXPECT_EQ(&find_model(models, "workshop"), models.front().get());
    EXPECT_EQ(fault_of([&] { static_cast<void>(find_model(models, "workshp")); }),
              "no model \"workshp\"; accepted: a name that \"weir model\" lists; did you mean "
              "\"workshop\"?");
    EXPECT_THAT(fault_of([&] { static_cast<void>(find_model(models, "work")); }),
                EndsWith("did you mean \"workshop\"?"));
}

TEST_F(ModelInputsTest, UnknownInputIsAnsweredWithTheNearest) {
    EXPECT_EQ(refused_set("handlr_cycles=3"),
              "--set handlr_cycles=3: workshop has no input \"handlr_cycles\"; accepted: "
              "\"customers\", \"work_cycles\", \"handler_cycles\", \"handler_squared_cv\", "
              "\"gap_cycles_per_byte\", \"beside\", \"order\", \"shares\"; did you mean "
              "\"handler_cycles\"?");
}

TEST_F(ModelInputsTest, InputWithAnotherUnitIsAnsweredWithTheModels) {
    EXPECT_THAT(refused_set("handler_us=3"),
                AllOf(StartsWith("--set handler_us=3: workshop has no input \"handler_us\": the "
                                 "model counts in cycles; accepted: "),
                      EndsWith("did you mean \"handler_cycles\"?")));
    EXPECT_THAT(refused_set("gap_ns_per_byte=3"),
                AllOf(HasSubstr("counts in cycles per byte;"),
                      EndsWith("did you mean \"gap_cycles_per_byte\"?")));
    EXPECT_THAT(refused_set("hander_cycles=3"), Not(HasSubstr("counts in")));
}

TEST_F(ModelInputsTest, SymbolAndNameWithoutUnitAreAnsweredWithTheName) {
    EXPECT_THAT(refused_set("S_o=3"), EndsWith("did you mean \"handler_cycles\"?"));
    EXPECT_THAT(refused_set("handler=3"), EndsWith("did you mean \"handler_cycles\"?"));
}

TEST_F(ModelInputsTest, RefusesValuesOfAnotherKindOrOutOfRange) {
    EXPECT_EQ(refused_set("handler_cycles=200us"),
              "--set handler_cycles=200us: handler_cycles (S_o) is the string \"200us\"; accepted: "
              "a number from 0 to 1e+15, written without a unit");
    EXPECT_EQ(refused_set("handler_cycles=-5"),
              "--set handler_cycles=-5: handler_cycles (S_o) is the whole number -5; accepted: a "
              "number from 0 to 1e+15");
    EXPECT_THAT(refused_set("handler_cycles=true"), HasSubstr("is the boolean true;"));
    EXPECT_THAT(refused_set("handler_cycles=nan"), HasSubstr("is the number nan;"));
    EXPECT_THAT(refused_set("handler_cycles=many"), EndsWith("0 to 1e+15"));
    EXPECT_THAT(refused_set("customers=2.5"), HasSubstr("is the number 2.5; accepted: a whole "));
    EXPECT_THAT(refused_set("customers=[1]"), HasSubstr("customers (N) is the list [1];"));
    EXPECT_THAT(refused_set("beside=1"), EndsWith("accepted: true or false"));
    EXPECT_THAT(refused_set("order=last"), EndsWith("accepted: one of \"first_come\", \"random\""));
    EXPECT_THAT(refused_set("order={a = 1}"), HasSubstr("order is a table;"));
    EXPECT_THAT(refused_set("order=1979-05-27"), HasSubstr("order is a date;"));
    EXPECT_FALSE(inputs_.is_given(model_.order));
}

TEST_F(ModelInputsTest, NamesTheItemOfAListThatIsWrong) {
    EXPECT_EQ(
        refused_set("shares=[0.5, 1.5]"),
        "--set shares=[0.5, 1.5]: shares (s): item 1 is the number 1.5; accepted: a list, each "
        "entry a number from 0 to 1");
    EXPECT_THAT(refused_set("shares=[\"a\"]"), HasSubstr("shares (s): item 0 is the string \"a\""));
    EXPECT_THAT(refused_set("shares=[]"), HasSubstr("shares (s) is an empty list;"));
    EXPECT_THAT(refused_set("shares=2"), HasSubstr("shares (s) is the whole number 2;"));
    EXPECT_THAT(refused_set("shares=all"), HasSubstr("shares (s) is the string \"all\";"));
    EXPECT_THAT(refused_set("shares=[[1]]"), HasSubstr("item 0 is the list [1];"));
}

TEST_F(ModelInputsTest, NamesTheRowOfAMatrixThatIsWrong) {
    EXPECT_EQ(refused_matrix("[[0, 1], [1]]"),
              "--set visits=[[0, 1], [1]]: visits (V): row 1 has 1 number where row 0 has 2; "
              "accepted: a list of rows of equal length, each entry a number from 0 to 1");
    EXPECT_THAT(refused_matrix("[[0], [1], [0, 1]]"),
                HasSubstr("visits (V): row 2 has 2 numbers where row 0 has 1;"));
    EXPECT_THAT(refused_matrix("[[0, 1], [1, 2]]"),
                HasSubstr("visits (V): item 1 of row 1 is the whole number 2;"));
    EXPECT_THAT(refused_matrix("[[0, 1], 1]"), HasSubstr("row 1 is the whole number 1;"));
    EXPECT_THAT(refused_matrix("[1, 2]"), HasSubstr("row 0 is the whole number 1;"));
    EXPECT_THAT(refused_matrix("[[], []]"), HasSubstr("row 0 is empty;"));
    EXPECT_THAT(refused_matrix("[]"), HasSubstr("visits (V) is an empty list;"));
    EXPECT_THAT(refused_matrix("3"), HasSubstr("visits (V) is the whole number 3;"));
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
    EXPECT_EQ(refused_set("customers"),
              "--set customers: there is no \"=\"; accepted: --set NAME=VALUE");
    EXPECT_THAT(refused_set("=3"), EndsWith("\"\" is not a key; accepted: --set NAME=VALUE"));
    EXPECT_THAT(refused_set("shares=[1,"), HasSubstr("is not valid TOML"));
    EXPECT_THAT(refused_set("a.b=3"), HasSubstr("no input \"a\""));
}

TEST_F(ModelInputsTest, SaysWhereInTheFileItIs) {
    EXPECT_THAT(refused_file("customers = 3\nwrk_cycles = 4\n"),
                StartsWith(":2:1: workshop has no input \"wrk_cycles\"; accepted: "));
    EXPECT_EQ(refused_file("customers = 0\n"),
              ":1:13: customers (N) is the whole number 0; accepted: a whole number from "
              "1 to 100");
    EXPECT_THAT(refused_file("customers = 3us\n"), StartsWith(":1:14: not valid TOML: "));
    EXPECT_EQ(refused_file("customers = 3\n[inputs]\nwork_cycles = 3\n"),
              ":1:1: \"customers\" stands outside the table [inputs]; accepted: all inputs in "
              "[inputs], or no such table");
}

TEST_F(ModelInputsTest, RefusesAFileThatCanNotBeRead) {
    EXPECT_EQ(fault_of([&] { inputs_.read_file("/nonexistent/a.toml"); }),
              "/nonexistent/a.toml: can't be read: No such file or directory; accepted: --from "
              "with a TOML file of inputs");
    EXPECT_THAT(fault_of([&] { inputs_.read_file("/"); }), HasSubstr("/: can't be read: Is a "));
}

TEST_F(ModelInputsTest, AnEmptyFileGivesNothing) {
    inputs_.read_file(file_with(""));
    EXPECT_FALSE(inputs_.is_given(model_.customers));
}

TEST_F(ModelInputsTest, NamesAllMissingInputsAtOnce) {
    inputs_.set("customers=3");
    EXPECT_EQ(fault_of([&] { inputs_.require_all(); }),
              "workshop: 2 inputs are not given: work_cycles (W): Work between two visits; "
              "handler_cycles (S_o): One visit; accepted: --set NAME=VALUE for each, or --from "
              "FILE");
    const std::vector<const models::Input*> swept = {&model_.work_cycles};
    EXPECT_THAT(fault_of([&] { inputs_.require_all(swept); }),
                StartsWith("workshop: 1 input is not given: handler_cycles (S_o): One visit; "));
    inputs_.set("handler_cycles=3");
    EXPECT_EQ(fault_of([&] { inputs_.require_all(swept); }), "no fault");
}

}  // namespace
}  // namespace weir::experiments::analyses
