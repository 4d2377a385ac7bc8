#include "experiments/running/sweeps/scaling/predict_machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "experiments/analyses/fits/scaling_terms.h"
#include "experiments/kinds/topologies.h"
#include "experiments/records/run_status.h"
#include "experiments/running/processes/command_line.h"
#include "experiments/running/processes/interruption.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/wanted_access.h"
#include "experiments/running/sweeps/recorded_runs.h"
#include "experiments/running/sweeps/scaling/model_predictions.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/text/utf8_text.h"
#include "experiments/setup/user_fault.h"
#include "experiments/statistics/sample.h"
#include "experiments/statistics/scaling_fit.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;
using records::MachinePrediction;
using records::ScaledMachine;
using setup::UserFault;
using statistics::Sample;

constexpr double kPercent = 100.0;
constexpr const char* kBusiest = "busiest_channel_percent";

std::string shape_text(const std::vector<std::int64_t>& extents) {
    return fmt::format("{}", fmt::join(extents, " x "));
}

/// Runs of a prediction that the database has.
class StoredValues {
  public:
    StoredValues(const SweepDatabase& database, const std::string& metric)
        : values_(database.metric(metric)), busiest_(database.metric(kBusiest)) {
        for (StoredPoint& point : database.points()) {
            points_.emplace(point.digest, std::move(point));
        }
    }

    [[nodiscard]] ScaledMachine machine(const MachineShape& shape, const PlannedPoint& point,
                                        const std::vector<SizeValue>& sizes) const {
        ScaledMachine machine{shape.nodes, shape_text(shape.extents), sizes, {}, std::nullopt};
        Sample busiest;
        const auto stored = points_.find(point.digest);
        if (stored == points_.end()) {
            return machine;
        }
        for (const std::uint64_t seed : point.seeds) {
            const StoredRun* const run = run_of(stored->second, seed);
            if (run == nullptr) {
                continue;
            }
            if (const auto value = values_.find(run->run_id); value != values_.end()) {
                machine.values.push_back(value->second);
            }
            if (const auto use = busiest_.find(run->run_id); use != busiest_.end()) {
                busiest.values.push_back(use->second);
            }
        }
        if (!busiest.values.empty()) {
            machine.busiest_channel_percent = busiest.mean();
        }
        return machine;
    }

    /// First run of a point that did not end well; null if all did.
    [[nodiscard]] const StoredRun* trouble_of(const PlannedPoint& point) const {
        const auto stored = points_.find(point.digest);
        if (stored == points_.end()) {
            return nullptr;
        }
        for (const StoredRun& run : stored->second.runs) {
            if (run.status != records::status_name(records::RunStatus::kOk)) {
                return &run;
            }
        }
        return nullptr;
    }

  private:
    static const StoredRun* run_of(const StoredPoint& point, std::uint64_t seed) {
        const auto run = std::find_if(point.runs.begin(), point.runs.end(),
                                      [seed](const StoredRun& each) { return each.seed == seed; });
        return run == point.runs.end() ? nullptr : &*run;
    }

    std::map<std::int64_t, double> values_;
    std::map<std::int64_t, double> busiest_;
    std::map<std::string, StoredPoint> points_;
};

[[noreturn]] void fail_interrupted(const SweepDatabase& database) {
    throw RunFailure(interruption_status(),
                     fmt::format("interrupted; the runs that had ended, {}, are in {}: the same "
                                 "command continues",
                                 database.count_of("runs"), database.path()));
}

void run_missing(const PredictionPlan& plan, const PredictionOptions& options,
                 const RecordedRuns& recorded, MachinePrediction& prediction) {
    const std::vector<RunRequest> requests = requests_of(plan, options);
    prediction.new_runs = requests.size();
    fmt::print(stderr, "weir: {} to do, {} at a time, into {}\n",
               setup::counted(requests.size(), "run"), options.sweep.workers,
               setup::printable(recorded.database().path()));
    if (!recorded.run(requests, options.sweep.workers, nullptr)) {
        fail_interrupted(recorded.database());
    }
}

