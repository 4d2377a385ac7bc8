#include "network/network_parameters.h"

#include <algorithm>

#include "hw/controller_registers.h"

namespace weir::network {

namespace {

// Each router has the route to every node: a byte a pair of nodes, 256 MB in all.
constexpr std::int64_t kMostNodes = 16'384;

}  // namespace

std::int64_t NetworkParameters::node_count() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : dimensions.value()) {
        count = std::min(count * extent, kMostNodes + 1);
    }
    return count;
}

std::optional<hw::ParameterGroup::Fault> NetworkParameters::check() const {
    if (dimensions.value().size() > 8) {
        return Fault{"dimensions", "has more than 8 dimensions; accepted: 1 to 8"};
    }
    if (node_count() > kMostNodes) {
        return Fault{"dimensions", "makes more than 16384 nodes; accepted: 2 to 16384 in all"};
    }
    if (node_count() < 2) {
        return Fault{"dimensions", "makes a single node; accepted: 2 to 16384 nodes in all"};
    }
    if (logp_least_latency_cycles.value() > logp_latency_cycles.value()) {
        return Fault{"logp_least_latency_cycles",
                     "is more than logp_latency_cycles; accepted: at most " +
                         std::to_string(logp_latency_cycles.value().count())};
    }
    if (model.value() == NetworkModel::kWormhole) {
        for (const auto* edge : {&injection_cycles, &ejection_cycles}) {
            if (edge->value() < hw::Cycles(1)) {
                return Fault{edge->name(),
                             "is 0, which only network.model = \"delay\" can do; "
                             "accepted: at least 1"};
            }
        }
    }
    return std::nullopt;
}

std::vector<std::int32_t> NetworkParameters::extents() const {
    std::vector<std::int32_t> extents;
    for (const std::int64_t extent : dimensions.value()) {
        extents.push_back(static_cast<std::int32_t>(extent));
    }
    return extents;
}

UnloadedTrips::UnloadedTrips(const NetworkParameters& parameters, const Mesh& mesh)
    : mesh_(&mesh),
      hop_cycles_(parameters.hop_cycles.value()),
      edge_cycles_(
          parameters.injection_cycles.value() + parameters.ejection_cycles.value() +
          hw::Cycles(
              hw::flits_of(hw::Bytes(WEIR_HEADER_BYTES), parameters.flit_bytes.value()).count() -
              1)) {
    if (parameters.model.value() == NetworkModel::kDelay &&
        parameters.delay.value() == DelayKind::kConstant) {
        constant_ = parameters.delay_cycles.value();
    }
}

UnloadedTrip UnloadedTrips::between(hw::NodeId source, hw::NodeId destination) const {
    const std::int32_t hops = mesh_->distance(source, destination);
    return {hops, edge_cycles_ + constant_.value_or(hops * hop_cycles_)};
}

}  // namespace weir::network
