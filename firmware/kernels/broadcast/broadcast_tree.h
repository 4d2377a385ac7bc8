#pragma once

#include <cstdint>
#include <string>
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

/// What kernels on a tree ask for: which tree, and the machine that the optimal one is made for.
struct TreeParameters : hw::ParameterGroup {
    /// `sentence` of the kernel, `figure` the machine's source, whose L is `latency`; its o is 2
    /// and its g 4.
    TreeParameters(const std::string& sentence, const std::string& what, const std::string& figure,
                   std::int64_t latency)
        : ParameterGroup("workload", sentence),
          tree(*this, "tree", TreeKind::kOptimal, tree_kinds(), what, "LogP Section 3.3: optimal"),
          tree_latency_cycles(*this, "tree_latency_cycles", latency, {0, 1'000'000'000},
                              "L of the machine the optimal tree is made for",
                              figure + ": " + std::to_string(latency)),
          tree_overhead_cycles(*this, "tree_overhead_cycles", 2, {0, 1'000'000'000},
                               "Its o, of a send and of a reception", figure + ": 2"),
          tree_gap_cycles(*this, "tree_gap_cycles", 4, {1, 1'000'000'000}, "Its g",
                          figure + ": 4") {}

    [[nodiscard]] TreeMachine machine_of(std::int32_t nodes) const {
        return {.latency = tree_latency_cycles.value(),
                .overhead = tree_overhead_cycles.value(),
                .gap = tree_gap_cycles.value(),
                .nodes = nodes};
    }

    hw::Choice<TreeKind> tree;
    hw::Parameter<hw::Cycles> tree_latency_cycles;
    hw::Parameter<hw::Cycles> tree_overhead_cycles;
    hw::Parameter<hw::Cycles> tree_gap_cycles;
};

}  // namespace weir::firmware
