#include "experiments/setup/files/experiment_content.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/setup/files/set_option.h"
#include "experiments/setup/testing/setup_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::setup {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::weir::testing::Names;

ExperimentContent content(const std::string& text) {
    return content_of_file(parse_toml(text, "a.toml"));
}

std::string content_fault(const std::string& text) {
    return fault_of([&] { (void)content(text); });
}

std::string option_fault(const std::string& option) {
    return fault_of([&] { (void)content_of_set_option(parse_set_option(option)); });
}

TEST(ExperimentContent, HasTitleAndDescription) {
    const ExperimentContent both = content("title = 'Remap'\ndescription = 'All to all.'\n");
    EXPECT_EQ(both.title, "Remap");
    EXPECT_EQ(both.description, "All to all.");
    EXPECT_EQ(content("").title, std::nullopt);
    EXPECT_THAT(content_fault("title = 3\n"), Names("a.toml:1:9", "title", "3", "string"));
    EXPECT_THAT(content_fault("\ndescription = ['a']\n"),
                Names("a.toml:2:15", "description", "[\"a\"]", "string"));
}

TEST(ExperimentContent, KeepsWhateverElseThereIsForThoseWhoKnowTheParameters) {
    const ExperimentContent file = content("hop_cycles = 1\n[network]\nx = 1\n[unknown]\n");
    ASSERT_EQ(file.base.settings.size(), 3);
    EXPECT_EQ(file.base.settings[0].key, "hop_cycles");
    EXPECT_EQ(file.base.settings[1].key, "network");
    EXPECT_EQ(file.base.settings[2].key, "unknown");
}

TEST(ExperimentContent, PointsHaveLabelsAndOverrides) {
    const ExperimentContent file = content(
        "[[point]]\nlabel = 'two'\nnetwork.dimensions = [2, 1]\n"
        "[[point]]\n[point.network]\ndimensions = [4, 8]\nhop_cycles = 2\n");
    ASSERT_TRUE(file.points);
    ASSERT_EQ(file.points->size(), 2);
    EXPECT_EQ((*file.points)[0].label, "two");
    EXPECT_EQ((*file.points)[0].place, (Place{"a.toml", 1, 1}));
    EXPECT_EQ((*file.points)[0].overrides.settings.front().key, "network");
    EXPECT_EQ((*file.points)[1].place, (Place{"a.toml", 4, 1}));
}

TEST(ExperimentContent, PointIsMeasuredAgainstAnother) {
    const ExperimentContent file =
        content("[[point]]\nlabel = 'a'\n[[point]]\nlabel = 'b'\nagainst = 'a'\n");
    EXPECT_EQ((*file.points)[0].against, "");
    EXPECT_EQ((*file.points)[1].against, "a");
}

TEST(ExperimentContent, PointAgainstNoneOrItself) {
    EXPECT_THAT(
        content_fault("[[point]]\nlabel = 'snake'\n[[point]]\nlabel = 'b'\nagainst = 'snaky'\n"),
        AllOf(Names("a.toml:5:11", "point", "\"snaky\"", "\"snake\""), EndsWith("\"snake\"?")));
    EXPECT_THAT(content_fault("[[point]]\nlabel = 'a'\nagainst = 'a'\n[[point]]\nlabel = 'bb'\n"),
                Names("a.toml:3:11", "point", "\"a\"", "\"bb\""));
}

TEST(ExperimentContent, PointWithoutALabelIsLabelledByItsOverrides) {
    const ExperimentContent file = content(
        "[[point]]\nnetwork.dimensions = [2, 1]\ncontroller.overflow_trap = true\n[[point]]\n");
    EXPECT_EQ((*file.points)[0].label,
              "network.dimensions = [2, 1], controller.overflow_trap = true");
    EXPECT_THAT((*file.points)[1].label, HasSubstr("stands"));
}

TEST(ExperimentContent, WrongPoints) {
    EXPECT_THAT(content_fault("point = 3\n"),
                Names("a.toml:1:9", "point", "3", "list", "[[point]]"));
    EXPECT_THAT(content_fault("[point]\n"),
                Names("a.toml:1:1", "point", "table", "list", "[[point]]"));
    EXPECT_THAT(content_fault("point = [3]\n"), Names("a.toml:1:10", "point", "3", "table"));
    EXPECT_THAT(content_fault("[[point]]\nlabel = 32\n"),
                Names("a.toml:2:9", "label", "32", "string"));
}

TEST(ExperimentContent, SensitivityHasVariants) {
    const ExperimentContent file = content(
        "[[sensitivity]]\nwhat = 'notify delay'\npoints = [\n"
        "    { label = 'none', controller.notify_cycles = 0 },\n"
        "    { controller.notify_cycles = 20 },\n]\n");
    ASSERT_TRUE(file.sensitivity);
    ASSERT_EQ(file.sensitivity->size(), 1);
    const Sensitivity& notify = file.sensitivity->front();
    EXPECT_EQ(notify.what, "notify delay");
    ASSERT_EQ(notify.variants.size(), 2);
    EXPECT_EQ(notify.variants[0].label, "none");
    EXPECT_EQ(notify.variants[0].overrides.owner, Layer::Owner::kVariant);
    EXPECT_EQ(notify.variants[1].label, "controller.notify_cycles = 20");
    EXPECT_EQ(notify.variants[1].place, (Place{"a.toml", 5, 5}));
}

