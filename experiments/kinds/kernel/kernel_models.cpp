#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>

#include "experiments/analyses/combined_runs.h"
#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/explanations/explanation.h"
#include "experiments/analyses/json_message_pattern.h"
#include "experiments/analyses/measure.h"
#include "experiments/analyses/patterns/iterations.h"
#include "experiments/analyses/patterns/messages.h"
#include "experiments/analyses/patterns/programs.h"
#include "experiments/analyses/predict.h"
#include "experiments/kinds/kernel/kernel_kind.h"
#include "experiments/trace/database/trace_digest.h"

/// Metrics of a kernel's runs, and comparison with models.
namespace weir::experiments::kinds {

namespace {

using records::PointResult;
using records::SimulationResult;

records::Metrics mean_inputs(const std::vector<SimulationResult>& runs) {
    records::Metrics means;
    for (const auto& [name, ignored] : runs.front().measured.model_inputs) {
        double sum = 0.0;
        for (const SimulationResult& run : runs) {
            sum += records::find_metric(run.measured.model_inputs, name).value_or(0.0);
        }
        means.emplace_back(name, sum / static_cast<double>(runs.size()));
    }
    return means;
}

/// Compares models with the measurement of each run.
class Comparison {
  public:
    Comparison(PointResult& point, const std::vector<SimulationResult>& runs)
        : point_(point), runs_(runs) {}

    /// Adds a model's error in per cent of the measurement, if the model predicts the metric.
    void add(const records::Prediction& prediction, const std::string& metric, const char* name) {
        if (const auto predicted = records::find_metric(prediction.metrics, metric)) {
            add(prediction.model + name, metric,
                [&](double measured) { return 100.0 * (*predicted / measured - 1.0); });
        }
    }
    void add(const std::string& name, const std::string& metric,
             const std::function<double(double measured)>& distance) {
        std::vector<double> values;
        for (const SimulationResult& run : runs_) {
            const auto measured = records::find_metric(run.measured.metrics, metric);
            if (measured && *measured > 0.0) {
                values.push_back(distance(*measured));
            }
        }
        if (!values.empty() && values.size() == runs_.size()) {
            point_.compared.push_back(analyses::estimate(name, values));
        }
    }