void leave_out(std::size_t index, const std::string& reason, PredictionPlan& plan) {
    const auto at = static_cast<std::ptrdiff_t>(index);
    plan.leave_out(plan.machines[index], reason);
    plan.machines.erase(plan.machines.begin() + at);
    plan.sizes.erase(plan.sizes.begin() + at);
    plan.sizes_of_node.erase(plan.sizes_of_node.begin() + at);
    plan.sweep.points.erase(plan.sweep.points.begin() + at);
}

// The plan without machines of the usual list whose runs were refused, for example because the
// kernel needs a power of two. Any other failed run is a fault.
PredictionPlan without_refused(PredictionPlan plan, const StoredValues& stored) {
    for (std::size_t i = plan.machines.size(); i-- > 0;) {
        const StoredRun* trouble = stored.trouble_of(plan.sweep.points[i]);
        if (trouble == nullptr) {
            continue;
        }
        const std::int64_t nodes = plan.machines[i].nodes;
        const bool is_bad = trouble->status == records::status_name(records::RunStatus::kBad);
        if (!plan.has_usual_machines || !is_bad || i + 1 == plan.machines.size()) {
            throw RunFailure(trouble->exit_status,
                             fmt::format("{} nodes, seed {}: {}: {}", nodes, trouble->seed,
                                         trouble->status, trouble->message));
        }
        leave_out(i, trouble->message, plan);
    }
    return plan;
}

// The options with the machines of a plan, and one of two nodes.
PredictionOptions with_two_nodes(PredictionOptions options, const PredictionPlan& plan) {
    options.small = {"2"};
    for (std::size_t i = 0; i + 1 < plan.machines.size(); ++i) {
        options.small.push_back(fmt::format("{}", fmt::join(plan.machines[i].extents, "x")));
    }
    return options;
}

/// Terms of all runs, and fits of metrics with them.
class ScalingFits {
  public:
    ScalingFits(const PredictionPlan& plan, const SweepDatabase& database,
                const std::string& metric) {
        for (std::size_t i = 0; i < plan.machines.size(); ++i) {
            add_scales(plan, i);
        }
        group();
        plain_ = terms_of({}, {});
        const ModelPredictions asked = model_predictions(plan, database, metric, mean_hops_);
        all_ = terms_of(asked.models, asked.values);
    }

    [[nodiscard]] const std::vector<std::string>& formulas() const { return all_.formulas; }
    /// Number of small machines that differ in nodes, network or loads.
    [[nodiscard]] std::size_t distinct_machines() const { return groups_.size(); }

    /// Prediction of a run's metric with all terms.
    [[nodiscard]] std::optional<statistics::ScalingPrediction> time(
        const std::vector<ScaledMachine>& machines) const {
        return predicted(all_, points_of(all_, samples_of(machines)));
    }
    /// Prediction of the largest of the machines from the others; nullopt if these are too few.
    [[nodiscard]] std::optional<statistics::ScalingPrediction> hindsight(
        const std::vector<ScaledMachine>& machines) const {
        std::vector<statistics::ScalingPoint> points = points_of(all_, samples_of(machines));
        const statistics::ScalingPoint known = points.back();
        points.pop_back();
        if (points.size() < statistics::kLeastScalingPoints) {
            return std::nullopt;
        }
        return statistics::predict_scaling(points, known, all_.sums);
    }
    /// Prediction of another metric, with the terms that are no model's. A machine has one value.
    [[nodiscard]] std::optional<statistics::ScalingPrediction> other(
        const std::vector<Sample>& machines) const {
        return predicted(plain_, points_of(plain_, machines));
    }

  private:
    /// Scales of a machine, by seed.
    using Scales = std::vector<analyses::RunScale>;

