#pragma once

#include "hw/units.h"

namespace weir::network {

/// The part at a node that sends worms into the node's injection channel, and takes those of its
/// ejection channel. WormFabric calls it when more about these channels is known.
class WormEnd {
  public:
    WormEnd() = default;
    WormEnd(const WormEnd&) = delete;
    WormEnd& operator=(const WormEnd&) = delete;
    virtual ~WormEnd() = default;

    /// Sends flits as far as credits allow; called when more credits are known.
    virtual void inject(hw::Cycles now) = 0;
    /// Takes flits as far as the node has room; called when more flits are known to arrive.
    virtual void eject(hw::Cycles now) = 0;
    /// Begins a worm in cycle `now`, as requested by WormFabric::begin_worm_at().
    virtual void begin_worm(hw::Cycles /*now*/) {}
    /// Last cycle in which the flit-by-flit emulation of this part would tick, when the network
    /// stands still.
    [[nodiscard]] virtual hw::Cycles last_look() const { return hw::Cycles(-1); }
};

}  // namespace weir::network
