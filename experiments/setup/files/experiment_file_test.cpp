#include "experiments/setup/files/experiment_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/setup/testing/setup_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::setup {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::weir::testing::Names;

class ExperimentFileTest : public ConfigTest {
  protected:
    static ExperimentFile read(const std::vector<std::string>& set_options = {}) {
        return ExperimentFile::read("a.toml", "presets", set_options);
    }
    static std::string fault(const std::vector<std::string>& set_options = {}) {
        return fault_of([&] { (void)read(set_options); });
    }
    std::string apply_fault(SelectedRun run = 0, const std::vector<std::string>& set_options = {}) {
        const ExperimentFile file = read(set_options);
        return fault_of([&] { file.apply(run, remap_machine_); });
    }
    std::int64_t hop_cycles_of(const ExperimentFile& file, SelectedRun run) {
        file.apply(run, remap_machine_);
        return network_.hop_cycles.value().count();
    }

    const std::vector<std::string> models_ = {"logp", "lopc", "logpc"};
    const std::vector<std::string> inputs_ = {"handler_cycles", "work_cycles"};
};

TEST_F(ExperimentFileTest, WithoutPointsThereIsOne) {
    write("a.toml", "title = 'Remap'\ndescription = 'x'\n[network]\nhop_cycles = 3\n");
    const ExperimentFile file = read();
    EXPECT_EQ(file.title(), "Remap");
    EXPECT_EQ(file.description(), "x");
    ASSERT_EQ(file.points().size(), 1);
    EXPECT_THAT(file.points().front().label, HasSubstr("stands"));
    EXPECT_EQ(hop_cycles_of(file, 0), 3);
    EXPECT_TRUE(file.sensitivity().empty());
}

TEST_F(ExperimentFileTest, APointOverridesTheRestOfItsFile) {
    write("a.toml",
          "[[point]]\nnetwork.hop_cycles = 2\n[[point]]\n[[point]]\n[point.network]\n"
          "hop_cycles = 4\n[network]\nhop_cycles = 3\ndimensions = [2, 2]\n");
    const ExperimentFile file = read();
    ASSERT_EQ(file.points().size(), 3);
    EXPECT_EQ(hop_cycles_of(file, 0), 2);
    EXPECT_EQ(hop_cycles_of(file, 1), 3);
    EXPECT_EQ(hop_cycles_of(file, 2), 4);
    EXPECT_EQ(network_.dimensions.value(), (std::vector<std::int64_t>{2, 2}));
}

TEST_F(ExperimentFileTest, TheExampleInTheHeaderIsAnExperiment) {
    write("presets/alewife.toml", "");
    write("a.toml", R"(
extends = "alewife"                    # a preset, or "../path/to.toml"
title = "Remap on meshes of two sizes"
description = "..."

[network]                              # one table per hw::ParameterGroup
hop_cycles = 1
[workload]
kernel = "remap"                       # owner of the other parameters in [workload]

[[point]]                              # one run per point; without points, one run
label = "32 nodes"
network.dimensions = [4, 8]
published.cycles = { value = 2000, source = "the paper, Table 1" }

[[sensitivity]]
what = "queue size"
points = [{ label = "half", controller.queue_bytes = 128 }]

[published.cycles_per_message]         # for comparison; never an input
value = 20
source = "the paper, Table 2"
unit = "cycles"                        # optional
tolerance = 0.05                       # optional: a fraction of the value

[models]
compare = ["logp", "lopc"]
[models.inputs]
handler_cycles = 100
source = "the paper, Table 3"
)");
    const ExperimentFile file = read();
    file.apply(0, remap_machine_);
    file.apply(SelectedRun(0, {0, 0}), remap_machine_);
    EXPECT_EQ(controller_.queue_bytes.value(), hw::Bytes(128));
    EXPECT_EQ(file.points().front().label, "32 nodes");
    EXPECT_EQ(file.published(0).size(), 2);
    EXPECT_EQ(file.model_names(models_).size(), 2);
    EXPECT_EQ(file.model_inputs(0, inputs_).size(), 1);
}

