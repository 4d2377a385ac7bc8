#include "experiments/run/run_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <utility>

#include "experiments/config/experiment_file.h"
#include "experiments/config/resolved_configuration.h"
#include "experiments/config/user_fault.h"
#include "experiments/run/open_loop_predictions.h"
#include "experiments/run/open_loop_simulation.h"
#include "experiments/run/run_folder.h"
#include "experiments/run/setup.h"
#include "experiments/run/simulation_job.h"
#include "experiments/run/worker_pool.h"
#include "experiments/statistics/precision_rule.h"
#include "firmware/kernel.h"

namespace weir::experiments::run {

namespace fs = std::filesystem;

namespace {

// One simulation: a point or a variant of it, with one seed.
struct Job {
    config::SelectedRun run;
    std::string folder;
    std::uint64_t seed;
};

// A point or a variant, and which jobs are its seeds.
struct Group {
    config::SelectedRun run;
    std::string label;
    std::string folder;  ///< its runs' folders begin so
    std::vector<std::size_t> jobs;
};

struct Plan {
    std::vector<Group> groups;  // points first, then the variants in the order of the file
    std::vector<Job> jobs;
};

// Open-loop traffic is measured, predicted and reported in other terms than kernels are.
std::vector<std::string> metrics_of(const Setup& setup) {
    return setup.traffic ? known_open_loop_metrics() : known_metrics();
}

std::vector<std::string> inputs_of(const Setup& setup) {
    return setup.traffic ? std::vector<std::string>{} : known_model_inputs();
}

bool is_open_loop(const config::ExperimentFile& file, config::SelectedRun run) {
    return file.workload_kernel(run).name == kOpenLoop;
}

void require_one_kind(const config::ExperimentFile& file, config::SelectedRun run,
                      const Setup& setup) {
    const config::SelectedRun first(0);
    if (is_open_loop(file, run) != is_open_loop(file, first)) {
        throw file.fault_at("workload.kernel", run,
                            "workload.kernel is \"" + setup.kernel_name +
                                "\", and that of the "
                                "first point \"" +
                                file.workload_kernel(first).name + "\"",
                            "open-loop traffic and kernels in different files");
    }
}

void add_group(const config::ExperimentFile& file, config::SelectedRun run,
               const std::string& label, const std::string& folder, Plan& plan) {
    const std::unique_ptr<Setup> setup = check_run(file, run);
    Group group{run, label, folder, {}};
    for (const std::int64_t seed : setup->run.seeds.value()) {
        group.jobs.push_back(plan.jobs.size());
        plan.jobs.push_back(
            {run, fmt::format("{}-seed-{}", folder, seed), static_cast<std::uint64_t>(seed)});
    }
    require_one_kind(file, run, *setup);
    plan.groups.push_back(std::move(group));
}

// Which points are run, by index.
std::vector<std::size_t> chosen_points(const config::ExperimentFile& file,
                                       const RunOptions& options) {
    const std::vector<config::Point>& points = file.points();
    std::vector<std::string> labels;
    labels.reserve(points.size());
    for (const config::Point& point : points) {
        labels.push_back(point.label);
    }
    std::vector<std::string> wanted = options.points.empty() ? labels : options.points;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto found = std::find(labels.begin(), labels.end(), wanted[i]);
        if (found == labels.end()) {
            throw config::unknown_name({options.file.string()}, "point", wanted[i], labels);
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

Plan make_plan(const config::ExperimentFile& file, const RunOptions& options) {
    Plan plan;
    for (const std::size_t p : chosen_points(file, options)) {
        add_group(file, config::SelectedRun(p), file.points()[p].label,
                  fmt::format("point-{:02}", p + 1), plan);
    }
    const std::size_t rows = options.with_sensitivity ? file.sensitivity().size() : 0;
    for (std::size_t s = 0; s < rows; ++s) {
        for (std::size_t v = 0; v < file.sensitivity()[s].variants.size(); ++v) {
            add_group(file, config::SelectedRun(0, {s, v}), file.sensitivity()[s].variants[v].label,
                      fmt::format("sensitivity-{:02}-{:02}", s + 1, v + 1), plan);
        }
    }
    return plan;
}

void write_file(const fs::path& path, const std::string& text) {
    std::ofstream out(path);
    out << text;
    out.close();
    if (!out) {
        throw RunFailure(kBug, path.string() + ": can't be written");
    }
}

Metrics mean_inputs(const std::vector<SimulationResult>& runs) {
    Metrics means;
    for (const auto& [name, ignored] : runs.front().measured.model_inputs) {
        double sum = 0.0;
        for (const SimulationResult& run : runs) {
            sum += find_metric(run.measured.model_inputs, name).value_or(0.0);
        }
        means.emplace_back(name, sum / static_cast<double>(runs.size()));
    }
    return means;
}

// How far each model is off in each run, in per cent of what was measured there, and how far what
// was measured lies outside the bounds of (9), in cycles.
void add_comparisons(PointResult& point, const std::vector<SimulationResult>& runs,
                     firmware::Communication communication) {
    const auto add = [&](const std::string& name, const char* metric,
                         const std::function<double(double measured)>& distance) {
        std::vector<double> values;
        for (const SimulationResult& run : runs) {
            const auto measured = find_metric(run.measured.metrics, metric);
            if (measured && *measured > 0.0) {
                values.push_back(distance(*measured));
            }
        }
        if (!values.empty() && values.size() == runs.size()) {
            point.compared.push_back(estimate(name, values));
        }
    };
    const auto compare = [&](const Prediction& prediction, const char* metric, const char* name) {
        if (const auto predicted = find_metric(prediction.metrics, metric)) {
            add(prediction.model + name, metric,
                [&](double measured) { return 100.0 * (*predicted / measured - 1.0); });
        }
    };
    for (const Prediction& prediction : point.predictions) {
        const bool by_nonzero = find_metric(prediction.metrics, "cycles_per_nonzero").has_value();
        compare(prediction, by_nonzero ? "cycles_per_nonzero" : main_metric(communication),
                "_over_measured_percent");
        compare(prediction, "processor_contention_cycles", "_contention_over_measured_percent");
        compare(prediction, "interference_cycles", "_interference_over_measured_percent");
        compare(prediction, "request_queueing_cycles", "_request_queueing_over_measured_percent");
        compare(prediction, "reply_queueing_cycles", "_reply_queueing_over_measured_percent");
        const auto lower = find_metric(prediction.metrics, "lower_bound_cycles");
        const auto upper = find_metric(prediction.metrics, "upper_bound_cycles");
        if (lower && upper) {
            add(prediction.model + "_bounds_exceeded_cycles", "cycles_per_iteration",
                [&](double measured) {
                    return std::max({0.0, *lower - measured, measured - *upper});
                });
        }
    }
}

// A warm-up that swallows the whole run is a mistake, and has to be told where it was made.
void require_measurement(const config::ExperimentFile& file, config::SelectedRun run,
                         const PointResult& point, const Setup& setup) {
    const bool anything = find_estimate(point, "messages_measured") != nullptr ||
                          find_estimate(point, "cycles_per_nonzero") != nullptr ||
                          find_estimate(point, "cycles_per_byte") != nullptr;
    const std::int64_t warmup = setup.run.warmup_cycles.value().count();
    const std::int64_t kept_from = setup.trace.begin_cycle.value().count();
    const bool may_be_silent = setup.kernel_name == "image";  // a program of the user's own
    if (may_be_silent && warmup == 0 && kept_from <= 0) {
        return;
    }
    if (!anything && kept_from > warmup) {
        throw file.fault_at(
            "trace.begin_cycle", run,
            fmt::format("trace.begin_cycle = {} leaves nothing to measure: the run has {} cycles",
                        kept_from, point.cycles.front()),
            "a cycle well before the end of the run");
    }
    if (!anything) {
        throw file.fault_at("run.warmup_cycles", run,
                            fmt::format("run.warmup_cycles = {} leaves nothing to measure: no "
                                        "message was handled from then on while "
                                        "every node was still at work; the run has {} cycles",
                                        warmup, point.cycles.front()),
                            "a warm-up shorter than the run");
    }
}

PredictionContext prediction_context(const Setup& setup, const Metrics& kernel_facts) {
    const nodes::MachineConfiguration& machine = setup.machine;
    PredictionContext context;
    for (const std::int32_t extent : machine.network.neighbour_extents(machine.node_count())) {
        context.mesh_extents.push_back(extent);
    }
    context.is_plain_mesh = machine.network.is_plain_mesh();
    context.receive_mode = machine.core.receive_mode.value();
    context.network_contends = machine.network.model.value() == network::NetworkModel::kWormhole;
    if (machine.network.model.value() == network::NetworkModel::kLogp) {
        context.gap_cycles = static_cast<double>(machine.network.logp_gap_cycles.value().count());
    }
    context.channel_cycles_per_byte =
        static_cast<double>(machine.network.flit_cycles().count()) /
        static_cast<double>(machine.network.flit_bytes.value().count());
    context.memory_cycles_per_byte = hw::dma_cycles_per_byte(machine.dma, machine.memory_port);
    context.notify_cycles = static_cast<double>(machine.controller.notify_cycles.value().count());
    const memory::NodeMemory::Parameters& memory = machine.memory;
    context.double_load_cycles =
        static_cast<double>((memory.load_cycles.value() + memory.double_cycles.value()).count());
    context.double_store_cycles =
        static_cast<double>((memory.store_cycles.value() + memory.double_cycles.value()).count());
    context.input_queue_bytes =
        static_cast<double>(machine.controller.input_queue_bytes.value().count());
    using Completion = firmware::ActiveMessages::Completion;
    context.bodies_block = setup.firmware.body_send.value() == Completion::kBlocking &&
                           setup.firmware.body_receive.value() == Completion::kBlocking;
    context.communication = setup.kernel->communication();
    context.kernel_facts = kernel_facts;
    return context;
}

std::optional<RoutingFacts> routing_facts(const Setup& setup) {
    const auto proof = setup.machine.deadlock_proof();
    if (!proof) {
        return std::nullopt;
    }
    RoutingFacts facts{proof->topology,
                       proof->virtual_channels,
                       proof->is_free_of_deadlock(),
                       static_cast<std::int64_t>(proof->dependencies),
                       {},
                       setup.machine.network.is_plain_mesh()};
    if (setup.kernel && !setup.machine.controller.overflow_trap.value()) {
        facts.sending_handlers = setup.kernel->sending_handlers();
    }
    return facts;
}

void require_measured_packets(const config::ExperimentFile& file, config::SelectedRun run,
                              const PointResult& point) {
    const Estimate* packets = find_estimate(point, "packets_measured");
    if (packets == nullptr || packets->mean == 0.0) {
        throw file.fault_at("traffic.measurement_cycles", run,
                            "no packet was generated in the traffic.measurement_cycles after "
                            "traffic.warm_up_cycles",
                            "a longer measurement, or a shorter warm-up");
    }
}

// How far each model is off in each run, in per cent of the latency from generation, and of that
// from injection on.
void add_latency_comparisons(PointResult& point, const std::vector<SimulationResult>& runs) {
    for (const Prediction& prediction : point.predictions) {
        const auto predicted = find_metric(prediction.metrics, "packet_latency_cycles");
        for (const auto& [metric, name] :
             {std::pair{"packet_latency_cycles", "_over_measured_percent"},
              std::pair{"network_latency_cycles", "_network_over_measured_percent"}}) {
            std::vector<double> values;
            for (const SimulationResult& run : runs) {
                const auto measured = find_metric(run.measured.metrics, metric);
                if (predicted && measured) {
                    values.push_back(100.0 * (*predicted / *measured - 1.0));
                }
            }
            if (values.size() == runs.size()) {
                point.compared.push_back(estimate(prediction.model + name, values));
            }
        }
    }
}

// T where the published table has another distance than the topology: on the measured line.
void add_message_at_published_distance(PointResult& point) {
    const auto published =
        std::find_if(point.published.begin(), point.published.end(),
                     [](const config::Published& p) { return p.metric == "mean_distance_hops"; });
    const Estimate* overheads = find_estimate(point, "overheads_input_cycles");
    const Estimate* at_no_hops = find_estimate(point, "cycles_at_no_hops");
    const Estimate* each_hop = find_estimate(point, "cycles_per_hop");
    if (published == point.published.end() || overheads == nullptr || each_hop == nullptr) {
        return;
    }
    point.compared.push_back(
        {"message_at_published_distance_cycles",
         overheads->mean + at_no_hops->mean + each_hop->mean * published->value, std::nullopt});
}

// What a point is first of all about, of what was measured there; nothing where that is not known.
std::optional<std::string> measured_main_metric(const Setup& setup, const Metrics& measured) {
    for (const char* name : {"cycles_per_nonzero", main_metric(setup)}) {
        if (find_metric(measured, name)) {
            return name;
        }
    }
    return std::nullopt;
}

bool wants_replications(Setup& setup) {
    return setup.run.relative_precision.value() > 0.0 && setup.steady_state_length() == nullptr;
}

std::optional<Replications> replications_of(Setup& setup, const PointResult& point) {
    if (!wants_replications(setup)) {
        return std::nullopt;
    }
    Metrics means;
    for (const Estimate& measured : point.measured) {
        means.emplace_back(measured.name, measured.mean);
    }
    const auto metric = measured_main_metric(setup, means);
    if (!metric) {
        return std::nullopt;
    }
    const Estimate& measured = *find_estimate(point, *metric);
    const double precision = setup.run.relative_precision.value();
    return Replications{*metric, precision,
                        measured.half_width &&
                            statistics::is_precise(measured.mean, *measured.half_width, precision)};
}

// An experiment between its file and its result.
struct PlannedExperiment {
    explicit PlannedExperiment(RunOptions run_options)
        : options(std::move(run_options)),
          file(config::ExperimentFile::read(options.file, options.presets, options.set_options)),
          models(chosen_models(file)),
          plan(make_plan(file, options)) {}

    [[nodiscard]] fs::path folder_of(const Job& job) const { return folder->path() / job.folder; }
    /// More seeds for groups whose runs have ended and are not precise. Throws config::UserFault
    /// for a kernel of which nothing is measured that could be.
    void add_replications();

    RunOptions options;
    config::ExperimentFile file;
    std::vector<std::string> models;
    Plan plan;
    std::unique_ptr<RunFolder> folder;
};

void PlannedExperiment::add_replications() {
    for (Group& group : plan.groups) {
        const std::unique_ptr<Setup> setup = make_setup(file, group.run);
        if (!wants_replications(*setup)) {
            continue;
        }
        statistics::Sample sample;
        for (const std::size_t job : group.jobs) {
            const Metrics measured = read_result(folder_of(plan.jobs[job])).measured.metrics;
            const auto metric = measured_main_metric(*setup, measured);
            if (!metric) {
                throw file.fault_at(
                    "run.relative_precision", group.run,
                    fmt::format(
                        "of this run of the kernel \"{}\" no {} is measured, which could be "
                        "precise",
                        setup->kernel_name, main_metric(*setup)),
                    "a kernel with such a metric, or no run.relative_precision");
            }
            sample.values.push_back(*find_metric(measured, *metric));
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
            plan.jobs.push_back({group.run, fmt::format("{}-seed-{}", group.folder, seed), seed});
        }
    }
}

// By numbers: jobs are added while others have ended.
struct JobOfExperiment {
    const PlannedExperiment* experiment;
    std::size_t index;

    [[nodiscard]] const Job& job() const { return experiment->plan.jobs[index]; }
};

int run_job(const JobOfExperiment& work, const WorkerPool::Report& report, std::string& message) {
    const fs::path folder = work.experiment->folder_of(work.job());
    const int status = simulate_job(
        work.experiment->file, {work.job().run, work.job().seed, folder}, report, nullptr, message);
    if (status == kSuccess && !work.experiment->options.keep_traces) {
        std::error_code ignored;
        fs::remove(folder / "trace.sqlite", ignored);
    }
    return status;
}

// The first job that went wrong decides; bad input before all else, since nothing is kept then.
void require_success(const std::vector<WorkOutcome>& outcomes,
                     const std::vector<JobOfExperiment>& jobs,
                     std::vector<PlannedExperiment>& experiments) {
    for (const WorkOutcome& outcome : outcomes) {
        if (outcome.how == WorkOutcome::How::kExited && outcome.status == kBadInput) {
            throw config::UserFault(outcome.message);
        }
    }
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const WorkOutcome& outcome = outcomes[i];
        if (outcome.how == WorkOutcome::How::kExited && outcome.status == kSuccess) {
            continue;
        }
        for (PlannedExperiment& experiment : experiments) {
            experiment.folder->keep();
        }
        const fs::path where = jobs[i].experiment->folder_of(jobs[i].job());
        if (WorkerPool::interrupted()) {
            throw RunFailure(kInterrupted, "interrupted; the traces so far are in " +
                                               jobs[i].experiment->folder->path().string());
        }
        if (outcome.how == WorkOutcome::How::kKilled) {
            throw RunFailure(
                kBug, fmt::format("{}: the process was killed by signal {} ({})", where.string(),
                                  outcome.status, strsignal(outcome.status)));
        }
        throw RunFailure(outcome.status, where.string() + ": " + outcome.message);
    }
}

// The jobs that have not run yet, and then those that what they measured asks for.
void run_until_precise(const RunOptions& options, std::vector<PlannedExperiment>& planned) {
    std::vector<std::size_t> ended(planned.size());
    while (true) {
        std::vector<JobOfExperiment> jobs;
        for (std::size_t i = 0; i < planned.size(); ++i) {
            for (; ended[i] < planned[i].plan.jobs.size(); ++ended[i]) {
                jobs.push_back({&planned[i], ended[i]});
            }
        }
        if (jobs.empty()) {
            return;
        }
        WorkerPool pool(options.workers, options.show_progress);
        const std::vector<WorkOutcome> outcomes =
            pool.run(jobs.size(),
                     [&](std::size_t index, const WorkerPool::Report& report,
                         std::string& message) { return run_job(jobs[index], report, message); });
        require_success(outcomes, jobs, planned);
        for (PlannedExperiment& experiment : planned) {
            experiment.add_replications();
        }
    }
}

// What a point's change from another is of.
const char* changing_metric(const Setup& setup, const std::vector<PointResult>& points) {
    if (setup.traffic) {
        return "packet_latency_cycles";
    }
    const char* nonzeros = "cycles_per_nonzero";
    return find_estimate(points.front(), nonzeros) != nullptr
               ? nonzeros
               : main_metric(setup.kernel->communication());
}

// By how much of the other point's main metric a point's is more, in per cent, from the means.
void add_changes(const PlannedExperiment& experiment, const char* metric,
                 std::vector<PointResult>& points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i].against = experiment.file.points()[experiment.plan.groups[i].run.point].against;
        const auto other = std::find_if(
            points.begin(), points.end(),
            [&](const PointResult& point) { return point.label == points[i].against; });
        if (other == points.end()) {
            continue;
        }
        const Estimate* measured = find_estimate(points[i], metric);
        const Estimate* reference = find_estimate(*other, metric);
        if (measured != nullptr && reference != nullptr && reference->mean > 0.0) {
            points[i].compared.push_back({"over_other_point_percent",
                                          100.0 * (measured->mean / reference->mean - 1.0),
                                          std::nullopt});
        }
    }
}

// All of its runs put together; their results are in its folder.
ExperimentResult result_of(const PlannedExperiment& experiment) {
    const config::ExperimentFile& file = experiment.file;
    ExperimentResult result;
    result.file = experiment.options.file.string();
    result.title = file.title();
    result.description = file.description();
    result.folder = experiment.folder->path().string();
    for (const config::Sensitivity& sensitivity : file.sensitivity()) {
        if (experiment.options.with_sensitivity) {
            result.sensitivity.push_back({sensitivity.what, {}});
        }
    }
    for (const Group& group : experiment.plan.groups) {
        std::vector<SimulationResult> runs;
        for (const std::size_t job : group.jobs) {
            runs.push_back(read_result(experiment.folder_of(experiment.plan.jobs[job])));
        }
        PointResult point = evaluate_point(file, group.run, group.label, runs, experiment.models);
        if (group.run.variant) {
            result.sensitivity[group.run.variant->sensitivity].variants.push_back(std::move(point));
        } else {
            result.points.push_back(std::move(point));
        }
    }
    const std::unique_ptr<Setup> first = make_setup(file, experiment.plan.groups.front().run);
    add_changes(experiment, changing_metric(*first, result.points), result.points);
    result.kernel = first->kernel_name;
    const bool is_alone = !result.points.front().unloaded.empty();
    result.warmup_cycles = is_alone         ? 0
                           : first->traffic ? first->traffic->warm_up_cycles.value().count()
                                            : first->run.warmup_cycles.value().count();
    return result;
}

// costs.svg, of points that have such bars.
void write_cost_bars(const ExperimentResult& result) {
    std::vector<LabelledBars> labelled;
    for (const PointResult& point : result.points) {
        labelled.push_back({point.label, point.cost_bars});
    }
    const std::string bars = cost_bars_picture(labelled, "cycles a non-zero: " + result.title);
    if (!bars.empty()) {
        write_file(fs::path(result.folder) / "costs.svg", bars);
    }
}

}  // namespace

