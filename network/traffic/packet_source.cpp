#include "network/traffic/packet_source.h"

#include <algorithm>
#include <cmath>

namespace weir::network {

RandomPacketSource::RandomPacketSource(const TrafficParameters& parameters,
                                       const TrafficPattern& pattern, hw::NodeId node,
                                       std::uint64_t seed)
    : pattern_(pattern),
      node_(node.index()),
      packet_flits_(parameters.packet_flits.value()),
      times_(seed, node, "traffic times"),
      destinations_(seed, node, "traffic destinations") {
    if (const auto fault = parameters.check()) {
        const std::string key = "traffic." + fault->key;
        throw TrafficFault(key, key + " " + fault->found, fault->accepted);
    }
    const auto flits = static_cast<double>(packet_flits_.count());
    const double load = parameters.load.value();
    if (parameters.source.value() == SourceKind::kBernoulli) {
        packets_ = rate_of(load / flits);
        return;
    }
    const double burst_load = parameters.burst_load.value();
    packets_ = rate_of(burst_load / flits);
    const double burst_ends = 1.0 / static_cast<double>(parameters.burst_cycles.value().count());
    burst_ends_ = rate_of(burst_ends);
    // load = burst load x share of time in bursts; this share is begins / (begins + ends)
    burst_begins_ = rate_of(burst_ends * load / (burst_load - load));
    burst_end_ = hw::Cycles(0);
    if (times_.unit() <= load / burst_load) {
        burst_end_ = geometric(burst_ends_);  // the run begins in the middle of a burst
    }
}

std::optional<GeneratedPacket> RandomPacketSource::next() {
    last_ += geometric(packets_);
    while (last_ >= burst_end_ && burst_end_ < hw::kNever) {
        begin_burst();
    }
    return GeneratedPacket{last_, pattern_.destination(node_, destinations_), packet_flits_};
}

// Draws the first packet of the next burst, or the cycle after the burst if it has none. A draw
// beyond the burst's end is discarded, since geometric gaps are memoryless.
void RandomPacketSource::begin_burst() {
    const hw::Cycles begin = burst_end_ - hw::Cycles(1) + geometric(burst_begins_);
    burst_end_ = begin + geometric(burst_ends_);
    last_ = begin - hw::Cycles(1) + geometric(packets_);
}

RandomPacketSource::Rate RandomPacketSource::rate_of(double probability) {
    return {std::log1p(-probability)};
}

// Number of cycles up to and including the first event.
hw::Cycles RandomPacketSource::geometric(const Rate& rate) {
    constexpr double kLongest = 1e12;  // longer than any run
    const double misses = std::floor(std::log(times_.unit()) / rate.log_of_none);
    return hw::Cycles(1 + static_cast<std::int64_t>(std::clamp(misses, 0.0, kLongest)));
}

std::optional<GeneratedPacket> DealtPacketSource::next() {
    for (; to_others_ > 0; --to_others_) {
        if (!all_->next()) {
            return std::nullopt;
        }
    }
    to_others_ = copies_ - 1;
    return all_->next();
}

}  // namespace weir::network
