#include "firmware/kernels/diamond_dag/stripe_mapping.h"

#include <utility>

#include "hw/random_stream.h"

namespace weir::firmware {

namespace {

// The digits of `step` in the mesh's mixed radix, each counted down where what stands above it is
// odd: a reflected Gray code, in which consecutive numbers differ by one in one digit.
std::int32_t node_on_snake(std::int32_t step, const std::vector<std::int32_t>& extents) {
    std::int32_t node = 0;
    std::int32_t stride = 1;
    std::int32_t rest = step;
    for (const std::int32_t extent : extents) {
        const std::int32_t digit = rest % extent;
        rest /= extent;
        node += stride * (rest % 2 == 0 ? digit : extent - 1 - digit);
        stride *= extent;
    }
    return node;
}

void shuffle(std::vector<hw::NodeId>& nodes, std::uint64_t seed) {
    hw::RandomStream stream(seed, hw::NodeId(0), "stripe mapping");
    for (std::size_t left = nodes.size(); left > 1; --left) {  // Fisher and Yates
        std::swap(nodes[left - 1], nodes[stream.below(left)]);
    }
}

}  // namespace

std::vector<hw::NodeId> map_stripes(StripeMapping mapping, const nodes::MachineShape& machine,
                                    std::uint64_t seed) {
    std::vector<hw::NodeId> nodes;
    nodes.reserve(machine.node_count());
    for (std::int32_t stripe = 0; stripe < machine.node_count(); ++stripe) {
        nodes.emplace_back(mapping == StripeMapping::kSnake
                               ? node_on_snake(stripe, machine.mesh_extents)
                               : stripe);
    }
    if (mapping == StripeMapping::kRandom) {
        shuffle(nodes, seed);
    }
    return nodes;
}

}  // namespace weir::firmware
