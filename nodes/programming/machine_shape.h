#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "hw/units.h"
#include "nodes/programming/call_fault.h"

namespace weir::nodes {

/// Properties of the machine that a kernel may use to lay out its data.
struct MachineShape {
    /// Extents of the mesh, x first: node i has the digits of i in this mixed radix as coordinates,
    /// x changing fastest. A torus has the same extents, a hypercube twos. Any other network has
    /// one extent, its number of nodes.
    std::vector<std::int32_t> mesh_extents;
    hw::Bytes memory_bytes;  ///< bytes of each node's private memory for data
    /// Bytes of shared memory in each node; 0: memory is not shared.
    hw::Bytes shared_bytes = hw::Bytes(0);
    /// Computes shared_address(); empty if memory is not shared.
    std::function<std::uint32_t(hw::NodeId home, std::uint32_t offset)> shared_address_of = {};
    /// Number of consecutive bytes of a node's part that have consecutive shared addresses.
    std::uint32_t shared_granule = 0;
    /// True if consecutive granules are spread over the nodes in a hashed order (coherence.home).
    bool is_shared_by_hash = false;
    /// True if lines have no directory pointers in hardware (coherence.protocol = "software").
    bool has_directories_in_software = false;
    double processor_mhz = 20.0;

    [[nodiscard]] std::int32_t node_count() const {
        return std::accumulate(mesh_extents.begin(), mesh_extents.end(), 1, std::multiplies<>());
    }
    /// Returns the shared address of the byte at `offset` in the part of node `home`. Throws
    /// ProgramFault for an unknown node, for an offset of shared_bytes or more, and if memory is
    /// not shared.
    [[nodiscard]] std::uint32_t shared_address(hw::NodeId home, std::uint32_t offset,
                                               CallPlace call = CallPlace::current()) const {
        require_node(home, node_count(), call);
        if (offset >= shared_bytes.count()) [[unlikely]] {
            refuse_call(call, "offset " + std::to_string(offset) + " of a node's shared memory",
                        shared_bytes == hw::Bytes(0)
                            ? "a machine whose nodes share memory"
                            : "0 to " + std::to_string(shared_bytes.count() - 1) +
                                  " (coherence.shared_bytes)");
        }
        return shared_address_of(home, offset);
    }
};

}  // namespace weir::nodes
