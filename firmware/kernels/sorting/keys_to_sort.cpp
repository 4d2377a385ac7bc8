#include "firmware/kernels/sorting/keys_to_sort.h"

#include <algorithm>

#include "firmware/kernel.h"

namespace weir::firmware {

KeysToSort::Place KeysToSort::from(std::uint32_t address) {
    return [address](std::int32_t /*node*/, std::int64_t index) {
        return address + static_cast<std::uint32_t>(index * sizeof(std::uint32_t));
    };
}

void KeysToSort::make(std::int64_t keys, std::int32_t nodes, hw::RandomStream stream,
                      const Draw& draw) {
    if (keys % nodes != 0) {
        throw InputFault(
            "workload.keys",
            std::to_string(keys) + " don't divide among " + std::to_string(nodes) + " nodes",
            "a multiple of " + std::to_string(nodes));
    }
    each_ = keys / nodes;
    start_.resize(keys);
    std::generate(start_.begin(), start_.end(), [&] { return draw(stream); });
    sorted_ = start_;
    std::sort(sorted_.begin(), sorted_.end());
}

void KeysToSort::check_room(hw::Bytes needed, const nodes::MachineShape& machine) const {
    if (needed > machine.memory_bytes) {
        throw InputFault("workload.keys",
                         std::to_string(start_.size()) + " need " + std::to_string(needed.count()) +
                             " bytes of each node's memory, which has " +
                             std::to_string(machine.memory_bytes.count()),
                         "fewer keys, or a larger memory.bytes");
    }
}

void KeysToSort::write(const Place& place, nodes::MemoryAccess& memory) const {
    std::int64_t at = 0;
    for (const std::uint32_t key : start_) {
        const auto node = static_cast<std::int32_t>(at / each_);
        memory.write<std::uint32_t>(hw::NodeId(node), place(node, at % each_), {&key, 1});
        ++at;
    }
}

std::optional<std::string> KeysToSort::check(const std::vector<std::int64_t>& counts,
                                             const Place& place,
                                             nodes::MemoryAccess& memory) const {
    std::size_t next = 0;
    for (std::size_t node = 0; node < counts.size(); ++node) {
        const auto index = static_cast<std::int32_t>(node);
        for (std::int64_t i = 0; i < counts[node]; ++i) {
            if (next >= sorted_.size()) {
                return "node " + std::to_string(node) + " has more keys than remain of all " +
                       std::to_string(sorted_.size());
            }
            std::uint32_t key = 0;
            memory.read<std::uint32_t>(hw::NodeId(index), place(index, i), {&key, 1});
            if (key != sorted_[next]) {
                return "key " + std::to_string(next) + ", on node " + std::to_string(node) +
                       ", is " + std::to_string(key) + ", sorted on one machine it is " +
                       std::to_string(sorted_[next]);
            }
            ++next;
        }
    }
    if (next != sorted_.size()) {
        return std::to_string(next) + " keys are in place, of " + std::to_string(sorted_.size());
    }
    return std::nullopt;
}

}  // namespace weir::firmware
