#pragma once

#include <sstream>
#include <string>

#include "network/topology/graph_file.h"

namespace weir::network::testing {

/// Topology of a graph file with this text.
inline Topology topology_of_dot(const std::string& text) {
    std::istringstream file(text);
    return read_graph(file, GraphFormat::kDot, "a graph");
}

}  // namespace weir::network::testing
