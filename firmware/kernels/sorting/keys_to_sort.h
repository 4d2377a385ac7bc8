#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hw/random_stream.h"
#include "nodes/programming/memory_access.h"

namespace weir::firmware {

/// The keys of a kernel that sorts: as many on each node, and what they must be afterwards.
class KeysToSort {
  public:
    using Draw = std::function<std::uint32_t(hw::RandomStream&)>;

    /// Makes `keys` keys by `draw`, of a stream of its own for `purpose`, and writes each node's to
    /// `address` there. Throws InputFault, of workload.keys, unless they divide among the nodes.
    void deal(std::int64_t keys, std::int32_t nodes, std::uint32_t address,
              nodes::MemoryAccess& memory, hw::RandomStream stream, const Draw& draw);
    [[nodiscard]] std::int64_t each() const { return each_; }

    /// Whether the nodes have all keys, one node's after the other's, sorted: what is wrong, or
    /// nothing. `counts` are by node how many it has at `address`.
    [[nodiscard]] std::optional<std::string> check(const std::vector<std::int64_t>& counts,
                                                   std::uint32_t address,
                                                   nodes::MemoryAccess& memory) const;

  private:
    std::int64_t each_ = 0;
    std::vector<std::uint32_t> sorted_;
};

}  // namespace weir::firmware
