#include "network/unloaded_trips.h"

#include "hw/controller/controller_registers.h"

namespace weir::network {

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
