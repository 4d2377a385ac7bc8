#include "network/fabric/ahead_interface.h"

namespace weir::network {

void AheadInterface::begin() {
    output_queue().work_ahead(hw::ByteQueue::Ahead::kConsumer);
    input_queue().work_ahead(hw::ByteQueue::Ahead::kProducer);
    output_queue().expect_pushed(*this, hw::Bytes(1), hw::Cycles(-1));
    wake_at(hw::Cycles(0));
}

void AheadInterface::note_entry(hw::Cycles first, int lot) {
    hw::Message& message = messages()[to_send_.message];
    const UnloadedTrip trip = trip_of(message, lot);
    message.hops = trip.hops;
    message.unloaded = trip.header_cycles;
    message.times.network_entry = first;
}

// Schedules flits of unequal size: the first may have more bytes, and the last one fewer.
void AheadInterface::schedule_unequal(hw::ByteQueue& queue, hw::ByteQueue::Moves moves,
                                      hw::Bytes bytes, hw::Bytes tag, hw::Cycles now) {
    const bool ends_message = moves.ends_message;
    for (std::int64_t left = moves.count; left > 0; left -= moves.count) {
        moves.step = std::min(flit_bytes() + tag, bytes);
        moves.count =
            tag > hw::Bytes(0) ? 1 : std::max(bytes.count() / flit_bytes().count(), INT64_C(1));
        moves.ends_message = ends_message && moves.count == left;
        queue.schedule(moves, now);
        bytes -= moves.count * moves.step;
        tag = hw::Bytes(0);
        moves.first += hw::Cycles(moves.count);
        moves.begins_message = false;
    }
}

void AheadInterface::stop_for_room(hw::Cycles now) {
    if (!is_stopped()) {
        note_stopped(now);
        wake_at(now + hw::Cycles(1));
    }
    input_queue().expect_popped(*this, taken_ + bytes_of(to_take_, 1) - input_queue().capacity(),
                                now);
}

void AheadInterface::take_back(std::int64_t count) {
    if (to_take_.flits == 0) {
        messages()[to_take_.message].times.tail_arrival = hw::kNever;
    }
    const bool had_header = taken_of_message_ >= hw::Bytes(WEIR_HEADER_BYTES);
    const hw::Bytes bytes = input_queue().take_back(count);
    taken_ -= bytes;
    taken_of_message_ -= bytes;
    to_take_.bytes += bytes;
    to_take_.flits += count;
    if (had_header && taken_of_message_ < hw::Bytes(WEIR_HEADER_BYTES)) {
        headers_.pop_back();
    }
}

void AheadInterface::tell_of_headers_through(hw::Cycles now) {
    while (!headers_.empty() && headers_.front().cycle <= now) {
        const Header header = headers_.front();
        headers_.pop_front();
        tell_header_arrived(messages()[header.message], header.cycle);
    }
}

void AheadInterface::settle_after(hw::Cycles now, std::int64_t injected, std::int64_t ejected) {
    output_queue().settle(now);
    input_queue().settle(now);
    counters().flits_injected.raise_to(injected);
    counters().bytes_injected.raise_to(output_queue().bytes_popped());
    counters().flits_ejected.raise_to(ejected);
    counters().bytes_ejected.raise_to(input_queue().bytes_pushed());
}

}  // namespace weir::network
