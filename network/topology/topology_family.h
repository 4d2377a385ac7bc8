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

/// A mean distance in closed form: over all pairs, a node and itself included.
struct DistanceFormula {
    std::string text;  ///< "3/4 P^(1/3)", P being the number of nodes
    double hops = 0.0;
    std::string source;
};

/// Where LogP has its formulas of mean distances, without the terms that grow less than the leading
/// one.
inline constexpr const char* kLogpFormulas = "LogP Section 5.1";

/// The virtual channels of a channel that a routing tells apart, to be free of deadlock.
struct ChannelClasses {
    int count = 1;
    std::string
        reason;  ///< "a torus has two classes of as many, which keep its rings from deadlock"
};

/// A topology of any size: what network.topology can name. All that is to be known of one stands in
/// its own file, which makes one object of this; the list of them is topology_families().
class TopologyFamily {
  public:
    TopologyFamily(const TopologyFamily&) = delete;
    TopologyFamily& operator=(const TopologyFamily&) = delete;
    virtual ~TopologyFamily() = default;

    [[nodiscard]] const std::string& name() const { return name_; }  ///< "fat_tree"
    [[nodiscard]] const std::string& sentence() const { return sentence_; }

    /// Whether this parameter of the network says something about it: "dimensions", "arity".
    [[nodiscard]] bool reads(std::string_view parameter) const;
    /// Whether the dimensions are those of the network, and not only factors of the nodes' number.
    [[nodiscard]] virtual bool has_extents() const { return false; }
    /// What of the parameters that it reads can't be, where there are 2 to kMostTopologyNodes
    /// nodes.
    [[nodiscard]] virtual std::optional<hw::ParameterGroup::Fault> fault(
        const NetworkParameters& parameters) const;
    /// Of checked parameters. Throws PlanFault for a file that can't be used.
    [[nodiscard]] virtual Topology make(const NetworkParameters& parameters) const = 0;
    /// What make() says of it as a grid, without making it.
    [[nodiscard]] virtual std::optional<Lattice> lattice(const NetworkParameters& parameters) const;

    /// Whether network.routing may say this; the default is always possible.
    [[nodiscard]] virtual bool is_routed_by(RoutingKind routing) const = 0;
    [[nodiscard]] virtual std::unique_ptr<Routing> default_routing(
        const Topology& topology, const NetworkParameters& parameters) const = 0;
    /// First up, then down, where the switches' places say it without a table.
    [[nodiscard]] virtual std::unique_ptr<Routing> up_down_by_place(const Topology& topology) const;
    /// How far each switch is from the top, where its place says so.
    [[nodiscard]] virtual std::optional<std::vector<std::int32_t>> depths(
        const Topology& topology) const;
    /// Of the default routing.
    [[nodiscard]] virtual ChannelClasses channel_classes() const { return {}; }

    /// Nothing where no formula is known.
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

/// All of them; the first is the one that is taken unless another is named.
[[nodiscard]] const std::vector<const TopologyFamily*>& topology_families();

/// The names of those for which it holds, as a list in words: "mesh, torus or hypercube".
[[nodiscard]] std::string topologies_that(const std::function<bool(const TopologyFamily&)>& holds);

}  // namespace weir::network
