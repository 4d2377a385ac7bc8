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
    /// Line for two channels in opposite directions, or with an arrow for a single channel.
    struct Line {
        Place from;
        Place to;
        double bend = 0.0;  ///< distance of the control points from the straight line; 0: not bent
        bool has_arrow = false;
        std::optional<std::size_t> colour;  ///< number of the line's entry in the legend
    };
    /// Mark of a node, or of a switch without a node of its own.
    struct Mark {
        Place at;
        std::optional<std::size_t> node;
        std::string title;  ///< text shown when a pointer rests on the mark
    };

    static constexpr double kPitch = 44.0;  ///< distance of neighbours in a grid
    static constexpr double kRow = 26.0;    ///< distance of nodes in a row of their own

    std::vector<Line> lines;
    std::vector<Mark> marks;
    /// position of each vertex; of a node drawn twice, where it receives
    std::vector<Place> places;
    std::vector<std::pair<std::string, std::size_t>> legend;  ///< name and colour of each entry
};

/// Name of a node in the graph, for example "node 5".
[[nodiscard]] std::string node_name(const Topology& topology, std::size_t node);

/// Layout of any network: switches on a circle. Nodes with vertices of their own are on a larger
/// circle, next to their switches.
[[nodiscard]] Layout circle_layout(const Topology& topology);

}  // namespace weir::network