    void add_scales(const PredictionPlan& plan, std::size_t machine) {
        const PlannedPoint& point = plan.sweep.points[machine];
        const auto setup = kinds::make_setup(plan.sweep.file_of(point), point.run);
        analyses::RunScale scale;
        scale.nodes = static_cast<double>(plan.machines[machine].nodes);
        scale.size_of_node = plan.sizes_of_node[machine];
        if (const auto reach = kinds::network_reach(*setup)) {
            scale.mean_hops = reach->mean_hops;
            scale.bisection_channels = reach->bisection_channels;
            scale.channels = reach->channels;
        }
        mean_hops_.push_back(scale.mean_hops.value_or(1.0));
        Scales& scales = scales_.emplace_back();
        for (const std::uint64_t seed : point.seeds) {
            scale.loads = setup->kind->node_loads(*setup, seed);
            scales.push_back(scale);
        }
    }

    // Machines of equal nodes, network and loads are one point of a fit. A sum that misses one of
    // them misses all, so each would count more than once.
    void group() {
        for (std::size_t i = 0; i + 1 < scales_.size(); ++i) {
            const auto alike = std::find_if(groups_.begin(), groups_.end(), [&](const auto& each) {
                return scales_[each.front()] == scales_[i];
            });
            if (alike == groups_.end()) {
                groups_.push_back({i});
            } else {
                alike->push_back(i);
            }
        }
    }

    // Terms of all runs, machine by machine; the larger machine has its first run only.
    [[nodiscard]] analyses::ScalingTerms terms_of(
        const std::vector<std::string>& models,
        const std::vector<std::vector<double>>& model_values) const {
        Scales runs;
        for (std::size_t i = 0; i < scales_.size(); ++i) {
            for (analyses::RunScale run : scales_[i]) {
                run.models = models.empty() ? std::vector<double>{} : model_values[i];
                runs.push_back(std::move(run));
            }
        }
        runs.resize(runs.size() - scales_.back().size() + 1);
        return analyses::scaling_terms(runs, models);
    }

    static std::vector<Sample> samples_of(const std::vector<ScaledMachine>& machines) {
        std::vector<Sample> samples;
        samples.reserve(machines.size());
        for (const ScaledMachine& machine : machines) {
            samples.push_back({machine.values});
        }
        return samples;
    }

    // A point for each group, with the runs of its machines. A sample has a value for each seed, or
    // a single one.
    [[nodiscard]] std::vector<statistics::ScalingPoint> points_of(
        const analyses::ScalingTerms& terms, const std::vector<Sample>& samples) const {
        std::vector<statistics::ScalingPoint> points;
        for (const std::vector<std::size_t>& group : groups_) {
            std::vector<statistics::ScalingRun> runs;
            for (const std::size_t machine : group) {
                const std::size_t first = first_run_of(machine);
                for (std::size_t i = 0; i < samples[machine].values.size(); ++i) {
                    runs.push_back({terms.values[first + i], samples[machine].values[i]});
                }
            }
            points.push_back(
                statistics::mean_point(scales_[group.front()].front().nodes, std::move(runs)));
        }
        return points;
    }
    [[nodiscard]] std::size_t first_run_of(std::size_t machine) const {
        std::size_t runs = 0;
        for (std::size_t i = 0; i < machine; ++i) {
            runs += scales_[i].size();
        }
        return runs;
    }

    // Prediction of a single run.
    [[nodiscard]] std::optional<statistics::ScalingPrediction> predicted(
        const analyses::ScalingTerms& terms,
        const std::vector<statistics::ScalingPoint>& points) const {
        return statistics::predict_scaling(
            points, {scales_.back().front().nodes, terms.values.back(), 0.0, 0.0, {}}, terms.sums);
    }

    std::vector<Scales> scales_;  // by machine, the larger one last
    std::vector<double> mean_hops_;
    std::vector<std::vector<std::size_t>> groups_;  // small machines that are alike
    analyses::ScalingTerms plain_;
    analyses::ScalingTerms all_;
};

