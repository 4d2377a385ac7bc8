#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/fault.h"
#include "network/routing/routing.h"
#include "network/topology/topology.h"
#include "network/topology/topology_family.h"

namespace weir::network {

struct NetworkParameters;

/// Properties of one kind of routing.
struct RoutingTraits {
    /// Network parameters that the routing reads, if the topology reads them.
    std::vector<std::string> reads;
    /// Reason why the parameters do not allow this kind on a topology that it routes; null if it
    /// has no restrictions.
    std::optional<hw::Fault> (*fault)(const NetworkParameters& parameters) = nullptr;
    /// Classes of virtual channels; those of the escape channels, if there are any. Null: one
    /// class, or those of the topology for its own routing.
    ChannelClasses (*channel_classes)(const TopologyFamily& family) = nullptr;
    /// True if the routing uses escape channels, and all virtual channels beside them.
    bool has_escapes = false;
    /// True if routers choose among routes by their queues (Routing::chooses_by_queues).
    bool chooses_by_queues = false;
};

/// A value of network.routing. Each routing's file defines one object of this class;
/// routing_kinds() is their list.
class RoutingKind {
  public:
    using Routes = bool (*)(const TopologyFamily& family);
    using Make = std::unique_ptr<Routing> (*)(const Topology& topology,
                                              const NetworkParameters& parameters);
    /// `routes_family` returns true for topologies on which messages can be routed in this way.
    RoutingKind(std::string name, std::string sentence, Routes routes_family, Make make_routing,
                RoutingTraits traits = {});

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }
    [[nodiscard]] const RoutingTraits& traits() const { return traits_; }
    [[nodiscard]] bool routes(const TopologyFamily& family) const { return routes_(family); }
    /// True if the network parameter (for example "routing_order") applies to this routing.
    [[nodiscard]] bool reads(std::string_view parameter) const;
    /// True for the own routing of a topology: the default, or one of its names.
    [[nodiscard]] bool is_topologys_own() const;
    [[nodiscard]] ChannelClasses channel_classes(const TopologyFamily& family) const;
    /// The routing on the virtual channels that it needs, or on all if it has escape channels. The
    /// parameters must have passed their checks. Throws std::invalid_argument for a graph without
    /// routes.
    [[nodiscard]] std::unique_ptr<Routing> make(const Topology& topology,
                                                const NetworkParameters& parameters) const {
        return make_(topology, parameters);
    }

  private:
    std::string name_;
    std::string sentence_;
    Routes routes_;
    Make make_;
    RoutingTraits traits_;
};

/// Makes the topology's own routing (TopologyFamily::default_routing).
[[nodiscard]] std::unique_ptr<Routing> own_routing_of_topology(const Topology& topology,
                                                               const NetworkParameters& parameters);

/// All kinds of routing; the first one is the default of network.routing.
[[nodiscard]] const std::vector<const RoutingKind*>& routing_kinds();

[[nodiscard]] const RoutingKind& dimension_order_routing_kind();
[[nodiscard]] const RoutingKind& e_cube_routing_kind();
[[nodiscard]] const RoutingKind& destination_tag_routing_kind();
[[nodiscard]] const RoutingKind& up_down_routing_kind();
[[nodiscard]] const RoutingKind& minimal_adaptive_routing_kind();

}  // namespace weir::network
