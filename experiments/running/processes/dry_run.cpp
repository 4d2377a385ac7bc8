#include "experiments/running/processes/dry_run.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>

#include "experiments/kinds/kernel/machine_tree.h"
#include "experiments/kinds/setup.h"
#include "experiments/records/json_output.h"
#include "experiments/running/processes/interruption.h"
#include "experiments/running/processes/simulation_job.h"
#include "experiments/running/processes/wanted_access.h"
#include "experiments/running/processes/worker_pool.h"
#include "experiments/setup/files/temporary_folder.h"
#include "experiments/setup/user_fault.h"
#include "nodes/machine_configuration.h"

namespace weir::experiments::running {

namespace fs = std::filesystem;

namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_between(SteadyClock::time_point begin, SteadyClock::time_point end) {
    return std::chrono::duration<double>(end - begin).count();
}

std::int64_t resident_bytes() {
    std::int64_t size_pages = 0;
    std::int64_t resident_pages = 0;
    std::ifstream("/proc/self/statm") >> size_pages >> resident_pages;
    return resident_pages * sysconf(_SC_PAGESIZE);
}

std::int64_t peak_resident_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::int64_t{usage.ru_maxrss} * 1024;
}

/// Elaborates the machine of a run, or the networks of open-loop traffic, in a process of its own.
/// The message to the parent has the machine's memory and its tree of parts.
int elaborate(const ExperimentPlan& plan, const fs::path& folder, std::string& message) {
    const std::unique_ptr<kinds::Setup> setup =
        kinds::make_setup(plan.file, plan.groups.front().run);
    const std::int64_t before = resident_bytes();
    setup->kind->elaborate(*setup, folder, [&] {
        const nlohmann::ordered_json told{{"bytes", resident_bytes() - before},
                                          {"parts", to_json(kinds::elaborated_parts())}};
        message = records::json_text(told);
    });
    return kSuccess;
}

/// Time slice of a run, with an estimate of the run's total time.
class Slice {
  public:
    /// Progress callback of the run; false when the slice is over.
    bool report(const records::Progress& progress) {
        const SteadyClock::time_point now = SteadyClock::now();
        if (!first_) {
            first_ = now;
            first_share_ = progress.share_done;
        }
        last_ = now;
        share_ = progress.share_done;
        return seconds_between(begin_, now) < kSliceSeconds;
    }
    void end(int status) {
        last_ = SteadyClock::now();
        has_ended_ = status != kInterrupted;
        share_ = has_ended_ ? 1.0 : share_;
    }
    [[nodiscard]] nlohmann::ordered_json told() const {
        nlohmann::ordered_json told{
            {"share", share_}, {"has_ended", has_ended_}, {"peak_bytes", peak_resident_bytes()}};
        if (const auto seconds = run_seconds()) {
            told["seconds"] = *seconds;
        }
        return told;
    }

  private:
    // Time before the first report, for building and data, occurs only once.
    [[nodiscard]] std::optional<double> run_seconds() const {
        const double spent = seconds_between(begin_, last_);
        if (has_ended_) {
            return spent;
        }
        if (!first_ || share_ <= first_share_) {
            return std::nullopt;
        }
        const double seconds_a_share = seconds_between(*first_, last_) / (share_ - first_share_);
        return spent + (1.0 - share_) * seconds_a_share;
    }

    SteadyClock::time_point begin_ = SteadyClock::now();
    SteadyClock::time_point last_ = begin_;
    std::optional<SteadyClock::time_point> first_;
    double first_share_ = 0.0;
    double share_ = 0.0;
    bool has_ended_ = false;
};

int try_group(const ExperimentPlan& plan, const ExperimentPlan::Group& group,
              const fs::path& folder, const WorkerPool::Report& report, std::string& message) {
    Slice slice;
    std::string explanation;
    const int status = simulate_job(
        plan.file, {group.run, group.seeds.front(), folder},
        [&](const records::Progress& progress) {
            return report(progress) && slice.report(progress);
        },
        nullptr, explanation);
    slice.end(status);
    if (status != kSuccess && status != kInterrupted) {
        message = explanation;
        return status;
    }
    message = records::json_text(slice.told());
    return kSuccess;
}

/// Indices of the groups to try, spread evenly. No code of libraries runs, and no program reads
/// what it may not read.
std::vector<std::size_t> tried_groups(const ExperimentPlan& plan) {
    const std::size_t count = plan.groups.size();
    std::vector<std::size_t> tried;
    const std::size_t most = std::min(count, kMostTried);
    for (std::size_t i = 0; i < most; ++i) {
        tried.push_back(i * count / most);
    }
    std::erase_if(tried, [&plan](std::size_t group) {
        const setup::SelectedRun run = plan.groups[group].run;
        const std::unique_ptr<kinds::Setup> setup = kinds::make_setup(plan.file, run);
        return setup->kind->has_library() || !setup->kind->wants(plan.file, run).empty();
    });
    return tried;
}

