#include "experiments/running/precision/precise_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>
#include <vector>

#include "experiments/kinds/setup.h"
#include "experiments/records/result.h"
#include "experiments/records/run_file.h"
#include "experiments/running/processes/interruption.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/worker_pool.h"
#include "experiments/statistics/precision_rule.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;

std::int64_t length_of(const hw::ParameterBase& parameter) {
    return std::get<std::int64_t>(parameter.value_as_variant());
}

// Greatest length up to `wanted` that the parameter accepts.
std::int64_t accepted_length(hw::ParameterBase& parameter, std::int64_t wanted) {
    std::int64_t accepted = length_of(parameter);
    for (std::int64_t step = wanted - accepted; step > 0; step /= 2) {
        while (accepted + step <= wanted && parameter.set(accepted + step)) {
            accepted += step;
        }
    }
    return accepted;
}

// Length of the next run; nullopt if the last run was precise, if longer runs do not help, or if no
// longer run is allowed.
std::optional<std::int64_t> longer(kinds::Setup& setup, std::int64_t first_length,
                                   const records::SimulationResult& result, bool is_precise) {
    const records::SteadyInterval& interval = *result.measured.interval;
    const auto mean = records::find_metric(result.measured.metrics, interval.metric);
    const bool is_of_no_use = setup.kind->is_endless_without_mean() && !mean;
    if (is_precise || is_of_no_use) {
        return std::nullopt;
    }
    hw::ParameterBase& parameter = *setup.steady_state_length();
    const std::int64_t length = length_of(parameter);
    const std::int64_t limit = setup.run.most_lengthening.value();
    const std::int64_t most = first_length > INT64_MAX / limit ? INT64_MAX : first_length * limit;
    const std::int64_t wanted = std::min(
        most, statistics::next_length(length, mean.value_or(0.0),
                                      interval.is_believed() ? interval.half_width : std::nullopt,
                                      setup.run.relative_precision.value()));
    const std::int64_t next = accepted_length(parameter, wanted);
    return next > length ? std::optional(next) : std::nullopt;
}

bool is_precise_enough(const kinds::Setup& setup, const records::SimulationResult& result) {
    const records::SteadyInterval& interval = *result.measured.interval;
    const auto mean = records::find_metric(result.measured.metrics, interval.metric);
    return mean && interval.is_believed() &&
           statistics::is_precise(*mean, *interval.half_width,
                                  setup.run.relative_precision.value());
}

void empty(const fs::path& folder) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        fs::remove_all(entry.path());
    }
}

// Runs a length in a process of its own, since a process can simulate only one machine.
WorkOutcome run_apart(const setup::ExperimentFile& file, const SimulationJob& job,
                      std::int64_t length,
                      const std::function<bool(const records::Progress&)>& report) {
    WorkerPool pool(1);
    return pool
        .run(
            1,
            [&](std::size_t /*index*/, const WorkerPool::Report& own_report, std::string& message) {
                return simulate_job(
                    file, job,
                    [&](const records::Progress& progress) {
                        const bool goes_on = report(progress);
                        return own_report(progress) && goes_on;
                    },
                    nullptr, message,
                    [length](kinds::Setup& its_own) {
                        static_cast<void>(its_own.steady_state_length()->set(length));
                    });
            })
        .front();
}

}  // namespace

int simulate_until_precise(const setup::ExperimentFile& file, const SimulationJob& job,
                           kinds::Setup& setup,
                           const std::function<bool(const records::Progress&)>& report,
                           std::string& message) {
    hw::ParameterBase& parameter = *setup.steady_state_length();
    const std::int64_t first_length = length_of(parameter);
    std::vector<std::int64_t> lengths;
    for (std::optional<std::int64_t> length = first_length; length;) {
        fs::create_directory(job.folder);
        empty(job.folder);
        const WorkOutcome outcome = run_apart(file, job, *length, report);
        message = outcome.message;
        if (outcome.how == WorkOutcome::How::kKilled) {
            message = fmt::format("the process was killed by signal {} ({})", outcome.status,
                                  strsignal(outcome.status));
            return status_of_kill(outcome.status) == kBadInput ? kRefused : kBug;
        }
        if (outcome.how == WorkOutcome::How::kNotStarted || is_interrupted()) {
            return kInterrupted;
        }
        if (outcome.status != kSuccess) {
            return outcome.status;
        }
        lengths.push_back(*length);
        records::SimulationResult result = read_result(job.folder);
        if (!result.measured.interval) {
            throw std::logic_error("a run in a steady state has no interval");
        }
        const bool is_precise = is_precise_enough(setup, result);
        length = longer(setup, first_length, result, is_precise);
        if (!length) {
            records::SteadyInterval& interval = *result.measured.interval;
            interval.length_key = setup.kind->length_table() + "." + parameter.name();
            interval.lengths = lengths;
            interval.is_precise = is_precise;
            records::write_run_file(job.folder / "result.json", records::json_text_of(result));
        }
    }
    return kSuccess;
}

}  // namespace weir::experiments::running
