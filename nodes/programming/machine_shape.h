#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "hw/units.h"
#include "nodes/programming/call_fault.h"

namespace weir::nodes {

/// What a kernel may know of the machine when it lays out its data.
struct MachineShape {
    /// The mesh's extents, x first: node i has the coordinates of i written in their mixed radix, x
    /// changing fastest. A torus has the same, a hypercube twos; another network one extent, of all
    /// its nodes.
    std::vector<std::int32_t> mesh_extents;
    hw::Bytes memory_bytes;  ///< of each node, for data
    /// What each node adds to shared memory; 0: memory is not shared.
    hw::Bytes shared_bytes = hw::Bytes(0);
    /// How shared_address() comes to its result; empty where memory is not shared.
    std::function<std::uint32_t(hw::NodeId home, std::uint32_t offset)> shared_address_of = {};
    /// Bytes, one behind the other, of a node's part that have shared addresses one behind the
    /// other.
    std::uint32_t shared_granule = 0;
    /// Whether the granules go to the nodes in turns that begin at other nodes (coherence.home).
    bool is_shared_by_hash = false;
    /// Whether its lines have no pointers in hardware (coherence.protocol = "software").
    bool has_directories_in_software = false;
    double processor_mhz = 20.0;

    [[nodiscard]] std::int32_t node_count() const {
        return std::accumulate(mesh_extents.begin(), mesh_extents.end(), 1, std::multiplies<>());
    }
    /// The shared address of the byte at an offset, below shared_bytes, of a node's part. Throws
    /// ProgramFault for another node or offset, and where memory is not shared.
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