TEST_F(ExperimentFileTest, APointOverridesItsFileAndWhatThatExtends) {
    write("presets/alewife.toml", "[network]\nhop_cycles = 2\n");
    write("a.toml",
          "extends = 'alewife'\n[network]\nhop_cycles = 3\n[[point]]\nnetwork.hop_cycles = 4\n");
    EXPECT_EQ(hop_cycles_of(read(), 0), 4);
}

TEST_F(ExperimentFileTest, AFileOverridesWhatItExtends) {
    write("presets/alewife.toml",
          "title = 'Alewife'\n[network]\nhop_cycles = 2\n[controller]\nqueue_bytes = 512\n");
    write("a.toml", "extends = 'alewife'\n[network]\nhop_cycles = 5\n");
    const ExperimentFile file = read();
    EXPECT_EQ(file.title(), "Alewife");
    EXPECT_EQ(hop_cycles_of(file, 0), 5);
    EXPECT_EQ(controller_.queue_bytes.value(), hw::Bytes(512));
}

TEST_F(ExperimentFileTest, AFileOverridesThePointsItInherits) {
    write("b.toml",
          "[[point]]\nnetwork.hop_cycles = 2\nnetwork.dimensions = [2, 2]\n"
          "[[point]]\nnetwork.hop_cycles = 3\n");
    write("a.toml", "extends = 'b.toml'\n[network]\nhop_cycles = 5\n");
    const ExperimentFile file = read();
    ASSERT_EQ(file.points().size(), 2);
    EXPECT_EQ(hop_cycles_of(file, 1), 5);
    EXPECT_EQ(hop_cycles_of(file, 0), 5);
    EXPECT_EQ(network_.dimensions.value(), (std::vector<std::int64_t>{2, 2}));
}

TEST_F(ExperimentFileTest, AFilesListsReplaceTheInheritedOnes) {
    write("b.toml",
          "[[point]]\nnetwork.hop_cycles = 2\n[[point]]\n"
          "[[sensitivity]]\nwhat = 'x'\npoints = [{}]\n[models]\ncompare = ['logp']\n");
    write("a.toml",
          "extends = 'b.toml'\n[[point]]\nnetwork.hop_cycles = 7\n"
          "[[sensitivity]]\nwhat = 'y'\npoints = [{}]\n[models]\ncompare = ['lopc']\n");
    const ExperimentFile file = read();
    ASSERT_EQ(file.points().size(), 1);
    EXPECT_EQ(hop_cycles_of(file, 0), 7);
    ASSERT_EQ(file.sensitivity().size(), 1);
    EXPECT_EQ(file.sensitivity().front().what, "y");
    EXPECT_EQ(file.model_names(models_), std::vector<std::string>{"lopc"});
}

TEST_F(ExperimentFileTest, AnEmptyListOfPointsRemovesTheInheritedOnes) {
    write("b.toml", "[[point]]\nnetwork.hop_cycles = 2\n[[point]]\n");
    write("a.toml", "extends = 'b.toml'\npoint = []\n");
    const ExperimentFile file = read();
    ASSERT_EQ(file.points().size(), 1);
    EXPECT_EQ(hop_cycles_of(file, 0), 1);
}

TEST_F(ExperimentFileTest, SetOptionsOverrideEveryPoint) {
    write("a.toml", "[[point]]\nnetwork.hop_cycles = 2\n[[point]]\n[network]\nhop_cycles = 3\n");
    const ExperimentFile file = read({"network.hop_cycles=8", "network.hop_cycles=9", "title=T"});
    EXPECT_EQ(hop_cycles_of(file, 0), 9);
    EXPECT_EQ(hop_cycles_of(file, 1), 9);
    EXPECT_EQ(file.title(), "T");
}

TEST_F(ExperimentFileTest, AVariantOverridesEverything) {
    write("a.toml",
          "[[point]]\ncontroller.queue_bytes = 128\n[[point]]\n"
          "[[sensitivity]]\nwhat = 'hop'\n"
          "points = [{ network.hop_cycles = 6 }, { label = 'base' }]\n");
    const ExperimentFile file = read({"network.hop_cycles=9"});
    EXPECT_EQ(hop_cycles_of(file, SelectedRun(0, {0, 0})), 6);
    EXPECT_EQ(controller_.queue_bytes.value(), hw::Bytes(128));
    EXPECT_EQ(hop_cycles_of(file, SelectedRun(1, {0, 1})), 9);
    EXPECT_EQ(controller_.queue_bytes.value(), hw::Bytes(256));
}

