#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "network/routing/routing_kind.h"
#include "network/topology/topology.h"

/// Which way a message goes, as a function that a proof can be made of: the routers' hardware would
/// be tables of it.
namespace weir::network {

/// Where a header is: in a switch, come in by a port on a virtual channel.
struct HeaderPlace {
    std::size_t vertex = 0;
    int input_port = 0;
    int virtual_channel = 0;
    int lot = 0;  ///< the message's, of Routing::lots()
};

/// What a header asks for: an output port, and a virtual channel of the channel there.
struct RoutedOutput {
    int port = 0;
    int virtual_channel = 0;
    /// What keeps adaptive routing from deadlock.
    bool is_escape = false;
    bool operator==(const RoutedOutput&) const = default;
};

/// Routing on one topology, which must stay. Nodes inject on virtual channel 0.
class Routing {
  public:
    explicit Routing(const Topology& topology) : topology_(topology) {}
    Routing(const Routing&) = delete;
    Routing& operator=(const Routing&) = delete;
    virtual ~Routing() = default;

    [[nodiscard]] const Topology& topology() const { return topology_; }
    /// Of each channel.
    [[nodiscard]] virtual int virtual_channels() const { return 1; }
    /// How many lots there are: a message draws one when it is sent, each as likely as any other,
    /// and keeps it. Where there is one, nothing is drawn.
    [[nodiscard]] virtual int lots() const { return 1; }
    /// Whether outputs() depends on where the header came in.
    [[nodiscard]] virtual bool looks_at_input() const { return true; }
    /// Destinations with the same outputs, whatever the input and the lot, may be one to a switch:
    /// how many are different there, and which one a destination is, from 0. What keeps a table of
    /// outputs keeps it of those.
    [[nodiscard]] virtual std::size_t ways(std::size_t /*vertex*/) const {
        return topology_.node_count();
    }
    [[nodiscard]] virtual std::size_t way_to(std::size_t /*vertex*/,
                                             std::size_t destination) const {
        return destination;
    }
    /// The links between switches on any way from a switch to a node, if the routing knows them
    /// without following one. All ways are as long, and each of their links is a hop.
    [[nodiscard]] virtual std::optional<std::int32_t> hops_to(std::size_t /*vertex*/,
                                                              std::size_t /*destination*/) const {
        return std::nullopt;
    }
    /// Whether it is adaptive, and escapes alone keep it from deadlock: then its virtual channels
    /// that are escapes are never asked for otherwise.
    [[nodiscard]] virtual bool has_escape() const { return false; }
    /// The outputs that a message to `destination` may take; several where it may choose. At least
    /// one wherever a message can come. What leads to the node is one of them at the last switch.
    [[nodiscard]] std::vector<RoutedOutput> outputs(const HeaderPlace& place,
                                                    std::size_t destination) const;
    /// The same, appended: what looks at all places and destinations keeps one list for it.
    virtual void add_outputs(const HeaderPlace& place, std::size_t destination,
                             std::vector<RoutedOutput>& outputs) const = 0;

  private:
    const Topology& topology_;
};

/// Mesh: one dimension after the other, in the order given (0 is x), each on its shortest way.
/// Throws std::invalid_argument unless `order` names each dimension once.
[[nodiscard]] std::unique_ptr<Routing> dimension_order_routing(const Topology& mesh,
                                                               std::vector<std::size_t> order);

/// Torus: the same, the shorter way around each ring.
[[nodiscard]] std::unique_ptr<Routing> torus_dimension_order_routing(const Topology& torus,
                                                                     std::vector<std::size_t> order,
                                                                     RingRules rules = {});

/// Hypercube: flips the lowest bit that is wrong.
[[nodiscard]] std::unique_ptr<Routing> e_cube_routing(const Topology& hypercube);

/// Fat trees, and graphs whose channels have one back: first only up, then only down, by the
/// shortest of such ways; where several are, any. Up is towards the root: in a fat tree a level up;
/// in a graph nearer to its first switch, or as near and to a switch with a smaller number
/// (Autonet: Schroeder et al. 1991). Ways in a graph may be longer than the shortest of all. Throws
/// std::invalid_argument when a pair of nodes has no such way, or a node has none to itself.
[[nodiscard]] std::unique_ptr<Routing> up_down_routing(const Topology& topology);

/// Mesh, torus, hypercube: any shortest way, by what is free, or the way that `escape` takes, a
/// routing of the same topology that is free of deadlock. The first virtual channels are the
/// escape's, all others are free to any message that is not to stay in escapes (Duato 1993). Throws
/// std::invalid_argument where there are no others, on other topologies, and for an adaptive
/// escape or one that looks at the input.
[[nodiscard]] std::unique_ptr<Routing> minimal_adaptive_routing(std::unique_ptr<Routing> escape,
                                                                int virtual_channels,
                                                                EscapeRules rules = {});

/// The same ways on more virtual channels: a multiple of the routing's own, of which each becomes
/// as many, any of them free to a message. Throws std::invalid_argument for another number, and for
/// a routing with escapes.
[[nodiscard]] std::unique_ptr<Routing> spread_over(std::unique_ptr<Routing> routing,
                                                   int virtual_channels);

/// The channels of a topology by number, and by where they begin and end.
class ChannelIndex {
  public:
    /// The topology must stay.
    explicit ChannelIndex(const Topology& topology);

    [[nodiscard]] std::size_t count() const { return channels_.size(); }
    [[nodiscard]] Channel channel(std::size_t number) const { return channels_[number]; }
    /// The number of the channel at a vertex's output port.
    [[nodiscard]] std::size_t at_output(std::size_t vertex, int port) const {
        return outputs_[first_output_[vertex] + port];
    }

  private:
    std::vector<Channel> channels_;
    std::vector<std::size_t> first_output_;  // of each vertex: where its port 0 is in the next
    std::vector<std::size_t> outputs_;       // numbers; of ports without a channel none
};

}  // namespace weir::network
