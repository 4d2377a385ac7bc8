#include "experiments/pages/topology/distance_table.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/setup/text/text_table.h"
#include "experiments/setup/text/wrapped_text.h"
#include "network/topology/butterfly.h"
#include "network/topology/fat_tree.h"
#include "network/topology/lattice.h"
#include "network/topology/network_distance.h"
#include "network/topology/topology.h"
#include "network/topology/topology_family.h"

namespace weir::experiments::pages {

namespace {

using network::NetworkTopology;
using network::Topology;

constexpr int kFatTreeArity = 4;

std::optional<int> exponent_of_two(std::int64_t processors) {
    const auto number = static_cast<std::uint64_t>(processors);
    return std::has_single_bit(number) ? std::optional(std::countr_zero(number)) : std::nullopt;
}

// Extents of the cube with the nearest number of nodes; nothing for a single node.
std::optional<std::vector<std::int32_t>> nearest_cube(std::int64_t processors,
                                                      std::size_t dimensions) {
    const auto extent = static_cast<std::int32_t>(std::lround(
        std::pow(static_cast<double>(processors), 1.0 / static_cast<double>(dimensions))));
    return extent > 1 ? std::optional(std::vector<std::int32_t>(dimensions, extent)) : std::nullopt;
}

std::optional<Topology> lattice(std::int64_t processors, std::size_t dimensions, bool end_around) {
    const auto extents = nearest_cube(processors, dimensions);
    if (!extents) {
        return std::nullopt;
    }
    return end_around ? network::torus_topology(*extents) : network::mesh_topology(*extents);
}

std::optional<Topology> built(NetworkTopology network, std::int64_t processors) {
    const std::optional<int> exponent = exponent_of_two(processors);
    switch (network) {
        case NetworkTopology::kHypercube:
            return exponent ? std::optional(network::hypercube_topology(*exponent)) : std::nullopt;
        case NetworkTopology::kButterfly:
            return exponent ? std::optional(network::butterfly_topology(2, *exponent))
                            : std::nullopt;
        case NetworkTopology::kFatTree:
            return network::fat_tree_topology(kFatTreeArity, static_cast<std::int32_t>(processors));
        case NetworkTopology::kTorus3d:
            return lattice(processors, 3, true);
        case NetworkTopology::kMesh3d:
            return lattice(processors, 3, false);
        case NetworkTopology::kTorus2d:
            return lattice(processors, 2, true);
        case NetworkTopology::kMesh2d:
            break;
    }
    return lattice(processors, 2, false);
}

// Text of the formula, which does not depend on P: 64 processors are possible in every network of
// the table.
std::string formula_text(NetworkTopology network) {
    constexpr std::int64_t kAnySize = 64;
    const Topology topology = built(network, kAnySize).value();
    return topology.family().distance_formula(topology).value().text;
}

}  // namespace

std::vector<NetworkDistances> network_distances(std::int64_t processors) {
    std::vector<NetworkDistances> rows;
    for (const NetworkTopology kind : network::kNetworkTopologies) {
        NetworkDistances row{kind, network::asymptotic_network_distance(kind, processors),
                             std::nullopt};
        if (const std::optional<Topology> topology = built(kind, processors)) {
            const std::size_t nodes = topology->node_count();
            const auto closed =
                network::exact_network_distance(kind, static_cast<std::int64_t>(nodes));
            row.searched = {topology->title(), nodes, network::distances_of(*topology),
                            closed ? std::optional(closed->mean) : std::nullopt};
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string distance_table(std::int64_t processors, const std::vector<NetworkDistances>& rows) {
    const bool is_printed = processors == network::kPrintedProcessors;
    std::string page = setup::wrapped(
        fmt::format("Mean distance in hops for P = {}, by LogP's formulas (Section 5.1){} and by "
                    "breadth-first search from every node. \"search\" includes the pairs of a node "
                    "and itself, as the formulas do; \"others\" does not.",
                    processors, is_printed ? ", as printed there," : ""),
        "", "");
    std::vector<std::vector<std::string>> cells;
    std::vector<std::pair<std::string, std::string>> not_searched;
    for (const NetworkDistances& row : rows) {
        const auto& searched = row.searched;
        cells.push_back(
            {std::string(network::network_name(row.kind)), formula_text(row.kind),
             fmt::format("{:.3f}", row.formula_hops),
             is_printed ? fmt::format("{:.5g}", network::printed_network_distance(row.kind)) : "",
             searched ? std::to_string(searched->nodes) : "",
             searched ? fmt::format("{:.3f}", searched->distances.mean_with_itself) : "",
             searched ? fmt::format("{:.3f}", searched->distances.mean_to_others) : "",
             searched ? std::to_string(searched->distances.diameter) : ""});
        if (!searched) {
            not_searched.emplace_back(network::network_name(row.kind),
                                      fmt::format("none: {}", network::network_sizes(row.kind)));
        }
    }
    using setup::column_of_numbers;
    page += setup::text_table(
        {setup::column_of_text(""), setup::column_of_text("formula"), column_of_numbers(""),
         column_of_numbers(is_printed ? "printed" : ""), column_of_numbers("nodes"),
         column_of_numbers("search"), column_of_numbers("others"), column_of_numbers("most")},
        cells);
    page += setup::text_list(not_searched);
    page += setup::wrapped(
        "The fat tree's formula reads 4 log4(P) - 2/3 in print; the value printed is that of 2 "
        "log4(P) - 2/3. Cubes and squares are those nearest to P.",
        "", "");
    return page;
}

nlohmann::ordered_json distance_document(std::int64_t processors,
                                         const std::vector<NetworkDistances>& rows) {
    nlohmann::ordered_json document = {{"processors", processors},
                                       {"networks", nlohmann::ordered_json::array()}};
    for (const NetworkDistances& row : rows) {
        nlohmann::ordered_json entry = {
            {"network", network::network_name(row.kind)},
            {"formula", {{"text", formula_text(row.kind)}, {"hops", row.formula_hops}}}};
        if (processors == network::kPrintedProcessors) {
            entry["printed_hops"] = network::printed_network_distance(row.kind);
        }
        if (row.searched) {
            const network::Distances& distances = row.searched->distances;
            entry["searched"] = {{"title", row.searched->title},
                                 {"nodes", row.searched->nodes},
                                 {"mean_distance_hops",
                                  {{"to_others", distances.mean_to_others},
                                   {"with_itself", distances.mean_with_itself}}},
                                 {"diameter_hops", distances.diameter}};
            if (row.searched->closed_form) {
                entry["searched"]["closed_form_hops"] = *row.searched->closed_form;
            }
        }
        document["networks"].push_back(entry);
    }
    return document;
}

}  // namespace weir::experiments::pages
