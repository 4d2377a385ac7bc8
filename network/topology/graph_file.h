#pragma once

#include <istream>
#include <optional>
#include <string>
#include <utility>

#include "hw/refusal.h"
#include "network/topology/topology_family.h"

namespace weir::network {

enum class GraphFormat : std::uint8_t { kGraphMl, kDot };

/// What a file holds by its name's end: .graphml, .dot or .gv. Nothing when it is no graph.
[[nodiscard]] std::optional<GraphFormat> graph_format(const std::string& file);

/// What is wrong with a user's graph.
class GraphFault : public hw::Refusal {
  public:
    GraphFault(std::string found, std::string accepted)
        : Refusal({}, std::move(found), std::move(accepted)) {}
};

/// Any network, from GraphML or DOT (read by Boost.Graph).
///
/// A vertex may say `kind` ("node" or "switch"; DOT needs the quotes) and, in GraphML, `name` (a
/// DOT vertex is named by its id). The nodes are numbered in the order of the file; in DOT in that
/// of their ids, numbers in them read as numbers ("n9", "n10"). When no vertex says its kind, the
/// network is direct: each vertex is a router with a node of its own, and what joins the two is not
/// in the file. Otherwise each says it, and the nodes are at the ends of channels to and from
/// switches. A directed edge is a channel, an undirected one a channel each way. A channel may say
/// `direction`, `output_port` (at its source) and `input_port` (at its target; both ends' ports
/// serve both ways of an undirected edge); ports that are not given are the lowest free ones, in
/// the file's order. Its `latency` is the cycles of its link; where it says none, they are the
/// network's hop_cycles, or injection_cycles and ejection_cycles. Other attributes are ignored, so
/// that a picture's own do no harm.
///
/// A hop is a channel of the file: with nodes in it, their own channels count as a leaf's do in a
/// fat tree; in a direct network only those between routers are there. A message to the sender
/// itself takes none, unless the node sends into another switch than it receives from.
///
/// Throws GraphFault.
[[nodiscard]] Topology read_graph(std::istream& file, GraphFormat format, const std::string& title);
[[nodiscard]] const TopologyFamily& graph_family();

}  // namespace weir::network
