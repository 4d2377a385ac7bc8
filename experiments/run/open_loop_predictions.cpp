#include "experiments/run/open_loop_predictions.h"

#include "experiments/models/logp/unloaded_time.h"
#include "experiments/models/logpc/logpc_network.h"
#include "experiments/models/logpc/mean_distance.h"
#include "experiments/models/model_error.h"
#include "experiments/run/unloaded_simulation.h"

namespace weir::experiments::run {

namespace {

using network::PatternKind;

constexpr const char* kUnloaded = "logp_unloaded";

double mean_hops_of(const Setup& setup) {
    const network::NetworkParameters& network = setup.machine.network;
    const bool is_torus = network.topology.value() == network::TopologyKind::kTorus;
    if (!is_torus && network.topology.value() != network::TopologyKind::kMesh) {
        throw models::ModelError("its network is a mesh or torus");
    }
    if (network.routing.value() != network::RoutingKind::kDefault &&
        network.routing.value() != network::RoutingKind::kDimensionOrder) {
        throw models::ModelError("its routes go through one dimension after the other");
    }
    if (network.switching.value() == network::Switching::kStoreAndForward) {
        throw models::ModelError("its messages are not stored whole on their way");
    }
    models::NetworkShape shape;
    shape.end_around = is_torus;
    for (const std::int64_t extent : network.dimensions.value()) {
        shape.extents.push_back(static_cast<int>(extent));
    }
    switch (setup.traffic->pattern.value()) {
        case PatternKind::kUniform:
            return models::mean_hops(shape);
        case PatternKind::kLocality:
            return models::mean_hops_within_span(
                shape, static_cast<int>(setup.traffic->locality_hops.value()), true);
        default:
            throw models::ModelError("its destinations are random");
    }
}

// Links and routers on the way, and a flit's cycles for each flit after the header.
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

// A channel collects a flit before the next router passes it on, whose first bit so is late by the
// others' time: part of r, as are the router's own stages.
double cycles_of_a_hop(const network::NetworkParameters& network) {
    const hw::Cycles of_router = network.routing_cycles.value() +
                                 network.vc_allocation_cycles.value() +
                                 network.switch_allocation_cycles.value();
    return static_cast<double>(
        (network.hop_cycles.value() + of_router + network.flit_cycles()).count() - 1);
}

Prediction logp_unloaded(const Setup& setup, std::optional<double> distance_hops) {
    const network::NetworkParameters& network = setup.machine.network;
    Prediction prediction;
    prediction.model = kUnloaded;
    if (!distance_hops) {
        prediction.not_applicable = "its packets come one at a time";
        return prediction;
    }
    if (network.switching.value() == network::Switching::kStoreAndForward) {
        prediction.not_applicable = "its messages are not stored whole on their way";
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
            hardware, flit_bits * setup.traffic->packet_flits.value().count());
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

Prediction agarwal(const Setup& setup) {
    const network::NetworkParameters& network = setup.machine.network;
    const network::TrafficParameters& traffic = *setup.traffic;
    Prediction prediction;
    prediction.model = "agarwal";
    try {
        const double hops = mean_hops_of(setup);
        if (traffic.source.value() != network::SourceKind::kBernoulli) {
            throw models::ModelError("its packets come at random times, and here in bursts");
        }
        const auto dimensions = static_cast<int>(network.dimensions.value().size());
        const auto flits = static_cast<double>(traffic.packet_flits.value().count());
        // Of one of the copies, which are alike.
        const double load = traffic.load.value() / static_cast<double>(network.copies.value());
        prediction.inputs = {{"mean_hops", hops}, {"packet_flits", flits}, {"load", load}};
        // A flit holds a channel for its cycles: in units of flits, (3) to (6) with G.
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

std::vector<Prediction> predict_open_loop(std::span<const std::string> models, const Setup& setup,
                                          std::optional<double> distance_hops) {
    std::vector<Prediction> predictions;
    for (const std::string& model : models) {
        predictions.push_back(model == kUnloaded ? logp_unloaded(setup, distance_hops)
                                                 : agarwal(setup));
    }
    return predictions;
}

const std::vector<std::string>& known_open_loop_models() {
    static const std::vector<std::string> names{"agarwal", kUnloaded};
    return names;
}

}  // namespace weir::experiments::run
