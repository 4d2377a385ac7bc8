#pragma once

#include <cstdint>
#include <vector>

#include "hw/parameter.h"
#include "hw/units.h"

namespace weir::firmware {

/// Who sends on to whom in a broadcast, or gets whose sum in a summation (LogP Section 3.3).
enum class TreeKind : std::uint8_t {
    kOptimal,   ///< whoever can send soonest sends to the next node, on a machine of L, o and g
    kBinary,    ///< node i sends to 2i + 1 and 2i + 2
    kBinomial,  ///< in round j nodes below 2^j send to i + 2^j
    kFlat,      ///< node 0 sends to all
};
[[nodiscard]] std::vector<hw::Choice<TreeKind>::Option> tree_kinds();

/// The machine of the LogP paper that an optimal tree is made for.
struct TreeMachine {
    hw::Cycles latency;   ///< L
    hw::Cycles overhead;  ///< o, at the sender and at the receiver
    hw::Cycles gap;       ///< g
    std::int32_t nodes = 0;
};

/// Each node's children, in the order in which they are sent to; node 0 is the root.
[[nodiscard]] std::vector<std::vector<std::int32_t>> broadcast_tree(TreeKind kind,
                                                                    const TreeMachine& machine);

}  // namespace weir::firmware
