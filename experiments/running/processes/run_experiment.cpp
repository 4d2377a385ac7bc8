#include "experiments/running/processes/run_experiment.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>
#include <utility>

#include "experiments/analyses/combined_runs.h"
#include "experiments/kinds/kernel/kernel_kind.h"
#include "experiments/kinds/run_files.h"
#include "experiments/kinds/setup.h"
#include "experiments/records/json_input.h"
#include "experiments/records/run_file.h"
#include "experiments/records/stored_result.h"
#include "experiments/running/processes/command_line.h"
#include "experiments/running/processes/interruption.h"
#include "experiments/running/processes/named_files.h"
#include "experiments/running/processes/run_folder.h"
#include "experiments/running/processes/simulation_job.h"
#include "experiments/running/processes/wanted_access.h"
#include "experiments/running/processes/worker_pool.h"
#include "experiments/setup/files/experiment_file.h"
#include "experiments/setup/files/resolved_configuration.h"
#include "experiments/setup/surroundings_fault.h"
#include "experiments/setup/user_fault.h"
#include "experiments/statistics/precision_rule.h"
#include "experiments/trace/log/log_format.h"
#include "firmware/kernel.h"

namespace weir::experiments::running {

namespace fs = std::filesystem;

namespace {

// One simulation: a point or a variant of it, with one seed.
struct Job {
    setup::SelectedRun run;
    std::string label;  ///< label of its point or variant
    std::string folder;
    std::uint64_t seed;
    bool is_done = false;
    std::optional<records::RunEnding> ending = {};  ///< set if the run gave no result
};

// Point or variant, with the jobs of its seeds.
struct Group {
    setup::SelectedRun run;
    std::string label;
    std::string folder;  ///< common beginning of the names of its runs' folders
    std::vector<std::size_t> jobs;
};

struct Plan {
    std::vector<Group> groups;  // points first, then the variants in the order of the file
    std::vector<Job> jobs;
    std::vector<kinds::Want> wants;  // accesses that are not permitted
};

void require_one_family(const setup::ExperimentFile& file, setup::SelectedRun run,
                        const kinds::Setup& setup) {
    const setup::SelectedRun first(0);
    const std::string family = kinds::make_kind(file, first)->family();
    if (setup.kind->family() != family) {
        throw file.fault_at("workload.kernel", run,
                            "workload.kernel is \"" + setup.kernel_name +
                                "\", and that of the "
                                "first point \"" +
                                file.workload_kernel(first).name + "\"",
                            family + " and " + setup.kind->family() + " in different files");
    }
}

void add_group(const setup::ExperimentFile& file, setup::SelectedRun run, const std::string& label,
               const std::string& folder, Plan& plan) {
    const std::unique_ptr<kinds::Setup> setup = check_run(file, run);
    Group group{run, label, folder, {}};
    for (const std::int64_t seed : setup->run.seeds.value()) {
        group.jobs.push_back(plan.jobs.size());
        plan.jobs.push_back({.run = run,
                             .label = label,
                             .folder = fmt::format("{}-seed-{}", folder, seed),
                             .seed = static_cast<std::uint64_t>(seed)});
    }
    require_one_family(file, run, *setup);
    add_wants(setup->kind->wants(file, run), plan.wants);
    plan.groups.push_back(std::move(group));
}

// Indices of the points to run.
std::vector<std::size_t> chosen_points(const setup::ExperimentFile& file,
                                       const RunOptions& options) {
    const std::vector<setup::Point>& points = file.points();
    std::vector<std::string> labels;
    labels.reserve(points.size());
    for (const setup::Point& point : points) {
        labels.push_back(point.label);
    }
    std::vector<std::string> wanted = options.points.empty() ? labels : options.points;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto found = std::find(labels.begin(), labels.end(), wanted[i]);
        if (found == labels.end()) {
            throw setup::unknown_name({options.file.string()}, "point", wanted[i], labels);
        }
        const std::string& against = points[found - labels.begin()].against;
        if (!against.empty()) {
            wanted.push_back(against);
        }
    }
    std::vector<std::size_t> chosen;
    for (std::size_t p = 0; p < points.size(); ++p) {
        if (std::find(wanted.begin(), wanted.end(), labels[p]) != wanted.end()) {
            chosen.push_back(p);
        }
    }
    return chosen;
}

Plan plan_of(const setup::ExperimentFile& file, const RunOptions& options) {
    Plan plan;
    for (const std::size_t p : chosen_points(file, options)) {
        add_group(file, setup::SelectedRun(p), file.points()[p].label,
                  fmt::format("point-{:02}", p + 1), plan);
    }
    for (std::size_t s = 0; s < file.sensitivity().size(); ++s) {
        for (std::size_t v = 0; v < file.sensitivity()[s].variants.size(); ++v) {
            const setup::SelectedRun variant(0, {s, v});
            if (!options.with_sensitivity) {
                static_cast<void>(check_run(file, variant));
                continue;
            }
            add_group(file, variant, file.sensitivity()[s].variants[v].label,
                      fmt::format("sensitivity-{:02}-{:02}", s + 1, v + 1), plan);
        }
    }
    return plan;
}

std::optional<records::RoutingFacts> routing_facts(const kinds::Setup& setup) {
    const auto proof = setup.machine.deadlock_proof();
    if (!proof) {
        return std::nullopt;
    }
    records::RoutingFacts facts{proof->topology,
                                proof->virtual_channels,
                                proof->is_free_of_deadlock(),
                                static_cast<std::int64_t>(proof->dependencies),
                                {},
                                setup.machine.network.is_plain_mesh()};
    const kinds::KernelKind* kind = kinds::find_kernel_kind(setup);
    if (kind != nullptr && !setup.machine.controller.overflow_trap.value()) {
        facts.sending_handlers = kind->kernel().sending_handlers();
    }
    return facts;
}

bool wants_replications(kinds::Setup& setup) {
    return setup.run.relative_precision.value() > 0.0 && setup.steady_state_length() == nullptr;
}

std::optional<records::Replications> replications_of(kinds::Setup& setup,
                                                     const records::PointResult& point) {
    if (!wants_replications(setup)) {
        return std::nullopt;
    }
    const std::string metric = setup.kind->leading_metric(records::means(point)).name();
    const records::Estimate* measured = records::find_estimate(point, metric);
    if (measured == nullptr) {
        return std::nullopt;
    }
    const double precision = setup.run.relative_precision.value();
    return records::Replications{
        metric, precision,
        measured->half_width &&
            statistics::is_precise(measured->mean, *measured->half_width, precision)};
}

// True if the folder has a complete result of a run.
bool has_ended_well(const fs::path& folder) {
    try {
        const records::SimulationResult result = read_result(folder);
        return result.end == nodes::RunEnd::kFinished && !result.wrong_answer;
    } catch (const setup::UserFault&) {
        return false;
    }
}

setup::ExperimentFile read_file(const RunOptions& options) {
    auto file = setup::ExperimentFile::read(options.file, options.presets, options.set_options);
    file.permit(options.permissions);
    return file;
}

// Experiment from its file to its result.
struct PlannedExperiment {
    explicit PlannedExperiment(RunOptions run_options)
        : options(std::move(run_options)),
          file(read_file(options)),
          models(chosen_models(file)),
          plan(plan_of(file, options)) {}

