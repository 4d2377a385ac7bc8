#include "experiments/bench/traffic.h"

#include <cmath>

namespace weir::experiments::bench {

UniformTraffic::UniformTraffic(std::int32_t node_count, double load, std::int32_t packet_flits,
                               std::uint64_t seed)
    : packet_flits_(packet_flits), log_of_no_packet_(std::log1p(-load / packet_flits)) {
    for (std::int32_t node = 0; node < node_count; ++node) {
        nodes_.push_back({hw::RandomStream(seed, hw::NodeId(node), "uniform traffic")});
    }
}

std::optional<Departure> UniformTraffic::next(std::int32_t node) {
    Node& sender = nodes_[node];
    // Number of cycles without a packet before the next packet: geometrically distributed.
    const double empty = std::floor(std::log(sender.stream.unit()) / log_of_no_packet_);
    sender.last += 1 + static_cast<std::int64_t>(empty);
    const auto others = static_cast<std::uint64_t>(nodes_.size()) - 1;
    const auto step = static_cast<std::int32_t>(sender.stream.below(others));
    return Departure{sender.last, (node + 1 + step) % static_cast<std::int32_t>(nodes_.size()),
                     packet_flits_};
}

std::optional<Departure> CornerTraffic::next(std::int32_t node) {
    const std::int32_t x = node % extent_;
    const std::int32_t y = node / extent_;
    if (x >= corner_ || y >= corner_) {
        return std::nullopt;
    }
    std::optional<Departure> departure = traffic_->next(y * corner_ + x);
    if (departure) {
        departure->destination =
            departure->destination / corner_ * extent_ + departure->destination % corner_;
    }
    return departure;
}

}  // namespace weir::experiments::bench
