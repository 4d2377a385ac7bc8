#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "network/topology/topology_size.h"

namespace weir::network {

enum class VertexKind : std::uint8_t {
    kSwitch,  ///< forwards messages; a router
    kNode,    ///< sends and receives messages, and forwards none
};

struct TopologyVertex {
    VertexKind kind = VertexKind::kSwitch;
    std::string name;  ///< name shown in messages and pictures
    /// Coordinates of a switch. Mesh, torus and hypercube: position in each dimension. Butterfly:
    /// stage, and position in it. Fat tree: level (0 at the leaves), and position in it. Dragonfly:
    /// group, and position in it. Empty for nodes, and for switches of a graph from a file.
    std::vector<std::int32_t> coordinates;
};

/// A physical channel from one vertex's output port to another's input port. A node has only
/// channels that inject its messages into a switch, and channels that eject messages from one.
struct ChannelEdge {
    int output_port = 0;
    int input_port = 0;
    std::string direction;    ///< direction from the sender's view: "+x", "-x", "+y", ...
    std::int32_t cycles = 0;  ///< link cycles; 0: those of the network's channels of its kind
};

/// Switches, nodes and the physical channels between them, one directed edge per channel.
using TopologyGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS,
                                            TopologyVertex, ChannelEdge>;
using Channel = boost::graph_traits<TopologyGraph>::edge_descriptor;

class TopologyFamily;

/// Switches in a grid. Node i is at switch i, whose number is its coordinates in the mixed radix of
/// the extents, the first dimension changing fastest.
struct Lattice {
    std::vector<std::int32_t> extents;
    bool is_end_around = false;
    /// 2: port 2d leads up in dimension d, port 2d + 1 down. 1, for extents of 2: port d leads to
    /// the neighbour in dimension d.
    int ports_a_dimension = 2;
};

/// Channels to and from nodes that count in distances, as in LogP (Section 5.1). A node that has a
/// router of its own uses no link to reach it; a processor at the leaf of a tree does.
struct CountedHops {
    bool injection = false;
    bool ejection = false;
};

/// The usual cut of the network into halves.
struct StandardCut {
    std::vector<bool> in_first_half;  ///< by node: true in the first half
    /// Proved bisection width, in channels per direction; empty if no proof is known.
    std::optional<std::int64_t> bisection;
    std::string source;  ///< source of the proof, or description of the halves
};

/// The nodes halved by their numbers. No bisection width is proved.
[[nodiscard]] StandardCut halves_by_number(std::size_t nodes);

/// A network: its graph, and properties that the graph does not show. Vertices are the switches, 0
/// to switch_count() - 1, then the nodes in the order of their numbers.
class Topology {
  public:
    /// `graph` must have the switches before the nodes, and a path from each node to each other
    /// one.
    Topology(const TopologyFamily& family, std::string title, const TopologyGraph& graph,
             CountedHops counted, std::optional<StandardCut> cut = {},
             std::optional<Lattice> lattice = {});

    [[nodiscard]] const TopologyFamily& family() const { return *family_; }
    /// Title, for example "torus 8 x 4".
    [[nodiscard]] const std::string& title() const { return title_; }
    [[nodiscard]] const TopologyGraph& graph() const { return graph_; }
    [[nodiscard]] CountedHops counted() const { return counted_; }
    /// The usual cut into halves; nullopt for a graph from a file.
    [[nodiscard]] const std::optional<StandardCut>& standard_cut() const { return cut_; }
    /// Grid of the switches; nullopt if they are in no grid.
    [[nodiscard]] const std::optional<Lattice>& lattice() const { return lattice_; }

    [[nodiscard]] std::size_t switch_count() const { return switch_count_; }
    [[nodiscard]] std::size_t node_count() const { return num_vertices(graph_) - switch_count_; }
    [[nodiscard]] bool is_node(std::size_t vertex) const { return vertex >= switch_count_; }
    [[nodiscard]] std::size_t vertex_of_node(std::size_t node) const {
        return switch_count_ + node;
    }

    /// The switch that the node injects into.
    [[nodiscard]] std::size_t switch_of_node(std::size_t node) const {
        return target(*out_edges(vertex_of_node(node), graph_).first, graph_);
    }

    [[nodiscard]] bool is_injection(Channel channel) const {
        return is_node(source(channel, graph_));
    }
    [[nodiscard]] bool is_ejection(Channel channel) const {
        return is_node(target(channel, graph_));
    }
    /// True if the channel counts as a hop in distances.
    [[nodiscard]] bool is_hop(Channel channel) const;
    /// Name of the channel, by its sender and direction: "(7,0) +x".
    [[nodiscard]] std::string channel_name(Channel channel) const;

    /// Returns the topology without these channels. The remaining channels must connect all nodes.
    [[nodiscard]] Topology without(const std::vector<Channel>& channels) const;
    /// True if the topology has all channels of its family.
    [[nodiscard]] bool is_whole() const { return is_whole_; }

  private:
    const TopologyFamily* family_;
    std::string title_;
    TopologyGraph graph_;
    CountedHops counted_;
    std::optional<StandardCut> cut_;
    std::optional<Lattice> lattice_;
    std::size_t switch_count_ = 0;
    bool is_whole_ = true;
};

/// All channels in the order of their senders. (Boost's edges() are in the order of creation.)
[[nodiscard]] std::vector<Channel> channels_of(const TopologyGraph& graph);

/// Extents as text, for example "8 x 4".
[[nodiscard]] std::string extents_text(const std::vector<std::int32_t>& extents);

/// Appends the nodes of a direct network: node i at switch i, whose port `node_port` is the node's.
void add_node_at_each_switch(int node_port, TopologyGraph& graph);

}  // namespace weir::network