    [[nodiscard]] fs::path folder_of(const Job& job) const { return folder->path() / job.folder; }
    [[nodiscard]] bool has_variants() const { return plan.groups.back().run.variant.has_value(); }
    /// Number of runs without a result.
    [[nodiscard]] std::size_t runs_left() const {
        return std::count_if(plan.jobs.begin(), plan.jobs.end(),
                             [](const Job& job) { return !job.is_done; });
    }
    /// Number of runs that did not begin, or were ended by a signal to all.
    [[nodiscard]] std::size_t runs_not_ended() const {
        return std::count_if(plan.jobs.begin(), plan.jobs.end(), [](const Job& job) {
            return !job.is_done && (!job.ending || job.ending->exit_status == kInterrupted);
        });
    }
    /// Marks the runs in the folder that belong to the same file as done, and removes the others.
    /// Throws setup::UserFault, and removes nothing, if the folder is that of another experiment.
    void take_up();
    /// Name of a job for messages, for example "sync-remap, seed 3".
    [[nodiscard]] std::string name_of(const Job& job) const;
    /// Adds seeds to groups whose runs have ended but are not precise. Throws setup::UserFault if
    /// the kernel has no metric for that.
    void add_replications();

    RunOptions options;
    setup::ExperimentFile file;
    std::vector<std::string> models;
    Plan plan;
    std::unique_ptr<RunFolder> folder;
};

std::string PlannedExperiment::name_of(const Job& job) const {
    return fmt::format("{}{}, seed {}", options.file.stem().string(),
                       plan.groups.size() == 1 ? "" : ", " + job.label, job.seed);
}

void PlannedExperiment::take_up() {
    bool has_run = false;
    bool has_ended_run = false;
    for (Job& job : plan.jobs) {
        const fs::path of_job = folder_of(job);
        const std::unique_ptr<kinds::Setup> setup = kinds::make_setup(file, job.run);
        const bool has_ended = has_ended_well(of_job);
        job.is_done = has_ended && records::text_of_file(of_job / "configuration.toml") ==
                                       kinds::configuration_text(*setup, job.seed, of_job);
        if (job.is_done) {
            require_same_contents(*setup, job.seed, of_job);
        }
        has_run = has_run || fs::exists(of_job);
        has_ended_run = has_ended_run || has_ended;
    }
    // A run that was killed before it had a folder leaves only these reports about all runs.
    constexpr std::array kTold{"result.json", "report.txt"};
    const auto holds_others = [this, &kTold] {
        return std::any_of(fs::directory_iterator(folder->path()), fs::directory_iterator(),
                           [&kTold](const fs::directory_entry& entry) {
                               return std::find(kTold.begin(), kTold.end(),
                                                entry.path().filename().string()) == kTold.end();
                           });
    };
    const bool is_another =
        has_ended_run ? runs_left() == plan.jobs.size() : !has_run && holds_others();
    if (is_another) {
        throw setup::UserFault(
            {"--resume " + folder->path().string()},
            "the folder has no run of the present content of " + options.file.string(),
            "the folder of a run of this file that was interrupted, or --out "
            "with a new folder");
    }
    for (const Job& job : plan.jobs) {
        if (!job.is_done) {
            fs::remove_all(folder_of(job));
        }
    }
    if (runs_left() > 0) {  // Reports about the earlier runs are outdated.
        for (const char* told : kTold) {
            fs::remove(folder->path() / told);
        }
    }
}

void PlannedExperiment::add_replications() {
    for (Group& group : plan.groups) {
        if (!plan.jobs[group.jobs.front()].is_done) {
            continue;
        }
        const std::unique_ptr<kinds::Setup> setup = kinds::make_setup(file, group.run);
        if (!wants_replications(*setup)) {
            continue;
        }
        statistics::Sample sample;
        for (const std::size_t job : group.jobs) {
            const records::Metrics measured =
                read_result(folder_of(plan.jobs[job])).measured.metrics;
            const std::string metric = setup->kind->leading_metric(measured).name();
            const auto value = records::find_metric(measured, metric);
            if (!value) {
                throw file.fault_at(
                    "run.relative_precision", group.run,
                    fmt::format(
                        "this run of the kernel \"{}\" does not measure {}, whose precision "
                        "is requested",
                        setup->kernel_name, metric),
                    "a kernel with such a metric, or no run.relative_precision");
            }
            sample.values.push_back(*value);
        }
        const std::int64_t wanted = std::min(
            setup->run.most_seeds.value(),
            statistics::replications_wanted(sample, setup->run.relative_precision.value()));
        std::uint64_t seed = 0;
        for (const std::size_t job : group.jobs) {
            seed = std::max(seed, plan.jobs[job].seed);
        }
        while (static_cast<std::int64_t>(group.jobs.size()) < wanted) {
            group.jobs.push_back(plan.jobs.size());
            ++seed;
            plan.jobs.push_back({.run = group.run,
                                 .label = group.label,
                                 .folder = fmt::format("{}-seed-{}", group.folder, seed),
                                 .seed = seed});
        }
    }
}

// Refers to jobs by number, since jobs are added while others have ended.
struct JobOfExperiment {
    PlannedExperiment* experiment;
    std::size_t index;

