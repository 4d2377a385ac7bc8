#include "experiments/kinds/open_loop/traffic_models.h"

#include "experiments/analyses/combined_runs.h"
#include "experiments/kinds/open_loop/traffic_kind.h"
#include "experiments/kinds/open_loop/traffic_metrics.h"
#include "experiments/models/logp/messages/unloaded_time.h"
#include "experiments/models/logpc/logpc_network.h"
#include "experiments/models/logpc/mean_distance.h"
#include "experiments/models/model_error.h"
#include "network/routing/routing_kind.h"
#include "network/topology/topology_family.h"

namespace weir::experiments::kinds {

namespace {

using network::PatternKind;

constexpr const char* kUnloaded = "logp_unloaded";

double mean_hops_of(const Setup& setup, const network::TrafficParameters& traffic) {
    const network::NetworkParameters& network = setup.machine.network;
    const std::optional<network::Lattice> lattice = network.topology.value()->lattice(network);
    if (!lattice || lattice->ports_a_dimension != 2) {
        throw models::ModelError("assumes a mesh or torus");
    }
    if (!network.routing.value()->is_topologys_own()) {
        throw models::ModelError("assumes dimension-order routing");
    }
    if (network.switching.value() == network::Switching::kStoreAndForward) {
        throw models::ModelError("assumes switching without storing whole packets");
    }
    models::NetworkShape shape;
    shape.end_around = lattice->is_end_around;
    shape.extents.assign(lattice->extents.begin(), lattice->extents.end());
    switch (traffic.pattern.value()) {
        case PatternKind::kUniform:
            return models::mean_hops(shape);
        case PatternKind::kLocality:
            return models::mean_hops_within_span(
                shape, static_cast<int>(traffic.locality_hops.value()), true);
        default:
            throw models::ModelError("assumes random destinations");
    }
}

// Links and routers of the route, plus a flit time for each flit after the header.
double unloaded_cycles(const network::NetworkParameters& network, double hops, double flits) {
    const auto cycles = [](hw::Cycles time) { return static_cast<double>(time.count()); };
    const double flit = cycles(network.flit_cycles());
    const double in_router =
        cycles(network.routing_cycles.value() + network.vc_allocation_cycles.value() +
               network.switch_allocation_cycles.value());
    return cycles(network.injection_cycles.value() + network.ejection_cycles.value()) +
           hops * cycles(network.hop_cycles.value()) + (hops + 1.0) * in_router +
           (hops + 2.0) * (flit - 1.0) + (flits - 1.0) * flit;
}

// Time r of a hop. A router forwards a flit only when the channel has delivered the whole flit.
// Thus r includes the time of the flit's other bits, and that of the router's own stages.
double cycles_of_a_hop(const network::NetworkParameters& network) {
    const hw::Cycles of_router = network.routing_cycles.value() +
                                 network.vc_allocation_cycles.value() +
                                 network.switch_allocation_cycles.value();
    return static_cast<double>(
        (network.hop_cycles.value() + of_router + network.flit_cycles()).count() - 1);
}

records::Prediction logp_unloaded(const Setup& setup, const network::TrafficParameters& traffic,
                                  std::optional<double> distance_hops) {
    const network::NetworkParameters& network = setup.machine.network;
    records::Prediction prediction;
    prediction.model = kUnloaded;
    if (!distance_hops) {
        prediction.not_applicable = "applies to packets one at a time";
        return prediction;
    }
    if (network.switching.value() == network::Switching::kStoreAndForward) {
        prediction.not_applicable = "assumes switching without storing whole packets";
        return prediction;
    }
    const std::int64_t flit_bits = 8 * network.flit_bytes.value().count();
    const std::int64_t bits = network.channel_bits_per_cycle.value();
    const std::optional<double> overheads = overheads_input(setup);
    try {
        const models::MessageHardware hardware{
            .cycle_nanoseconds = 1000.0 / setup.machine.clock.processor_mhz.value(),
            .channel_bits = static_cast<double>(bits == 0 ? flit_bits : bits),
            .both_overheads_cycles = overheads.value_or(0.0),
            .hop_cycles = cycles_of_a_hop(network),
            .hops = *distance_hops};
        const models::UnloadedMessage message = models::solve_unloaded_message(
            hardware, flit_bits * traffic.packet_flits.value().count());
        prediction.inputs = {{"mean_distance_hops", hardware.hops},
                             {"hop_cycles", hardware.hop_cycles},
                             {"channel_bits", hardware.channel_bits}};
        prediction.metrics = {{"packet_latency_cycles", message.latency_cycles}};
        if (overheads) {
            prediction.inputs.emplace_back("overheads_cycles", *overheads);
            prediction.metrics.emplace_back("message_cycles", message.message_cycles);
        }
    } catch (const models::ModelError& error) {
        prediction.not_applicable = error.what();
    }
    return prediction;
}

records::Prediction agarwal(const Setup& setup, const network::TrafficParameters& traffic) {
    const network::NetworkParameters& network = setup.machine.network;
    records::Prediction prediction;
    prediction.model = "agarwal";
    try {
        const double hops = mean_hops_of(setup, traffic);
        if (traffic.source.value() != network::SourceKind::kBernoulli) {
            throw models::ModelError("assumes packets at random times; here they come in bursts");
        }
        const auto dimensions = static_cast<int>(network.dimensions.value().size());
        const auto flits = static_cast<double>(traffic.packet_flits.value().count());
        // Offered load of one copy of the network: all copies have the same share.
        const double load = traffic.load.value() / static_cast<double>(network.copies.value());
        prediction.inputs = {{"mean_hops", hops}, {"packet_flits", flits}, {"load", load}};
        // Equations (3) to (6) count time in flits here; a flit holds a channel for flit_cycles.
        const auto flit_cycles = static_cast<double>(network.flit_cycles().count());
        const models::AgarwalNetworkSolution solution =
            models::solve_agarwal_network({.dimensions = dimensions,
                                           .mean_distance_per_dimension = hops / dimensions,
                                           .message_bytes = flits,
                                           .channel_cycles_per_byte = flit_cycles},
                                          load / flits);
        const double unloaded = unloaded_cycles(network, hops, flits);
        prediction.metrics = {{"packet_latency_cycles", unloaded + solution.contention_cycles},
                              {"unloaded_latency_cycles", unloaded},
                              {"network_contention_cycles", solution.contention_cycles},
                              {"mean_channel_utilisation", solution.channel_utilization}};
    } catch (const models::ModelError& error) {
        prediction.metrics.clear();
        prediction.not_applicable = error.what();
    }
    return prediction;
}

}  // namespace

std::vector<records::Prediction> predict_traffic(std::span<const std::string> models,
                                                 const Setup& setup,
                                                 const network::TrafficParameters& traffic,
                                                 std::optional<double> distance_hops) {
    std::vector<records::Prediction> predictions;
    for (const std::string& model : models) {
        predictions.push_back(model == kUnloaded ? logp_unloaded(setup, traffic, distance_hops)
                                                 : agarwal(setup, traffic));
    }
    return predictions;
}

const std::vector<std::string>& traffic_models() {
    static const std::vector<std::string> names{"agarwal", kUnloaded};
    return names;
}

std::optional<double> overheads_input(const Setup& setup) {
    const hw::Cycles overheads = setup.machine.machine.unloaded_overheads_cycles.value();
    return overheads > hw::Cycles(0) ? std::optional(static_cast<double>(overheads.count()))
                                     : std::nullopt;
}

namespace {

// Adds the error of each model in each run, in per cent of the latency from generation, and of the
// latency from injection.
void add_comparisons(records::PointResult& point,
                     const std::vector<records::SimulationResult>& runs) {
    const TrafficMetrics& m = traffic_metrics();
    for (const records::Prediction& prediction : point.predictions) {
        const auto predicted = records::find_metric(prediction.metrics, m.packet_latency_cycles);
        for (const auto& [metric, name] :
             {std::pair{&m.packet_latency_cycles, "_over_measured_percent"},
              std::pair{&m.network_latency_cycles, "_network_over_measured_percent"}}) {
            std::vector<double> values;
            for (const records::SimulationResult& run : runs) {
                const auto measured = records::find_metric(run.measured.metrics, *metric);
                if (predicted && measured) {
                    values.push_back(100.0 * (*predicted / *measured - 1.0));
                }
            }
            if (values.size() == runs.size()) {
                point.compared.push_back(analyses::estimate(prediction.model + name, values));
            }
        }
    }
}

struct TrafficComparisons final : records::MetricGroup {
    TrafficComparisons()
        : over_measured(
              *this, traffic_models(),
              [](const std::string& model) { return model + "_over_measured_percent"; }, "%",
              [](const std::string& model) {
                  return "Relative excess of " + model +
                         "'s predicted latency over packet_latency_cycles";
              }),
          network_over_measured(
              *this, traffic_models(),
              [](const std::string& model) { return model + "_network_over_measured_percent"; },
              "%",
              [](const std::string& model) {
                  return "Relative excess of " + model +
                         "'s predicted latency over network_latency_cycles";
              }) {}
    records::MetricFamily over_measured;
    records::MetricFamily network_over_measured;
};

}  // namespace

const records::MetricList& TrafficKind::metrics() const {
    static const TrafficComparisons comparisons;
    static const records::MetricList all = [] {
        records::MetricList list = records::metrics_of(
            {&traffic_metrics(), &recorded_traffic_metrics(), &unloaded_metrics(), &comparisons});
        list.push_back(&over_other_point_percent());
        return list;
    }();
    return all;
}

const std::vector<std::string>& TrafficKind::models() const { return traffic_models(); }

const std::vector<std::string>& TrafficKind::model_inputs() const {
    static const std::vector<std::string> none;
    return none;
}

void TrafficKind::ask_models(const AskedPoint& asked, Setup& setup, records::PointResult& point) {
    const records::Estimate* packets =
        records::find_estimate(point, traffic_metrics().packets_measured.name());
    if (packets == nullptr || packets->mean == 0.0) {
        throw asked.file.fault_at("traffic.measurement_cycles", asked.run,
                                  "no packet was generated in the traffic.measurement_cycles after "
                                  "traffic.warm_up_cycles",
                                  "a longer measurement, or a shorter warm-up");
    }
    const records::Estimate* distance =
        records::find_estimate(point, unloaded_metrics().mean_distance_hops.name());
    point.predictions =
        predict_traffic(asked.models, setup, traffic(),
                        distance != nullptr ? std::optional(distance->mean) : std::nullopt);
    add_comparisons(point, asked.seeds);
}

}  // namespace weir::experiments::kinds
