#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "hw/queues/fifo.h"
#include "hw/units.h"
#include "network/fabric/network_end.h"
#include "network/worms/worm_fabric.h"

namespace weir::network {

/// The edge of the network at a node, by the worm: to the cycle what NetworkInterface does flit by
/// flit.
///
/// A flit is sent in the largest of the cycle in which its bytes can be seen in the output queue,
/// the one after the flit before it, and the one after its credit's; one is taken in the largest of
/// its arrival, the one after the flit before it, and the one in which the input queue's room for
/// it can be seen. Bytes and room come as the node's parts act; what is there stays. So both ends
/// work ahead in their queues, as far as bytes, room, flits and credits are known. Events, each in
/// its own cycle: the first flit whose bytes are there; the last flit of a message's 8-byte header,
/// of which the controller is told; a flit that finds no room, and its going on.
class WormEnd final : public NetworkEnd {
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
    struct Header {
        hw::Cycles cycle;
        hw::MessageSlot message;
    };

    void begin() override;
    [[nodiscard]] hw::MessageSlot stopped_message() const override {
        return ejection_.worms.front();
    }
    [[nodiscard]] bool begin_message(hw::Cycles now);
    void look_again(hw::Cycles now);
    void send(hw::Cycles first, std::int64_t count, hw::Cycles now);
    void take(hw::Cycles first, std::int64_t count, hw::Cycles now);
    void await_room(hw::Cycles cycle, hw::Bytes needed, hw::Cycles now);
    void note_header(hw::Bytes taken_before, hw::Cycles first, hw::Cycles now);
    void tell_of_headers(hw::Cycles now);

    WormFabric& fabric_;
    WormFabric::Channel& injection_;
    WormFabric::Channel& ejection_;
    // Of the message that is being sent.
    hw::MessageSlot sent_message_ = 0;
    hw::Bytes bytes_to_send_;  // none: the next one is to begin
    std::int64_t flits_to_send_ = 0;
    bool sends_header_ = false;
    bool has_looked_ = false;  // for its first bytes
    std::int64_t messages_sent_ = 0;
    hw::Bytes sent_;  // of all messages
    // Of the one that is being taken.
    std::int64_t flits_to_take_ = 0;  // none: the next one is to begin
    hw::Bytes bytes_to_take_;
    hw::Bytes taken_of_message_;
    hw::Bytes taken_;
    hw::Cycles last_taken_{-1};
    hw::Cycles looks_for_room_ = hw::kNever;
    hw::Fifo<Header> headers_;  // that will have arrived
};

}  // namespace weir::network