  private:
    PointResult& point_;
    const std::vector<SimulationResult>& runs_;
};

// Adds the error of each model in each run, and the distance of the measurement, in cycles, from
// LoPC's bounds (equation (9)).
void add_comparisons(const std::string& leading, const std::vector<SimulationResult>& runs,
                     PointResult& point) {
    const analyses::IterationMetrics& m = analyses::iteration_metrics();
    const analyses::ModelMetrics& said = analyses::model_metrics();
    Comparison comparison(point, runs);
    for (const records::Prediction& prediction : point.predictions) {
        comparison.add(prediction, leading, "_over_measured_percent");
        comparison.add(prediction, m.processor_contention_cycles.name(),
                       "_contention_over_measured_percent");
        comparison.add(prediction, m.interference_cycles.name(),
                       "_interference_over_measured_percent");
        comparison.add(prediction, m.request_queueing_cycles.name(),
                       "_request_queueing_over_measured_percent");
        comparison.add(prediction, m.reply_queueing_cycles.name(),
                       "_reply_queueing_over_measured_percent");
        const auto lower = records::find_metric(prediction.metrics, said.lower_bound_cycles);
        const auto upper = records::find_metric(prediction.metrics, said.upper_bound_cycles);
        if (lower && upper) {
            comparison.add(prediction.model + "_bounds_exceeded_cycles",
                           m.cycles_per_iteration.name(), [&](double measured) {
                               return std::max({0.0, *lower - measured, measured - *upper});
                           });
        }
    }
}

// Refuses a warm-up, or a begin of the trace, that leaves nothing of the run to measure.
void require_measurement(const AskedPoint& asked, const PointResult& point, const Setup& setup,
                         const records::Metric& leading) {
    const std::string& messages = analyses::message_metrics().messages_measured.name();
    // A main metric other than run_cycles and the makespan exists only if the window contains
    // something to measure.
    const bool anything = records::find_estimate(point, messages) != nullptr ||
                          (&leading != &run_metrics().run_cycles &&
                           &leading != &analyses::program_metrics().makespan_cycles);
    const std::int64_t warmup = setup.run.warmup_cycles.value().count();
    const std::int64_t kept_from = setup.trace.begin_cycle.value().count();
    if (anything || (warmup == 0 && kept_from <= 0)) {
        return;  // a program need not send messages
    }
    if (kept_from > warmup) {
        throw asked.file.fault_at(
            "trace.begin_cycle", asked.run,
            fmt::format("trace.begin_cycle = {} leaves nothing to measure: the run has {} cycles",
                        kept_from, point.cycles.front()),
            "a cycle well before the end of the run");
    }
    throw asked.file.fault_at("run.warmup_cycles", asked.run,
                              fmt::format("run.warmup_cycles = {} leaves nothing to measure: no "
                                          "message was handled from then on while "
                                          "every node was still at work; the run has {} cycles",
                                          warmup, point.cycles.front()),
                              "a warm-up shorter than the run");
}

}  // namespace

namespace {

// Whether the network is a mesh like Alewife's, or several copies of one.
bool is_plain_mesh_or_copies(const network::NetworkParameters& network) {
    if (network.copies.value() == 1) {
        return network.is_plain_mesh();
    }
    network::NetworkParameters one;
    for (const hw::ParameterBase* parameter : network.parameters()) {
        if (parameter->name() != network.copies.name()) {
            static_cast<void>(one.find(parameter->name())->set(parameter->value_as_variant()));
        }
    }
    return one.is_plain_mesh();
}

}  // namespace

analyses::MachineView machine_view(const Setup& setup) {
    const nodes::MachineConfiguration& machine = setup.machine;
    analyses::MachineView view;
    for (const std::int32_t extent : machine.network.neighbour_extents(machine.node_count())) {
        view.mesh_extents.push_back(extent);
    }
    view.is_plain_mesh = is_plain_mesh_or_copies(machine.network);
    view.network_copies = static_cast<int>(machine.network.copies.value());
    view.receive_mode = machine.core.receive_mode.value();
    view.network_contends = machine.network.model.value() == network::NetworkModel::kWormhole;
    if (machine.network.model.value() == network::NetworkModel::kLogp) {
        view.gap_cycles = static_cast<double>(machine.network.logp_gap_cycles.value().count());
    }
    view.channel_cycles_per_byte = static_cast<double>(machine.network.flit_cycles().count()) /
                                   static_cast<double>(machine.network.flit_bytes.value().count());
    view.memory_cycles_per_byte = hw::dma_cycles_per_byte(machine.dma, machine.memory_port);
    view.notify_cycles = static_cast<double>(machine.controller.notify_cycles.value().count());
    const memory::MemoryParameters& memory = machine.memory;
    view.double_load_cycles =
        static_cast<double>((memory.load_cycles.value() + memory.double_cycles.value()).count());
    view.double_store_cycles =
        static_cast<double>((memory.store_cycles.value() + memory.double_cycles.value()).count());
    view.input_queue_bytes =
        static_cast<double>(machine.controller.input_queue_bytes.value().count());
    using Completion = firmware::ActiveMessages::Completion;
    view.sends_block = setup.firmware.body_send.value() == Completion::kBlocking;
    view.receives_block = setup.firmware.body_receive.value() == Completion::kBlocking;
    return view;
}

const records::MetricList& KernelKind::metrics() const {
    static const records::MetricList all = [] {
        records::MetricList list = analyses::kernel_metrics();
        const records::MetricList others = records::metrics_of(
            {&run_metrics(), &fault_metrics(), &analyses::comparison_metrics()});
        list.insert(list.end(), others.begin(), others.end());
        list.push_back(&over_other_point_percent());
        return list;
    }();
    return all;
}

const std::vector<std::string>& KernelKind::models() const {
    return analyses::compared_model_names();
}

const std::vector<std::string>& KernelKind::model_inputs() const {
    return analyses::known_model_inputs();
}

const records::Metric& KernelKind::leading_metric(const records::Metrics& measured) const {
    // Only Weir's own kernels mark the begin and end of their programs.
    if (analyses::is_users_program(*kernel_)) {
        return run_metrics().run_cycles;
    }
    const records::Metric& of_pattern = analyses::leading_metric(kernel_->communication());
    for (const records::Metric* metric : {analysis_.leading_metric(), &of_pattern}) {
        if (metric != nullptr && (measured.empty() || records::find_metric(measured, *metric))) {
            return *metric;
        }
    }
    return run_metrics().run_cycles;
}

// A trace's digest costs time, so it is computed only if a source may name one.
bool KernelKind::has_inputs_fitted_to(const trace::Trace& trace) const {
    const auto names_fit = [](const std::string& source) {
        return source.starts_with(trace::kSourceOfFit);
    };
    if (std::none_of(input_sources_.begin(), input_sources_.end(), names_fit)) {
        return false;
    }
    const std::string digest = trace::trace_digest(trace);
    return std::any_of(input_sources_.begin(), input_sources_.end(),
                       [&](const std::string& source) {
                           return names_fit(source) && source.find(digest) != std::string::npos;
                       });
}

namespace {

// Withdraws predictions from the file's inputs, if these were fitted to one of the point's runs. A
// fitted value is no prediction of the same data.
void withdraw_fitted(const AskedPoint& asked, PointResult& point) {
    const bool is_fitted =
        std::any_of(asked.seeds.begin(), asked.seeds.end(), [](const SimulationResult& run) {
            return run.measured.particulars->contains(kFittedToThisRun);
        });
    for (records::Prediction& prediction : point.predictions) {
        if (is_fitted && prediction.model.ends_with(records::kGiven)) {
            prediction.metrics.clear();
            prediction.not_applicable =
                "its inputs were fitted to this run, which it can't predict";
        }
    }
}

// Splits the predictions' errors, as far as the point's traces tell the parts of an iteration.
void explain(const records::Metrics& measured, const records::Metrics& given,
             const std::string& metric, const analyses::AskedProgram& program, PointResult& point) {
    if (const records::Estimate* time = records::find_estimate(point, metric)) {
        records::add_explanations(analyses::explain_predictions(point.predictions,
                                                                {.metric = metric,
                                                                 .measured_cycles = time->mean,
                                                                 .parts = point.round_trip,
                                                                 .measured_inputs = measured,
                                                                 .given_inputs = given},
                                                                program),
                                  point);
    }
}

}  // namespace

void KernelKind::ask_models(const AskedPoint& asked, Setup& setup, PointResult& point) {
    const records::Metric& leading = leading_metric(records::means(point));
    require_measurement(asked, point, setup, leading);
    records::Metrics given;
    for (const setup::ModelInput& input : asked.file.model_inputs(asked.run, model_inputs())) {
        given.emplace_back(input.name, input.value);
    }
    const SimulationResult& first = asked.seeds.front();
    const analyses::AskedProgram program{
        .analysis = analysis_,
        .machine = machine_view(setup),
        .communication = kernel_->communication(),
        .pattern = first.facts->at("message_pattern").get<firmware::MessagePattern>(),
        .facts = first.facts->at("program")};
    const records::Metrics measured = mean_inputs(asked.seeds);
    point.predictions = analyses::predict(asked.models, measured, given, program);
    withdraw_fitted(asked, point);
    const bool is_program = program.communication == firmware::Communication::kProgram;
    const std::string& explained =
        is_program ? analyses::program_metrics().makespan_cycles.name() : leading.name();
    explain(measured, given, explained, program, point);
    add_comparisons(leading.name(), asked.seeds, point);
    analysis_.finish(*kernel_, setup.machine, point);
}

}  // namespace weir::experiments::kinds
