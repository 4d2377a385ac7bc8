#include <optional>

#include "experiments/setup/files/experiment_file.h"
#include "experiments/setup/testing/small_machine.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::setup {
namespace {

// Reads an experiment as a command does: the file with the files it extends, then each run's
// parameters, published values and models.
void read_experiment(const std::string& text) {
    static const hw::testing::InputFile file("a.toml");
    file.write(text);
    const ExperimentFile experiment = ExperimentFile::read(file.path(), file.folder(), {});
    static_cast<void>(experiment.title() + experiment.description());
    std::vector<SelectedRun> runs;
    for (std::size_t point = 0; point < experiment.points().size(); ++point) {
        runs.emplace_back(point);
    }
    for (std::size_t row = 0; row < experiment.sensitivity().size(); ++row) {
        for (std::size_t i = 0; i < experiment.sensitivity()[row].variants.size(); ++i) {
            runs.emplace_back(0, SelectedRun::Variant{row, i});
        }
    }
    for (const SelectedRun run : runs) {
        SmallMachine machine;
        experiment.apply(run, machine.remap_machine);
        const std::vector<std::string> names{"logp", "lopc", "cycles"};
        static_cast<void>(experiment.published(run, names));
        static_cast<void>(experiment.model_inputs(run, names));
        static_cast<void>(experiment.model_names(names));
        static_cast<void>(experiment.workload_kernel(run));
        static_cast<void>(experiment.string_of("trace", "file", run));
        static_cast<void>(experiment.place_of("published.cycles", run));
        static_cast<void>(experiment.place_of("models.inputs.cycles", run));
        static_cast<void>(experiment.place_of("network.hop_cycles", run));
    }
}

const hw::testing::FuzzTarget kExperimentFileFuzz({
    .name = "experiment-file",
    .sources = {"experiments/setup/files/toml_tree.cpp",
                "experiments/setup/files/experiment_content.cpp",
                "experiments/setup/files/experiment_file.cpp",
                "experiments/setup/files/extends_chain.cpp",
                "experiments/setup/parameters/parameter_assignment.cpp"},
    .read = read_experiment,
    .seeds =
        [] {
            return std::vector<std::string>{R"(title = "Remap on meshes of two sizes"
description = '''two
lines'''
[network]                              # a table
hop_cycles = 1
routing = "adaptive"
[controller]
overflow_trap = true
dma_cycles_per_byte = 0.5
[workload]
kernel = "remap"
[[point]]
label = "32 nodes"
against = "few"
network.dimensions = [4, 8]
network.hop_cycles = 3
published.cycles = { value = 2000, source = "the paper, Table 1", unit = "cycles", within = 3 }
[[point]]
label = "few"
network.hop_cycles = 2
[[sensitivity]]
what = "queue size"
points = [{ label = "half", controller.queue_bytes = 128 }, { network.hop_cycles = 2 }]
[published.cycles]
value = 20
source = "Table 2"
tolerance = 0.05
[models]
compare = ["logp", "lopc"]
inputs = { cycles = 145, source = "Table 1" }
)",
                                            "extends = \"a\"\n[workload]\nkernel = \"remap\"\n",
                                            "extends = \"../b.toml\"\n", "a = [1, 2\nc = 3\n"};
        },
    .tests = "ExperimentFileTest.*:ExperimentContentTest.*:ExtendsChainTest.*:TomlTree.*:"
             "ParameterAssignmentTest.*",
    .words = {"[[point]]\n", "[[sensitivity]]\n", "[published.cycles]\n", "[models]\n", "inputs",
              "compare = [", "extends = ", "network.hop_cycles = ", "a.a.a.a.a.a.a.a.", "[[[[[[[[",
              "{a = ", "1979-05-27", "07:32:00", "'''", "\"\"\"", "\\u0000", "true", "inf", "nan"},
});

}  // namespace
}  // namespace weir::experiments::setup
