#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "network/routing/routing_rules.h"
#include "network/topology/topology.h"

/// Routing as a function, from which deadlock freedom can be proved. Routers in hardware would have
/// tables of it.
namespace weir::network {

/// Position of a header: the switch, and the port and virtual channel by which it arrived.
struct HeaderPlace {
    std::size_t vertex = 0;
    int input_port = 0;
    int virtual_channel = 0;
    int lot = 0;  ///< the message's lot, less than Routing::lots()
};

/// Classes of virtual channels that a routing needs to be deadlock-free.
struct ChannelClasses {
    int count = 1;
    std::string reason;  ///< reason shown in messages: "a torus has two classes of ..."
    /// True if the routing works with a single virtual channel, too, and is not deadlock-free then.
    bool may_be_one = true;
};

/// A request of a header: an output port, and a virtual channel of the channel there.
struct RoutedOutput {
    int port = 0;
    int virtual_channel = 0;
    /// True for an escape channel, which keeps adaptive routing deadlock-free.
    bool is_escape = false;
    bool operator==(const RoutedOutput&) const = default;
};

/// Two routes of a message, between which its first router chooses by the queues at their first
/// outputs (Routing::choice_at).
struct RouteChoice {
    struct Route {
        int lot = 0;            ///< lot of a message that takes this route
        int port = 0;           ///< output port of the first router
        std::int64_t hops = 0;  ///< channels between routers
    };
    Route minimal;
    Route other;
    /// Flits by which the queue of the minimal route may be longer, beside the rule of lot().
    std::int64_t threshold_flits = 0;

    /// Lot of the chosen route, from the flits queued for both ports. The estimated delay of a
    /// route is its queue times its hops (Singh 2005, UGAL). The minimal route is chosen unless
    /// the other one's delay is shorter.
    [[nodiscard]] int lot(std::int64_t minimal_queue, std::int64_t other_queue) const {
        return (minimal_queue - threshold_flits) * minimal.hops <= other_queue * other.hops
                   ? minimal.lot
                   : other.lot;
    }
};

/// Routing on one topology, which must outlive this object. Nodes inject on virtual channel 0.
class Routing {
  public:
    explicit Routing(const Topology& topology) : topology_(topology) {}
    Routing(const Routing&) = delete;
    Routing& operator=(const Routing&) = delete;
    virtual ~Routing() = default;

    [[nodiscard]] const Topology& topology() const { return topology_; }
    /// Number of virtual channels of each physical channel.
    [[nodiscard]] virtual int virtual_channels() const { return 1; }
    /// Number of lots. Each message draws one when it is sent, and keeps it. If there is a single
    /// lot, nothing is drawn.
    [[nodiscard]] virtual int lots() const { return 1; }
    /// Number of lots that a message between two nodes may draw, each with the same probability.
    [[nodiscard]] virtual std::size_t lots_between(std::size_t /*source*/,
                                                   std::size_t /*destination*/) const {
        return lots();
    }
    /// One of these lots, by its number from 0.
    [[nodiscard]] virtual int lot_between(std::size_t /*source*/, std::size_t /*destination*/,
                                          std::size_t number) const {
        return static_cast<int>(number);
    }
    /// True if all routes between two nodes have the same length, whichever lot is drawn.
    [[nodiscard]] virtual bool has_equal_routes() const { return true; }
    /// True if messages choose a route at their first router, by its queues (choice_at).
    [[nodiscard]] virtual bool chooses_by_queues() const { return false; }
    /// The choice of a message with this lot at its first router; nullopt if it has none.
    [[nodiscard]] virtual std::optional<RouteChoice> choice_at(std::size_t /*vertex*/,
                                                               std::size_t /*destination*/,
                                                               int /*lot*/) const {
        return std::nullopt;
    }
    /// True if outputs() depends on the port and virtual channel by which the header arrived.
    [[nodiscard]] virtual bool looks_at_input() const { return true; }
    /// Number of destination classes at a switch. All destinations of a class have the same
    /// outputs, for each input and lot.
    [[nodiscard]] virtual std::size_t destination_classes(std::size_t /*vertex*/) const {
        return topology_.node_count();
    }
    [[nodiscard]] virtual std::size_t destination_class(std::size_t /*vertex*/,
                                                        std::size_t destination) const {
        return destination;
    }
    /// Number of message classes at a switch. All messages of a class have the same outputs, for
    /// each input. Tables of outputs have one entry per class.
    [[nodiscard]] virtual std::size_t message_classes(std::size_t vertex) const {
        return destination_classes(vertex) * lots();
    }
    [[nodiscard]] virtual std::size_t message_class(std::size_t vertex, std::size_t destination,
                                                    int lot) const {
        return destination_class(vertex, destination) * lots() + lot;
    }
    /// Number of router-to-router links on each route from a switch to a node, if the routing can
    /// compute it without following a route. All routes must have the same length, and each link
    /// must be a hop.
    [[nodiscard]] virtual std::optional<std::int32_t> hops_to(std::size_t /*vertex*/,
                                                              std::size_t /*destination*/) const {
        return std::nullopt;
    }
    /// True if the routing is adaptive and relies on escape channels against deadlock. Virtual
    /// channels that are escapes are then never requested as ordinary ones.
    [[nodiscard]] virtual bool has_escape() const { return false; }
    /// Order in which messages go through a lattice's dimensions, if their channels in a dimension
    /// depend on the positions in this dimension alone; else empty.
    [[nodiscard]] virtual std::span<const std::size_t> dimension_order() const { return {}; }
    /// The same routing in a single ring, or row: a lattice of one dimension, which must outlive
    /// the result. Requires a dimension_order().
    [[nodiscard]] virtual std::unique_ptr<Routing> on_ring(const Topology& /*ring*/) const {
        return nullptr;
    }
    /// A routing whose routes are those of this one's lots together, on the same virtual channels;
    /// null if there is none. With many lots, the proof follows its routes instead.
    [[nodiscard]] virtual std::shared_ptr<const Routing> of_all_lots() const { return nullptr; }
    /// The routing of both phases, if a message goes first to a node that its lot names, and then
    /// to its destination; otherwise null. The second phase has virtual channels of its own, with
    /// the numbers after those of the first.
    [[nodiscard]] virtual std::shared_ptr<const Routing> of_a_phase() const { return nullptr; }
    /// The outputs that a message to `destination` may request; several if the routing has a
    /// choice. At least one output is allowed at each place that a message can reach. At the last
    /// switch the output to the node is among them.
    [[nodiscard]] std::vector<RoutedOutput> outputs(const HeaderPlace& place,
                                                    std::size_t destination) const;
    /// Appends the outputs to a list. Callers that visit all places and destinations reuse one
    /// list.
    virtual void add_outputs(const HeaderPlace& place, std::size_t destination,
                             std::vector<RoutedOutput>& outputs) const = 0;

