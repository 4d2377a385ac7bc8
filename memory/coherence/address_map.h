#pragma once

#include <cstdint>

#include "hw/units.h"
#include "memory/coherence/coherence_parameters.h"

namespace weir::memory {

/// First byte of shared memory, in every node's address space.
constexpr std::uint32_t kSharedBase = 0x8000'0000;

/// Mapping of shared addresses to home nodes, and to offsets in each node's part of shared memory.
class AddressMap {
  public:
    AddressMap(HomeMap map, hw::Bytes bytes_of_node, std::int32_t nodes)
        : map_(map),
          node_bytes_(static_cast<std::uint64_t>(bytes_of_node.count())),
          nodes_(static_cast<std::uint64_t>(nodes)) {}

    [[nodiscard]] bool is_shared(std::uint64_t address) const {
        return address >= kSharedBase && address - kSharedBase < node_bytes_ * nodes_;
    }
    /// Home of a shared address.
    [[nodiscard]] hw::NodeId home_of(std::uint64_t address) const {
        return hw::NodeId(static_cast<std::int32_t>(place_of(address).node));
    }
    /// Offset of a shared address in its home's part, in bytes.
    [[nodiscard]] std::uint64_t offset_of(std::uint64_t address) const {
        return place_of(address).offset;
    }
    /// Shared address of the byte at `offset` in the node's part.
    [[nodiscard]] std::uint32_t address_at(hw::NodeId node, std::uint64_t offset) const;
    /// Number of consecutive bytes with the same home.
    [[nodiscard]] std::uint64_t granule() const;
    [[nodiscard]] bool is_hashed() const { return map_ == HomeMap::kHash; }

  private:
    struct Place {
        std::uint64_t node;
        std::uint64_t offset;
    };
    [[nodiscard]] Place place_of(std::uint64_t address) const;
    [[nodiscard]] std::uint64_t first_of_round(std::uint64_t round) const;

    HomeMap map_;
    std::uint64_t node_bytes_;
    std::uint64_t nodes_;
};

}  // namespace weir::memory