    [[nodiscard]] Job& job() const { return experiment->plan.jobs[index]; }
};

int run_job(const JobOfExperiment& work, int cores, const WorkerPool::Report& report,
            std::string& message) {
    const fs::path folder = work.experiment->folder_of(work.job());
    const int status = simulate_job(
        work.experiment->file,
        {work.job().run, work.job().seed, folder, cores, work.experiment->options.stops_at_limit},
        report, nullptr, message);
    if (status == kSuccess && !work.experiment->options.keep_traces) {
        std::error_code ignored;
        fs::remove(folder / trace::kTraceFile, ignored);
    }
    return status;
}

// True if the run was stopped at its limit, as asked: it has no result.
bool was_stopped(const JobOfExperiment& work) {
    return work.experiment->options.stops_at_limit &&
           read_result(work.experiment->folder_of(work.job())).end == nodes::RunEnd::kCycleLimit;
}

// End of a run that began and gave no result.
records::RunEnding ending_of(const JobOfExperiment& work, const WorkOutcome& outcome) {
    const Job& job = work.job();
    records::RunEnding ending;
    try {
        ending = records::ending_of(read_result(work.experiment->folder_of(job)), "");
    } catch (const setup::UserFault&) {
        ending.how.clear();  // the run left no result
    }
    const bool is_killed = outcome.how == WorkOutcome::How::kKilled;
    if (!is_killed && outcome.status == kSuccess) {
        ending.how = "stopped";
    }
    ending.exit_status = is_killed                    ? status_of_kill(outcome.status)
                         : outcome.status == kRefused ? kBadInput
                                                      : outcome.status;
    if (is_interrupted() && (is_killed || outcome.status == kInterrupted)) {
        ending.how = nodes::run_end_name(nodes::RunEnd::kInterrupted);
        ending.exit_status = kInterrupted;
    } else if (is_killed) {
        ending.how =
            fmt::format("killed by signal {} ({})", outcome.status, strsignal(outcome.status));
    } else if (ending.how.empty()) {
        ending.how = outcome.status == kRefused ? "refused by the system" : "ended without result";
    }
    if (ending.explanation.empty()) {
        ending.explanation = outcome.message;
    }
    ending.point = job.label;
    ending.seed = job.seed;
    ending.folder = job.folder;
    const std::unique_ptr<kinds::Setup> setup = kinds::make_setup(work.experiment->file, job.run);
    ending.configuration = setup::resolved_values(setup->groups(), setup->kernel_name);
    return ending;
}

// Command to resume the experiment.
std::string resuming_command(const RunOptions& options, const fs::path& folder) {
    CommandLine others{"--resume", folder.string()};
    add_permission_words(options.permissions, others);
    return shell_text(weir_command("run", options.file.string(), others, options.set_options));
}

std::string go_on_text(const PlannedExperiment& experiment) {
    if (!experiment.folder->is_there()) {
        return fmt::format("; the folder {} was deleted during the run: begin a new run",
                           experiment.folder->path().string());
    }
    return "; continue with: " + resuming_command(experiment.options, experiment.folder->path());
}

// Last lines that the program of the run in a folder printed, under a heading; empty if none.
std::string last_printed(const fs::path& folder) {
    constexpr std::size_t kMostLines = 5;
    std::string text = records::printed_in(folder);
    while (text.ends_with('\n')) {
        text.pop_back();
    }
    return text.empty()
               ? ""
               : fmt::format("\nlast lines printed by the program (node: line), in {}:\n{}",
                             (folder / "console.txt").string(),
                             records::last_lines(text, kMostLines));
}

// Message about a failed run: its own, or that of a worker killed from outside.
std::string failure_text(const WorkOutcome& outcome, const JobOfExperiment& job) {
    const std::string where = job.experiment->folder_of(job.job()).string();
    const std::string go_on = go_on_text(*job.experiment);
    if (outcome.how == WorkOutcome::How::kExited) {
        return where + ": " + outcome.message + (outcome.status == kRefused ? go_on : "") +
               last_printed(where);
    }
    return fmt::format(
               "{}: the process of {} was killed by signal {} ({}){}", where,
               job.experiment->name_of(job.job()), outcome.status, strsignal(outcome.status),
               outcome.status == SIGKILL ? ", as the system does where memory runs out" : "") +
           go_on;
}

// Throws the fault of the first failed job. Bad input comes first, since then nothing is kept.
void require_success(const std::vector<WorkOutcome>& outcomes,
                     const std::vector<JobOfExperiment>& jobs,
                     std::vector<PlannedExperiment>& experiments) {
    for (const WorkOutcome& outcome : outcomes) {
        if (outcome.how == WorkOutcome::How::kExited && outcome.status == kBadInput) {
            throw setup::UserFault(outcome.message);
        }
    }
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const WorkOutcome& outcome = outcomes[i];
        const bool is_killed = outcome.how == WorkOutcome::How::kKilled;
        if (!is_killed && outcome.status == kSuccess) {
            continue;
        }
        for (PlannedExperiment& experiment : experiments) {
            experiment.folder->keep();
        }
        const int status_of_ended = outcome.status == kRefused ? kBadInput : outcome.status;
        throw RunFailure(is_killed ? status_of_kill(outcome.status) : status_of_ended,
                         failure_text(outcome, jobs[i]));
    }
}

