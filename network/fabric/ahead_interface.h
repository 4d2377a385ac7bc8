#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/queues/byte_queue.h"
#include "hw/queues/fifo.h"
#include "hw/units.h"
#include "network/fabric/network_interface.h"
#include "network/flit.h"

namespace weir::network {

/// A network interface that works ahead in its queues: it schedules flits whose cycles are known,
/// many in one call. They leave the output queue, or enter the input queue, in these later cycles.
/// The node's other parts see the same events in the same cycles as with FlitInterface.
///
/// Bytes in the output queue and room in the input queue do not vanish once they are there. So a
/// flit can be scheduled as soon as its bytes or its room are there. These events keep a call in
/// their own cycle:
/// - The last flit of a message's 8-byte header arrives, and the controller is notified.
/// - A flit finds no room in the input queue, or gets room after a stop.
class AheadInterface : public NetworkInterface {
  protected:
    using NetworkInterface::NetworkInterface;

    /// Remaining part of a message that is being cut into flits, or assembled from them.
    struct Rest {
        hw::MessageSlot message = 0;
        std::int64_t flits = 0;  ///< remaining flits; 0 if no message is in progress
        hw::Bytes bytes;
        hw::Bytes tag;  ///< bytes that travel beside the next flit, in addition to flit_bytes
        bool is_whole = false;
    };
    [[nodiscard]] hw::Bytes bytes_of(const Rest& rest, std::int64_t flits) const {
        return std::min(flits * flit_bytes() + rest.tag, rest.bytes);
    }

    void begin() override;

    // Output queue.
    /// True if the output queue holds a message, or the rest of one. If it does not, the interface
    /// is woken when the first byte of the next message enters the queue.
    [[nodiscard]] bool has_message_to_send(hw::Cycles now) {
        return to_send_.flits > 0 || begin_to_send(now);
    }
    [[nodiscard]] const Rest& to_send() const { return to_send_; }
    /// Number of the message's next flits whose bytes are in the output queue.
    [[nodiscard]] std::int64_t flits_there(hw::Cycles now) const {
        const hw::Bytes there = output_queue().pushed_before(now) - sent_;
        return there >= to_send_.bytes
                   ? to_send_.flits
                   : std::max((there - to_send_.tag).count() / flit_bytes().count(), INT64_C(0));
    }
    [[nodiscard]] bool has_unsent_bytes(hw::Cycles now) const {
        return output_queue().pushed_before(now) > sent_;
    }
    /// Wakes the interface when the next flit's bytes are in the output queue.
    void expect_flit(hw::Cycles now) {
        output_queue().expect_pushed(*this, sent_ + bytes_of(to_send_, 1), now);
    }
    /// Records that the message enters the network in cycle `first`, with this lot.
    void note_entry(hw::Cycles first, int lot = 0);
    /// Schedules `count` flits to leave the output queue, one per cycle from `first` on.
    void send(hw::Cycles first, std::int64_t count, hw::Cycles now);

    // Input queue.
    [[nodiscard]] const Rest& to_take() const { return to_take_; }
    void begin_to_take(hw::MessageSlot message) {
        to_take_ = rest_of(message);
        taken_of_message_ = hw::Bytes(0);
    }
    /// Number of the next flits, at most `count`, that the input queue has room for.
    [[nodiscard]] std::int64_t flits_with_room(std::int64_t count, hw::Cycles now) const {
        const hw::Bytes room = input_queue().capacity() + input_queue().popped_before(now) - taken_;
        return bytes_of(to_take_, count) <= room
                   ? count
                   : std::max((room - to_take_.tag).count() / flit_bytes().count(), INT64_C(0));
    }
    /// Begins a stop, since the input queue has no room for the next flit. The interface is woken
    /// when the queue has room.
    void stop_for_room(hw::Cycles now);
    /// Schedules `count` flits to enter the input queue, one per cycle from `first` on.
    void take(hw::Cycles first, std::int64_t count, hw::Cycles now);
    /// Cancels the last `count` flits scheduled by take(). These flits must be due after the
    /// current cycle.
    void take_back(std::int64_t count);
    void tell_of_headers(hw::Cycles now) {
        if (!headers_.empty()) {
            tell_of_headers_through(now);
        }
    }

    /// Brings queues and counters to their state after cycle `now`. `injected` and `ejected` are
    /// the flits sent and taken since the run began.
    void settle_after(hw::Cycles now, std::int64_t injected, std::int64_t ejected);

  private:
    struct Header {
        hw::Cycles cycle;
        hw::MessageSlot message;
    };

