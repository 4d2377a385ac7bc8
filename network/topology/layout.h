#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "network/topology/topology.h"

namespace weir::network {

/// Positions of a network's parts in a picture, in pixels; x to the right, y downwards.
struct Layout {
    struct Place {
        double x = 0.0;
        double y = 0.0;
    };
    /// A channel in each direction, or a single channel with an arrow.
    struct Line {
        Place from;
        Place to;
        double bend = 0.0;  ///< distance of the control points from the straight line; 0: not bent
        bool has_arrow = false;
        std::optional<std::size_t> colour;  ///< number of the legend's entry
    };
    /// A node, or a switch without a node.
    struct Mark {
        Place at;
        std::optional<std::size_t> node;
        std::string title;  ///< text shown when a pointer rests on the mark
    };

    static constexpr double kPitch = 44.0;  ///< distance of neighbours in a grid
    static constexpr double kRow = 26.0;    ///< distance of nodes in a row of their own

    std::vector<Line> lines;
    std::vector<Mark> marks;
    std::vector<Place> places;  ///< by vertex; for a node drawn twice, its receiver
    std::vector<std::pair<std::string, std::size_t>> legend;  ///< names and colours
};

/// For example "node 5".
[[nodiscard]] std::string node_name(const Topology& topology, std::size_t node);

/// Layout of any network: switches on a circle. Nodes with vertices of their own are on a larger
/// circle, next to their switches.
[[nodiscard]] Layout circle_layout(const Topology& topology);

}  // namespace weir::network
