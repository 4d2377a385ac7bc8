#pragma once

#include "network/ideal/ideal_network.h"
#include "network/network_parameters.h"
#include "network/topology/mesh.h"
#include "network/unloaded_trips.h"

namespace weir::network {

/// The network of LoPC's assumptions (Section 2): no contention and no end of room. A message
/// arrives an unloaded trip after its launch: hop_cycles for each hop of a mesh of
/// network.dimensions, or delay_cycles whatever the distance, besides injection, ejection and the
/// header's flits (UnloadedTrips).
class DelayNetwork final : public IdealNetwork {
  public:
    DelayNetwork(const NetworkParameters& parameters, hw::MessagePool& messages);

    void carry(hw::MessageSlot message, hw::Cycles now) override;

  private:
    Mesh places_;
    UnloadedTrips trips_;
};

}  // namespace weir::network
