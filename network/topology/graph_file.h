#pragma once

#include <istream>
#include <optional>
#include <string>

#include "network/topology/graph_content.h"
#include "network/topology/topology_family.h"

namespace weir::network {

enum class GraphFormat : std::uint8_t { kGraphMl, kDot };

/// Format by the file name's extension: .graphml, .dot or .gv; nullopt for other names.
[[nodiscard]] std::optional<GraphFormat> graph_format(const std::string& file);

/// Reads any network from a GraphML or DOT file: read_graphml() and read_dot() say how.
///
/// Vertices:
/// - A vertex may have a `kind`, "node" or "switch" (in quotes in DOT), and a `name`.
/// - Nodes are numbered in the order of the file; in DOT in the order of their ids, with numbers
///   compared as numbers ("n9", "n10").
/// - If no vertex has a kind, the network is direct: each vertex is a router with a node of its
///   own. The channels between the two are not in the file.
/// - Otherwise each vertex must have a kind, and nodes have channels to and from switches only.
///
/// Channels:
/// - A directed edge is a channel. An undirected edge is a channel in each direction.
/// - A channel may have `direction`, `output_port` (at its source) and `input_port` (at its
///   target). The ports of an undirected edge serve both directions. Missing ports are the lowest
///   free ones, in the file's order. Ports that a file gives for its picture have no effect:
///   `a:port` in DOT, `port` and `sourceport` in GraphML.
/// - `latency` is the number of cycles of the link. By default it is the network's hop_cycles, or
///   injection_cycles and ejection_cycles.
///
/// Other attributes, such as those of pictures, are ignored. An attribute of this list is refused
/// where it has no meaning, such as the `latency` of a vertex.
///
/// A hop is a channel of the file. If the file has nodes, their channels count, like those of a fat
/// tree's leaves. In a direct network only channels between routers count. A message to the sender
/// itself takes no hop, unless the node sends into another switch than it receives from.
///
/// Throws GraphFault, with line and column, if the file holds no such network.
[[nodiscard]] Topology read_graph(std::istream& file, GraphFormat format, const std::string& title);
[[nodiscard]] const TopologyFamily& graph_family();

}  // namespace weir::network