// Part of an experiment's runs.
enum class Part { kPoints, kVariants };

bool is_of(const Job& job, Part part) {
    return job.run.variant.has_value() == (part == Part::kVariants);
}

// Runs the jobs that have not run yet, and then the seeds that the requested precision needs.
void run_until_precise(const RunOptions& options, std::vector<PlannedExperiment>& planned,
                       Part part) {
    while (true) {
        std::vector<JobOfExperiment> jobs;
        for (PlannedExperiment& experiment : planned) {
            for (std::size_t i = 0; i < experiment.plan.jobs.size(); ++i) {
                Job& job = experiment.plan.jobs[i];
                if (is_of(job, part) && !job.is_done && !job.ending) {
                    jobs.push_back({&experiment, i});
                }
            }
        }
        if (jobs.empty() || is_interrupted()) {
            return;
        }
        std::optional<ProgressLine> line;
        if (options.show_progress) {
            line.emplace(isatty(STDERR_FILENO) != 0, [&jobs](std::size_t index) {
                return jobs[index].experiment->name_of(jobs[index].job());
            });
        }
        const int cores = std::max(1, options.workers / static_cast<int>(jobs.size()));
        const std::vector<WorkOutcome> outcomes =
            WorkerPool(options.workers)
                .run(
                    jobs.size(),
                    [&](std::size_t index, const WorkerPool::Report& report, std::string& message) {
                        return run_job(jobs[index], cores, report, message);
                    },
                    line ? &*line : nullptr);
        line.reset();
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            Job& job = jobs[i].job();
            job.is_done = outcomes[i].how == WorkOutcome::How::kExited &&
                          outcomes[i].status == kSuccess && !was_stopped(jobs[i]);
            if (!job.is_done && outcomes[i].how != WorkOutcome::How::kNotStarted) {
                job.ending = ending_of(jobs[i], outcomes[i]);
            }
        }
        if (is_interrupted()) {
            return;
        }
        require_success(outcomes, jobs, planned);
        for (PlannedExperiment& experiment : planned) {
            experiment.add_replications();
        }
    }
}

