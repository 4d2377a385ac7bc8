#include "memory/coherence/address_map.h"

namespace weir::memory {

std::uint64_t AddressMap::granule() const {
    constexpr std::uint64_t kPageBytes = 4096;
    switch (map_) {
        case HomeMap::kSegment:
            return node_bytes_;
        case HomeMap::kPage:
            return kPageBytes;
        case HomeMap::kLine:
        case HomeMap::kHash:
            return static_cast<std::uint64_t>(kSharedLineBytes.count());
    }
    return node_bytes_;
}

// First node of a round over all nodes: Fibonacci hashing of the round's number.
std::uint64_t AddressMap::first_of_round(std::uint64_t round) const {
    constexpr std::uint64_t kGolden = 0x9e37'79b9'7f4a'7c15;
    return is_hashed() ? ((round * kGolden) >> 32) % nodes_ : 0;
}

AddressMap::Place AddressMap::place_of(std::uint64_t address) const {
    const std::uint64_t from_base = address - kSharedBase;
    const std::uint64_t number = from_base / granule();
    const std::uint64_t within = from_base % granule();
    const std::uint64_t round = number / nodes_;
    return {(number % nodes_ + first_of_round(round)) % nodes_, round * granule() + within};
}

std::uint32_t AddressMap::address_at(hw::NodeId node, std::uint64_t offset) const {
    const std::uint64_t round = offset / granule();
    const auto index = static_cast<std::uint64_t>(node.index());
    const std::uint64_t number = round * nodes_ + (index + nodes_ - first_of_round(round)) % nodes_;
    return static_cast<std::uint32_t>(kSharedBase + number * granule() + offset % granule());
}

}  // namespace weir::memory