void take_outcome(const WorkOutcome& outcome, PlannedRuns& point) {
    if (outcome.how != WorkOutcome::How::kExited || outcome.status != kSuccess) {
        point.failure = outcome.message.empty() ? "its process was killed" : outcome.message;
        return;
    }
    const auto told = nlohmann::ordered_json::parse(outcome.message);
    point.is_tried = true;
    point.share_done = told.at("share");
    point.has_ended = told.at("has_ended");
    point.peak_bytes = told.at("peak_bytes");
    if (told.contains("seconds")) {
        point.run_seconds = told.at("seconds").get<double>();
    }
}

void add_parameters(kinds::Setup& setup, const std::vector<kinds::TreePart>& parts,
                    std::vector<std::string>& parameters) {
    for (const kinds::TreePart& part : parts) {
        parameters.push_back(kinds::main_parameters(setup, part));
        add_parameters(setup, part.parts, parameters);
    }
}

DryRun described(const ExperimentPlan& plan, const RunOptions& options) {
    const std::unique_ptr<kinds::Setup> setup =
        kinds::make_setup(plan.file, plan.groups.front().run);
    DryRun result;
    result.file = options.file.string();
    result.title = plan.file.title();
    result.kernel = setup->kernel_name;
    result.workers = options.workers;
    result.wants = wants_text(plan.wants);
    result.nodes = setup->machine.node_count();
    result.node_memory_bytes = setup->kind->node_memory_bytes(*setup);
    for (const ExperimentPlan::Group& group : plan.groups) {
        result.points.push_back({.label = group.label,
                                 .seeds = group.seeds.size(),
                                 .is_variant = group.run.variant.has_value()});
    }
    return result;
}

}  // namespace

std::size_t DryRun::runs() const {
    std::size_t runs = 0;
    for (const PlannedRuns& point : points) {
        runs += point.seeds;
    }
    return runs;
}

std::optional<double> DryRun::estimated_seconds() const {
    std::optional<double> latest;
    double sum = 0.0;
    double longest = 0.0;
    double unknown_before = 0.0;  // runs before the first point with a known time
    for (const PlannedRuns& point : points) {
        latest = point.run_seconds ? point.run_seconds : latest;
        const auto seeds = static_cast<double>(point.seeds);
        if (!latest) {
            unknown_before += seeds;
            continue;
        }
        sum += (seeds + unknown_before) * *latest;
        unknown_before = 0.0;
        longest = std::max(longest, *latest);
    }
    if (!latest) {
        return std::nullopt;
    }
    return std::max(longest,
                    sum / std::min(static_cast<double>(workers), static_cast<double>(runs())));
}

DryRun dry_run(const RunOptions& options) {
    const ExperimentPlan plan = plan_experiment(options);
    DryRun result = described(plan, options);
    const std::vector<std::size_t> tried = tried_groups(plan);
    const setup::TemporaryFolder folder("weir-dry-run");
    const std::vector<WorkOutcome> outcomes =
        WorkerPool(options.workers)
            .run(1 + tried.size(), [&](std::size_t index, const WorkerPool::Report& report,
                                       std::string& message) {
                const fs::path own = folder.path() / std::to_string(index);
                return index == 0
                           ? elaborate(plan, own, message)
                           : try_group(plan, plan.groups[tried[index - 1]], own, report, message);
            });
    if (is_interrupted()) {
        throw RunFailure(interruption_status(), "interrupted");
    }
    for (const WorkOutcome& outcome : outcomes) {
        if (outcome.how == WorkOutcome::How::kExited && outcome.status == kBadInput) {
            throw setup::UserFault(outcome.message);
        }
    }
    const WorkOutcome& elaboration = outcomes.front();
    if (elaboration.how != WorkOutcome::How::kExited || elaboration.status != kSuccess) {
        const bool is_refused = elaboration.how == WorkOutcome::How::kExited
                                    ? elaboration.status == kRefused
                                    : status_of_kill(elaboration.status) == kBadInput;
        throw RunFailure(is_refused ? kBadInput : kBug,
                         "the machine can't be made: " + elaboration.message);
    }
    const auto told = nlohmann::ordered_json::parse(elaboration.message);
    result.machine_bytes = told.at("bytes");
    result.machine = kinds::tree_parts_from(told.at("parts"));
    const std::unique_ptr<kinds::Setup> setup =
        kinds::make_setup(plan.file, plan.groups.front().run);
    add_parameters(*setup, result.machine, result.parameters);
    for (std::size_t i = 0; i < tried.size(); ++i) {
        take_outcome(outcomes[1 + i], result.points[tried[i]]);
    }
    return result;
}

}  // namespace weir::experiments::running