std::string formula_text(const statistics::FittedSum& sum,
                         const std::vector<std::string>& formulas) {
    std::vector<std::string> parts;
    for (std::size_t k = 0; k < sum.terms.size(); ++k) {
        const std::string& term = formulas[sum.terms[k]];
        const std::string number = setup::shown_number(sum.coefficients[k]);
        parts.push_back(term == "1" ? number : fmt::format("{} {}", number, term));
    }
    return fmt::format("{}", fmt::join(parts, " + "));
}

void add_sums(const statistics::ScalingPrediction& predicted,
              const std::vector<std::string>& formulas, MachinePrediction& prediction) {
    constexpr double kLeastWeight = 0.01;
    for (const statistics::FittedSum& sum : predicted.sums) {
        prediction.last_error_percent += kPercent * sum.weight * sum.last_error;
        if (sum.weight >= kLeastWeight || prediction.sums.empty()) {
            prediction.sums.push_back(
                {formula_text(sum, formulas), sum.weight, sum.value, kPercent * sum.last_error});
        }
    }
}

// Mean utilisation of the busiest channel on each small machine; empty if a machine has none.
std::vector<Sample> channel_uses(const std::vector<ScaledMachine>& machines) {
    std::vector<Sample> uses;
    for (const ScaledMachine& machine : machines) {
        if (machine.busiest_channel_percent.value_or(0.0) <= 0.0) {
            return {};
        }
        uses.push_back({{*machine.busiest_channel_percent}});
    }
    return uses;
}

// Predicts the use of the busiest channel on the larger machine. Without virtual channels, a
// network saturates at 1/3.5 of its capacity (Dally, "Virtual-channel flow control", IEEE TPDS
// 3(2), 1992). Small machines below that do not show the contention above it.
void add_busiest_channel(const ScalingFits& fits, MachinePrediction& prediction) {
    constexpr double kSaturationPercent = kPercent / 3.5;
    const std::vector<Sample> uses = channel_uses(prediction.machines);
    const auto predicted = uses.empty() ? std::nullopt : fits.other(uses);
    if (!predicted) {
        return;
    }
    const double most =
        std::max_element(uses.begin(), uses.end(), [](const auto& a, const auto& b) {
            return a.mean() < b.mean();
        })->mean();
    prediction.busiest_channel_percent = predicted->value;
    if (predicted->low > kPercent) {
        prediction.lower_bound = prediction.low * predicted->low / kPercent;
    }
    if (predicted->value > (most > kSaturationPercent ? kPercent : kSaturationPercent)) {
        prediction.doubts.push_back(fmt::format(
            "a new bottleneck: the busiest channel would be in use {} % of the time on {} nodes, "
            "and is at most {} % in use on the small machines",
            setup::fixed_number(predicted->value, 1), prediction.target.nodes,
            setup::fixed_number(most, 1)));
    }
}

// The largest small machine is known: if the smaller ones predict it outside their own bar, they
// follow no formula of these terms.
void add_hindsight(const ScalingFits& fits, MachinePrediction& prediction) {
    const auto hindsight = fits.hindsight(prediction.machines);
    const double known = Sample{prediction.machines.back().values}.mean();
    if (!hindsight || (hindsight->low <= known && known <= hindsight->high)) {
        return;
    }
    prediction.doubts.push_back(fmt::format(
        "the smaller machines do not predict the largest small one: {} of {} nodes is {}, and they "
        "give {} to {}",
        setup::spaced_name(prediction.metric), prediction.machines.back().nodes,
        setup::shown_number(known), setup::shown_number(hindsight->low),
        setup::shown_number(hindsight->high)));
}

void predict(const ScalingFits& fits, MachinePrediction& prediction) {
    const auto predicted = fits.time(prediction.machines);
    if (!predicted) {
        throw UserFault({prediction.database},
                        fmt::format("no sum of terms fits {}", prediction.metric),
                        "another --metric, such as run_cycles, or other small machines");
    }
    prediction.value = predicted->value;
    prediction.low = predicted->low;
    prediction.high = predicted->high;
    add_sums(*predicted, fits.formulas(), prediction);
    add_busiest_channel(fits, prediction);
    add_hindsight(fits, prediction);
}

