#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hw/random_stream.h"
#include "hw/units.h"
#include "nodes/programming/machine_shape.h"
#include "nodes/programming/memory_access.h"

namespace weir::firmware {

/// The keys of a kernel that sorts: as many on each node, and what they must be afterwards.
class KeysToSort {
  public:
    using Draw = std::function<std::uint32_t(hw::RandomStream&)>;
    /// Where a node's key of that index is, by the address that its program has.
    using Place = std::function<std::uint32_t(std::int32_t node, std::int64_t index)>;
    /// One behind the other in each node's own memory.
    [[nodiscard]] static Place from(std::uint32_t address);

    /// Makes `keys` keys by `draw`, of a stream of its own for their purpose. Throws InputFault, of
    /// workload.keys, unless they divide among the nodes.
    void make(std::int64_t keys, std::int32_t nodes, hw::RandomStream stream, const Draw& draw);
    [[nodiscard]] std::int64_t each() const { return each_; }
    /// Throws InputFault, of workload.keys, unless each node's memory has the room that it takes to
    /// sort them.
    void check_room(hw::Bytes needed, const nodes::MachineShape& machine) const;
    /// Writes each node's keys to their places.
    void write(const Place& place, nodes::MemoryAccess& memory) const;

    /// Whether the nodes have all keys, one node's after the other's, sorted: what is wrong, or
    /// nothing. `counts` are by node how many it has at their places.
    [[nodiscard]] std::optional<std::string> check(const std::vector<std::int64_t>& counts,
                                                   const Place& place,
                                                   nodes::MemoryAccess& memory) const;

  private:
    std::int64_t each_ = 0;
    std::vector<std::uint32_t> start_;
    std::vector<std::uint32_t> sorted_;
};

}  // namespace weir::firmware
