#include "network/fabric/flit_channel.h"

#include <algorithm>

#include "network/faults/link_faults.h"

namespace weir::network {

bool FlitChannel::has_whole_message(hw::Cycles now) const {
    std::uint32_t place = head_;
    for (std::int64_t i = 0; i < held().count() && places_[place].cycle <= now; ++i) {
        const Flit& flit = places_[place].flit;
        // A second header means that the first message's tail was lost.
        if (flit.is_tail || (flit.is_header && i > 0)) {
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

}  // namespace weir::network
