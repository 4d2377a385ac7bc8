#pragma once

#include <cstdint>

#include "hw/units.h"

namespace weir::memory {

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
};

}  // namespace weir::memory
