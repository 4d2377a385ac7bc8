#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/parameter.h"
#include "hw/units.h"

namespace weir::firmware {

/// Tree of a broadcast or a summation (LogP Section 3.3).
enum class TreeKind : std::uint8_t {
    /// Each next node gets the datum from the node that can send it earliest, given L, o and g.
    kOptimal,
    kBinary,    ///< node i sends to nodes 2i + 1 and 2i + 2
    kBinomial,  ///< in round j, node i < 2^j sends to node i + 2^j
    kFlat,      ///< node 0 sends to all other nodes
};
[[nodiscard]] std::vector<hw::Choice<TreeKind>::Option> tree_kinds();

/// LogP machine for which an optimal tree is computed.
struct TreeMachine {
    hw::Cycles latency;   ///< L
    hw::Cycles overhead;  ///< o, at the sender and again at the receiver
    hw::Cycles gap;       ///< g
    std::int32_t nodes = 0;
};

/// Each node's children, in the order of sending; node 0 is the root.
[[nodiscard]] std::vector<std::vector<std::int32_t>> broadcast_tree(TreeKind kind,
                                                                    const TreeMachine& machine);

/// Parameters of kernels with a tree: kind of tree, and the machine for which an optimal tree is
/// computed.
struct TreeParameters : hw::ParameterGroup {
    /// `sentence` describes the kernel, `what` the choice of a tree. `figure` is the source of the
    /// machine with L = `latency`, o = 2 and g = 4.
    TreeParameters(const std::string& sentence, const std::string& what, const std::string& figure,
                   std::int64_t latency)
        : ParameterGroup("workload", sentence),
          tree(*this, "tree", TreeKind::kOptimal, tree_kinds(), what, "LogP Section 3.3: optimal"),
          tree_latency_cycles(
              *this, "tree_latency_cycles", latency, {0, 1'000'000'000},
              "Latency L of the LogP machine for which the optimal tree is computed",
              figure + ": " + std::to_string(latency)),
          tree_overhead_cycles(*this, "tree_overhead_cycles", 2, {0, 1'000'000'000},
                               "Overhead o of the LogP machine for which the optimal tree is "
                               "computed, for a send and for a reception",
                               figure + ": 2"),
          tree_gap_cycles(*this, "tree_gap_cycles", 4, {1, 1'000'000'000},
                          "Gap g of the LogP machine for which the optimal tree is computed",
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
