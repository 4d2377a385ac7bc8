#include "experiments/run/open_loop_predictions.h"

#include "experiments/models/logpc/logpc_network.h"
#include "experiments/models/logpc/mean_distance.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::run {

namespace {

using network::PatternKind;

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
        const double load = traffic.load.value();
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

std::vector<Prediction> predict_open_loop(std::span<const std::string> models, const Setup& setup) {
    std::vector<Prediction> predictions;
    for (std::size_t i = 0; i < models.size(); ++i) {  // there is but one
        predictions.push_back(agarwal(setup));
    }
    return predictions;
}

const std::vector<std::string>& known_open_loop_models() {
    static const std::vector<std::string> names{"agarwal"};
    return names;
}

}  // namespace weir::experiments::run
