#include "network/faults/link_faults.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weir::network {

namespace {

// Removes one cycle that is at most `now` from the list; false if the list has none.
bool take_due(std::vector<hw::Cycles>& cycles, hw::Cycles now) {
    const auto due = std::find_if(cycles.begin(), cycles.end(),
                                  [now](hw::Cycles cycle) { return cycle <= now; });
    if (due == cycles.end()) {
        return false;
    }
    cycles.erase(due);
    return true;
}

void replace_after(hw::Cycles now, const std::vector<hw::Cycles>& from,
                   std::vector<hw::Cycles>& cycles) {
    std::erase_if(cycles, [now](hw::Cycles cycle) { return cycle > now; });
    std::copy_if(from.begin(), from.end(), std::back_inserter(cycles),
                 [now](hw::Cycles cycle) { return cycle > now; });
}

}  // namespace

LinkFaults::LinkFaults(FaultLog& log, const hw::MessagePool& messages, hw::Bytes flit_bytes,
                       std::uint64_t seed, std::string channel, Rates rates)
    : log_(log),
      messages_(messages),
      flit_bits_(8 * static_cast<std::uint64_t>(flit_bytes.count())),
      channel_(std::move(channel)),
      rates_(rates),
      stream_(seed, hw::NodeId(0), "faults of " + channel_) {}

void LinkFaults::renew_after(hw::Cycles now, const std::vector<hw::Cycles>& lost_from,
                             const std::vector<hw::Cycles>& flipped_from) {
    replace_after(now, lost_from, lost_from_);
    replace_after(now, flipped_from, flipped_from_);
}

// Draws a random number for each flit, so that listed faults do not change which flits are hit at
// random.
LinkFaults::What LinkFaults::drawn() {
    constexpr double kMillion = 1e6;
    const double lot = kMillion * (1.0 - stream_.unit());  // random number in [0, 1,000,000)
    if (lot < rates_.lost_per_million) {
        return What::kLost;
    }
    return lot < rates_.lost_per_million + rates_.flipped_per_million ? What::kFlipped
                                                                      : What::kNothing;
}

Flit LinkFaults::crossing(const Flit& flit, hw::Cycles now) {
    What what = drawn();
    const auto bit = static_cast<std::uint16_t>(stream_.below(flit_bits_));
    if (take_due(flipped_from_, now)) {
        what = What::kFlipped;
    }
    if (take_due(lost_from_, now)) {
        what = What::kLost;
    }
    if (what == What::kNothing || flit.is_lost()) {
        return flit;
    }
    if (flit.is_header) {
        log_.header_lost(messages_[flit.message], channel_, now);
    }
    Flit damaged{flit.message, flit.destination, false, flit.is_tail};
    if (what == What::kLost) {
        if (flit.is_tail && !flit.is_header) {
            log_.tail_lost(messages_[flit.message], channel_, now);
        }
        log_.flit_lost();
        damaged.is_tail = false;
        damaged.message_flits = Flit::kLost;
        return damaged;
    }
    log_.flit_flipped();
    damaged.message_flits = static_cast<std::uint16_t>(Flit::kFirstFlippedBit + bit) & 0x1fffU;
    return damaged;
}

}  // namespace weir::network