TEST(ExperimentContent, WrongSensitivity) {
    EXPECT_THAT(content_fault("[sensitivity]\n"),
                Names("a.toml:1:1", "sensitivity", "table", "list", "[[sensitivity]]"));
    EXPECT_THAT(content_fault("sensitivity = [1]\n"),
                Names("a.toml:1:16", "sensitivity", "1", "table"));
    EXPECT_THAT(content_fault("[[sensitivity]]\nwhat = 'x'\npoint = []\n"),
                AllOf(Names("a.toml:3:1", "[[sensitivity]]", "\"point\"", "what", "points"),
                      EndsWith("\"points\"?")));
    EXPECT_THAT(content_fault("[[sensitivity]]\npoints = [{}]\n"),
                Names("a.toml:1:1", "[[sensitivity]]", "what", "what = \""));
    EXPECT_THAT(content_fault("[[sensitivity]]\nwhat = 1\n"),
                Names("a.toml:2:8", "sensitivity.what", "1", "string"));
    EXPECT_THAT(content_fault("[[sensitivity]]\nwhat = 'x'\npoints = []\n"),
                Names("a.toml:1:1", "[[sensitivity]]", "points",
                      "points = [{ label = \"...\", table.key = value }]"));
    EXPECT_THAT(content_fault("[[sensitivity]]\nwhat = 'x'\npoints = 3\n"),
                Names("a.toml:3:10", "sensitivity.points", "3", "list",
                      "[{ label = \"...\", table.key = value }]"));
    EXPECT_THAT(content_fault("[[sensitivity]]\nwhat = 'x'\npoints = [3]\n"),
                Names("a.toml:3:11", "points", "3", "table"));
}

TEST(ExperimentContent, PublishedHasValueAndSource) {
    const ExperimentContent file = content(
        "[published.cycles]\nvalue = 310\nsource = 'Paper A, Table 4'\nunit = 'cycles'\n"
        "tolerance = 0.05\n"
        "[published]\nratio = { value = 1.5, source = 'Paper B' }\n");
    ASSERT_EQ(file.base.published.size(), 2);
    const Published& cycles = file.base.published[0];
    EXPECT_EQ(cycles.metric, "cycles");
    EXPECT_EQ(cycles.value, 310);
    EXPECT_EQ(cycles.source, "Paper A, Table 4");
    EXPECT_EQ(cycles.unit, "cycles");
    EXPECT_EQ(cycles.tolerance, 0.05);
    EXPECT_EQ(cycles.place, (Place{"a.toml", 2, 9}));
    const Published& ratio = file.base.published[1];
    EXPECT_EQ(ratio.metric, "ratio");
    EXPECT_EQ(ratio.value, 1.5);
    EXPECT_EQ(ratio.unit, "");
    EXPECT_EQ(ratio.tolerance, std::nullopt);
}

TEST(ExperimentContent, APointHasItsOwnPublishedValues) {
    const ExperimentContent file = content(
        "[[point]]\npublished.cycles = { value = 1, source = 'Paper B' }\n"
        "[[point]]\n[point.published.cycles]\nvalue = 2\nsource = 'Paper B'\n");
    EXPECT_EQ((*file.points)[0].overrides.published.front().value, 1);
    EXPECT_EQ((*file.points)[1].overrides.published.front().value, 2);
    EXPECT_TRUE((*file.points)[0].overrides.settings.empty());
}

TEST(ExperimentContent, WrongPublished) {
    EXPECT_THAT(content_fault("published = 3\n"), Names("a.toml:1:13", "published", "3", "table"));
    EXPECT_THAT(content_fault("[published]\ncycles = 310\n"),
                Names("a.toml:2:10", "published.cycles", "310", "table", "value =", "source ="));
    EXPECT_THAT(content_fault("[published.cycles]\nvalue = '310'\n"),
                Names("a.toml:2:9", "published.cycles.value", "\"310\"", "number"));
    EXPECT_THAT(content_fault("[published.cycles]\nvalue = nan\n"),
                Names("a.toml:2:9", "published.cycles.value", "nan", "finite"));
    EXPECT_THAT(content_fault("[published.cycles]\nsource = 'Paper B'\n"),
                Names("a.toml:1:12", "published.cycles", "value", "value ="));
    EXPECT_THAT(content_fault("[published.cycles]\nvalue = 3\n"),
                Names("a.toml:1:12", "published.cycles", "source", "source ="));
    EXPECT_THAT(content_fault("[published.cycles]\nvalue = 3\nsource = 4\n"),
                Names("a.toml:3:10", "published.cycles.source", "4", "string"));
    EXPECT_THAT(content_fault("[published.cycles]\nunit = 4\n"),
                Names("a.toml:2:8", "published.cycles.unit", "4", "string"));
    EXPECT_THAT(content_fault("[published.cycles]\ntolerance = 0.1\nwithin = 3\n"),
                Names("a.toml:3:1", "published.cycles", "tolerance", "within", "one"));
    EXPECT_THAT(content_fault("[published.cycles]\ntolerance = -0.1\n"),
                Names("a.toml:2:13", "published.cycles.tolerance", "-0.1", "0"));
    EXPECT_THAT(content_fault("[published.cycles]\nvalue = 3\nsuorce = 'Paper B'\n"),
                AllOf(Names("a.toml:3:1", "published.cycles", "suorce", "value", "source", "unit",
                            "tolerance", "within"),
                      EndsWith("\"source\"?")));
}

