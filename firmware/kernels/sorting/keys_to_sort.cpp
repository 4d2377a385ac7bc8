#include "firmware/kernels/sorting/keys_to_sort.h"

#include <algorithm>

#include "firmware/kernel.h"

namespace weir::firmware {

void KeysToSort::deal(std::int64_t keys, std::int32_t nodes, std::uint32_t address,
                      nodes::MemoryAccess& memory, hw::RandomStream stream, const Draw& draw) {
    if (keys % nodes != 0) {
        throw InputFault(
            "workload.keys",
            std::to_string(keys) + " don't divide among " + std::to_string(nodes) + " nodes",
            "a multiple of " + std::to_string(nodes));
    }
    each_ = keys / nodes;
    sorted_.resize(static_cast<std::size_t>(keys));
    std::generate(sorted_.begin(), sorted_.end(), [&] { return draw(stream); });
    for (std::int32_t node = 0; node < nodes; ++node) {
        memory.write<std::uint32_t>(
            hw::NodeId(node), address,
            {&sorted_[static_cast<std::size_t>(node * each_)], static_cast<std::size_t>(each_)});
    }
    std::sort(sorted_.begin(), sorted_.end());
}

std::optional<std::string> KeysToSort::check(const std::vector<std::int64_t>& counts,
                                             std::uint32_t address,
                                             nodes::MemoryAccess& memory) const {
    std::size_t place = 0;
    for (std::size_t node = 0; node < counts.size(); ++node) {
        std::vector<std::uint32_t> keys(static_cast<std::size_t>(counts[node]));
        memory.read<std::uint32_t>(hw::NodeId(static_cast<std::int32_t>(node)), address, keys);
        for (const std::uint32_t key : keys) {
            if (place >= sorted_.size()) {
                return "node " + std::to_string(node) + " has keys beyond all " +
                       std::to_string(sorted_.size());
            }
            if (key != sorted_[place]) {
                return "key " + std::to_string(place) + ", on node " + std::to_string(node) +
                       ", is " + std::to_string(key) + ", sorted on one machine it is " +
                       std::to_string(sorted_[place]);
            }
            ++place;
        }
    }
    if (place != sorted_.size()) {
        return std::to_string(place) + " keys are left of " + std::to_string(sorted_.size());
    }
    return std::nullopt;
}

}  // namespace weir::firmware
