#include "experiments/validation/traced_experiment.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/kinds/recorded/recorded_kind.h"
#include "experiments/running/processes/simulation_job.h"
#include "experiments/setup/files/temporary_folder.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::validation {

namespace {

const setup::SelectedRun kOnly(0);

records::SimulationResult result_of(const setup::ExperimentFile& file, std::uint64_t seed,
                                    const std::filesystem::path& folder) {
    std::string message;
    const int status = running::simulate_job(
        file, {kOnly, seed, folder}, [](const records::Progress&) { return true; }, nullptr,
        message);
    if (status == running::kBadInput) {
        throw setup::UserFault(message);
    }
    if (status != running::kSuccess) {
        throw running::RunFailure(status == running::kRefused ? running::kBadInput : status,
                                  message);
    }
    return running::read_result(folder);
}

}  // namespace

records::ExperimentResult measure_traces(const running::RunOptions& options,
                                         std::span<const std::string> traces) {
    setup::ExperimentFile file =
        setup::ExperimentFile::read(options.file, options.presets, options.set_options);
    file.permit(options.permissions);
    const std::vector<std::string> models = running::chosen_models(file);
    const std::int64_t seed = running::check_run(file, kOnly)->run.seeds.value().front();
    if (file.points().size() > 1) {
        throw setup::UserFault(
            {file.place_of("workload.kernel", kOnly).source},
            fmt::format("the experiment has {} points, but a trace belongs to one",
                        file.points().size()),
            "an experiment with a single point");
    }
    const setup::TemporaryFolder folder("weir-validate");
    std::vector<setup::ExperimentFile> recorded;
    std::vector<records::SimulationResult> runs;
    for (const std::string& trace : traces) {
        recorded.push_back(file.with(kinds::recorded_run(trace, seed, {"--trace " + trace})));
        static_cast<void>(running::check_run(recorded.back(), kOnly));
        runs.push_back(result_of(recorded.back(), static_cast<std::uint64_t>(seed),
                                 folder.path() / fmt::format("trace-{}", runs.size() + 1)));
    }
    records::ExperimentResult result;
    result.file = options.file.string();
    result.points.push_back(running::evaluate_point(recorded.front(), kOnly,
                                                    file.points().front().label, runs, models));
    return result;
}

}  // namespace weir::experiments::validation