TEST_F(ExperimentFileTest, ApplyingPointAfterPointLeavesNothingBehind) {
    write("a.toml", "[[point]]\nnetwork.hop_cycles = 2\n[[point]]\n");
    const ExperimentFile file = read();
    EXPECT_EQ(hop_cycles_of(file, 0), 2);
    EXPECT_EQ(hop_cycles_of(file, 1), 1);
}

// A path is relative to the file that contains it, like `extends`, even if another file extends
// that one.
TEST_F(ExperimentFileTest, AFilesPathIsRelativeToTheFileThatHasIt) {
    std::filesystem::create_directories("studies/small");
    write("studies/base.toml", "[workload]\nkernel = 'spmv'\nmatrix = 'a.mtx'\n");
    write("studies/small/own.toml",
          "extends = '../base.toml'\n[[point]]\nlabel = 'inherited'\n"
          "[[point]]\nlabel = 'own'\nworkload.matrix = './b.mtx'\n"
          "[[point]]\nlabel = 'above'\nworkload.matrix = '../../c.mtx'\n"
          "[[point]]\nlabel = 'absolute'\nworkload.matrix = '/d.mtx'\n"
          "[[point]]\nlabel = 'none'\nworkload.matrix = ''\n");
    const ExperimentFile file = ExperimentFile::read("studies/small/own.toml", "presets");
    const std::vector<std::string> expected = {"studies/a.mtx", "studies/small/b.mtx", "c.mtx",
                                               "/d.mtx", ""};
    for (std::size_t point = 0; point < expected.size(); ++point) {
        file.apply(point, spmv_machine_);
        EXPECT_EQ(spmv_.matrix.value(), expected[point]);
    }
}

TEST_F(ExperimentFileTest, APathOfASetOptionIsRelativeToTheWorkingDirectory) {
    std::filesystem::create_directory("studies");
    write("studies/own.toml", "[workload]\nkernel = 'spmv'\nmatrix = 'a.mtx'\n");
    const std::vector<std::string> options = {"workload.matrix=b.mtx"};
    ExperimentFile::read("studies/own.toml", "presets", options).apply(0, spmv_machine_);
    EXPECT_EQ(spmv_.matrix.value(), "b.mtx");
}

// A string parameter that is not a file's path stays unchanged.
TEST_F(ExperimentFileTest, OtherStringsAreNoPaths) {
    std::filesystem::create_directory("studies");
    write("studies/own.toml", "[workload]\nkernel = 'spmv'\n[trace]\nfile = 'x.sqlite'\n");
    ExperimentFile::read("studies/own.toml", "presets").apply(0, spmv_machine_);
    EXPECT_EQ(trace_.file.value(), "x.sqlite");
}

TEST_F(ExperimentFileTest, KernelIsNamedWithItsPlace) {
    write("presets/alewife.toml", "[workload]\nkernel = 'remap'\n");
    write("a.toml", "extends = 'alewife'\n[[point]]\n[[point]]\nworkload.kernel = 'fft'\n");
    const ExperimentFile file = read();
    EXPECT_EQ(file.workload_kernel(0).name, "remap");
    EXPECT_EQ(file.workload_kernel(0).place, (Place{"presets/alewife.toml", 2, 10}));
    EXPECT_EQ(file.workload_kernel(1).name, "fft");
    EXPECT_EQ(file.workload_kernel(1).place, (Place{"a.toml", 4, 19}));
    file.apply(0, remap_machine_);
    file.apply(1, fft_machine_);
    const ExperimentFile set = read({"workload.kernel=broadcast"});
    EXPECT_EQ(set.workload_kernel(1).name, "broadcast");
    EXPECT_EQ(set.workload_kernel(1).place, Place{"--set workload.kernel=broadcast"});
}

TEST_F(ExperimentFileTest, KernelIsMissingOrNoString) {
    write("a.toml", "");
    EXPECT_THAT(fault_of([] { (void)read().workload_kernel(0); }),
                Names("a.toml:", "workload.kernel", "[workload]", "kernel ="));
    write("a.toml", "[workload]\nkernel = 3\n");
    EXPECT_THAT(fault_of([] { (void)read().workload_kernel(0); }),
                Names("a.toml:2:10", "workload.kernel", "3", "string"));
}

