#include "firmware/kernels/record_delivery/hot_spot.h"

namespace weir::firmware {

std::vector<std::int32_t> HotSpot::owners(std::int32_t node, hw::RandomStream& stream) const {
    if (node_count() < 2 || hot_node() >= node_count()) {
        throw InputFault("workload.hot_node",
                         "found " + std::to_string(hot_node()) + " on " +
                             std::to_string(node_count()) + " nodes",
                         (node_count() < 2 ? "a machine of at least 2 nodes"
                                           : "0 to " + std::to_string(node_count() - 1)));
    }
    const double hot_share = parameters_.hot_percent.value() / 100.0;
    const auto others = static_cast<std::uint64_t>(node_count() - 1);
    std::vector<std::int32_t> owners(parameters_.records.value());
    for (std::int32_t& owner : owners) {
        const bool is_hot = stream.unit() <= hot_share && node != hot_node();
        const auto step = static_cast<std::int32_t>(stream.below(others));
        owner = is_hot ? hot_node() : (node + 1 + step) % node_count();
    }
    return owners;
}

RecordDelivery::Facts HotSpot::facts() const {
    Facts facts = RecordDelivery::facts();
    facts.hot_share = parameters_.hot_percent.value() / 100.0;
    return facts;
}

}  // namespace weir::firmware