std::unique_ptr<Setup> check_run(const config::ExperimentFile& file, config::SelectedRun run) {
    std::unique_ptr<Setup> setup = make_setup(file, run);
    static_cast<void>(file.published(run, metrics_of(*setup)));
    static_cast<void>(file.model_inputs(run, inputs_of(*setup)));
    return setup;
}

void require_own_length(const config::ExperimentFile& file, config::SelectedRun run, Setup& setup) {
    if (wants_replications(setup)) {
        throw file.fault_at(
            "run.relative_precision", run,
            fmt::format("the kernel \"{}\" solves a problem of one size, which more seeds alone "
                        "make more precise, and a sweep runs those it is given",
                        setup.kernel_name),
            "weir run, or a kernel in a steady state (remap, pointer-chase, workpile), or "
            "open-loop traffic");
    }
}

std::vector<std::string> chosen_models(const config::ExperimentFile& file) {
    return file.model_names(is_open_loop(file, config::SelectedRun(0)) ? known_open_loop_models()
                                                                       : known_models());
}

const char* main_metric(const Setup& setup) {
    return setup.traffic ? "packet_latency_cycles" : main_metric(setup.kernel->communication());
}

SimulationResult read_result(const fs::path& folder) {
    std::ifstream in(folder / "result.json");
    return simulation_result_from(nlohmann::ordered_json::parse(in));
}

