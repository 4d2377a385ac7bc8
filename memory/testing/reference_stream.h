#pragma once

#include <cstdint>

#include "hw/random_stream.h"
#include "hw/units.h"

namespace weir::memory::testing {

/// A load or store.
struct Reference {
    std::uint64_t address;
    unsigned bytes;
    bool is_store;
    std::uint64_t data;
};

/// A mixture of what programs do: runs through arrays, and jumps about in a small and a large
/// place.
class ReferenceStream {
  public:
    static constexpr std::uint64_t kMemoryBytes = 1 << 20;

    explicit ReferenceStream(std::uint64_t seed) : random_(seed, hw::NodeId(0), "references") {}

    Reference next() {
        if (left_ == 0) {
            left_ = 1 + random_.below(64);
            address_ = random_.below((random_.below(8) == 0 ? kMemoryBytes : kUsedMost) / 8) * 8;
            stride_ = random_.below(8) == 0 ? 8 * (1 + random_.below(128)) : 4;
            spread_ = random_.below(4) == 0 ? (random_.below(16) == 0 ? kMemoryBytes : 1 << 12) : 0;
        }
        --left_;
        address_ = spread_ > 0 ? random_.below(spread_) : address_ + stride_;
        const unsigned bytes = random_.below(4) == 0 ? 8 : 4;
        return {address_ % kMemoryBytes / bytes * bytes, bytes, random_.below(3) == 0,
                random_.next()};
    }

  private:
    static constexpr std::uint64_t kUsedMost = 1 << 16;

    hw::RandomStream random_;
    std::uint64_t left_ = 0;
    std::uint64_t address_ = 0;
    std::uint64_t stride_ = 4;
    std::uint64_t spread_ = 0;
};

}  // namespace weir::memory::testing
