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

/// Keys of a sorting kernel: the same number on each node, and the expected result.
class KeysToSort {
  public:
    using Draw = std::function<std::uint32_t(hw::RandomStream&)>;
    /// Function from a node and an index to the address of a key.
    using Place = std::function<std::uint32_t(std::int32_t node, std::int64_t index)>;
    /// Places keys one after the other in each node's own memory, from `address` on.
    [[nodiscard]] static Place from(std::uint32_t address);

    /// Draws `keys` keys from `stream`. Throws InputFault for workload.keys if the nodes do not
    /// divide them.
    void make(std::int64_t keys, std::int32_t nodes, hw::RandomStream stream, const Draw& draw);
    [[nodiscard]] std::int64_t each() const { return each_; }
    /// Throws InputFault for workload.keys if a node's memory is smaller than `needed`.
    void check_room(hw::Bytes needed, const nodes::MachineShape& machine) const;
    /// Writes each node's keys to their places.
    void write(const Place& place, nodes::MemoryAccess& memory) const;

    /// Checks that the nodes hold all keys, sorted in the order of nodes. `counts`: for each node,
    /// the number of keys that it holds after the sort. Returns a fault, or nothing.
    [[nodiscard]] std::optional<std::string> check(const std::vector<std::int64_t>& counts,
                                                   const Place& place,
                                                   nodes::MemoryAccess& memory) const;

  private:
    std::int64_t each_ = 0;
    std::vector<std::uint32_t> start_;
    std::vector<std::uint32_t> sorted_;
};

}  // namespace weir::firmware
