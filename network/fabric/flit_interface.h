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
#include "network/fabric/network_interface.h"
#include "network/faults/fault_log.h"

namespace weir::network {

/// The network interface of a node: cuts the messages of the output queue into flits, and puts
/// arriving flits into the input queue.
///
/// In a cycle:
/// - Sends the next flit of the message at the head of the output queue if the injection channel
///   has a credit.
/// - Takes one flit from the ejection channel if the input queue had room for it when the cycle
///   began.
///
/// The last flit of a message's 8-byte header notifies the controller. Without room in the input
/// queue the flit stays in its channel and blocks the network behind it. The trace receives each
/// such stop: its cycles, and the message that was at the head of the input queue when it began.
///
/// In a network of several copies the interface has a channel to and from each copy. Successive
/// messages are sent into successive copies, round robin. Messages are received one after the
/// other, round robin over the copies with an arrived message.
///
/// If channels can lose or flip flits, the interface checks arriving flits (set_checks). It holds a
/// message's words (header and arguments) until all have arrived, and then forwards them at once. A
/// message with a wrong word is discarded. A message with a wrong body is delivered, with zeros for
/// lost bytes, and the fault log records it.
class FlitInterface final : public NetworkInterface {
  public:
    FlitInterface(const sc_core::sc_module_name& name, hw::ClockDomain& domain, hw::NodeId node,
                  hw::Bytes flit_bytes, hw::MessagePool& messages, FlitChannel& injection,
                  FlitChannel& ejection, Trip trip);

    /// Sets the random stream for the lot of each message sent; to be called before the run.
    void set_lots(const MessageLots& lots) { lots_ = lots; }
    /// Connects another copy of the network; to be called before the run.
    void add_copy(FlitChannel& injection, FlitChannel& ejection);
    /// Sets the number of cycles per flit on the injection channels; to be called before the run.
    void set_flit_cycles(hw::Cycles cycles) { flit_cycles_ = cycles; }
    /// Switches the checks of arriving flits on; to be called before the run, with a log that
    /// outlives this object.
    void set_checks(FaultLog& log) { log_ = &log; }
    /// Makes the interface fail: it accepts and sends no more flits; to be called between cycles.
    void fail() { has_failed_ = true; }

    void tick(hw::Cycles now) override;
    void add_to(hw::ConservationAccount& account) const override;
    void report_waits(hw::WaitReport& report, const std::string& controller_input) const override;

  private:
    void begin() override;
    [[nodiscard]] hw::MessageSlot stopped_message() const override {
        return ejection_->front().message;
    }
    /// Size of the next flit of a message after its first `done` bytes.
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
    // injection channel of the copy that carries the current or next message
    FlitChannel* injection_;
    // ejection channel of the copy that carried the current or last message
    FlitChannel* ejection_;
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
    // State of the checks of arriving flits.
    FaultLog* log_ = nullptr;
    hw::Bytes kept_words_;  // words of the arriving message that are not yet in the input queue
    bool has_wrong_word_ = false;  // true while a message with a wrong word is discarded
    bool has_wrong_body_ = false;
    hw::Bytes discarded_;  // number of bytes of discarded messages so far
};

}  // namespace weir::network