TEST(ExperimentContent, ModelsHaveNamesAndInputs) {
    const ExperimentContent file = content(
        "[models]\ncompare = ['logp', 'lopc']\n"
        "[models.inputs]\nhandler_cycles = 145\nsource = 'Paper A'\n");
    ASSERT_TRUE(file.models_to_compare);
    ASSERT_EQ(file.models_to_compare->size(), 2);
    EXPECT_EQ((*file.models_to_compare)[1].name, "lopc");
    EXPECT_EQ((*file.models_to_compare)[1].place, (Place{"a.toml", 2, 20}));
    ASSERT_EQ(file.base.model_inputs.size(), 1);
    EXPECT_EQ(file.base.model_inputs[0].name, "handler_cycles");
    EXPECT_EQ(file.base.model_inputs[0].value, 145);
    EXPECT_EQ(file.base.model_inputs[0].place, (Place{"a.toml", 4, 18}));
    EXPECT_EQ(file.base.model_inputs_source, "Paper A");
}

TEST(ExperimentContent, WrongModels) {
    EXPECT_THAT(content_fault("models = 3\n"), Names("a.toml:1:10", "models", "3", "table"));
    EXPECT_THAT(content_fault("[models]\ncompares = ['logp']\n"),
                AllOf(Names("a.toml:2:1", "[models]", "compares", "compare", "inputs"),
                      EndsWith("\"compare\"?")));
    EXPECT_THAT(content_fault("[models]\ncompare = 'logp'\n"),
                Names("a.toml:2:11", "models.compare", "\"logp\"", "list"));
    EXPECT_THAT(content_fault("[models]\ncompare = ['logp', 3]\n"),
                Names("a.toml:2:20", "models.compare", "3", "string"));
    EXPECT_THAT(content_fault("[models]\ninputs = 3\n"),
                Names("a.toml:2:10", "models.inputs", "3", "table"));
    EXPECT_THAT(content_fault("[models.inputs]\nhandler_cycles = 'x'\n"),
                Names("a.toml:2:18", "models.inputs.handler_cycles", "\"x\"", "number"));
    EXPECT_THAT(content_fault("[models.inputs]\nsource = 3\n"),
                Names("a.toml:2:10", "models.inputs.source", "3", "string"));
    EXPECT_THAT(content_fault("[models.inputs]\nhandler_cycles = 145\n"),
                Names("a.toml:1:9", "models.inputs", "source", "source ="));
    EXPECT_THAT(content_fault("[[point]]\nmodels.compare = ['logp']\n"),
                Names("a.toml:2:8", "models", "\"compare\"", "\"inputs\""));
    EXPECT_THAT(content_fault("[[point]]\nmodels.inputs.source = 'Paper B'\n"),
                Names("a.toml:2:8", "models.inputs", "source", "name = number"));
}

TEST(ExperimentContent, SetOptionIsTheSourceOfItsModelInput) {
    const ExperimentContent option =
        content_of_set_option(parse_set_option("models.inputs.handler_cycles=150"));
    EXPECT_EQ(option.base.model_inputs.front().value, 150);
    EXPECT_EQ(option.base.model_inputs_source, "--set models.inputs.handler_cycles=150");
}

TEST(ExperimentContent, SetOptionCannotSayWhatOnlyAFileCan) {
    EXPECT_THAT(option_fault("extends=alewife"),
                Names("--set extends=alewife", "\"extends\"", "--set table.key=value"));
    EXPECT_NE(option_fault("point=[]"), "none");
    EXPECT_NE(option_fault("sensitivity=[]"), "none");
    EXPECT_THAT(option_fault("models.inputs.source=me"),
                Names("--set models.inputs.source=me", "models.inputs", "source", "name = number"));
    EXPECT_THAT(option_fault("published.cycles.value=3"),
                Names("--set published.cycles.value=3", "published.cycles", "source", "source ="));
}

}  // namespace
}  // namespace weir::experiments::setup
