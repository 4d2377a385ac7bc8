#pragma once

#include <string_view>

#include "network/topology/graph_content.h"

namespace weir::network {

/// Reads a graph in GraphML (http://graphml.graphdrawing.org), as networkx, igraph and yEd write
/// it.
///
/// - An attribute's value is the element's `data`, or the `default` of its `key`. Whole numbers may
///   have the type int, long, float, double or string.
/// - `directed` of an edge overrides the graph's `edgedefault`.
/// - Elements of other namespaces, `port`, `desc`, and the data of keys that Weir has no use for
///   are ignored.
/// - The encoding is UTF-8 or ISO-8859-1. A document type is ignored, and loads no file.
///
/// Throws GraphFault for what contradicts the format. Hyperedges, graphs inside vertices or edges,
/// a second graph, locators, and declarations of entities are not read, and are refused, too.
[[nodiscard]] GraphContent read_graphml(std::string_view text);

}  // namespace weir::network
