#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <utility>

#include "hw/clock/clock_domain.h"
#include "hw/controller/controller.h"
#include "hw/messages/message_pool.h"
#include "hw/queues/byte_queue.h"
#include "hw/queues/fifo.h"
#include "hw/statistics.h"
#include "hw/tracing/trace_probe.h"
#include "hw/wait_report.h"
#include "network/flit.h"
#include "network/network_parameters.h"
#include "network/unloaded_trips.h"

namespace weir::network {

/// Base class of all emulations of a node's network interface, which connects the node's two queues
/// to its channels into and out of the network.
///
/// Records stops: spans of cycles in which an arrived flit found no room in the input queue. The
/// trace receives each stop, and the message that was at the head of the input queue when the stop
/// began.
class NetworkInterface : public sc_core::sc_module, public hw::ClockedPart {
  public:
    using HeaderArrived = std::function<void(hw::Message&, hw::Cycles)>;

    /// Notification of a stop. It is called with the current cycle twice when a flit finds no room,
    /// and with kNever as `since` when that flit enters the queue.
    using NetworkStopped = std::function<void(hw::Cycles since, hw::Cycles now)>;

    /// Unloaded trip of a message with this lot.
    using Trip = std::function<UnloadedTrip(const hw::Message& message, int lot)>;

    /// Sets the number of a message's bytes that travel beside its first flit, in addition to
    /// flit_bytes; to be called before the run.
    void set_tag_bytes(hw::Bytes bytes) { tag_bytes_ = bytes; }
    /// Called for a message that is too long, which is then not sent; to be set before the run.
    using TooLong = std::function<void(const hw::Message& message, hw::Flits flits)>;
    void set_longest_message(hw::Flits longest, TooLong too_long) {
        longest_message_ = longest;
        too_long_ = std::move(too_long);
    }

    /// Connects the node's queues, before the run. `listener` is the controller's function for
    /// arrived headers. `trace` and `timer`, the controller's timer, are notified of stops.
    void attach(hw::ByteQueue& output_queue, hw::ByteQueue& input_queue, HeaderArrived listener,
                hw::TraceSink* trace = nullptr, NetworkStopped timer = nullptr);
    /// Reports a stop that lasts at the end of the run to the trace; to be called once, after the
    /// run.
    void end_of_run(hw::Cycles now);

    struct Statistics : hw::StatisticsGroup {
        hw::Counter flits_injected{*this, "flits_injected", "Flits sent into the network"};
        hw::Counter flits_ejected{*this, "flits_ejected", "Flits taken from the network"};
        hw::Counter bytes_injected{*this, "bytes_injected",
                                   "Bytes of messages sent into the network"};
        hw::Counter bytes_ejected{*this, "bytes_ejected",
                                  "Bytes of messages taken from the network"};
        hw::Counter input_queue_full_stops{
            *this, "input_queue_full_stops",
            "Number of stops: times an arriving flit had to wait for room in the input queue"};
        hw::Counter input_stalled_cycles{
            *this, "input_stalled_cycles",
            "Cycles in which an arrived flit waited for room in the input queue"};
    };
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    virtual void add_to(hw::ConservationAccount& account) const;
    virtual void report_waits(hw::WaitReport& report,
                              const std::string& controller_input) const = 0;

  protected:
    NetworkInterface(const sc_core::sc_module_name& name, hw::ClockDomain& domain, hw::NodeId node,
                     hw::Bytes flit_bytes, hw::MessagePool& messages, Trip trip);

    /// Initialization by a derived class, called at the end of attach().
    virtual void begin() = 0;
    /// Message of the flit that waits for room in the input queue.
    [[nodiscard]] virtual hw::MessageSlot stopped_message() const = 0;

    void note_arrival(hw::MessageSlot slot, hw::Cycles now);
    [[gnu::noinline]] void note_stopped(hw::Cycles now);
    void note_going_on(hw::Cycles now) {
        if (stopped_since_ != hw::kNever) {
            end_stop(now);
        }
    }
    [[nodiscard]] bool is_stopped() const { return stopped_since_ != hw::kNever; }

    static constexpr const char* kNoRoomInChannel =
        ", and its channel into the network has no room";
    static constexpr const char* kNoRoomInQueue = " find no room in the input queue";
    /// Adds the wait of unsent bytes in the output queue, if any, for the channel into the network.
    void report_wait_to_send(hw::WaitReport& report, const std::string& channel,
                             const std::string& why) const;
    /// Wait, for a report of waits, of a message's flits that have arrived in the ejection channel
    /// `channel`.
    [[nodiscard]] hw::Wait wait_to_take(const std::string& channel,
                                        const std::string& controller_input,
                                        hw::MessageSlot message, const char* why) const;

    [[nodiscard]] hw::Bytes flit_bytes() const { return flit_bytes_; }
    [[nodiscard]] hw::Bytes tag_bytes() const { return tag_bytes_; }
    [[nodiscard]] hw::Flits flits_of(const hw::Message& message) const {
        return flits_of_message(message.bytes, flit_bytes_, tag_bytes_);
    }
    /// True if a message of `flits` flits is too long; calls the function given to
    /// set_longest_message().
    [[nodiscard]] bool refuses(const hw::Message& message, hw::Flits flits) const {
        if (flits <= longest_message_) {
            return false;
        }
        too_long_(message, flits);
        return true;
    }
    [[nodiscard]] hw::MessagePool& messages() { return messages_; }
    [[nodiscard]] const hw::MessagePool& messages() const { return messages_; }
    [[nodiscard]] hw::ByteQueue& output_queue() { return *output_queue_; }
    [[nodiscard]] const hw::ByteQueue& output_queue() const { return *output_queue_; }
    [[nodiscard]] hw::ByteQueue& input_queue() { return *input_queue_; }
    [[nodiscard]] const hw::ByteQueue& input_queue() const { return *input_queue_; }
    void tell_header_arrived(hw::Message& message, hw::Cycles now) {
        header_arrived_(message, now);
    }
    [[nodiscard]] UnloadedTrip trip_of(const hw::Message& message, int lot) const {
        return trip_(message, lot);
    }
    [[nodiscard]] Statistics& counters() { return statistics_; }

  private:
    [[gnu::noinline]] void end_stop(hw::Cycles now);
    void report_stop(hw::Cycles until);
    void forget_left_messages(hw::Cycles now);

    // Data used for every flit and message are adjacent, for the host's caches.
    hw::Bytes flit_bytes_;
    hw::Bytes tag_bytes_;
    hw::Flits longest_message_{INT64_MAX};
    hw::MessagePool& messages_;
    hw::ByteQueue* output_queue_ = nullptr;
    hw::ByteQueue* input_queue_ = nullptr;
    hw::Cycles stopped_since_ = hw::kNever;  // begin of the current stop; kNever: no stop
    // Messages in the input queue: of all messages whose first flit was taken, those after the
    // first left_input_queue_.
    hw::Fifo<hw::MessageId> in_input_queue_;
    std::int64_t left_input_queue_ = 0;
    Trip trip_;
    HeaderArrived header_arrived_;

    // Data used for stops and refusals.
    hw::MessageId stopped_for_;
    hw::NodeId node_;
    TooLong too_long_;
    NetworkStopped network_stopped_;
    hw::TraceSink* trace_ = nullptr;
    Statistics statistics_;
};

}  // namespace weir::network
