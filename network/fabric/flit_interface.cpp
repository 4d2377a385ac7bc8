#include "network/fabric/flit_interface.h"

#include <algorithm>
#include <utility>

namespace weir::network {

FlitInterface::FlitInterface(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                             hw::NodeId node, hw::Bytes flit_bytes, hw::MessagePool& messages,
                             FlitChannel& injection, FlitChannel& ejection, Trip trip)
    : NetworkInterface(name, domain, node, flit_bytes, messages, std::move(trip)),
      injection_(&injection),
      ejection_(&ejection),
      injections_{&injection},
      ejections_{&ejection} {}

void FlitInterface::add_copy(FlitChannel& injection, FlitChannel& ejection) {
    injections_.push_back(&injection);
    ejections_.push_back(&ejection);
}

void FlitInterface::begin() { output_queue().expect_bytes(*this, hw::Bytes(1), hw::Cycles(-1)); }

void FlitInterface::tick(hw::Cycles now) {
    if (has_failed_) [[unlikely]] {
        return;
    }
    if (!awaits_message_ || output_queue().has_message(now)) {
        inject(now);
    }
    if (ejections_.size() > 1) {
        choose_ejection(now);
    }
    if (ejection_->has_flit(now)) {
        log_ == nullptr ? eject(now) : eject_checked(now);
    }
}

void FlitInterface::inject(hw::Cycles now) {
    awaits_message_ = !output_queue().has_message(now);
    if (awaits_message_) {
        output_queue().expect_bytes(*this, hw::Bytes(1), now);
        return;
    }
    if (!injection_->has_or_expects_credit(now)) {
        return;
    }
    if (now < injection_free_from_) {
        wake_at(injection_free_from_);
        return;
    }
    hw::Message& message = messages()[output_queue().front()];
    const hw::Bytes bytes = bytes_of_flit(message, sent_of_message_);
    if (output_queue().available(now) < bytes) {
        output_queue().expect_bytes(*this, bytes, now);
        return;
    }
    const auto destination = static_cast<std::uint16_t>(message.destination.index());
    Flit flit{output_queue().front(), destination, false,
              sent_of_message_ + bytes == message.bytes};
    if (sent_of_message_ == hw::Bytes(0)) {
        const hw::Flits flits = flits_of(message);
        if (refuses(message, flits)) {
            return;
        }
        const std::uint16_t lot = lots_ ? lots_->draw(message.destination) : std::uint16_t{0};
        flit = Flit::header(output_queue().front(), destination, flits.count(), lot);
        const UnloadedTrip trip = trip_of(message, lot);
        message.hops = trip.hops;
        message.unloaded = trip.header_cycles;
        message.times.network_entry = now;
    }
    injection_->send(flit, now);
    injection_free_from_ = now + flit_cycles_;
    output_queue().pop(bytes, now);
    sent_of_message_ += bytes;
    counters().flits_injected += 1;
    counters().bytes_injected += bytes.count();
    if (flit.is_tail) {
        message.times.tail_entry = now;
        sent_of_message_ = hw::Bytes(0);
        output_queue().end_message(now);
        go_to_next_copy();
    }
    domain().note_progress(now);
    wake_at(injection_free_from_);
}

void FlitInterface::go_to_next_copy() {
    injection_copy_ = (injection_copy_ + 1) % injections_.size();
    injection_ = injections_[injection_copy_];
}

// Chooses the copy from which the next message is taken: round robin over the copies whose ejection
// channel has a flit.
void FlitInterface::choose_ejection(hw::Cycles now) {
    if (received_of_message_ > hw::Bytes(0) || is_stopped()) {
        return;
    }
    for (std::size_t i = 1; i <= ejections_.size(); ++i) {
        const std::size_t copy = (ejection_copy_ + i) % ejections_.size();
        if (ejections_[copy]->has_flit(now)) {
            ejection_copy_ = copy;
            ejection_ = ejections_[copy];
            return;
        }
    }
}

void FlitInterface::eject(hw::Cycles now) {
    const Flit flit = ejection_->front();
    hw::Message& message = messages()[flit.message];
    const hw::Bytes bytes = bytes_of_flit(message, received_of_message_);
    if (input_queue().room(now) < bytes) {
        note_stopped(now);
        input_queue().expect_room(*this, bytes, now);
        return;
    }
    note_going_on(now);
    ejection_->take(now);
    if (flit.is_header) {
        message.times.first_arrival = now;
        begin_arrival(flit.message, now);
    }
    input_queue().push(bytes, now);
    const hw::Bytes received_before = received_of_message_;
    received_of_message_ += bytes;
    counters().flits_ejected += 1;
    counters().bytes_ejected += bytes.count();
    const hw::Bytes header(WEIR_HEADER_BYTES);
    if (received_before < header && received_of_message_ >= header) {
        tell_header_arrived(message, now);
    }
    if (flit.is_tail) {
        message.times.tail_arrival = now;
        received_of_message_ = hw::Bytes(0);
    }
    look_again(flit.is_tail, now);
}

void FlitInterface::begin_arrival(hw::MessageSlot slot, hw::Cycles now) {
    input_queue().begin_message(slot, now);
    note_arrival(slot, now);
}

// After a flit was taken: wakes the interface in the next cycle if another flit may be ready to be
// taken.
void FlitInterface::look_again(bool is_tail, hw::Cycles now) {
    domain().note_progress(now);
    const bool may_go_on = ejections_.size() > 1 && is_tail;
    if (may_go_on || ejection_->has_flit(now)) {
        wake_at(now + hw::Cycles(1));
    }
}

// Takes a flit and checks it. A message ends with its last byte, not with a tail mark, which may
// have been lost.
void FlitInterface::eject_checked(hw::Cycles now) {
    const Flit flit = ejection_->front();
    if (received_of_message_ == hw::Bytes(0) && !flit.is_header) {
        discard_flit(now);
        return;
    }
    hw::Message& message = messages()[flit.message];
    const hw::Bytes bytes = bytes_of_flit(message, received_of_message_);
    const hw::Bytes needed = has_wrong_word_ ? hw::Bytes(0) : kept_words_ + bytes;
    if (input_queue().room(now) < needed) {
        note_stopped(now);
        input_queue().expect_room(*this, needed, now);
        return;
    }
    note_going_on(now);
    ejection_->take(now);
    if (flit.is_header) {
        message.times.first_arrival = now;
    }
    counters().flits_ejected += 1;
    counters().bytes_ejected += bytes.count();
    hand_on(flit, message, bytes, now);
    received_of_message_ += bytes;
    const bool is_all = received_of_message_ == message.bytes;
    if (is_all) {
        end_checked_message(message, now);
    }
    look_again(is_all, now);
}

// Discards a flit of a message whose header was lost on the ejection channel.
void FlitInterface::discard_flit(hw::Cycles now) {
    ejection_->take(now);
    log_->flit_discarded();
    look_again(true, now);
}

void FlitInterface::hand_on(const Flit& flit, hw::Message& message, hw::Bytes bytes,
                            hw::Cycles now) {
    const hw::Bytes words = message.bytes - message.body_bytes;
    const bool are_words_complete = received_of_message_ + bytes >= words;
    const bool completes_words = are_words_complete && received_of_message_ < words;
    check(flit, words);
    if (has_wrong_word_) {
        discarded_ += kept_words_ + bytes;
        kept_words_ = hw::Bytes(0);
        return;
    }
    kept_words_ += bytes;
    if (!are_words_complete) {
        return;
    }
    if (completes_words) {
        begin_arrival(flit.message, now);
    }
    input_queue().push(std::exchange(kept_words_, hw::Bytes(0)), now);
    if (completes_words) {
        tell_header_arrived(message, now);
    }
}

void FlitInterface::check(const Flit& flit, hw::Bytes words) {
    if (!flit.is_damaged()) {
        return;
    }
    if (received_of_message_ < words) {
        has_wrong_word_ = true;
        return;
    }
    has_wrong_body_ = true;
    std::vector<std::uint8_t>& body = messages().body(flit.message);
    const std::size_t first = (received_of_message_ - words).count();
    const auto end = std::min(first + flit_bytes().count(), body.size());
    if (flit.is_lost()) {
        std::fill(body.begin() + static_cast<std::ptrdiff_t>(first),
                  body.begin() + static_cast<std::ptrdiff_t>(end), std::uint8_t{0});
        return;
    }
    const std::size_t bit = flit.flipped_bit();
    const std::size_t byte = first + bit / 8;
    if (byte < end) {  // otherwise the flipped bit is in an unused byte of the tail flit
        body[byte] = static_cast<std::uint8_t>(body[byte] ^ (1U << (bit % 8)));
    }
}

void FlitInterface::end_checked_message(hw::Message& message, hw::Cycles now) {
    if (has_wrong_word_) {
        log_->message_refused(message, now);
    } else {
        message.times.tail_arrival = now;
    }
    if (has_wrong_body_) {
        log_->message_damaged(message, now);
    }
    received_of_message_ = hw::Bytes(0);
    has_wrong_word_ = false;
    has_wrong_body_ = false;
}

void FlitInterface::add_to(hw::ConservationAccount& account) const {
    NetworkInterface::add_to(account);
    account.bytes_discarded += discarded_.count();
    account.bytes_kept_at_ends += kept_words_.count();
}

void FlitInterface::report_waits(hw::WaitReport& report,
                                 const std::string& controller_input) const {
    report_wait_to_send(report, injection_->name(),
                        has_failed_ ? ", and its network interface has failed"
                                    : kNoRoomInChannel + injection_->condition());
    for (const FlitChannel* ejection : ejections_) {
        if (ejection->held() > hw::Flits(0)) {
            report.push_back(wait_to_take(
                ejection->name(), controller_input, ejection->front().message,
                has_failed_ ? " wait at a network interface that has failed" : kNoRoomInQueue));
        }
    }
}

}  // namespace weir::network