// Combined result of all runs so far, read from their folders.
records::ExperimentResult result_of(const PlannedExperiment& experiment) {
    const setup::ExperimentFile& file = experiment.file;
    records::ExperimentResult result;
    result.file = experiment.options.file.string();
    result.title = file.title();
    result.description = file.description();
    result.folder = experiment.folder->path().string();
    result.runs_left = experiment.runs_not_ended();
    for (const Job& job : experiment.plan.jobs) {
        if (job.ending) {
            result.endings.push_back(*job.ending);
        }
    }
    for (const setup::Sensitivity& sensitivity : file.sensitivity()) {
        result.sensitivity.push_back({sensitivity.what, {}});
    }
    for (const Group& group : experiment.plan.groups) {
        std::vector<records::SimulationResult> runs;
        for (const std::size_t job : group.jobs) {
            if (experiment.plan.jobs[job].is_done) {
                runs.push_back(read_result(experiment.folder_of(experiment.plan.jobs[job])));
            }
        }
        if (runs.empty()) {
            continue;
        }
        records::PointResult point =
            evaluate_point(file, group.run, group.label, runs, experiment.models);
        point.against = file.points()[group.run.point].against;
        if (group.run.variant) {
            result.sensitivity[group.run.variant->sensitivity].variants.push_back(std::move(point));
        } else {
            result.points.push_back(std::move(point));
        }
    }
    const std::unique_ptr<kinds::Setup> first =
        kinds::make_setup(file, experiment.plan.groups.front().run);
    result.kernel = first->kernel_name;
    result.warmup_cycles = first->kind->warmup_cycles(*first);
    if (!result.points.empty()) {
        result.leading_metric = leading_metric_of(*first, result.points);
        analyses::set_changes(kinds::over_other_point_percent().name(), result.leading_metric,
                              result.points);
        first->kind->finish(result);
    }
    return result;
}