PointResult evaluate_point(const config::ExperimentFile& file, config::SelectedRun run,
                           const std::string& label, const std::vector<SimulationResult>& seeds,
                           const std::vector<std::string>& models) {
    PointResult point = combine(seeds);
    point.label = label;
    const std::unique_ptr<Setup> setup = make_setup(file, run);
    const std::vector<hw::ParameterGroup*> groups = setup->groups();
    point.configuration = config::resolved_values(groups, setup->kernel_name);
    point.network_model = std::get<std::string>(setup->machine.network.model.value_as_variant());
    point.routing = routing_facts(*setup);
    point.published = file.published(run, metrics_of(*setup));
    if (setup->traffic) {
        require_measured_packets(file, run, point);
        point.replications = replications_of(*setup, point);
        const Estimate* distance = find_estimate(point, "mean_distance_hops");
        point.predictions = predict_open_loop(
            models, *setup, distance != nullptr ? std::optional(distance->mean) : std::nullopt);
        add_latency_comparisons(point, seeds);
        add_message_at_published_distance(point);
        return point;
    }
    require_measurement(file, run, point, *setup);
    Metrics means;
    for (const Estimate& measured : point.measured) {
        means.emplace_back(measured.name, measured.mean);
    }
    point.packed_messages = packed_messages(*setup, means);
    point.replications = replications_of(*setup, point);
    const PredictionContext context = prediction_context(*setup, seeds.front().kernel_facts);
    Metrics given;
    for (const config::ModelInput& input : file.model_inputs(run, known_model_inputs())) {
        given.emplace_back(input.name, input.value);
    }
    point.predictions = predict(models, mean_inputs(seeds), given, context);
    add_comparisons(point, seeds, context.communication);
    point.cost_bars = cost_bars(means, point.round_trip, point.predictions);
    return point;
}

