#include "experiments/pages/topology/topology_page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/setup/text/text_table.h"
#include "network/topology/topology_family.h"

namespace weir::experiments::pages {

namespace {

std::string hop_text(network::CountedHops counted) {
    if (counted.injection && counted.ejection) {
        return "all channels, including those of nodes";
    }
    return counted.ejection ? "switches on the route" : "channels between routers";
}

}  // namespace

TopologyFigures figures_of(const network::Topology& topology) {
    return {network::degrees_of(topology), network::hop_channels_of(topology),
            network::distances_of(topology), network::bisection_of(topology)};
}

std::string bisection_text(const network::Bisection& bisection) {
    return fmt::format("{} channel{} in each direction, {}: {}", bisection.channels,
                       bisection.channels == 1 ? "" : "s",
                       bisection.is_exact ? "exact" : "an upper bound", bisection.source);
}

std::string topology_page(const network::Topology& topology, const TopologyFigures& figures) {
    const network::Degrees& degrees = figures.degrees;
    const network::Distances& distances = figures.distances;
    std::vector<std::pair<std::string, std::string>> facts{
        {"nodes", std::to_string(topology.node_count())},
        {"switches", std::to_string(topology.switch_count())},
        {"channels", std::to_string(figures.hop_channels) + ", one per direction"},
        {"degree", degrees.least == degrees.largest
                       ? std::to_string(degrees.largest)
                       : fmt::format("{} to {}", degrees.least, degrees.largest)},
        {"diameter",
         fmt::format("{} hop{}", distances.diameter, distances.diameter == 1 ? "" : "s")},
        {"mean distance",
         fmt::format("{} hops to other nodes, {} over all pairs, including a node and itself",
                     setup::number_text(distances.mean_to_others),
                     setup::number_text(distances.mean_with_itself))}};
    if (const auto formula = topology.family().distance_formula(topology)) {
        facts.emplace_back("by formula",
                           fmt::format("{} = {} hops ({})", formula->text,
                                       setup::number_text(formula->hops), formula->source));
    }
    facts.emplace_back("bisection", bisection_text(figures.bisection));
    facts.emplace_back("hops counted", hop_text(topology.counted()));
    constexpr std::size_t kWidth = 14;
    return topology.title() + "\n" + setup::text_list(facts, 2, kWidth);
}

nlohmann::ordered_json topology_document(const network::Topology& topology,
                                         const TopologyFigures& figures) {
    const network::Distances& distances = figures.distances;
    nlohmann::ordered_json document = {
        {"title", topology.title()},
        {"kind", topology.family().name()},
        {"nodes", topology.node_count()},
        {"switches", topology.switch_count()},
        {"channels", figures.hop_channels},
        {"degree", {{"least", figures.degrees.least}, {"largest", figures.degrees.largest}}},
        {"diameter_hops", distances.diameter},
        {"mean_distance_hops",
         {{"to_others", distances.mean_to_others}, {"with_itself", distances.mean_with_itself}}},
        {"bisection",
         {{"channels", figures.bisection.channels},
          {"is_exact", figures.bisection.is_exact},
          {"source", figures.bisection.source}}},
        {"hop", hop_text(topology.counted())}};
    if (const auto formula = topology.family().distance_formula(topology)) {
        document["distance_formula"] = {{"text", formula->text}, {"hops", formula->hops}};
    }
    return document;
}

}  // namespace weir::experiments::pages
