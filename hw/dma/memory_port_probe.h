#pragma once

#include <tlm.h>

#include <cstddef>

#include "hw/units.h"

namespace weir::hw {

/// Observer of a memory port, for recordings of its ports. It must change nothing. Each function is
/// called in the cycle in which the event happens.
class MemoryPortProbe {
  public:
    MemoryPortProbe() = default;
    MemoryPortProbe(const MemoryPortProbe&) = delete;
    MemoryPortProbe& operator=(const MemoryPortProbe&) = delete;
    virtual ~MemoryPortProbe() = default;

    /// Requester `port` asks for a burst.
    virtual void requested(std::size_t port, const tlm::tlm_generic_payload& payload) = 0;
    /// Its burst is granted, has moved its bytes, and ends after `cycles`.
    virtual void granted(std::size_t port, const tlm::tlm_generic_payload& payload,
                         Cycles cycles) = 0;
};

}  // namespace weir::hw
