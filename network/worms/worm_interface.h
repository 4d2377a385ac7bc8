#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "hw/units.h"
#include "network/fabric/ahead_interface.h"
#include "network/worms/worm_end.h"
#include "network/worms/worm_fabric.h"

namespace weir::network {

/// A network interface that is emulated worm by worm. All events have the same cycles as with
/// FlitInterface, which moves flits one by one.
///
/// A flit is sent in the latest of these cycles:
/// - the cycle in which its bytes are visible in the output queue
/// - the cycle after the previous flit
/// - the cycle after its credit
///
/// A flit is taken in the latest of these cycles:
/// - the cycle of its arrival
/// - the cycle after the previous flit
/// - the cycle in which the input queue's room for it is visible
///
/// So the interface works ahead in its queues as far as bytes, room, flits and credits are known.
/// These events keep a tick in their own cycle:
///  - The bytes of a message's first flit are there.
///  - A message's header notifies the controller.
///  - A flit finds no room in the input queue, or enters it after such a stop.
class WormInterface final : public AheadInterface, public WormEnd {
  public:
    /// `fabric` must outlive this object.
    WormInterface(const sc_core::sc_module_name& name, hw::ClockDomain& domain, hw::NodeId node,
                  hw::Bytes flit_bytes, hw::MessagePool& messages, Trip trip, WormFabric& fabric);

    void tick(hw::Cycles now) override;
    void report_waits(hw::WaitReport& report, const std::string& controller_input) const override;

    // Functions for the fabric.
    [[gnu::noinline]] void inject(hw::Cycles now) override;
    [[gnu::noinline]] void eject(hw::Cycles now) override;
    /// Last cycle in which FlitInterface would look for a flit's bytes, when the network stands
    /// still.
    [[nodiscard]] hw::Cycles last_look() const override;

    /// Brings counters to their state after the current cycle `now`; to be called between cycles.
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
    // true if the interface has looked for the next message's first bytes
    bool has_looked_ = false;
    hw::Cycles last_taken_{-1};
    hw::Cycles looks_for_room_ = hw::kNever;
};

}  // namespace weir::network
