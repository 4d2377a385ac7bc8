#include "network/fabric/flit_channel.h"

#include <algorithm>

#include "network/faults/link_faults.h"

namespace weir::network {

void FlitChannel::pass(const Flit& flit, std::int64_t cycles, hw::Cycles last) {
    const auto on = static_cast<std::uint32_t>(cycles % place_count_);
    head_ = (head_ + on) % place_count_;
    tail_ = (tail_ + on) % place_count_;
    // Of what was sent, the flits that are still here.
    const std::int64_t held_flits = held().count();
    const std::int64_t new_flits = std::min(held_flits, cycles);
    std::uint32_t place = tail_;
    for (std::int64_t i = 0; i < new_flits; ++i) {
        place = place == 0 ? place_count_ - 1 : place - 1;
        places_[place] = {flit, last - hw::Cycles(i) + link_cycles()};
    }
    sent_ += cycles;
    if (cycles > 1) {  // what the sender still sees in the last cycle
        taken_.write(taken_.latest() + cycles - 1, last - hw::Cycles(1));
    }
    taken_.write(taken_.latest() + 1, last);
}

bool FlitChannel::has_whole_message(hw::Cycles now) const {
    std::uint32_t place = head_;
    for (std::int64_t i = 0; i < held().count() && places_[place].arrival <= now; ++i) {
        const Flit& flit = places_[place].flit;
        if (flit.is_tail || (flit.is_header && i > 0)) {  // its tail was lost, and the next is here
            return true;
        }
        place = next(place);
    }
    return false;
}

Flit FlitChannel::read_at_end(const Flit& flit, hw::Cycles now) {
    return faults_->crossing(flit, now);
}

std::string FlitChannel::condition() const {
    if (has_failed()) {
        return ", and is dead";
    }
    const std::int64_t lost = static_cast<std::int64_t>(place_count_) - credits_;
    return lost == 0 ? "" : ", and lacks " + std::to_string(lost) + " of its credits";
}

void FlitChannel::wake_receiver(hw::Cycles now) {
    std::uint32_t place = head_;
    for (std::int64_t i = 0; i < held().count(); ++i) {
        receiver_->wake_at(std::max(places_[place].arrival, now + hw::Cycles(1)));
        place = next(place);
    }
}

}  // namespace weir::network
