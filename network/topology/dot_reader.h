#pragma once

#include <string_view>

#include "network/topology/graph_content.h"

namespace weir::network {

/// Reads a graph in DOT by Graphviz's grammar, with the vertices and edges that Graphviz (libcgraph
/// 2.42) makes of it.
///
/// - A subgraph at an end of an edge stands for all its vertices, in the order of their creation.
///   A subgraph of the same name in the same graph is continued.
/// - `strict`, or an edge's attribute `key`, merges equal edges. Attributes of the later one are
///   set in the first.
/// - Defaults (`node [...]`, `edge [...]`) hold for what is created later in their subgraph.
/// - Vertices are in the order of their ids, with numbers compared as numbers ("n9", "n10"). A
///   vertex without a `name` has its id as name.
/// - Names are in UTF-8; `charset = "latin1"` of the graph converts them from Latin-1.
///
/// Throws GraphFault for what Graphviz refuses, for a second graph, and for a byte 0. Limits are
/// hw::kGraphLimits.levels of braces, and hw::kMostGraphEdges.
[[nodiscard]] GraphContent read_dot(std::string_view text);

}  // namespace weir::network