void check_experiment(const RunOptions& options) { static_cast<void>(PlannedExperiment(options)); }

ExperimentPlan plan_experiment(const RunOptions& options) {
    const PlannedExperiment planned(options);
    ExperimentPlan result{planned.file, {}};
    for (const Group& group : planned.plan.groups) {
        result.groups.push_back({group.run, group.label, {}});
        for (const std::size_t job : group.jobs) {
            result.groups.back().seeds.push_back(planned.plan.jobs[job].seed);
        }
    }
    return result;
}

ExperimentResult run_experiment(const RunOptions& options) {
    return std::move(run_experiments({&options, 1}).front());
}

std::vector<ExperimentResult> run_experiments(std::span<const RunOptions> experiments) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<PlannedExperiment> planned;
    planned.reserve(experiments.size());
    for (const RunOptions& options : experiments) {
        planned.emplace_back(options);
    }
    for (PlannedExperiment& experiment : planned) {
        experiment.folder = std::make_unique<RunFolder>(experiment.options.folder,
                                                        experiment.options.file.stem().string());
    }
    if (planned.empty()) {
        return {};
    }
    run_until_precise(experiments.front(), planned);

    std::vector<ExperimentResult> results;
    for (const PlannedExperiment& experiment : planned) {
        ExperimentResult& result = results.emplace_back(result_of(experiment));
        result.wall_seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        write_file(fs::path(result.folder) / "result.json", to_json(result).dump(1) + "\n");
        write_cost_bars(result);
        experiment.folder->keep();
    }
    return results;
}

}  // namespace weir::experiments::run