void add_check(MachinePrediction& prediction) {
    const double value = Sample{prediction.target.values}.mean();
    prediction.check = {value, prediction.low <= value && value <= prediction.high};
}

// Only the usual machines can be completed by one of two nodes.
void require_usual_machines(const PredictionPlan& plan, const ScalingFits& fits) {
    if (!plan.has_usual_machines) {
        throw UserFault({"--small"},
                        fmt::format("{} of the small machines differ in nodes, network or loads",
                                    fits.distinct_machines()),
                        fmt::format("at least {} different ones, as in --small 4,8,16,32",
                                    statistics::kLeastScalingPoints));
    }
}

std::string metric_of(const PredictionPlan& plan, const PredictionOptions& options,
                      const SweepDatabase& database) {
    if (!options.metric.empty()) {
        database.require_metric(options.metric);
        return options.metric;
    }
    for (const StoredPoint& point : database.points()) {
        if (point.digest == plan.sweep.points.front().digest) {
            return point.main_metric;
        }
    }
    return {};
}

void require_values(const ScaledMachine& machine, std::size_t runs,
                    const MachinePrediction& prediction) {
    const bool are_positive = std::all_of(machine.values.begin(), machine.values.end(),
                                          [](double each) { return each > 0.0; });
    if (machine.values.size() < runs || !are_positive) {
        throw UserFault(
            {prediction.database},
            fmt::format("a run on {} nodes has no {} above 0", machine.nodes, prediction.metric),
            "another --metric");
    }
}

MachinePrediction described(const PredictionPlan& plan, const PredictionOptions& options) {
    MachinePrediction prediction;
    prediction.title = plan.sweep.file.title();
    prediction.file = plan.sweep.path.string();
    prediction.database = database_of(options).string();
    prediction.kernel = plan.sweep.file.workload_kernel(plan.sweep.points.front().run).name;
    prediction.constant = plan.constant;
    return prediction;
}

void add_machines(const PredictionPlan& plan, const StoredValues& stored,
                  MachinePrediction& prediction) {
    for (std::size_t i = 0; i < plan.machines.size(); ++i) {
        prediction.machines.push_back(
            stored.machine(plan.machines[i], plan.sweep.points[i], plan.sizes[i]));
    }
    prediction.target = std::move(prediction.machines.back());
    prediction.machines.pop_back();
    for (std::size_t i = 0; i < prediction.machines.size(); ++i) {
        require_values(prediction.machines[i], plan.sweep.points[i].seeds.size(), prediction);
        prediction.runs += prediction.machines[i].values.size();
    }
    prediction.left_out = plan.left_out;
}

}  // namespace

records::MachinePrediction predict_machine(const PredictionOptions& options) {
    const PredictionPlan plan = make_prediction_plan(options);
    require_permitted(plan.sweep.wants);
    const fs::path path = database_of(options);
    MachinePrediction prediction = described(plan, options);
    const InterruptionNoted interruption_noted;
    std::optional<RecordedRuns> recorded(std::in_place, plan.sweep, path, fs::exists(path));
    run_missing(plan, options, *recorded, prediction);
    const SweepDatabase& database = recorded->database();
    prediction.metric = metric_of(plan, options, database);
    prediction.unit = kinds::unit_of(prediction.metric);
    const StoredValues stored(database, prediction.metric);
    const PredictionPlan used = without_refused(plan, stored);
    add_machines(used, stored, prediction);
    const ScalingFits fits(used, database, prediction.metric);
    if (fits.distinct_machines() < statistics::kLeastScalingPoints) {
        require_usual_machines(used, fits);
        recorded.reset();  // unlocks the database
        MachinePrediction with_two = predict_machine(with_two_nodes(options, used));
        with_two.left_out = used.left_out;
        with_two.new_runs += prediction.new_runs;
        return with_two;
    }
    predict(fits, prediction);
    if (options.check) {
        require_values(prediction.target, 1, prediction);
        add_check(prediction);
    }
    return prediction;
}

}  // namespace weir::experiments::running
