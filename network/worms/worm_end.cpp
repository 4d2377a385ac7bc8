#include "network/worms/worm_end.h"

#include <algorithm>
#include <utility>

namespace weir::network {

WormEnd::WormEnd(const sc_core::sc_module_name& name, hw::ClockDomain& domain, hw::NodeId node,
                 hw::Bytes flit_bytes, hw::MessagePool& messages, Trip trip, WormFabric& fabric)
    : NetworkEnd(name, domain, node, flit_bytes, messages, std::move(trip)),
      fabric_(fabric),
      injection_(fabric.channel(fabric.injection_channel(node))),
      ejection_(fabric.channel(fabric.ejection_channel(node))) {
    fabric.connect(*this, node);
}

void WormEnd::begin() {
    output_queue().work_ahead(hw::ByteQueue::Ahead::kConsumer);
    input_queue().work_ahead(hw::ByteQueue::Ahead::kProducer);
    output_queue().expect_pushed(*this, hw::Bytes(1), hw::Cycles(-1));
    wake_at(hw::Cycles(0));
}

void WormEnd::tick(hw::Cycles now) {
    tell_of_headers(now);
    if (output_queue().pushed_before(now) > sent_) {
        inject(now);
    }
    if (ejection_.sent.count() > ejection_.taken.count()) {
        eject(now);
    }
    fabric_.go_on(now);
}

// --- From the output queue ----------------------------------------------------------------------

void WormEnd::inject(hw::Cycles now) {
    injection_.left = 0;  // no credits are waited for
    bool has_sent = false;
    while (flits_to_send_ > 0 || begin_message(now)) {
        const hw::Bytes there = output_queue().pushed_before(now) - sent_;
        std::int64_t count =
            there >= bytes_to_send_ ? flits_to_send_ : there.count() / flit_bytes().count();
        const std::int64_t credits = injection_.credits();
        if (count == 0) {
            const hw::Bytes needed = std::min(flit_bytes(), bytes_to_send_);
            output_queue().expect_pushed(*this, sent_ + needed, now);
            look_again(now);
            break;
        }
        if (credits <= 0) {
            injection_.left = 1;
            break;
        }
        count = std::min(count, credits);
        hw::Cycles first = std::max(injection_.last + hw::Cycles(1), now);
        if (!injection_.has_credits_from(first)) {
            const CycleRuns::Flits taken =
                injection_.taken.flits_from(injection_.sent.count() - injection_.places);
            first = std::max(first, taken.cycle + hw::Cycles(1));
            count = std::min(count, taken.left);
        }
        send(first, count, now);
        has_sent = true;
    }
    if (has_sent) {
        fabric_.note_move(injection_.last);
        fabric_.go_on_behind(injection_);
    }
}

bool WormEnd::begin_message(hw::Cycles now) {
    if (output_queue().messages_begun(now) == messages_sent_) {
        output_queue().expect_pushed(*this, sent_ + hw::Bytes(1), now);
        return false;
    }
    sent_message_ = output_queue().message_begun_as(messages_sent_);
    bytes_to_send_ = messages()[sent_message_].bytes;
    flits_to_send_ = hw::flits_of(bytes_to_send_, flit_bytes()).count();
    sends_header_ = true;
    has_looked_ = false;
    return true;
}

[[gnu::always_inline]] inline void WormEnd::send(hw::Cycles first, std::int64_t count,
                                                 hw::Cycles now) {
    hw::Message& message = messages()[sent_message_];
    if (sends_header_) {
        sends_header_ = false;
        const UnloadedTrip trip = trip_of(message);
        message.hops = trip.hops;
        message.unloaded = trip.header_cycles;
        message.times.network_entry = first;
        fabric_.header_sent(injection_, sent_message_, message.destination.index(), flits_to_send_,
                            first, now);
    }
    injection_.sent.add(count, first, injection_.taken.count(), now);
    injection_.last = first + hw::Cycles(count - 1);
    flits_to_send_ -= count;
    const bool has_tail = flits_to_send_ == 0;
    const hw::Bytes bytes = has_tail ? bytes_to_send_ : count * flit_bytes();
    const hw::Bytes tail = bytes - (count - 1) * flit_bytes();
    if (tail == flit_bytes()) {
        output_queue().schedule(
            {.first = first, .count = count, .step = flit_bytes(), .ends_message = has_tail}, now);
    } else {
        if (count > 1) {
            output_queue().schedule({.first = first, .count = count - 1, .step = flit_bytes()},
                                    now);
        }
        output_queue().schedule({.first = injection_.last, .step = tail, .ends_message = true},
                                now);
    }
    sent_ += bytes;
    bytes_to_send_ -= bytes;
    if (has_tail) {
        message.times.tail_entry = injection_.last;
        ++messages_sent_;
    }
}

// Woken for a message of whose first flit there are not all bytes, it looks once more.
void WormEnd::look_again(hw::Cycles now) {
    const bool is_first_look = sends_header_ && !has_looked_;
    if (is_first_look && injection_.last < now && injection_.taken.last() < now) {
        wake_at(now + hw::Cycles(1));
    }
    has_looked_ = true;
}

// Having sent a flit, it looks for the next one's bytes in the next cycle, or when there is a
// credit, and when they are not there once more.
hw::Cycles WormEnd::last_look() const {
    const hw::Cycles sent = injection_.sent.count() == 0 ? hw::Cycles(-3) : injection_.sent.last();
    hw::Cycles look = sent + hw::Cycles(1);
    if (flits_to_send_ > 0) {
        if (injection_.credits() <= 0) {
            return look;
        }
        look = std::max(
            look, injection_.taken.flits_from(injection_.sent.count() - injection_.places).cycle +
                      hw::Cycles(1));
    }
    return look + hw::Cycles(1);
}

// --- Into the input queue -----------------------------------------------------------------------

void WormEnd::eject(hw::Cycles now) {
    bool has_taken = false;
    while (!ejection_.worms.empty()) {
        std::int64_t count = ejection_.sent.count() - ejection_.taken.count();
        if (count <= 0) {
            break;
        }
        if (flits_to_take_ == 0) {
            const hw::MessageSlot slot = ejection_.worms.front();
            flits_to_take_ = fabric_.flits_of(slot);
            bytes_to_take_ = messages()[slot].bytes;
            taken_of_message_ = hw::Bytes(0);
        }
        const CycleRuns::Flits arriving = ejection_.sent.flits_from(ejection_.taken.count());
        count = std::min({count, flits_to_take_, arriving.left});
        const hw::Cycles first =
            std::max({last_taken_ + hw::Cycles(1), arriving.cycle + ejection_.link(), now});
        const hw::Bytes room = input_queue().capacity() + input_queue().popped_before(now) - taken_;
        if (std::min(count * flit_bytes(), bytes_to_take_) > room) {
            count = room.count() / flit_bytes().count();
            if (count == 0) {
                await_room(first, std::min(flit_bytes(), bytes_to_take_), now);
                break;
            }
        }
        take(first, count, now);
        has_taken = true;
    }
    if (has_taken) {
        fabric_.note_move(last_taken_);
        fabric_.go_on_before(ejection_);
    }
}

// For a flit that can be taken in cycle `cycle`, if there is room then.
void WormEnd::await_room(hw::Cycles cycle, hw::Bytes needed, hw::Cycles now) {
    if (cycle > now) {
        if (looks_for_room_ != cycle) {
            looks_for_room_ = cycle;
            wake_at(cycle);
        }
        return;
    }
    if (!is_stopped()) {
        note_stopped(now);
        wake_at(now + hw::Cycles(1));
    }
    input_queue().expect_popped(*this, taken_ + needed - input_queue().capacity(), now);
}

[[gnu::always_inline]] inline void WormEnd::take(hw::Cycles first, std::int64_t count,
                                                 hw::Cycles now) {
    note_going_on(now);
    const hw::MessageSlot slot = ejection_.worms.front();
    hw::Message& message = messages()[slot];
    ejection_.taken.add(count, first, now);
    last_taken_ = first + hw::Cycles(count - 1);
    flits_to_take_ -= count;
    const hw::Bytes taken_before = taken_of_message_;
    const bool is_first = taken_before == hw::Bytes(0);
    const hw::Bytes bytes = std::min(count * flit_bytes(), bytes_to_take_);
    const hw::Bytes tail = bytes - (count - 1) * flit_bytes();
    hw::ByteQueue::Moves moves{.first = first,
                               .count = count,
                               .step = flit_bytes(),
                               .begins_message = is_first,
                               .message = slot};
    if (is_first) {
        message.times.first_arrival = first;
        note_arrival(slot, now);
    }
    if (tail != flit_bytes()) {
        moves.count = count - 1;
        if (moves.count > 0) {
            input_queue().schedule(moves, now);
            moves.begins_message = false;
        }
        moves.first = last_taken_;
        moves.count = 1;
        moves.step = tail;
    }
    input_queue().schedule(moves, now);
    taken_ += bytes;
    taken_of_message_ += bytes;
    bytes_to_take_ -= bytes;
    note_header(taken_before, first, now);
    if (flits_to_take_ == 0) {
        message.times.tail_arrival = last_taken_;
        ejection_.worms.pop_front();
    }
}

// The controller is told of a message with the last flit of its header.
inline void WormEnd::note_header(hw::Bytes taken_before, hw::Cycles first, hw::Cycles now) {
    const hw::Bytes header(WEIR_HEADER_BYTES);
    if (taken_before >= header || taken_of_message_ < header) {
        return;
    }
    const hw::Cycles cycle =
        first + hw::Cycles(hw::flits_of(header - taken_before, flit_bytes()).count() - 1);
    headers_.push_back({cycle, ejection_.worms.front()});
    if (cycle > now) {
        wake_at(cycle);
    } else {
        tell_of_headers(now);
    }
}

void WormEnd::tell_of_headers(hw::Cycles now) {
    while (!headers_.empty() && headers_.front().cycle <= now) {
        const Header header = headers_.front();
        headers_.pop_front();
        tell_header_arrived(messages()[header.message], header.cycle);
    }
}

// --- Between cycles -----------------------------------------------------------------------------

void WormEnd::settle(hw::Cycles now) {
    output_queue().settle(now);
    input_queue().settle(now);
    const auto set = [](hw::Counter& counter, std::int64_t value) {
        counter += value - counter.value();
    };
    set(counters().flits_injected, injection_.sent.count_through(now));
    set(counters().bytes_injected, output_queue().bytes_popped());
    set(counters().flits_ejected, ejection_.taken.count_through(now));
    set(counters().bytes_ejected, input_queue().bytes_pushed());
}

void WormEnd::report_waits(hw::WaitReport& report, const std::string& controller_input) const {
    if (output_queue().held() > hw::Bytes(0)) {
        report.push_back({name(), fabric_.name_of(injection_.number),
                          "it has " + std::to_string(output_queue().held().count()) +
                              " bytes to send, first those of " +
                              described(messages()[output_queue().front()].id) +
                              ", and its channel into the network has no room"});
    }
    if (ejection_.held_through(domain().now()) > 0) {
        report.push_back({fabric_.name_of(ejection_.number), controller_input,
                          "arrived flits of " + described(messages()[stopped_message()].id) +
                              " find no room in the input queue"});
    }
}

}  // namespace weir::network
