#pragma once

#include <cstdint>

#include "hw/units.h"

namespace weir::memory {

/// What an access finds at the place that it goes to directly.
struct PlainHit {
    std::uint8_t* bytes = nullptr;  ///< where the bytes lie; null: it does not hit
    bool* dirty = nullptr;          ///< of the line, for who stores there; null: no line
};

/// Accesses that hit directly, to be counted.
struct PlainHitCounts {
    std::int64_t fetches = 0;
    std::int64_t loads = 0;
    std::int64_t stores = 0;

    friend PlainHitCounts operator*(const PlainHitCounts& counts, std::int64_t times) {
        return {counts.fetches * times, counts.loads * times, counts.stores * times};
    }
};

/// The wires between a core that executes instructions and what its accesses hit in: the first
/// level of cache, or memory itself where every access hits. An access that hits takes place when
/// it is asked for, without the way through the bus; all others go through the bus.
class HitPort {
  public:
    enum class Side : std::uint8_t { kData, kInstructions };

    struct Hit {
        std::uint8_t* bytes = nullptr;  ///< where the bytes lie; null: it does not hit
        hw::Cycles walk{0};             ///< what their address's translation adds to the access
    };

    HitPort() = default;
    HitPort(const HitPort&) = delete;
    HitPort& operator=(const HitPort&) = delete;
    virtual ~HitPort() = default;

    /// A load or store, of 1, 2, 4 or 8 bytes at a multiple of that, at cycle `at`: the present one
    /// or, while is_settled() and no DMA engine of the node is at work, a later one. A hit counts
    /// as one and, for a store, makes the line dirty: the caller moves the bytes. What does not hit
    /// leaves no trace here.
    virtual Hit hit(Side side, std::uint64_t address, unsigned bytes, bool is_store,
                    hw::Cycles at) = 0;
    /// Whether what hits changes by the core's own accesses and the DMA engines' bursts only.
    [[nodiscard]] virtual bool is_settled() const = 0;

    // Both implementations also have this, without a virtual call, for a core that knows which one
    // it is connected to, and while is_settled():
    //
    //  - has_plain_hits(): whether a hit changes nothing but counts, bytes, and whether a line is
    //    dirty. Only then may the others be used.
    //  - plain_instructions(), plain_data(): what fetches, loads and stores hit in, as it is up to
    //    the next access of any other kind. Its hit(address, is_store, at) is of 1, 2, 4 or 8 bytes
    //    at a multiple of that, or of kFetchedBytes that are fetched: the caller moves the bytes,
    //    and makes the line dirty that it stores to.
    //  - count_plain_hits(counts), of the caches.
};

}  // namespace weir::memory
