#include "experiments/running/processes/compare_machines.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "experiments/kinds/setup.h"
#include "experiments/setup/files/resolved_configuration.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace {

using setup::UserFault;
using Values = std::vector<std::pair<std::string, hw::ParameterValue>>;

constexpr const char* kAccepted = "two files that differ only in the machine";

// Kernel and parameters of the program.
Values program_of(const setup::ExperimentFile& file, setup::SelectedRun run) {
    const std::unique_ptr<kinds::Setup> setup = kinds::make_setup(file, run);
    if (setup->run.relative_precision.value() > 0.0) {
        throw file.fault_at("run.relative_precision", run,
                            "runs of different lengths can't be paired",
                            "run.relative_precision = 0, with run.seeds for the interval");
    }
    Values values = setup::resolved_values(setup->groups(), setup->kernel_name);
    std::erase_if(values, [](const auto& each) { return !each.first.starts_with("workload."); });
    return values;
}

std::string text_of(const Values& values, std::size_t index) {
    return index < values.size()
               ? fmt::format("{} = {}", values[index].first, setup::toml_text(values[index].second))
               : "nothing more";
}

void require_same_program(const Values& first, const Values& second, const RunOptions& options) {
    for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
        if (i >= first.size() || i >= second.size() || first[i] != second[i]) {
            throw UserFault({options.file.string()},
                            fmt::format("its program differs: {}, and in the first {}",
                                        text_of(second, i), text_of(first, i)),
                            kAccepted);
        }
    }
}

void require_same_runs(const ExperimentPlan& first, const ExperimentPlan& second,
                       const RunOptions& options) {
    if (first.groups.size() != second.groups.size()) {
        throw UserFault(
            {options.file.string()},
            fmt::format("it has {}, and the first has {}",
                        setup::counted(second.groups.size(), "point"), first.groups.size()),
            kAccepted);
    }
    for (std::size_t i = 0; i < first.groups.size(); ++i) {
        const ExperimentPlan::Group& a = first.groups[i];
        const ExperimentPlan::Group& b = second.groups[i];
        if (first.groups.size() > 1 && a.label != b.label) {
            throw UserFault({options.file.string()},
                            fmt::format(R"(its point {} is "{}", and that of the first "{}")",
                                        i + 1, b.label, a.label),
                            kAccepted);
        }
        if (a.seeds != b.seeds) {
            throw UserFault({options.file.string()}, "its seeds differ from those of the first",
                            "the same run.seeds in both, as by --set run.seeds=[1, 2, 3]");
        }
        require_same_program(program_of(first.file, a.run), program_of(second.file, b.run),
                             options);
    }
}

std::vector<records::SimulationResult> runs_of(const ExperimentPlan::Group& group,
                                               const records::ExperimentResult& result) {
    std::vector<records::SimulationResult> runs;
    for (const std::string& folder : group.folders) {
        runs.push_back(read_result(std::filesystem::path(result.folder) / folder));
    }
    return runs;
}

}  // namespace

records::MachineComparison compare_machines(const RunOptions& first, const RunOptions& second) {
    const ExperimentPlan first_plan = plan_experiment(first);
    const ExperimentPlan second_plan = plan_experiment(second);
    require_same_runs(first_plan, second_plan, second);
    std::vector<records::ExperimentResult> results = run_experiments(std::array{first, second});
    records::MachineComparison comparison{std::move(results[0]), std::move(results[1]), {}};
    for (std::size_t i = 0; i < first_plan.groups.size(); ++i) {
        const ExperimentPlan::Group& group = first_plan.groups[i];
        comparison.points.push_back({first_plan.groups.size() > 1 ? group.label : "", group.seeds,
                                     runs_of(group, comparison.first),
                                     runs_of(second_plan.groups[i], comparison.second)});
    }
    return comparison;
}

}  // namespace weir::experiments::running
