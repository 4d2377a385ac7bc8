#pragma once

#include <cstdint>
#include <optional>

#include "hw/units.h"
#include "network/network_parameters.h"
#include "network/topology/mesh.h"

namespace weir::network {

/// The cost of an uncontended message's trip.
struct UnloadedTrip {
    std::int32_t hops;
    hw::Cycles header_cycles;  ///< launch to the last header flit in the input queue
};

/// The unloaded trips of a network, in closed form: injection, a hop's cycles for each hop (or the
/// delay network's constant), ejection, and a cycle for each header flit after the first. With
/// one-flit router buffers header flits follow each other only every other cycle; what that adds is
/// not in here, and so counts as contention.
class UnloadedTrips {
  public:
    /// The mesh must stay.
    UnloadedTrips(const NetworkParameters& parameters, const Mesh& mesh);
    [[nodiscard]] UnloadedTrip between(hw::NodeId source, hw::NodeId destination) const;

  private:
    const Mesh* mesh_;
    hw::Cycles hop_cycles_;
    std::optional<hw::Cycles> constant_;
    hw::Cycles edge_cycles_;
};

}  // namespace weir::network
