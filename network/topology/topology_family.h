#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/parameter.h"
#include "network/routing/routing.h"
#include "network/topology/layout.h"
#include "network/topology/topology.h"

namespace weir::network {

struct NetworkParameters;

/// A mean distance in closed form, over all pairs, a node with itself included.
struct DistanceFormula {
    std::string text;  ///< for example "3/4 P^(1/3)", with P nodes
    double hops = 0.0;
    std::string source;
};

/// Source of LogP's formulas of mean distances, which leave out terms of lower order.
inline constexpr const char* kLogpFormulas = "LogP Section 5.1";

/// A topology of any size: a value of network.topology. Each topology's file defines one object of
/// this class; topology_families() is their list.
class TopologyFamily {
  public:
    TopologyFamily(const TopologyFamily&) = delete;
    TopologyFamily& operator=(const TopologyFamily&) = delete;
    virtual ~TopologyFamily() = default;

    /// Value of network.topology, for example "fat_tree".
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }

    /// True if the network parameter (for example "dimensions" or "arity") applies to this
    /// topology.
    [[nodiscard]] bool reads(std::string_view parameter) const;
    /// True if network.dimensions are the extents of the network. Otherwise only their product
    /// counts, as the number of nodes.
    [[nodiscard]] virtual bool has_extents() const { return false; }
    /// Fault of the parameters that the topology reads, if any. The number of nodes must already be
    /// in the range 2 to kMostTopologyNodes.
    [[nodiscard]] virtual std::optional<hw::ParameterGroup::Fault> fault(
        const NetworkParameters& parameters) const;
    /// Builds the topology. The parameters must have passed their checks. Throws PlanFault for an
    /// unusable graph file.
    [[nodiscard]] virtual Topology make(const NetworkParameters& parameters) const = 0;
    /// The topology's grid, without building the topology; empty if it has none.
    [[nodiscard]] virtual std::optional<Lattice> lattice(const NetworkParameters& parameters) const;

    /// The topology's own routing, the default of network.routing.
    [[nodiscard]] virtual std::unique_ptr<Routing> default_routing(
        const Topology& topology, const NetworkParameters& parameters) const = 0;
    /// Up*/down* routing without a table, computed from the switches' positions; null if the
    /// topology has no such routing.
    [[nodiscard]] virtual std::unique_ptr<Routing> up_down_by_place(const Topology& topology) const;
    /// Distance of each switch from the top; empty if the topology does not define it.
    [[nodiscard]] virtual std::optional<std::vector<std::int32_t>> depths(
        const Topology& topology) const;
    /// Classes of virtual channels of the default routing.
    [[nodiscard]] virtual ChannelClasses channel_classes() const { return {}; }

    /// Mean distance in closed form; empty if no formula is known.
    [[nodiscard]] virtual std::optional<DistanceFormula> distance_formula(
        const Topology& topology) const;
    [[nodiscard]] virtual Layout layout(const Topology& topology) const;

  protected:
    TopologyFamily(std::string name, std::string sentence, std::vector<std::string> reads);

  private:
    std::string name_;
    std::string sentence_;
    std::vector<std::string> reads_;
};

/// All topologies; the first one is the default of network.topology.
[[nodiscard]] const std::vector<const TopologyFamily*>& topology_families();

/// Names of the topologies for which `holds` returns true, as text: "mesh, torus or hypercube".
[[nodiscard]] std::string topologies_that(const std::function<bool(const TopologyFamily&)>& holds);

}  // namespace weir::network
