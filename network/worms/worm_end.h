#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "hw/units.h"
#include "network/fabric/ahead_end.h"
#include "network/worms/worm_fabric.h"

namespace weir::network {

/// The edge of the network at a node, by the worm: to the cycle what NetworkInterface does flit by
/// flit.
///
/// A flit is sent in the largest of the cycle in which its bytes can be seen in the output queue,
/// the one after the flit before it, and the one after its credit's; one is taken in the largest of
/// its arrival, the one after the flit before it, and the one in which the input queue's room for
/// it can be seen. So it works ahead in its queues as far as bytes, room, flits and credits are
/// known. Events, each in its own cycle: the first flit whose bytes are there; a message's header,
/// of which the controller is told; a flit that finds no room, and its going on.
class WormEnd final : public AheadEnd {
  public:
    /// The fabric must stay.
    WormEnd(const sc_core::sc_module_name& name, hw::ClockDomain& domain, hw::NodeId node,
            hw::Bytes flit_bytes, hw::MessagePool& messages, Trip trip, WormFabric& fabric);

    void tick(hw::Cycles now) override;
    void report_waits(hw::WaitReport& report, const std::string& controller_input) const override;

    // For the fabric.
    /// Sends what bytes and credits allow: more credits are known.
    [[gnu::noinline]] void inject(hw::Cycles now);
    /// Takes what has room: more flits are known to come.
    [[gnu::noinline]] void eject(hw::Cycles now);
    /// Of one that stands still: the last cycle in which a flit's bytes would be looked for.
    [[nodiscard]] hw::Cycles last_look() const;

    /// Counts what has happened up to cycle `now`, the present one, between cycles.
    void settle(hw::Cycles now);

  private:
    [[nodiscard]] hw::MessageSlot stopped_message() const override {
        return ejection_.worms.front();
    }
    void look_again(hw::Cycles now);
    void send_into_channel(hw::Cycles first, std::int64_t count, hw::Cycles now);
    void await_room(hw::Cycles cycle, hw::Cycles now);

    WormFabric& fabric_;
    WormFabric::Channel& injection_;
    WormFabric::Channel& ejection_;
    bool has_looked_ = false;  // for the first bytes of the message that is to be sent
    hw::Cycles last_taken_{-1};
    hw::Cycles looks_for_room_ = hw::kNever;
};

}  // namespace weir::network
