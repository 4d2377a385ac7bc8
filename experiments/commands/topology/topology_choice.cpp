#include "experiments/commands/topology/topology_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "experiments/kinds/topologies.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/setup/files/experiment_file.h"
#include "experiments/setup/files/study.h"
#include "experiments/setup/user_fault.h"
#include "network/network_parameters.h"
#include "network/network_plan.h"
#include "network/topology/graph_file.h"

namespace weir::experiments::commands {

namespace {

using network::Topology;
using network::TopologyFamily;
using setup::UserFault;

constexpr const char* kWhatIsAccepted =
    "FILE.toml, FILE.graphml, FILE.dot, FILE.gv, or --topology NAME";

void refuse(bool is_given, const char* option, const std::string& name,
            const std::string& accepted) {
    if (is_given) {
        throw UserFault({option}, fmt::format("has no effect on a {}", name), accepted);
    }
}

void set_topology(network::NetworkParameters& parameters, const std::string& name) {
    const std::vector<std::string>& names = TopologyRequest::names();
    if (std::find(names.begin(), names.end(), name) == names.end() ||
        !parameters.topology.set(name)) {
        throw setup::unknown_name({"--topology"}, "topology", name, names);
    }
}

void set_dimensions(network::NetworkParameters& parameters, const char* option,
                    const std::vector<std::int64_t>& extents) {
    for (const std::int64_t extent : extents) {
        if (!parameters.dimensions.set(std::vector{extent})) {
            throw UserFault({option}, fmt::format("found {}", extent),
                            parameters.dimensions.accepted());
        }
    }
    static_cast<void>(parameters.dimensions.set(extents));
}

// Topology of the options, checked as the same keys under [network] of a file.
Topology named_topology(const TopologyRequest& request) {
    const std::string& name = request.name;
    network::NetworkParameters parameters;
    set_topology(parameters, name);
    refuse(!request.set_options.empty(), "--set", name, "--set with an experiment");
    const TopologyFamily& family = *parameters.topology.value();
    refuse(family.has_extents() && request.nodes, "--nodes", name, "--dimensions");
    refuse(!family.reads(parameters.arity.name()) && request.arity, "--arity", name,
           "--topology " + network::topologies_that([&](const TopologyFamily& other) {
               return other.reads(parameters.arity.name());
           }));
    refuse(request.nodes && !request.dimensions.empty(), "--nodes", name + " with --dimensions",
           "one of them");
    if (!request.nodes && request.dimensions.empty()) {
        throw UserFault({"--topology " + name},
                        family.has_extents() ? "--dimensions is missing" : "--nodes is missing",
                        family.has_extents()
                            ? "the extent of each dimension: --dimensions 8,4"
                            : "the number of nodes, or --dimensions, whose product is this number");
    }
    const char* const shape = request.nodes ? "--nodes" : "--dimensions";
    set_dimensions(parameters, shape,
                   request.nodes ? std::vector{*request.nodes} : request.dimensions);
    if (request.arity && !parameters.arity.set(*request.arity)) {
        throw UserFault({"--arity"}, fmt::format("found {}", *request.arity),
                        parameters.arity.accepted());
    }
    if (const auto fault = parameters.check()) {
        throw UserFault({shape}, *fault);
    }
    return network::make_topology(parameters);
}

Topology graph_in(const std::string& file) {
    network::NetworkParameters parameters;
    static_cast<void>(parameters.topology.set(std::string("graph")));
    static_cast<void>(parameters.graph_file.set(file));
    try {
        return network::make_topology(parameters);
    } catch (const network::PlanFault& fault) {
        throw UserFault({}, fault.fault());
    }
}

std::vector<Topology> topologies_of_experiment(const TopologyRequest& request) {
    if (setup::read_study(request.file)) {
        throw UserFault({request.file}, "a study, whose parts have networks of their own",
                        "one of its parts");
    }
    return kinds::topologies_of(setup::ExperimentFile::read(
        request.file, running::default_run_options().presets, request.set_options));
}

}  // namespace

const std::vector<std::string>& TopologyRequest::names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> of_dimensions;
        for (const TopologyFamily* family : network::topology_families()) {
            if (family->reads("dimensions")) {
                of_dimensions.push_back(family->name());
            }
        }
        return of_dimensions;
    }();
    return names;
}

std::vector<Topology> chosen_topologies(const TopologyRequest& request) {
    if (request.file.empty() == request.name.empty()) {
        throw UserFault(
            {"weir topology show"},
            request.file.empty() ? "no topology is named" : "a file and --topology are both given",
            kWhatIsAccepted);
    }
    if (!request.name.empty()) {
        return {named_topology(request)};
    }
    refuse(!request.dimensions.empty(), "--dimensions", "file", "--dimensions with --topology");
    refuse(request.nodes.has_value(), "--nodes", "file", "--nodes with --topology");
    refuse(request.arity.has_value(), "--arity", "file", "--arity with --topology");
    if (std::filesystem::path(request.file).extension() == ".toml") {
        return topologies_of_experiment(request);
    }
    if (!network::graph_format(request.file)) {
        throw UserFault({request.file},
                        "neither an experiment nor a graph, by the ending of its name",
                        kWhatIsAccepted);
    }
    refuse(!request.set_options.empty(), "--set", "graph", "--set with an experiment");
    return {graph_in(request.file)};
}

}  // namespace weir::experiments::commands
