#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "hw/per_node.h"
#include "hw/units.h"
#include "nodes/programming/memory_access.h"

namespace weir::nodes {

/// Memories that no machine has, all zeros at first: what is written into them and read from them
/// is so known without one. Only pages that were touched take room, so that a program may use both
/// ends of a large memory. Shared memory has its machine's addresses, which are the same for all
/// nodes.
class PlainMemory final : public MemoryAccess {
  public:
    PlainMemory(std::int64_t nodes, hw::Bytes bytes_of_each,
                hw::Bytes shared_bytes_of_each = hw::Bytes(0));

    void write_memory(hw::NodeId node, std::uint32_t address,
                      std::span<const std::uint8_t> data) override;
    void read_memory(hw::NodeId node, std::uint32_t address, std::span<std::uint8_t> data) override;

  private:
    static constexpr std::uint32_t kPageBytes = 4096;
    using Page = std::array<std::uint8_t, kPageBytes>;
    using Pages = std::map<std::uint32_t, Page>;

    /// Calls each(part, offset), a part of a page for what lies `offset` bytes behind `address`.
    template <class Each>
    void walk(hw::NodeId node, std::uint32_t address, std::size_t bytes, Each each);

    std::uint64_t bytes_;
    std::uint64_t
        shared_end_;  // the address behind shared memory, or its first where there is none
    hw::PerNode<Pages> nodes_;
    Pages shared_;
};

}  // namespace weir::nodes