TEST_F(ExperimentFileTest, FaultIsPlacedInTheFileThatHasIt) {
    write("presets/alewife.toml", "[network]\n\nhop_cycles = 0\n");
    write("a.toml", "extends = 'alewife'\n[network]\nhop_cycles = 2\n");
    EXPECT_THAT(apply_fault(),
                Names("presets/alewife.toml:3:14", "network.hop_cycles", "0", "1", "64"));
}

TEST_F(ExperimentFileTest, FaultInAPointOrVariantSaysWhatCanStandThere) {
    write("a.toml",
          "[[point]]\nnetwork.hop_cycles = 1\n[[point]]\ntitle = 'x'\n"
          "[[sensitivity]]\nwhat = 'x'\npoints = [{ published.x = 3 }, { hop_cycles = 2 }]\n");
    EXPECT_EQ(apply_fault(0), "none");
    EXPECT_THAT(apply_fault(1),
                Names("a.toml:4:1", "[[point]]", "\"title\"", "label", "against", "published",
                      "models", "[network]", "[controller]", "[trace]", "[workload]"));
    EXPECT_THAT(apply_fault(SelectedRun(0, {0, 0})),
                Names("a.toml:7:13", "sensitivity.points", "[published]", "label", "models",
                      "[network]", "[controller]", "[trace]", "[workload]"));
    EXPECT_THAT(apply_fault(SelectedRun(0, {0, 1})),
                Names("a.toml:7:34", "hop_cycles", "[network]"));
}

TEST_F(ExperimentFileTest, FaultOfContentIsToldWhenReading) {
    write("a.toml", "title = 3\n");
    EXPECT_THAT(fault(), Names("a.toml:1:9", "title", "3", "string"));
    write("a.toml", "");
    EXPECT_THAT(fault({"network"}), Names("--set network", "\"=\"", "--set table.key=value"));
}

TEST_F(ExperimentFileTest, PublishedOfAPointReplacesTheFiles) {
    write("a.toml",
          "[published]\ncycles = { value = 1, source = 'A' }\nratio = { value = 5, source = 'A' }\n"
          "[[point]]\n[[point]]\npublished.cycles = { value = 2, source = 'B' }\n");
    const ExperimentFile file = read();
    const std::vector<Published> first = file.published(0);
    ASSERT_EQ(first.size(), 2);
    EXPECT_EQ(first[0].value, 1);
    const std::vector<Published> second = file.published(1);
    ASSERT_EQ(second.size(), 2);
    EXPECT_EQ(second[0].value, 2);
    EXPECT_EQ(second[0].source, "B");
    EXPECT_EQ(second[1].metric, "ratio");
    EXPECT_EQ(file.place_of("published.cycles", 1), (Place{"a.toml", 6, 30}));
}

TEST_F(ExperimentFileTest, MetricsAreThoseThatCanBeMeasured) {
    const std::vector<std::string> metrics = {"cycles", "ratio"};
    write("a.toml", "[published.ratio]\nvalue = 1\nsource = 'A'\n");
    EXPECT_EQ(read().published(0, metrics).front().metric, "ratio");
    write("a.toml", "[published.cycels]\nvalue = 1\nsource = 'A'\n");
    EXPECT_THAT(fault_of([&] { (void)read().published(0, metrics); }),
                AllOf(Names("a.toml:1:12", "metric", "cycels", "cycles", "ratio"),
                      EndsWith("\"cycles\"?")));
}

TEST_F(ExperimentFileTest, PublishedChangesNothingElse) {
    const std::string rest =
        "title = 'T'\n[network]\nhop_cycles = 3\n[models.inputs]\nhandler_cycles = 1\n"
        "source = 'S'\n[workload]\nkernel = 'remap'\n";
    write("a.toml", rest);
    const ExperimentFile without = read();
    write("a.toml", rest + "[published.hop_cycles]\nvalue = 9\nsource = 'A'\n");
    const ExperimentFile with = read();
    EXPECT_EQ(hop_cycles_of(with, 0), hop_cycles_of(without, 0));
    EXPECT_EQ(with.model_inputs(0, inputs_).front().value,
              without.model_inputs(0, inputs_).front().value);
    EXPECT_EQ(with.workload_kernel(0).name, without.workload_kernel(0).name);
    EXPECT_EQ(with.points().size(), without.points().size());
}

