#include "experiments/models/catalogue/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "experiments/models/catalogue/catalogue.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

using ::testing::HasSubstr;

class Doubling final : public Model {
  public:
    Doubling() : Model("doubling", "Twice the work", "no paper") {}

    QuantityInput work_cycles{*this, "work_cycles", "W", "The work", {1.0, 100.0}};
    CountInput processors{*this, "processors", "P", "Nodes", {2.0, 64.0}, 32};
    ChoiceInput layout{*this, "layout", "How data lie", {"cyclic", "blocked"}};
    ListInput chunks{*this, "chunks", "c", "Chunks", {0.0, 1.0}, std::vector<double>{0.5}};
    Output twice_cycles{*this, "twice_cycles", "2W", "Twice the work", "(1)"};
    OutputTable rows{*this, "rows", "A row a node", {{"node", "which"}, {"cycles", "how long"}}};

  private:
    void evaluate() override {
        if (work_cycles.value() == 13.0) {
            throw ModelError("thirteen has no solution");
        }
        twice_cycles = work_cycles.value() == 17.0 ? std::numeric_limits<double>::quiet_NaN()
                                                   : 2.0 * work_cycles.value();
        rows.add_row({0.0, work_cycles.value()});
    }
};

std::string refusal(Model& model, const char* input, const InputValue& value) {
    try {
        model.find_input(input)->set(value);
    } catch (const ModelError& error) {
        return error.what();
    }
    return "taken";
}

TEST(Model, AnswersFromItsInputs) {
    Doubling model;
    model.find_input("work_cycles")->set(21.0);
    model.solve();
    EXPECT_EQ(model.find_output("twice_cycles")->value(), 42.0);
    ASSERT_EQ(model.tables().front()->rows().size(), 1U);
    model.solve();  // rows don't pile up
    EXPECT_EQ(model.tables().front()->rows().size(), 1U);
}

TEST(Model, NamesTheInputThatIsMissing) {
    Doubling model;
    try {
        model.solve();
        FAIL() << "solved without its input";
    } catch (const ModelError& error) {
        EXPECT_STREQ(error.what(),
                     "work_cycles (W) is not given; accepted: a number from 1 to 100");
    }
}

TEST(Model, RefusesWhatIsOutOfRangeOrOfAnotherKindAndKeepsTheOldValue) {
    Doubling model;
    model.find_input("work_cycles")->set(7.0);
    EXPECT_EQ(refusal(model, "work_cycles", 0.5),
              "work_cycles (W) is 0.5; accepted: a number from 1 to 100");
    EXPECT_THAT(refusal(model, "work_cycles", std::string("7us")), HasSubstr("is \"7us\""));
    EXPECT_THAT(refusal(model, "work_cycles", std::numeric_limits<double>::quiet_NaN()),
                HasSubstr("is nan"));
    EXPECT_THAT(refusal(model, "processors", 2.5), HasSubstr("a whole number from 2 to 64"));
    EXPECT_THAT(refusal(model, "layout", std::string("grid")),
                HasSubstr("accepted: one of \"cyclic\", \"blocked\""));
    EXPECT_THAT(refusal(model, "chunks", std::vector<double>{0.5, 1.5}), HasSubstr("[0.5, 1.5]"));
    EXPECT_EQ(model.work_cycles.value(), 7.0);
    EXPECT_EQ(model.processors.value(), 32);
    EXPECT_EQ(model.layout.value(), "cyclic");
}

TEST(Model, HasNoOutputsWhereItHasNoAnswer) {
    Doubling model;
    model.find_input("work_cycles")->set(5.0);
    model.solve();
    model.find_input("work_cycles")->set(13.0);
    EXPECT_THROW(model.solve(), ModelError);
    EXPECT_FALSE(model.find_output("twice_cycles")->value().has_value());
    EXPECT_TRUE(model.tables().front()->rows().empty());
}

TEST(Model, NeverAnswersWithWhatIsNotANumber) {
    Doubling model;
    model.find_input("work_cycles")->set(17.0);
    EXPECT_THROW(model.solve(), std::logic_error);
}

TEST(Model, RefusesAGivenInputThatNothingReads) {
    Doubling model;
    EXPECT_NO_THROW(refuse_if_given(model.processors, "x", "y"));
    model.processors.set(32.0);  // the default's value is given as well
    try {
        refuse_if_given(model.processors, "layout is \"cyclic\"", "with layout \"blocked\"");
        FAIL() << "taken";
    } catch (const ModelError& error) {
        EXPECT_STREQ(error.what(),
                     "processors (P) is 32 and has no effect, for layout is \"cyclic\"; accepted: "
                     "with layout \"blocked\"");
    }
}

// They are printed as parts of a line.
TEST(AllModels, HaveShortSentencesWithoutAPeriod) {
    static constexpr std::size_t kLongest = 78;
    const auto check = [](const std::string& where, const std::string& sentence) {
        EXPECT_FALSE(sentence.ends_with('.')) << where << ": " << sentence;
        EXPECT_LE(sentence.size(), kLongest) << where << ": " << sentence;
    };
    for (const auto& model : all_models()) {
        check(model->name(), model->title());
        for (const Input* input : model->inputs()) {
            check(model->name() + " " + input->name(), input->sentence());
        }
        for (const Output* output : model->outputs()) {
            check(model->name() + " " + output->name(), output->sentence());
        }
        for (const OutputTable* table : model->tables()) {
            check(model->name() + " " + table->name(), table->sentence());
            for (const OutputTable::Column& column : table->columns()) {
                check(model->name() + " " + column.name, column.sentence);
            }
        }
    }
}

}  // namespace
}  // namespace weir::experiments::models
