#include "experiments/running/sweeps/points/point_run.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "experiments/debug/stepping/resumed_runs.h"
#include "experiments/kinds/setup.h"
#include "experiments/records/json_output.h"
#include "experiments/records/run_file.h"
#include "experiments/records/saturation.h"
#include "experiments/running/processes/interruption.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/simulation_job.h"
#include "experiments/running/sweeps/database/sweep_connection.h"
#include "experiments/setup/surroundings_fault.h"
#include "experiments/setup/user_fault.h"
#include "experiments/trace/log/log_format.h"

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

// Completes the outcome of a run that has ended with this exit status and message.
std::optional<RunOutcome> completed(const SweepPlan& plan, const RunRequest& request,
                                    const fs::path& folder, RunOutcome outcome) {
    if (outcome.exit_status == kInterrupted) {
        return std::nullopt;
    }
    if (outcome.exit_status == kRefused) {
        throw SweepError(outcome.message);
    }
    outcome.status = running::status_of(outcome.exit_status);
    evaluate(plan.file_of(*request.point), *request.point, folder, outcome);
    outcome.digest = outcome_digest(outcome, records::text_of_file(folder / "statistics.json"));
    return outcome;
}

// Removes the files of a run but its trace, which the next run of the same folder continues.
void remove_results(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().filename() != trace::kTraceFile) {
            fs::remove_all(entry.path());
        }
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
    RunOutcome outcome;
    outcome.exit_status =
        simulate_job(plan.file_of(*request.point), {request.point->run, request.seed, folder},
                     report, nullptr, outcome.message);
    std::optional<RunOutcome> done = completed(plan, request, folder, std::move(outcome));
    if (done) {
        fs::remove_all(folder);
    }
    return done;
}

namespace {

// File by which the process of a point tells the first process why it failed.
constexpr const char* kFailure = "failure.txt";

// Completes the run of a point in its own process, which ends.
[[noreturn]] void end_process(const std::function<bool()>& is_completed, const fs::path& folder) {
    try {
        ::_exit(is_completed() ? kSuccess : kInterrupted);
    } catch (const std::exception& fault) {
        records::write_run_file(folder / kFailure, fault.what());
        ::_exit(kBug);
    }
}

}  // namespace

bool run_points_from(hw::Cycles cycle, const SweepPlan& plan, std::span<const RunRequest> requests,
                     std::span<const std::vector<LaterChange>> changes, const fs::path& folder,
                     const std::function<bool(const records::Progress&)>& report,
                     const std::function<void(std::size_t, const RunOutcome&)>& ended,
                     const std::function<void(std::size_t, int)>& killed) {
    const RunRequest& first = requests.front();
    kinds::Setup* setup = nullptr;
    bool has_left = false;  // one of the points' runs was interrupted, or failed
    std::string failure;
    const auto has_ended = [&](std::size_t index, int status) {
        if (WIFSIGNALED(status)) {
            killed(index, WTERMSIG(status));
        } else if (WEXITSTATUS(status) != kSuccess) {
            has_left = true;
            failure = records::text_of_file(folder / kFailure);
        }
        remove_results(folder);
    };
    debug::ResumedRuns runs(cycle, requests.size(), folder,
                            {.change = [&](std::size_t index) -> const network::FaultParameters& {
                                 set_later_values(changes[index], *setup);
                                 return setup->machine.faults;
                             },
                             .ended = has_ended,
                             .is_interrupted = [&] { return has_left || is_interrupted(); }});
    RunOutcome outcome;
    try {
        outcome.exit_status =
            simulate_job(plan.file_of(*first.point), {first.point->run, first.seed, folder}, report,
                         &runs, outcome.message, [&](kinds::Setup& its_own) { setup = &its_own; });
    } catch (const debug::ResumedRuns::AllEnded&) {
        fs::remove_all(folder);
        if (!failure.empty()) {
            throw SweepError(failure);
        }
        return !has_left && !is_interrupted();
    }
    if (runs.index()) {
        end_process(
            [&] {
                const std::optional<RunOutcome> done =
                    completed(plan, requests[*runs.index()], folder, std::move(outcome));
                if (done) {
                    ended(*runs.index(), *done);
                }
                return done.has_value();
            },
            folder);
    }
    fs::remove_all(folder);
    if (outcome.exit_status == kInterrupted) {
        return false;
    }
    throw SweepError(fmt::format(
        "--resume-at {}: the run of point {} with seed {} ends before this cycle; accepted: an "
        "earlier cycle",
        cycle.count(), first.point->number, first.seed));
}

}  // namespace weir::experiments::running
