#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/controller/controller.h"
#include "hw/messages/message_pool.h"
#include "hw/wait_report.h"
#include "network/fabric/flit_channel.h"
#include "network/fabric/message_lots.h"
#include "network/fabric/network_end.h"
#include "network/faults/fault_log.h"

namespace weir::network {

/// The edge of the network at a node: cuts the messages of the output queue into flits, and puts
/// arriving flits into the input queue.
///
/// In a cycle: sends the next flit of the message at the head of the output queue if the injection
/// channel has a credit; takes one flit off the ejection channel if the input queue had room for it
/// when the cycle began. With the last flit of a message's 8-byte header the controller is told.
/// Without room the flit stays in its channel and the network behind it stops; the trace is told of
/// each such span of cycles, and of the message that stood at the head of the input queue when it
/// began.
///
/// In a network of several copies it has a channel to and from each: messages go into them in turn,
/// and are taken out one after the other, round robin over those in which one has arrived.
///
/// Behind channels that can lose or flip flits it checks what arrives (set_checks): it keeps a
/// message's words, the header and the arguments, to itself until all are there and right, and then
/// hands them on at once. With a wrong word the message is thrown away. A wrong body is delivered,
/// zeros in place of what was lost, and the log is told.
class NetworkInterface final : public NetworkEnd {
  public:
    NetworkInterface(const sc_core::sc_module_name& name, hw::ClockDomain& domain, hw::NodeId node,
                     hw::Bytes flit_bytes, hw::MessagePool& messages, FlitChannel& injection,
                     FlitChannel& ejection, Trip trip);

    /// Its messages draw lots; before the run.
    void set_lots(const MessageLots& lots) { lots_ = lots; }
    /// Another copy of the network; before the run.
    void add_copy(FlitChannel& injection, FlitChannel& ejection);
    /// A flit takes so many cycles on the channels; before the run.
    void set_flit_cycles(hw::Cycles cycles) { flit_cycles_ = cycles; }
    /// Arriving flits may be damaged; before the run. The log must stay.
    void set_checks(FaultLog& log) { log_ = &log; }
    /// Between cycles: takes and sends nothing any more.
    void fail() { has_failed_ = true; }

    void tick(hw::Cycles now) override;
    void add_to(hw::ConservationAccount& account) const override;
    void report_waits(hw::WaitReport& report, const std::string& controller_input) const override;

  private:
    void begin() override;
    [[nodiscard]] hw::MessageSlot stopped_message() const override {
        return ejection_->front().message;
    }
    /// Of the flit behind `done` bytes of the message.
    [[nodiscard]] hw::Bytes bytes_of_flit(const hw::Message& message, hw::Bytes done) const {
        const hw::Bytes most = done == hw::Bytes(0) ? flit_bytes() + tag_bytes() : flit_bytes();
        return std::min(most, message.bytes - done);
    }
    void inject(hw::Cycles now);
    void eject(hw::Cycles now);
    void eject_checked(hw::Cycles now);
    void discard_flit(hw::Cycles now);
    void check(const Flit& flit, hw::Bytes words);
    void hand_on(const Flit& flit, hw::Message& message, hw::Bytes bytes, hw::Cycles now);
    void end_checked_message(hw::Message& message, hw::Cycles now);
    void begin_arrival(hw::MessageSlot slot, hw::Cycles now);
    void look_again(bool is_tail, hw::Cycles now);
    void choose_ejection(hw::Cycles now);
    void go_to_next_copy();

    std::optional<MessageLots> lots_;
    FlitChannel* injection_;  // of the copy that the present, or next, message goes into
    FlitChannel* ejection_;   // and of the one that the present, or last, one came from
    std::vector<FlitChannel*> injections_;
    std::vector<FlitChannel*> ejections_;
    std::size_t injection_copy_ = 0;
    std::size_t ejection_copy_ = 0;
    hw::Cycles flit_cycles_{1};
    hw::Cycles injection_free_from_{0};
    hw::Bytes sent_of_message_;
    bool awaits_message_ = false;
    hw::Bytes received_of_message_;
    bool has_failed_ = false;
    // Where flits may be damaged.
    FaultLog* log_ = nullptr;
    hw::Bytes kept_words_;         // of the arriving message, not yet handed on
    bool has_wrong_word_ = false;  // it is being thrown away
    bool has_wrong_body_ = false;
    hw::Bytes discarded_;  // of messages thrown away
};

}  // namespace weir::network
