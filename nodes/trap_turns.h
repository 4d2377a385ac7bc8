#pragma once

#include "hw/units.h"

namespace weir::nodes {

/// Turns between coherence traps (coherence.trap_turns). A home whose lines are in demand can have
/// the next packet for software waiting whenever a trap ends. What the trap has interrupted then
/// gets a turn before the next trap: as many cycles as the trap took, entry and exit included, or
/// until it waits for another node. So it has half of a processor that is never without packets.
/// (Assumed. Chaiken and Agarwal, ISCA 1994, have a timer put such handlers off, as remembered.)
class TrapTurns {
  public:
    explicit TrapTurns(bool are_given) : are_given_(are_given) {}

    void trap_begins(hw::Cycles now) { begun_ = now; }
    /// Returns the cycle in which the turn ends.
    hw::Cycles trap_ends(hw::Cycles now) {
        until_ = are_given_ ? now + (now - begun_) : now;
        return until_;
    }
    /// The interrupted program waits for another node, which may wait for the next trap.
    void give_up() { until_ = hw::Cycles(0); }
    [[nodiscard]] bool is_running(hw::Cycles now) const { return now < until_; }

  private:
    bool are_given_;
    hw::Cycles begun_{0};
    hw::Cycles until_{0};
};

}  // namespace weir::nodes
