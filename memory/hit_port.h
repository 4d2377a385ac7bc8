#pragma once

#include <cstdint>

#include "hw/units.h"

namespace weir::memory {

/// Place of the data of an access that hits.
struct PlainHit {
    std::uint8_t* bytes = nullptr;  ///< the data of the access; null: no hit
    bool* dirty = nullptr;  ///< the line's dirty flag, which a store must set; null without a line
};

/// Numbers of plain hits, for the statistics.
struct PlainHitCounts {
    std::int64_t fetches = 0;
    std::int64_t loads = 0;
    std::int64_t stores = 0;

    friend PlainHitCounts operator*(const PlainHitCounts& counts, std::int64_t times) {
        return {counts.fetches * times, counts.loads * times, counts.stores * times};
    }
};

/// Direct interface between a core that executes instructions and its first level of cache, or
/// memory if every access hits. An access that hits is performed at once, without the bus. All
/// other accesses go through the bus.
class HitPort {
  public:
    enum class Side : std::uint8_t { kData, kInstructions };

    struct Hit {
        std::uint8_t* bytes = nullptr;  ///< the data of the access; null: no hit
        hw::Cycles walk{0};             ///< cycles of address translation that the access adds
    };

    HitPort() = default;
    HitPort(const HitPort&) = delete;
    HitPort& operator=(const HitPort&) = delete;
    virtual ~HitPort() = default;

    /// Looks up a load or store of 1, 2, 4 or 8 bytes at an aligned address in cycle `at`. `at` is
    /// the current cycle or, while is_settled() and no DMA engine of the node works, a later cycle.
    ///
    /// A hit is counted and, for a store, makes the line dirty; the caller moves the bytes. A miss
    /// has no effect.
    virtual Hit hit(Side side, std::uint64_t address, unsigned bytes, bool is_store,
                    hw::Cycles at) = 0;
    /// True while only the core's own accesses and DMA bursts can change which accesses hit.
    [[nodiscard]] virtual bool is_settled() const = 0;

    // Both implementations also have these functions, without virtual calls. They are valid while
    // is_settled().
    //
    //  - has_plain_hits(): whether a hit changes only counts, bytes and dirty flags. The functions
    //    below require that it is true.
    //  - plain_instructions(), plain_data(): views for the hits of fetches, loads and stores, valid
    //    until the next other access. Their hit(address, is_store, at) takes 1, 2, 4 or 8 aligned
    //    bytes, or kFetchedBytes for a fetch. The caller moves the bytes, and sets the dirty flag
    //    of a store's line.
    //  - count_plain_hits(counts), of the caches, counts the hits.
};

}  // namespace weir::memory