// Result of an experiment whose runs have ended. Faults in the runs' files are reported here: the
// files of a resumed run may have been changed. Entries of a kind or a program are checked only
// where they are used.
records::ExperimentResult readable_result_of(const PlannedExperiment& experiment) {
    try {
        return result_of(experiment);
    } catch (const nlohmann::json::exception& fault) {
        throw records::json_fault(
            {experiment.folder->path().string(), "a result.json of its runs can't be read",
             "the files that the runs wrote; run them again"},
            fault.what());
    }
}

std::string interruption_text(const RunOptions& options, const fs::path& folder,
                              std::size_t experiments) {
    std::error_code unknown;
    if (!fs::exists(folder, unknown)) {
        return fmt::format("interrupted; the folder {} was deleted during the run",
                           folder.string());
    }
    return fmt::format(
        "interrupted; the traces so far are in {}{}", folder.string(),
        experiments == 1 ? "; continue with: " + resuming_command(options, folder) : "");
}

// Names that [published] may use: all metrics of the kind of run. These names include metrics that
// programs name, as far as this file publishes them.
std::vector<std::string> publishable(const setup::ExperimentFile& file, setup::SelectedRun run,
                                     const records::MetricList& metrics) {
    std::vector<std::string> names = records::names_of(metrics);
    for (const setup::Published& published : file.published(run)) {
        if (records::find_metric(metrics, published.metric) != nullptr) {
            names.push_back(published.metric);
        }
    }
    return names;
}

}  // namespace

int status_of_kill(int signal) {
    constexpr std::array kOfDefects{SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP};
    return std::find(kOfDefects.begin(), kOfDefects.end(), signal) == kOfDefects.end() ? kBadInput
                                                                                       : kBug;
}

