#include "experiments/models/catalogue/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <set>
#include <stdexcept>

#include "experiments/models/catalogue/catalogue.h"
#include "experiments/models/model_error.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

using ::testing::HasSubstr;

class Doubling final : public Model {
  public:
    Doubling() : Model("doubling", "Twice the work", "no paper") {
        input(work_cycles, "work_cycles", "W", "The work", {1.0, 100.0});
        input(processors, "processors", "P", "Nodes", {2.0, 64.0});
        choice(layout, "layout", "How data lie", {"cyclic", "blocked"});
        input(chunks, "chunks", "c", "Chunks", {0.0, 1.0});
        output([this] { return work_cycles == 17.0 ? kNotGiven : 2.0 * work_cycles; },
               "twice_cycles", "2W", "Twice the work", "(1)");
        output(half, "half_cycles", "W/2", "Half of it, where it is above 20");
    }

    double work_cycles = kNotGiven;
    int processors = 32;
    std::string layout;
    std::vector<double> chunks{0.5};
    std::optional<double> half;
    OutputTable rows{*this, "rows", "A row a node", {{"node", "which"}, {"cycles", "how long"}}};

  private:
    void evaluate() override {
        if (work_cycles == 13.0) {
            throw ModelError("thirteen has no solution");
        }
        half = work_cycles > 20.0 ? std::optional(work_cycles / 2.0) : std::nullopt;
        rows.add_numbers(0, work_cycles);
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
    EXPECT_EQ(model.find_output("half_cycles")->value(), 10.5);
    ASSERT_EQ(model.tables().front()->rows().size(), 1U);
    model.solve();  // the second call replaces the rows of the first
    EXPECT_EQ(model.tables().front()->rows().size(), 1U);
}

TEST(Model, NamesTheInputThatIsMissing) {
    Doubling model;
    try {
        model.solve();
        FAIL() << "solved without its input";
    } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), Names("work_cycles (W)", "given", "accepted", "1", "100"));
    }
}

TEST(Model, RefusesWhatIsOutOfRangeOrOfAnotherKindAndKeepsTheOldValue) {
    Doubling model;
    model.find_input("work_cycles")->set(7.0);
    EXPECT_THAT(refusal(model, "work_cycles", 0.5),
                Names("work_cycles (W)", "0.5", "accepted", "1", "100"));
    EXPECT_THAT(refusal(model, "work_cycles", std::string("7us")), HasSubstr("is \"7us\""));
    EXPECT_THAT(refusal(model, "work_cycles", std::numeric_limits<double>::quiet_NaN()),
                HasSubstr("is nan"));
    EXPECT_THAT(refusal(model, "processors", 2.5), Names("whole", "2", "64"));
    EXPECT_THAT(refusal(model, "layout", std::string("grid")),
                Names("accepted", "\"cyclic\"", "\"blocked\""));
    EXPECT_THAT(refusal(model, "chunks", std::vector<double>{0.5, 1.5}), HasSubstr("[0.5, 1.5]"));
    EXPECT_EQ(model.work_cycles, 7.0);
    EXPECT_EQ(model.processors, 32);
    EXPECT_EQ(model.layout, "cyclic");
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
    EXPECT_NO_THROW(model.refuse_if_given("processors", "x", "y"));
    // A value equal to the default still counts as given.
    model.find_input("processors")->set(32.0);
    try {
        model.refuse_if_given("processors", "layout is \"cyclic\"", "with layout \"blocked\"");
        FAIL() << "taken";
    } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), Names("processors (P)", "32", "effect", "\"cyclic\"", "accepted",
                                        "\"blocked\""));
    }
}

TEST(AllModels, HaveNamesOfTheirOwnAndEachNameOnce) {
    std::set<std::string> models;
    for (const auto& model : all_models()) {
        EXPECT_TRUE(models.insert(model->name()).second) << model->name();
        EXPECT_FALSE(model->source().empty()) << model->name();
        std::set<std::string> names;  // names of inputs and outputs: a sweep's columns must differ
        for (const Input* input : model->inputs()) {
            EXPECT_TRUE(names.insert(input->name()).second) << model->name() << input->name();
        }
        for (const Output* output : model->outputs()) {
            EXPECT_TRUE(names.insert(output->name()).second) << model->name() << output->name();
        }
    }
}

TEST(AllModels, WantTheInputsThePaperFixesOnlyForItsExamples) {
    for (const auto& model : all_models()) {
        EXPECT_THROW(model->solve(), ModelError) << model->name();
    }
}

// Help wraps each sentence, on two lines at most.
TEST(AllModels, HaveShortSentencesWithoutAPeriod) {
    static constexpr std::size_t kLongest = 100;
    const auto check = [](const std::string& where, const std::string& sentence) {
        EXPECT_FALSE(sentence.empty() || sentence.ends_with('.')) << where << ": " << sentence;
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
