#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/queues/fifo.h"
#include "hw/units.h"
#include "network/fabric/ahead_interface.h"
#include "network/fabric/message_lots.h"
#include "network/virtual_channels/future_cycles.h"
#include "network/virtual_channels/virtual_channel_end.h"
#include "network/virtual_channels/virtual_channel_routers.h"

namespace weir::network {

/// A network interface without channels, for a network of VirtualChannelRouters. All events have
/// the same cycles as with FlitInterface, which moves flits one by one.
///
/// Sends a run of flits in one call: as many as have bytes and credits in the cycle of the first.
/// An arriving flit is taken ahead, when the router sends it, if the input queue has room for it
/// and no earlier flit waits. Flits are taken in their cycle of arrival after a stop. In a network
/// of several copies all flits are taken in their cycle of arrival, since the choice of the copy
/// depends on the arrivals.
class VirtualChannelInterface final : public AheadInterface, public VirtualChannelEnd {
  public:
    VirtualChannelInterface(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                            hw::NodeId node, hw::Bytes flit_bytes, hw::MessagePool& messages,
                            Trip trip, MessageLots lots);

    /// Connects the node's virtual channels into and out of another copy of the network; to be
    /// called before the run.
    void add_copy(VirtualChannelRouters& routers,
                  const VirtualChannelRouters::InterfaceChannels& vcs);

    void tick(hw::Cycles now) override;
    void report_waits(hw::WaitReport& report, const std::string& controller_input) const override;
    /// Brings counters to their state after the current cycle `now`; to be called between cycles.
    void settle(hw::Cycles now);

    // Functions for the routers; `copy` is the number of a copy of the network.
    void flits_left(std::size_t copy, std::int64_t count, hw::Cycles credit,
                    hw::Cycles now) override;
    void flits_recalled(std::size_t copy, std::int64_t count, hw::Cycles credit,
                        hw::Cycles now) override;
    void flit_comes(std::size_t copy, hw::MessageSlot message, hw::Cycles arrival,
                    hw::Cycles now) override;
    [[nodiscard]] bool can_take_ahead(std::size_t copy, hw::MessageSlot message, std::int64_t count,
                                      hw::Cycles now) override;
    void take_ahead(std::size_t copy, std::int64_t count, hw::Cycles arrival,
                    hw::Cycles now) override {
        take_from(copies_[copy], count, arrival, now);
    }
    void flits_do_not_come(std::size_t copy, std::int64_t count) override;
    [[nodiscard]] std::int64_t sent_ahead(std::size_t copy, hw::Cycles now) const override;
    /// With several copies no flit is taken ahead.
    [[nodiscard]] std::int64_t taken_ahead(std::size_t /*copy*/, hw::Cycles now) const override {
        return input_queue().moves_after(now);
    }

  private:
    struct Arrival {
        hw::Cycles cycle;
        hw::MessageSlot message;
    };
    struct Copy {
        VirtualChannelRouters& routers;
        VirtualChannelRouters::InterfaceChannels vcs;
        FutureCycles future_credits;  // cycles in which credits of the injection channel return
        hw::Fifo<Arrival> arrivals;   // flits in the ejection channel that are not taken yet
    };

    [[nodiscard]] hw::MessageSlot stopped_message() const override {
        return copies_[ejection_copy_].arrivals.front().message;
    }
    [[gnu::noinline]] void inject(hw::Cycles now);
    void expect_credit(const Copy& copy, hw::Cycles now);
    void send_run(Copy& copy, std::int64_t count, hw::Cycles now);
    void look_again(bool& has_looked, hw::Cycles now);
    [[gnu::noinline]] void eject(Copy& copy, hw::Cycles now);
    [[nodiscard]] static bool has_arrived(const Copy& copy, hw::Cycles now) {
        return !copy.arrivals.empty() && copy.arrivals.front().cycle <= now;
    }
    void choose_ejection(hw::Cycles now);
    [[nodiscard]] bool has_room(hw::MessageSlot message, std::int64_t count, hw::Cycles now);
    void take_from(Copy& copy, std::int64_t count, hw::Cycles cycle, hw::Cycles now);

    MessageLots lots_;
    std::vector<Copy> copies_;
    // number of the copy that carries the current or next message sent
    std::size_t injection_copy_ = 0;
    std::size_t sent_copy_ = 0;  // number of the copy into which the last flit was sent
    hw::Cycles last_sent_{-1};
    std::int64_t flits_sent_ = 0;
    bool awaits_credit_ = false;
    bool has_looked_for_message_ = true;
    bool has_looked_for_bytes_ = false;
    // number of the copy from which the current or last message came
    std::size_t ejection_copy_ = 0;
    std::int64_t flits_taken_ = 0;
};

}  // namespace weir::network
