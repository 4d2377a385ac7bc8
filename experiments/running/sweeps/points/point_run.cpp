#include "experiments/running/sweeps/points/point_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/records/json_output.h"
#include "experiments/records/run_file.h"
#include "experiments/records/saturation.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/simulation_job.h"
#include "experiments/running/sweeps/database/sweep_connection.h"
#include "experiments/setup/surroundings_fault.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;

// Result without the host's times.
std::string without_host_times(const records::SimulationResult& result) {
    nlohmann::ordered_json json = records::to_json(result);
    json.erase("wall_seconds");
    json.erase("machine_seconds");
    json.erase("processor_seconds");
    return records::json_text(json);
}

void evaluate(const setup::ExperimentFile& file, const PlannedPoint& point, const fs::path& folder,
              RunOutcome& outcome) {
    if (!fs::exists(folder / "result.json")) {
        return;
    }
    const records::SimulationResult result = read_result(folder);
    outcome.cycles = result.cycles;
    outcome.result_json = without_host_times(result);
    outcome.status = status_at_end(result.end, outcome.exit_status);
    if (outcome.status != RunStatus::kOk) {
        return;
    }
    try {
        outcome.metrics =
            metrics_of(evaluate_point(file, point.run, point.label, {result}, chosen_models(file)));
        outcome.status = records::is_saturated(result) ? RunStatus::kSaturated : RunStatus::kOk;
    } catch (const setup::UserFault& fault) {
        outcome.exit_status = kBadInput;
        outcome.status = RunStatus::kBad;
        outcome.message = fault.what();
    }
}

}  // namespace

void require_room(const fs::path& folder) {
    constexpr std::size_t kProbeBytes = 1 << 16;
    const fs::path file = folder / fmt::format("room-{}", getpid());
    std::FILE* probe = std::fopen(file.c_str(), "wb");
    int fault = probe == nullptr ? errno : 0;
    if (probe != nullptr) {
        const std::vector<char> bytes(kProbeBytes, 'x');
        errno = 0;
        const bool is_written = std::fwrite(bytes.data(), 1, kProbeBytes, probe) == kProbeBytes &&
                                std::fflush(probe) == 0;
        fault = is_written ? 0 : errno;
        std::fclose(probe);
        std::remove(file.c_str());
    }
    if (fault != 0) {
        throw SweepError(fmt::format("{}: nothing can be written there: {}", folder.string(),
                                     setup::system_reason(fault)));
    }
}

std::optional<RunOutcome> run_point(const SweepPlan& plan, const RunRequest& request,
                                    const fs::path& folder,
                                    const std::function<bool(const records::Progress&)>& report) {
    const setup::ExperimentFile file = plan.file_of(*request.point);
    RunOutcome outcome;
    outcome.exit_status = simulate_job(file, {request.point->run, request.seed, folder}, report,
                                       nullptr, outcome.message);
    if (outcome.exit_status == kInterrupted) {
        return std::nullopt;
    }
    if (outcome.exit_status == kRefused) {
        throw SweepError(outcome.message);
    }
    outcome.status = status_of(outcome.exit_status);
    evaluate(file, *request.point, folder, outcome);
    outcome.digest = outcome_digest(outcome, records::text_of_file(folder / "statistics.json"));
    fs::remove_all(folder);
    return outcome;
}

}  // namespace weir::experiments::running