  private:
    const Topology& topology_;
};

/// Mesh: minimal dimension-order routing, in the order given (0 is x). Throws std::invalid_argument
/// unless `order` names each dimension once.
[[nodiscard]] std::unique_ptr<Routing> dimension_order_routing(const Topology& mesh,
                                                               std::vector<std::size_t> order);

/// Torus: dimension-order routing, in the shorter direction around each ring.
[[nodiscard]] std::unique_ptr<Routing> torus_dimension_order_routing(const Topology& torus,
                                                                     std::vector<std::size_t> order,
                                                                     RingRules rules = {});

/// Hypercube: flips the lowest differing bit.
[[nodiscard]] std::unique_ptr<Routing> e_cube_routing(const Topology& hypercube);

/// Up*/down* routing for fat trees, and for graphs whose channels all have a channel back (Autonet:
/// Schroeder et al. 1991). A route goes first only up, then only down; all shortest such routes are
/// allowed. Up is towards the root. In a fat tree an up channel leads one level up. In a graph an
/// up channel leads to a switch nearer to the first switch, or as near and with a smaller number.
/// Routes in a graph may be longer than the shortest paths. Throws std::invalid_argument if a pair
/// of nodes has no such route, or a node has none to itself.
[[nodiscard]] std::unique_ptr<Routing> up_down_routing(const Topology& topology);

/// Mesh, torus, hypercube: minimal adaptive routing with escape channels (Duato 1993). A message
/// may request any free virtual channel on a shortest path, or the escape channel. `escape` is a
/// deadlock-free routing of the same topology, which uses the first virtual channels. Messages that
/// must stay in escape channels request no others. Throws std::invalid_argument if there are no
/// other virtual channels, for other topologies, and for an `escape` that is adaptive or looks at
/// the input.
[[nodiscard]] std::unique_ptr<Routing> minimal_adaptive_routing(std::unique_ptr<Routing> escape,
                                                                int virtual_channels,
                                                                EscapeRules rules = {});

/// The same routes on more virtual channels: a multiple of the routing's own. Each of the routing's
/// virtual channels is replaced by an equal number, all open to its messages. Throws
/// std::invalid_argument for a number that is no multiple, and for a routing with escape channels.
[[nodiscard]] std::unique_ptr<Routing> spread_over(std::unique_ptr<Routing> routing,
                                                   int virtual_channels);

/// Channels of a topology by number, and by their source and output port.
class ChannelIndex {
  public:
    /// `topology` must outlive this object.
    explicit ChannelIndex(const Topology& topology);

    [[nodiscard]] std::size_t count() const { return channels_.size(); }
    [[nodiscard]] Channel channel(std::size_t number) const { return channels_[number]; }
    /// Number of the channel at a vertex's output port.
    [[nodiscard]] std::size_t at_output(std::size_t vertex, int port) const {
        return outputs_[first_output_[vertex] + port];
    }

  private:
    std::vector<Channel> channels_;
    std::vector<std::size_t> first_output_;  // by vertex: index of its port 0 in outputs_
    std::vector<std::size_t> outputs_;  // channel numbers; undefined for ports without a channel
};

}  // namespace weir::network
