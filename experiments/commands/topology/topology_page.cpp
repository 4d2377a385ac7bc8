#include "experiments/commands/topology/topology_page.h"

#include <fmt/format.h>

#include "experiments/pages/text_table.h"
#include "experiments/setup/text/wrapped_text.h"
#include "network/topology/topology_family.h"

namespace weir::experiments::commands {

namespace {

std::string hop_text(network::CountedHops counted) {
    if (counted.injection && counted.ejection) {
        return "a channel, those of the nodes too";
    }
    return counted.ejection ? "a switch passed" : "a channel between routers";
}

std::string line(const char* what, const std::string& text) {
    return setup::wrapped(text, fmt::format("  {:<16}", what), std::string(18, ' '));
}

// Nothing where there is none.
std::string formula_line(const network::Topology& topology) {
    const auto formula = topology.family().distance_formula(topology);
    return formula
               ? line("by formula", fmt::format("{} = {} hops ({})", formula->text,
                                                pages::number_text(formula->hops), formula->source))
               : "";
}

}  // namespace

TopologyFigures figures_of(const network::Topology& topology) {
    return {network::degrees_of(topology), network::hop_channels_of(topology),
            network::distances_of(topology), network::bisection_of(topology)};
}

std::string bisection_text(const network::Bisection& bisection) {
    return fmt::format("{} channel{} each way, {}: {}", bisection.channels,
                       bisection.channels == 1 ? "" : "s",
                       bisection.is_exact ? "exact" : "an upper bound", bisection.source);
}

std::string topology_page(const network::Topology& topology, const TopologyFigures& figures) {
    const network::Degrees& degrees = figures.degrees;
    const network::Distances& distances = figures.distances;
    return topology.title() + "\n" + line("nodes", std::to_string(topology.node_count())) +
           line("switches", std::to_string(topology.switch_count())) +
           line("channels", std::to_string(figures.hop_channels) + ", one a direction") +
           line("degree", degrees.least == degrees.largest
                              ? std::to_string(degrees.largest)
                              : fmt::format("{} to {}", degrees.least, degrees.largest)) +
           line("diameter",
                fmt::format("{} hop{}", distances.diameter, distances.diameter == 1 ? "" : "s")) +
           line("mean distance",
                fmt::format("{} hops to other nodes, {} with the sender itself among the receivers",
                            pages::number_text(distances.mean_to_others),
                            pages::number_text(distances.mean_with_itself))) +
           formula_line(topology) + line("bisection", bisection_text(figures.bisection)) +
           line("a hop is", hop_text(topology.counted()));
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

}  // namespace weir::experiments::commands
