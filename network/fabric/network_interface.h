#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/controller/controller.h"
#include "hw/message.h"
#include "hw/queues/byte_queue.h"
#include "hw/queues/fifo.h"
#include "hw/statistics.h"
#include "hw/trace_probe.h"
#include "hw/wait_report.h"
#include "network/fabric/flit_channel.h"
#include "network/faults/fault_log.h"
#include "network/network_parameters.h"

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
class NetworkInterface final : public sc_core::sc_module, public hw::ClockedPart {
  public:
    using HeaderArrived = std::function<void(hw::Message&, hw::Cycles)>;

    /// Told in the cycle in which a flit first finds no room, the cycle being both arguments; and
    /// in the one in which it goes on, with kNever first.
    using NetworkStopped = std::function<void(hw::Cycles since, hw::Cycles now)>;

    using Trip = std::function<UnloadedTrip(const hw::Message&)>;

    NetworkInterface(const sc_core::sc_module_name& name, hw::ClockDomain& domain, hw::NodeId node,
                     hw::Bytes flit_bytes, hw::MessagePool& messages, FlitChannel& injection,
                     FlitChannel& ejection, Trip trip);

    /// Another copy of the network; before the run.
    void add_copy(FlitChannel& injection, FlitChannel& ejection);
    /// A flit takes so many cycles on the channels; before the run.
    void set_flit_cycles(hw::Cycles cycles) { flit_cycles_ = cycles; }
    /// With a message's first flit so many more of its bytes travel, beside the channels; before
    /// the run. Not where worms stream.
    void set_tag_bytes(hw::Bytes bytes) { tag_bytes_ = bytes; }
    /// Called instead of sending a message of more flits; before the run.
    using TooLong = std::function<void(const hw::Message& message, hw::Flits flits)>;
    void set_longest_message(hw::Flits longest, TooLong too_long) {
        longest_message_ = longest;
        too_long_ = std::move(too_long);
    }

    /// Connects the node's queues, the controller that is told of headers, and the trace and the
    /// controller's timer that are told of stops; before the run.
    void attach(hw::ByteQueue& output_queue, hw::ByteQueue& input_queue, HeaderArrived listener,
                hw::TraceSink* trace = nullptr, NetworkStopped timer = nullptr);

    /// Arriving flits may be damaged; before the run. The log must stay.
    void set_checks(FaultLog& log) { log_ = &log; }
    /// Between cycles: takes and sends nothing any more.
    void fail() { has_failed_ = true; }

    void tick(hw::Cycles now) override;
    /// Reports a stop that lasts to the trace; once, after the run.
    void end_of_run(hw::Cycles now);

    struct Statistics : hw::StatisticsGroup {
        hw::Counter flits_injected{*this, "flits_injected", "Flits sent into the network"};
        hw::Counter flits_ejected{*this, "flits_ejected", "Flits taken from the network"};
        hw::Counter bytes_injected{*this, "bytes_injected", "Bytes of messages in those flits"};
        hw::Counter bytes_ejected{*this, "bytes_ejected", "Bytes of messages in those flits"};
        hw::Counter input_queue_full_stops{
            *this, "input_queue_full_stops",
            "Times an arriving flit had to wait for room in the input queue"};
        hw::Counter input_stalled_cycles{*this, "input_stalled_cycles",
                                         "Cycles in which an arrived flit waited so"};
    };
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    void add_to(hw::ConservationAccount& account) const;
    void report_waits(hw::WaitReport& report, const std::string& controller_input) const;

    // For a part that moves a worm on in bulk (WormStream); all at the end of a cycle.
    /// Asks for end_of_cycle() of `observer` in some of the cycles in which a flit of a long
    /// message arrived.
    void observe_arrivals_by(hw::ClockedPart& observer) { arrival_observer_ = &observer; }
    /// The message whose header, but not tail, has arrived.
    [[nodiscard]] std::optional<hw::MessageSlot> arriving_message() const;
    /// The message whose header, but not tail, was sent.
    [[nodiscard]] std::optional<hw::MessageSlot> leaving_message() const;
    /// Of the leaving message, the flits before the tail that are still to be sent.
    [[nodiscard]] hw::Flits body_flits_left() const;
    /// Of those, the ones that can be sent one a cycle from the next cycle on.
    [[nodiscard]] hw::Flits body_flits_ready() const;
    /// The flits that find room in the input queue, one a cycle from the next cycle on.
    [[nodiscard]] hw::Flits flits_of_room() const;
    /// A flit of the leaving message is sent in every cycle from the next one (or from the end of
    /// what was said before) through `through` without a tick, until send_by_ticks().
    void send_steadily(hw::Cycles now, hw::Cycles through);
    void send_by_ticks(hw::Cycles now);
    /// The same for the arriving message.
    void take_steadily(hw::Cycles now, hw::Cycles through);
    void take_by_ticks(hw::Cycles now);
    /// Counts the flits sent or taken so, through cycle `now`.
    void count_sent(std::int64_t flits, hw::Cycles now);
    void count_taken(std::int64_t flits, hw::Cycles now);

  private:
    /// Of the flit behind `done` bytes of the message.
    [[nodiscard]] hw::Bytes bytes_of_flit(const hw::Message& message, hw::Bytes done) const {
        const hw::Bytes most = done == hw::Bytes(0) ? flit_bytes_ + tag_bytes_ : flit_bytes_;
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
    void observe_arrival(const hw::Message& message);
    [[gnu::noinline]] void note_stopped(hw::Cycles now);
    void note_going_on(hw::Cycles now);
    [[gnu::noinline]] void report_stop(hw::Cycles until);
    void forget_left_messages(hw::Cycles now);

    hw::NodeId node_;
    hw::Bytes flit_bytes_;
    hw::MessagePool& messages_;
    FlitChannel* injection_;  // of the copy that the present, or next, message goes into
    FlitChannel* ejection_;   // and of the one that the present, or last, one came from
    std::vector<FlitChannel*> injections_;
    std::vector<FlitChannel*> ejections_;
    std::size_t injection_copy_ = 0;
    std::size_t ejection_copy_ = 0;
    hw::Bytes tag_bytes_;
    hw::Cycles flit_cycles_{1};
    hw::Cycles injection_free_from_{0};
    hw::Flits longest_message_{INT64_MAX};
    TooLong too_long_;
    Trip trip_;
    hw::ByteQueue* output_queue_ = nullptr;
    hw::ByteQueue* input_queue_ = nullptr;
    HeaderArrived header_arrived_;
    NetworkStopped network_stopped_;
    hw::Bytes sent_of_message_;
    hw::Bytes received_of_message_;
    // The messages in the input queue as this end of it sees them: those it began, of which so many
    // have left.
    hw::Fifo<hw::MessageId> in_input_queue_;
    std::int64_t left_input_queue_ = 0;
    hw::Cycles stopped_since_ = hw::kNever;  // for want of room in the input queue
    hw::MessageId stopped_for_;
    hw::TraceSink* trace_ = nullptr;
    bool sends_steadily_ = false;
    bool takes_steadily_ = false;
    hw::ClockedPart* arrival_observer_ = nullptr;
    int flits_until_observed_ = 0;
    bool has_failed_ = false;
    // Where flits may be damaged.
    FaultLog* log_ = nullptr;
    hw::Bytes kept_words_;         // of the arriving message, not yet handed on
    bool has_wrong_word_ = false;  // it is being thrown away
    bool has_wrong_body_ = false;
    hw::Bytes discarded_;  // of messages thrown away
    Statistics statistics_;
};

}  // namespace weir::network
