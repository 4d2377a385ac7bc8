#pragma once

#include <tlm.h>

#include <optional>

#include "hw/units.h"

namespace weir::hw {

/// Observer of a controller, for recordings of its ports. It must change nothing. Each function is
/// called in the cycle in which the event happens.
class BusProbe {
  public:
    BusProbe() = default;
    BusProbe(const BusProbe&) = delete;
    BusProbe& operator=(const BusProbe&) = delete;
    virtual ~BusProbe() = default;

    /// An access begins on a port (Controller::kCorePort). It is answered at once, and takes `cost`
    /// cycles; without a cost, it waits for answered(). Refused accesses take 0 cycles.
    virtual void accessed(int port, const tlm::tlm_generic_payload& payload,
                          std::optional<Cycles> cost) = 0;
    /// A waiting access is answered, and takes `cost` more cycles.
    virtual void answered(int port, const tlm::tlm_generic_payload& payload, Cycles cost) = 0;
    /// The core withdraws its waiting access.
    virtual void withdrawn(int port) = 0;
    /// A flit finds no room in the input queue, or goes on after that.
    virtual void network_stopped(bool is_stopped) = 0;
};

}  // namespace weir::hw