    [[nodiscard]] bool begin_to_send(hw::Cycles now);
    [[nodiscard]] Rest rest_of(hw::MessageSlot message) const;
    void schedule(hw::ByteQueue& queue, hw::ByteQueue::Moves moves, hw::Bytes bytes, hw::Bytes tag,
                  hw::Cycles now);
    [[gnu::noinline]] void schedule_unequal(hw::ByteQueue& queue, hw::ByteQueue::Moves moves,
                                            hw::Bytes bytes, hw::Bytes tag, hw::Cycles now);
    void note_header(hw::Bytes taken_before, hw::Bytes tag, hw::Cycles first, hw::Cycles now);
    void tell_of_headers_through(hw::Cycles now);

    Rest to_send_;
    std::int64_t messages_sent_ = 0;
    hw::Bytes sent_;  // bytes sent or scheduled to be sent, of all messages
    Rest to_take_;
    hw::Bytes taken_of_message_;
    hw::Bytes taken_;
    hw::Fifo<Header> headers_;  // headers whose arrival has not been reported yet
};

inline AheadInterface::Rest AheadInterface::rest_of(hw::MessageSlot message) const {
    return {message, flits_of(messages()[message]).count(), messages()[message].bytes, tag_bytes(),
            true};
}

inline bool AheadInterface::begin_to_send(hw::Cycles now) {
    if (output_queue().messages_begun(now) == messages_sent_) {
        output_queue().expect_pushed(*this, sent_ + hw::Bytes(1), now);
        return false;
    }
    to_send_ = rest_of(output_queue().message_begun_as(messages_sent_));
    return true;
}

[[gnu::always_inline]] inline void AheadInterface::schedule(hw::ByteQueue& queue,
                                                            hw::ByteQueue::Moves moves,
                                                            hw::Bytes bytes, hw::Bytes tag,
                                                            hw::Cycles now) {
    if (tag == hw::Bytes(0) && bytes == moves.count * flit_bytes()) {
        moves.step = flit_bytes();
        queue.schedule(moves, now);
    } else {
        schedule_unequal(queue, moves, bytes, tag, now);
    }
}

[[gnu::always_inline]] inline void AheadInterface::send(hw::Cycles first, std::int64_t count,
                                                        hw::Cycles now) {
    const hw::Bytes bytes = bytes_of(to_send_, count);
    const bool has_tail = count == to_send_.flits;
    schedule(output_queue(), {.first = first, .count = count, .ends_message = has_tail}, bytes,
             to_send_.tag, now);
    sent_ += bytes;
    to_send_.bytes -= bytes;
    to_send_.flits -= count;
    to_send_.tag = hw::Bytes(0);
    to_send_.is_whole = false;
    if (has_tail) {
        messages()[to_send_.message].times.tail_entry = first + hw::Cycles(count - 1);
        ++messages_sent_;
    }
}

[[gnu::always_inline]] inline void AheadInterface::take(hw::Cycles first, std::int64_t count,
                                                        hw::Cycles now) {
    note_going_on(now);
    const hw::Bytes bytes = bytes_of(to_take_, count);
    const hw::Bytes tag = to_take_.tag;
    const bool is_first = to_take_.is_whole;
    if (is_first) {
        messages()[to_take_.message].times.first_arrival = first;
        note_arrival(to_take_.message, now);
    }
    schedule(
        input_queue(),
        {.first = first, .count = count, .begins_message = is_first, .message = to_take_.message},
        bytes, tag, now);
    const hw::Bytes taken_before = taken_of_message_;
    taken_ += bytes;
    taken_of_message_ += bytes;
    to_take_.bytes -= bytes;
    to_take_.flits -= count;
    to_take_.tag = hw::Bytes(0);
    to_take_.is_whole = false;
    if (taken_before < hw::Bytes(WEIR_HEADER_BYTES)) {
        note_header(taken_before, tag, first, now);
    }
    if (to_take_.flits == 0) {
        messages()[to_take_.message].times.tail_arrival = first + hw::Cycles(count - 1);
    }
}

// The last flit of the 8-byte header notifies the controller of the message.
[[gnu::always_inline]] inline void AheadInterface::note_header(hw::Bytes taken_before,
                                                               hw::Bytes tag, hw::Cycles first,
                                                               hw::Cycles now) {
    const hw::Bytes header(WEIR_HEADER_BYTES);
    if (taken_of_message_ < header) {
        return;
    }
    const hw::Cycles cycle =
        first + hw::Cycles(flits_of_message(header - taken_before, flit_bytes(), tag).count() - 1);
    headers_.push_back({cycle, to_take_.message});
    if (cycle > now) {
        wake_at(cycle);
    } else {
        tell_of_headers_through(now);
    }
}

}  // namespace weir::network
