#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/queues/byte_queue.h"
#include "hw/queues/fifo.h"
#include "hw/units.h"
#include "network/fabric/network_end.h"
#include "network/flit.h"

namespace weir::network {

/// An end that works ahead in its queues: flits whose cycles are known leave the output queue, and
/// come into the input queue, before these cycles come, as many in one call as are known. What the
/// node's other parts see, and when, is as with NetworkInterface, flit by flit.
///
/// Bytes and room come as the node's parts act; what is there stays. So a flit whose bytes, or
/// whose room, are there now can be told ahead. Events stay, each in its own cycle: the last flit
/// of a message's 8-byte header, of which the controller is told; a flit that finds no room, and
/// its going on.
class AheadEnd : public NetworkEnd {
  protected:
    using NetworkEnd::NetworkEnd;

    /// A message that is cut into flits, or put together from them: what is left of it.
    struct Rest {
        hw::MessageSlot message = 0;
        std::int64_t flits = 0;  ///< none: the next message is to begin
        hw::Bytes bytes;
        hw::Bytes tag;  ///< that the next flit brings beside its own bytes
        bool is_whole = false;
    };
    [[nodiscard]] hw::Bytes bytes_of(const Rest& rest, std::int64_t flits) const {
        return std::min(flits * flit_bytes() + rest.tag, rest.bytes);
    }

    void begin() override;

    // From the output queue.
    /// Whether there is a message to send, or more of one; if not, the end is woken when there is.
    [[nodiscard]] bool has_message_to_send(hw::Cycles now) {
        return to_send_.flits > 0 || begin_to_send(now);
    }
    [[nodiscard]] const Rest& to_send() const { return to_send_; }
    /// Its next flits whose bytes are there.
    [[nodiscard]] std::int64_t flits_there(hw::Cycles now) const {
        const hw::Bytes there = output_queue().pushed_before(now) - sent_;
        return there >= to_send_.bytes
                   ? to_send_.flits
                   : std::max((there - to_send_.tag).count() / flit_bytes().count(), INT64_C(0));
    }
    [[nodiscard]] bool has_unsent_bytes(hw::Cycles now) const {
        return output_queue().pushed_before(now) > sent_;
    }
    /// Has the end woken when the next flit's bytes are there.
    void expect_flit(hw::Cycles now) {
        output_queue().expect_pushed(*this, sent_ + bytes_of(to_send_, 1), now);
    }
    /// The message enters the network in cycle `first`.
    void note_entry(hw::Cycles first);
    /// So many flits leave the queue, one a cycle, from `first` on.
    void send(hw::Cycles first, std::int64_t count, hw::Cycles now);

    // Into the input queue.
    [[nodiscard]] const Rest& to_take() const { return to_take_; }
    void begin_to_take(hw::MessageSlot message) {
        to_take_ = rest_of(message);
        taken_of_message_ = hw::Bytes(0);
    }
    /// As many of the next flits as there is room for.
    [[nodiscard]] std::int64_t flits_with_room(std::int64_t count, hw::Cycles now) const {
        const hw::Bytes room = input_queue().capacity() + input_queue().popped_before(now) - taken_;
        return bytes_of(to_take_, count) <= room
                   ? count
                   : std::max((room - to_take_.tag).count() / flit_bytes().count(), INT64_C(0));
    }
    /// The next flit finds no room: the end stops, and is woken when there is.
    void stop_for_room(hw::Cycles now);
    /// So many flits come into the queue, one a cycle, from `first` on.
    void take(hw::Cycles first, std::int64_t count, hw::Cycles now);
    /// The last so many of these flits do not come; none of them was to come by the present cycle.
    void take_back(std::int64_t count);
    void tell_of_headers(hw::Cycles now) {
        if (!headers_.empty()) {
            tell_of_headers_through(now);
        }
    }

    /// Brings the queues and the counters to what they are after cycle `now`, of so many flits.
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
    hw::Bytes sent_;  // of all messages
    Rest to_take_;
    hw::Bytes taken_of_message_;
    hw::Bytes taken_;
    hw::Fifo<Header> headers_;  // that will have arrived
};

inline AheadEnd::Rest AheadEnd::rest_of(hw::MessageSlot message) const {
    return {message, flits_of(messages()[message]).count(), messages()[message].bytes, tag_bytes(),
            true};
}

inline bool AheadEnd::begin_to_send(hw::Cycles now) {
    if (output_queue().messages_begun(now) == messages_sent_) {
        output_queue().expect_pushed(*this, sent_ + hw::Bytes(1), now);
        return false;
    }
    to_send_ = rest_of(output_queue().message_begun_as(messages_sent_));
    return true;
}

[[gnu::always_inline]] inline void AheadEnd::schedule(hw::ByteQueue& queue,
                                                      hw::ByteQueue::Moves moves, hw::Bytes bytes,
                                                      hw::Bytes tag, hw::Cycles now) {
    if (tag == hw::Bytes(0) && bytes == moves.count * flit_bytes()) {
        moves.step = flit_bytes();
        queue.schedule(moves, now);
    } else {
        schedule_unequal(queue, moves, bytes, tag, now);
    }
}

[[gnu::always_inline]] inline void AheadEnd::send(hw::Cycles first, std::int64_t count,
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

[[gnu::always_inline]] inline void AheadEnd::take(hw::Cycles first, std::int64_t count,
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

// The controller is told of a message with the last flit of its header.
[[gnu::always_inline]] inline void AheadEnd::note_header(hw::Bytes taken_before, hw::Bytes tag,
                                                         hw::Cycles first, hw::Cycles now) {
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