namespace {

// SystemC counts time in picoseconds, in 64 bits.
void require_time_to_count(const setup::ExperimentFile& file, setup::SelectedRun run,
                           const kinds::Setup& setup) {
    constexpr double kMostMicroseconds = 1.8e13;
    const double most = kMostMicroseconds * setup.machine.clock.processor_mhz.value();
    const auto asked = static_cast<double>(setup.run.most_cycles.value().count());
    if (asked > most) {
        throw file.fault_at(
            "run.most_cycles", run,
            fmt::format("run.most_cycles is {:.3g}; with this "
                        "clock.processor_mhz it is more time than SystemC can count",
                        asked),
            fmt::format("at most {:.0f}, or a faster clock", most));
    }
}

}  // namespace

std::unique_ptr<kinds::Setup> check_run(const setup::ExperimentFile& file, setup::SelectedRun run) {
    std::unique_ptr<kinds::Setup> setup = kinds::make_setup(file, run);
    require_time_to_count(file, run, *setup);
    static_cast<void>(file.published(run, publishable(file, run, setup->kind->metrics())));
    static_cast<void>(file.model_inputs(run, setup->kind->model_inputs()));
    return setup;
}

void require_own_length(const setup::ExperimentFile& file, setup::SelectedRun run,
                        kinds::Setup& setup) {
    if (wants_replications(setup)) {
        throw file.fault_at(
            "run.relative_precision", run,
            fmt::format("the kernel \"{}\" solves a problem of one size: only more seeds make it "
                        "more precise, but a sweep runs the given seeds",
                        setup.kernel_name),
            "weir run, or a kernel in a steady state (remap, pointer-chase, workpile), or "
            "open-loop traffic");
    }
}

std::vector<std::string> chosen_models(const setup::ExperimentFile& file) {
    return file.model_names(kinds::make_kind(file, setup::SelectedRun(0))->models());
}

std::string leading_metric_of(const kinds::Setup& setup,
                              const std::vector<records::PointResult>& points) {
    const records::Metric& metric = setup.kind->leading_metric(records::means(points.front()));
    const bool is_measured =
        std::any_of(points.begin(), points.end(), [&metric](const records::PointResult& point) {
            return records::find_estimate(point, metric.name()) != nullptr;
        });
    return is_measured || setup.kind->is_endless_without_mean() ? metric.name() : "";
}

records::SimulationResult read_result(const fs::path& folder) {
    const fs::path path = folder / "result.json";
    return records::read_stored_json(records::text_of_file(path),
                                     {path.string(), "this is not a result of a run",
                                      "the file that the run wrote; run it again"},
                                     records::simulation_result_from);
}

records::PointResult evaluate_point(const setup::ExperimentFile& file, setup::SelectedRun run,
                                    const std::string& label,
                                    const std::vector<records::SimulationResult>& seeds,
                                    const std::vector<std::string>& models) {
    records::PointResult point = analyses::combine(seeds);
    point.label = label;
    const std::unique_ptr<kinds::Setup> setup = kinds::make_setup(file, run);
    const std::vector<hw::ParameterGroup*> groups = setup->groups();
    point.configuration = setup::resolved_values(groups, setup->kernel_name);
    point.network_model = std::get<std::string>(setup->machine.network.model.value_as_variant());
    point.routing = routing_facts(*setup);
    point.published = file.published(run, publishable(file, run, setup->kind->metrics()));
    setup->kind->ask_models({file, run, seeds, models}, *setup, point);
    point.replications = replications_of(*setup, point);
    return point;
}

Interruption::Interruption(const RunOptions& options, const fs::path& folder,
                           std::vector<records::ExperimentResult> so_far)
    : RunFailure(interruption_status(), interruption_text(options, folder, so_far.size()), so_far) {
}

void check_experiment(const RunOptions& options) { static_cast<void>(PlannedExperiment(options)); }

void check_permitted(const RunOptions& options) {
    require_permitted(PlannedExperiment(options).plan.wants);
}

