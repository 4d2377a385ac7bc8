#include "experiments/commands/topology_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "experiments/commands/default_run_options.h"
#include "experiments/config/experiment_file.h"
#include "experiments/config/study.h"
#include "experiments/config/user_fault.h"
#include "experiments/run/setup.h"
#include "network/network_plan.h"
#include "network/topology/butterfly.h"
#include "network/topology/fat_tree.h"
#include "network/topology/graph_file.h"
#include "network/topology/lattice.h"

namespace weir::experiments::commands {

namespace {

using config::UserFault;
using network::Topology;

constexpr std::int64_t kMostNodes = network::kMostTopologyNodes;
constexpr std::size_t kMostDimensions = 8;
constexpr std::int64_t kDefaultRadix = 2;
constexpr std::int64_t kMostRadix = 64;
constexpr const char* kWhatIsAccepted =
    "FILE.toml, FILE.graphml, FILE.dot, FILE.gv, or --topology NAME";

void refuse(bool is_given, const char* option, const std::string& name,
            const std::string& accepted) {
    if (is_given) {
        throw UserFault({option}, fmt::format("has no effect on a {}", name), accepted);
    }
}

std::vector<std::int32_t> checked_extents(const TopologyRequest& request) {
    const std::string accepted =
        fmt::format("1 to {} whole numbers from 1 on, 2 to {} nodes in all: --dimensions 8,4",
                    kMostDimensions, kMostNodes);
    if (request.dimensions.empty()) {
        throw UserFault({"--topology " + request.name}, "--dimensions is missing", accepted);
    }
    std::vector<std::int32_t> extents;
    std::int64_t nodes = 1;
    for (const std::int64_t extent : request.dimensions) {
        if (extent < 1 || extent > kMostNodes) {
            throw UserFault({"--dimensions"}, fmt::format("found {}", extent), accepted);
        }
        nodes = std::min(nodes * extent, kMostNodes + 1);
        extents.push_back(static_cast<std::int32_t>(extent));
    }
    if (extents.size() > kMostDimensions) {
        throw UserFault({"--dimensions"}, fmt::format("{} dimensions", extents.size()), accepted);
    }
    if (nodes < 2 || nodes > kMostNodes) {
        throw UserFault({"--dimensions"},
                        nodes < 2 ? "makes a single node" : "makes too many nodes", accepted);
    }
    return extents;
}

std::int64_t checked_nodes(const TopologyRequest& request, const std::string& accepted) {
    if (!request.nodes) {
        throw UserFault({"--topology " + request.name}, "--nodes is missing", accepted);
    }
    if (*request.nodes < 2 || *request.nodes > kMostNodes) {
        throw UserFault({"--nodes"}, fmt::format("found {}", *request.nodes), accepted);
    }
    return *request.nodes;
}

// The exponent when it is a power of the radix.
int checked_power(const TopologyRequest& request, std::int64_t radix, const std::string& accepted) {
    const std::int64_t nodes = checked_nodes(request, accepted);
    int exponent = 0;
    std::int64_t power = 1;
    while (power < nodes) {
        power *= radix;
        ++exponent;
    }
    if (power != nodes) {
        throw UserFault({"--nodes"}, fmt::format("found {}, no power of {}", nodes, radix),
                        accepted);
    }
    return exponent;
}

int checked_radix(const TopologyRequest& request) {
    const std::int64_t radix = request.radix.value_or(kDefaultRadix);
    if (radix < 2 || radix > kMostRadix) {
        throw UserFault({"--radix"}, fmt::format("found {}", radix),
                        fmt::format("2 to {}", kMostRadix));
    }
    return static_cast<int>(radix);
}

Topology named_topology(const TopologyRequest& request) {
    const std::string& name = request.name;
    refuse(!request.set_options.empty(), "--set", name, "--set with an experiment");
    if (name == "mesh" || name == "torus") {
        refuse(request.nodes.has_value(), "--nodes", name, "--dimensions");
        refuse(request.radix.has_value(), "--radix", name, "--dimensions");
        const std::vector<std::int32_t> extents = checked_extents(request);
        return name == "mesh" ? network::mesh_topology(extents) : network::torus_topology(extents);
    }
    refuse(!request.dimensions.empty(), "--dimensions", name,
           name == "hypercube" ? "--nodes" : "--nodes and --radix");
    const std::string range = fmt::format("from 2 to {}", kMostNodes);
    if (name == "hypercube") {
        refuse(request.radix.has_value(), "--radix", name, "--nodes");
        return network::hypercube_topology(checked_power(request, 2, "a power of 2 " + range));
    }
    if (name == "butterfly") {
        const int radix = checked_radix(request);
        return network::butterfly_topology(
            radix,
            checked_power(request, radix, fmt::format("a power of {} (--radix) {}", radix, range)));
    }
    if (name == "fat-tree") {
        const int radix = checked_radix(request);
        return network::fat_tree_topology(
            radix, static_cast<std::int32_t>(checked_nodes(request, "a whole number " + range)));
    }
    throw config::unknown_name({"--topology"}, "topology", name, TopologyRequest::names());
}

Topology graph_in(const std::string& file, network::GraphFormat format) {
    if (std::filesystem::is_directory(file)) {
        throw UserFault({file}, "is a folder", kWhatIsAccepted);
    }
    std::ifstream in(file);
    if (!in) {
        throw UserFault({file}, "the file can't be read", "a file that is there and can be read");
    }
    try {
        return network::read_graph(in, format,
                                   "graph " + std::filesystem::path(file).filename().string());
    } catch (const network::GraphFault& fault) {
        throw UserFault(config::Place{file}.text() + ": " + fault.what());
    }
}

std::vector<Topology> topologies_of_experiment(const TopologyRequest& request) {
    if (config::read_study(request.file)) {
        throw UserFault({request.file}, "a study, whose parts have networks of their own",
                        "one of its parts");
    }
    const auto file = config::ExperimentFile::read(request.file, default_run_options().presets,
                                                   request.set_options);
    using Key =
        std::tuple<network::TopologyKind, std::vector<std::int64_t>, std::int64_t, std::string>;
    std::vector<Key> found;
    std::vector<Topology> topologies;
    for (std::size_t point = 0; point < file.points().size(); ++point) {
        const config::SelectedRun selected(point);
        const auto setup = file.names_kernel(selected) ? run::make_setup(file, selected)
                                                       : run::make_machine(file, selected);
        const network::NetworkParameters& parameters = setup->machine.network;
        const Key key{parameters.topology.value(), parameters.dimensions.value(),
                      parameters.arity.value(), parameters.graph_file.value()};
        if (std::find(found.begin(), found.end(), key) == found.end()) {
            found.push_back(key);
            topologies.push_back(network::make_topology(parameters));
        }
    }
    return topologies;
}

}  // namespace

const std::vector<std::string>& TopologyRequest::names() {
    static const std::vector<std::string> names{"mesh", "torus", "hypercube", "butterfly",
                                                "fat-tree"};
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
    refuse(request.radix.has_value(), "--radix", "file", "--radix with --topology");
    const std::string extension = std::filesystem::path(request.file).extension().string();
    if (extension == ".toml") {
        return topologies_of_experiment(request);
    }
    refuse(!request.set_options.empty(), "--set", "graph", "--set with an experiment");
    if (extension == ".graphml") {
        return {graph_in(request.file, network::GraphFormat::kGraphMl)};
    }
    if (extension == ".dot" || extension == ".gv") {
        return {graph_in(request.file, network::GraphFormat::kDot)};
    }
    throw UserFault({request.file}, "neither an experiment nor a graph, by its name's end",
                    kWhatIsAccepted);
}

}  // namespace weir::experiments::commands
