#pragma once

#include <cstdint>
#include <vector>

#include "hw/units.h"
#include "nodes/programming/machine_shape.h"

namespace weir::firmware {

/// Which node computes which stripe of a Diamond DAG (LoGPC Section 5.2.2).
enum class StripeMapping : std::uint8_t {
    kSnake,      ///< the nodes of consecutive stripes are neighbours in the mesh
    kNodeOrder,  ///< stripe i on node i
    kRandom,     ///< a permutation that the seed chooses
};

/// The node of each stripe; as many stripes as nodes.
///
/// The snake goes along x, one step along y, back along x, and so on, and through planes and what
/// is above them in the same way, so that every step is one hop in a mesh of any dimensions.
std::vector<hw::NodeId> map_stripes(StripeMapping mapping, const nodes::MachineShape& machine,
                                    std::uint64_t seed);

}  // namespace weir::firmware
