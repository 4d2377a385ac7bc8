#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "network/topology/topology.h"

namespace weir::network {

/// Where the parts of a network stand in a picture, x to the right and y downwards, in pixels.
struct Layout {
    struct Place {
        double x = 0.0;
        double y = 0.0;
    };
    /// A channel each way, or one with an arrow where there is none back.
    struct Line {
        Place from;
        Place to;
        double bend = 0.0;  ///< how far its handles stand off; 0: a straight line
        bool has_arrow = false;
        std::optional<std::size_t> colour;  ///< which of those in the legend
    };
    /// A node, or a switch without one.
    struct Mark {
        Place at;
        std::optional<std::size_t> node;
        std::string title;  ///< what a pointer resting on it shows
    };

    static constexpr double kPitch = 44.0;  ///< between neighbours of a grid
    static constexpr double kRow = 26.0;    ///< between nodes in a row of their own

    std::vector<Line> lines;
    std::vector<Mark> marks;
    std::vector<Place> places;  ///< of the graph's vertices; of a node with two, where it receives
    std::vector<std::pair<std::string, std::size_t>> legend;  ///< of the lines' colours
};

/// "node 5".
[[nodiscard]] std::string node_name(const Topology& topology, std::size_t node);

/// Of any network: switches on a circle, nodes of their own on a larger one beside them.
[[nodiscard]] Layout circle_layout(const Topology& topology);

}  // namespace weir::network
