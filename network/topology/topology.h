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
    kSwitch,  ///< passes messages on; a router
    kNode,    ///< sends and receives, and passes nothing on
};

struct TopologyVertex {
    VertexKind kind = VertexKind::kSwitch;
    std::string name;  ///< as a message and a picture say it
    /// Of a switch. Mesh, torus, hypercube: its place in each dimension. Butterfly: stage and place
    /// in it. Fat tree: level, leaves' switches 0, and place in it. Dragonfly: group and
    /// place in it. Empty in a graph from a file.
    std::vector<std::int32_t> coordinates;
};

/// A physical channel from one vertex's output port to another's input port. A node's only channels
/// are those that inject its messages into a switch and those that eject them from one.
struct ChannelEdge {
    int output_port = 0;
    int input_port = 0;
    std::string direction;    ///< "+x", "-x", "+y", ... seen from the sender
    std::int32_t cycles = 0;  ///< of its link; 0: as the network's others of its kind
};

/// Switches, nodes and the physical channels between them, one directed edge a channel.
using TopologyGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS,
                                            TopologyVertex, ChannelEdge>;
using Channel = boost::graph_traits<TopologyGraph>::edge_descriptor;

class TopologyFamily;

/// Switches in a grid, node i at switch i, whose number is its coordinates in the mixed radix of
/// the extents, the first dimension changing fastest.
struct Lattice {
    std::vector<std::int32_t> extents;
    bool is_end_around = false;
    /// Two: 2d leads up in dimension d, 2d + 1 down. One, of extents of two: d leads to the other.
    int ports_a_dimension = 2;
};

/// Which channels a message's distance counts, so that it is LogP's (Section 5.1): a node that is
/// one with its router uses no link to get to it; a processor at the leaf of a tree does.
struct CountedHops {
    bool injection = false;
    bool ejection = false;
};

/// The usual way to cut the network into halves.
struct StandardCut {
    std::vector<bool> in_first_half;  ///< of each node
    /// What is proved of the bisection width: channels each way. Nothing when no proof is known.
    std::optional<std::int64_t> bisection;
    std::string source;  ///< who proved it, or what the halves are
};

/// A network: its graph, and what can't be seen from the graph. Vertices are the switches, 0 to
/// switch_count() - 1, then the nodes in the order of their numbers.
class Topology {
  public:
    /// `graph` has vertices in that order and a way from every node to every other.
    Topology(const TopologyFamily& family, std::string title, const TopologyGraph& graph,
             CountedHops counted, std::optional<StandardCut> cut = {},
             std::optional<Lattice> lattice = {});

    [[nodiscard]] const TopologyFamily& family() const { return *family_; }
    [[nodiscard]] const std::string& title() const { return title_; }  ///< "torus 8 x 4"
    [[nodiscard]] const TopologyGraph& graph() const { return graph_; }
    [[nodiscard]] CountedHops counted() const { return counted_; }
    /// Nothing for a graph from a file.
    [[nodiscard]] const std::optional<StandardCut>& standard_cut() const { return cut_; }
    /// Nothing where the switches are in no grid.
    [[nodiscard]] const std::optional<Lattice>& lattice() const { return lattice_; }

    [[nodiscard]] std::size_t switch_count() const { return switch_count_; }
    [[nodiscard]] std::size_t node_count() const { return num_vertices(graph_) - switch_count_; }
    [[nodiscard]] bool is_node(std::size_t vertex) const { return vertex >= switch_count_; }
    [[nodiscard]] std::size_t vertex_of_node(std::size_t node) const {
        return switch_count_ + node;
    }

    /// Into which it injects.
    [[nodiscard]] std::size_t switch_of_node(std::size_t node) const {
        return target(*out_edges(vertex_of_node(node), graph_).first, graph_);
    }

    [[nodiscard]] bool is_injection(Channel channel) const {
        return is_node(source(channel, graph_));
    }
    [[nodiscard]] bool is_ejection(Channel channel) const {
        return is_node(target(channel, graph_));
    }
    /// Whether distances count it.
    [[nodiscard]] bool is_hop(Channel channel) const;
    /// "(7,0) +x": the sender and the direction.
    [[nodiscard]] std::string channel_name(Channel channel) const;

    /// The same without these of its channels, between which and the rest there must be a way
    /// still.
    [[nodiscard]] Topology without(const std::vector<Channel>& channels) const;
    /// Whether it has all the channels of its family's.
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

/// All of them in the order of their senders. (Boost's edges() are in the order of their making.)
[[nodiscard]] std::vector<Channel> channels_of(const TopologyGraph& graph);

/// "8 x 4".
[[nodiscard]] std::string extents_text(const std::vector<std::int32_t>& extents);

/// Appends the nodes of a direct network, one a switch: node i at switch i, whose port `node_port`
/// is the node's.
void add_node_at_each_switch(int node_port, TopologyGraph& graph);

}  // namespace weir::network
