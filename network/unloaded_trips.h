#pragma once

#include <cstdint>
#include <optional>

#include "hw/units.h"
#include "network/network_parameters.h"
#include "network/topology/mesh.h"

namespace weir::network {

/// Cost of an uncontended message's trip.
struct UnloadedTrip {
    std::int32_t hops;
    /// cycles from the launch until the header's last flit is in the input queue
    hw::Cycles header_cycles;
};

/// The contention-free trips of a network, in closed form. A trip takes the cycles of injection and
/// ejection, a hop's cycles for each hop, and a cycle for each header flit after the first. With
/// network.delay = "constant" a constant replaces the hops' cycles. With one-flit router buffers,
/// header flits follow each other only every other cycle. The extra cycles are not included here,
/// and so count as contention.
class UnloadedTrips {
  public:
    /// `mesh` must outlive this object.
    UnloadedTrips(const NetworkParameters& parameters, const Mesh& mesh);
    [[nodiscard]] UnloadedTrip between(hw::NodeId source, hw::NodeId destination) const;

  private:
    const Mesh* mesh_;
    hw::Cycles hop_cycles_;
    std::optional<hw::Cycles> constant_;
    hw::Cycles edge_cycles_;
};

}  // namespace weir::network