TEST_F(ExperimentFileTest, ModelNames) {
    write("a.toml", "[models]\ncompare = ['lopc', 'logp']\n");
    EXPECT_EQ(read().model_names(models_), (std::vector<std::string>{"lopc", "logp"}));
    write("a.toml", "[models]\ncompare = ['lopc', 'lgp']\n");
    EXPECT_THAT(fault_of([&] { (void)read().model_names(models_); }),
                AllOf(Names("a.toml:2:20", "model", "lgp", "logp", "lopc", "logpc"),
                      EndsWith("\"logp\"?")));
}

TEST_F(ExperimentFileTest, ModelInputsKeepTheSourceTheyCameWith) {
    write("b.toml",
          "[models.inputs]\nhandler_cycles = 145\nwork_cycles = 10\nsource = 'Paper A'\n"
          "[[point]]\n[[point]]\nmodels.inputs.work_cycles = 20\n"
          "[[point]]\nmodels.inputs = { work_cycles = 30, source = 'Paper B' }\n");
    write("a.toml", "extends = 'b.toml'\n");
    const ExperimentFile file = read({"models.inputs.handler_cycles=150"});
    const std::vector<ModelInput> first = file.model_inputs(0, inputs_);
    ASSERT_EQ(first.size(), 2);
    EXPECT_EQ(first[0].name, "handler_cycles");
    EXPECT_EQ(first[0].value, 150);
    EXPECT_EQ(first[0].source, "--set models.inputs.handler_cycles=150");
    EXPECT_EQ(first[1].value, 10);
    EXPECT_EQ(first[1].source, "Paper A");
    const std::vector<ModelInput> second = file.model_inputs(1, inputs_);
    EXPECT_EQ(second[1].value, 20);
    EXPECT_EQ(second[1].source, "Paper A");
    const std::vector<ModelInput> third = file.model_inputs(2, inputs_);
    EXPECT_EQ(third[1].value, 30);
    EXPECT_EQ(third[1].source, "Paper B");
    EXPECT_EQ(file.place_of("models.inputs.work_cycles", 1), (Place{"b.toml", 7, 29}));
}

TEST_F(ExperimentFileTest, WrongModelInputs) {
    write("a.toml", "[models.inputs]\nhandler_cycle = 145\nsource = 'Paper A'\n");
    EXPECT_THAT(
        fault_of([&] { (void)read().model_inputs(0, inputs_); }),
        AllOf(Names("a.toml:2:1", "input", "handler_cycle", "handler_cycles", "work_cycles"),
              EndsWith("\"handler_cycles\"?")));
    write("a.toml", "[[point]]\nmodels.inputs.work_cycles = 145\n");
    EXPECT_THAT(
        fault_of([&] { (void)read().model_inputs(0, inputs_); }),
        Names("a.toml:2:29", "models.inputs.work_cycles", "source", "models.inputs.source ="));
}

TEST_F(ExperimentFileTest, FaultAtAKey) {
    write("a.toml", "[network]\nhop_cycles = 3\n[[point]]\n[[point]]\nnetwork.hop_cycles = 4\n");
    const ExperimentFile file = read();
    EXPECT_THAT(file.fault_at("network.hop_cycles", 0, "slow", "2").what(),
                Names("a.toml:2:14: slow", "2"));
    EXPECT_STREQ(file.fault_at("network.hop_cycles", 1, "slow").what(), "a.toml:5:22: slow");
    EXPECT_STREQ(file.fault_at("network.routing", 0, "slow").what(), "a.toml: slow");
    EXPECT_STREQ(file.fault_at("published.x", 0, "unknown").what(), "a.toml: unknown");
    EXPECT_STREQ(file.fault_at("models.inputs.x", 0, "unknown").what(), "a.toml: unknown");
    EXPECT_STREQ(file.fault_at("network", 0, "unknown").what(), "a.toml: unknown");
}

}  // namespace
}  // namespace weir::experiments::setup
