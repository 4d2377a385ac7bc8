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

/// Memories of nodes without a machine, all zeros at first. Plain memories show which data a kernel
/// writes and reads.
///
/// Only pages that were used take memory of the host, so that a program may use both ends of a
/// large memory. Shared memory has the addresses of a real machine, the same for all nodes.
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

    /// Divides the bytes at `address` by pages, and calls each(part, offset) for each part;
    /// `offset` is the part's distance from `address`.
    template <class Each>
    void walk(hw::NodeId node, std::uint32_t address, std::size_t bytes, Each each);

    std::uint64_t bytes_;
    // First address after shared memory, or its first address if there is none.
    std::uint64_t shared_end_;
    hw::PerNode<Pages> nodes_;
    Pages shared_;
};

}  // namespace weir::nodes