std::vector<kinds::Want> check_all_runs(const setup::ExperimentFile& file) {
    static_cast<void>(chosen_models(file));
    return plan_of(file, {}).wants;
}

ExperimentPlan plan_experiment(const RunOptions& options) {
    const PlannedExperiment planned(options);
    ExperimentPlan result{planned.file, {}, planned.plan.wants};
    for (const Group& group : planned.plan.groups) {
        result.groups.push_back({group.run, group.label, {}, {}});
        for (const std::size_t job : group.jobs) {
            result.groups.back().seeds.push_back(planned.plan.jobs[job].seed);
            result.groups.back().folders.push_back(planned.plan.jobs[job].folder);
        }
    }
    return result;
}

records::ExperimentResult run_experiment(const RunOptions& options) {
    return std::move(run_experiments({&options, 1}).front());
}

namespace {

// Keeps all folders that contain files, and returns true if any folder does.
bool keep_begun(std::vector<PlannedExperiment>& planned) {
    bool is_any_begun = false;
    for (PlannedExperiment& experiment : planned) {
        std::error_code unknown;
        if (experiment.folder != nullptr && !fs::is_empty(experiment.folder->path(), unknown)) {
            experiment.folder->keep();
            is_any_begun = true;
        }
    }
    return is_any_begun;
}

std::vector<records::ExperimentResult> run_planned(std::vector<PlannedExperiment>& planned) {
    const auto begin = std::chrono::steady_clock::now();
    const auto result_so_far = [begin](const PlannedExperiment& experiment) {
        records::ExperimentResult result = readable_result_of(experiment);
        result.wall_seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return result;
    };
    const auto results_so_far = [&] {
        std::vector<records::ExperimentResult> results;
        for (const PlannedExperiment& experiment : planned) {
            const records::ExperimentResult& result =
                results.emplace_back(result_so_far(experiment));
            experiment.folder->keep();
            if (!result.points.empty() || !result.endings.empty()) {
                records::write_run_file(fs::path(result.folder) / "result.json",
                                        records::json_text_of(result));
            }
        }
        return results;
    };
    const auto run_part = [&](Part part) {
        try {
            run_until_precise(planned.front().options, planned, part);
        } catch (const RunFailure& failure) {
            std::vector<records::ExperimentResult> so_far;
            try {
                so_far = results_so_far();
            } catch (const setup::UserFault&) {  // the original failure is reported instead
            }
            throw RunFailure(failure.status(), failure.what(), std::move(so_far));
        }
    };
    run_part(Part::kPoints);
    for (const PlannedExperiment& experiment : planned) {
        if (experiment.has_variants() && experiment.options.points_ended && !is_interrupted()) {
            records::ExperimentResult result = result_so_far(experiment);
            result.runs_left = 0;  // variants do not count here
            experiment.options.points_ended(result);
        }
    }
    run_part(Part::kVariants);
    std::vector<records::ExperimentResult> results = results_so_far();
    if (is_interrupted()) {
        throw Interruption(planned.front().options, planned.front().folder->path(),
                           std::move(results));
    }
    return results;
}

}  // namespace

std::vector<records::ExperimentResult> run_experiments(std::span<const RunOptions> experiments) {
    std::vector<PlannedExperiment> planned;
    planned.reserve(experiments.size());
    for (const RunOptions& options : experiments) {
        planned.emplace_back(options);
        require_permitted(planned.back().plan.wants);
    }
    for (PlannedExperiment& experiment : planned) {
        experiment.folder = run_folder_for(experiment.options);
        if (experiment.options.resume) {
            experiment.take_up();
        }
    }
    if (planned.empty()) {
        return {};
    }
    try {
        return run_planned(planned);
    } catch (...) {
        const auto refusal = setup::refusal_text();
        if (!refusal || !keep_begun(planned)) {
            throw;
        }
        throw RunFailure(kBadInput, *refusal + go_on_text(planned.front()));
    }
}

}  // namespace weir::experiments::running
