#include "experiments/run/open_loop_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "experiments/config/user_fault.h"
#include "experiments/run/traffic_network.h"
#include "network/network_plan.h"
#include "network/traffic/traffic_sources.h"

namespace weir::experiments::run {

namespace {

using network::PatternKind;
using network::SourceKind;

bool is_given(const hw::ParameterBase& parameter) {
    return parameter.value_as_variant() != parameter.default_as_variant();
}

// A packet that is switched whole never gets on where a buffer has no room for all of it.
void refuse_packets_beyond_buffers(const config::ExperimentFile& file, config::SelectedRun run,
                                   const Setup& setup) {
    const network::NetworkParameters& network = setup.machine.network;
    const hw::Flits packet = setup.traffic->packet_flits.value();
    if (network.switching.value() != network::Switching::kWormhole &&
        setup.traffic->pattern.value() != PatternKind::kTrace &&
        packet > network.buffer_flits.value()) {
        throw file.fault_at("traffic.packet_flits", run,
                            fmt::format("a packet of {} flits never has room in a buffer of {}",
                                        packet.count(), network.buffer_flits.value().count()),
                            "at most network.buffer_flits, or network.switching = \"wormhole\"");
    }
}

// The nodes that the network has are the machine's; a routing that can deadlock is refused.
void refuse_networks_that_cannot_be(const config::ExperimentFile& file, config::SelectedRun run,
                                    Setup& setup) {
    try {
        const auto nodes =
            static_cast<std::int64_t>(network::make_topology(setup.machine.network).node_count());
        if (!is_given(setup.machine.machine.nodes)) {
            static_cast<void>(setup.machine.machine.nodes.set(nodes));
        }
    } catch (const network::PlanFault& fault) {
        throw file.fault_at("network." + fault.parameter(), run, fault.what());
    }
    if (const auto fault = setup.machine.check()) {
        throw file.fault_at(fault->key, run, fault->what, fault->accepted);
    }
}

// Of parts that are not there, presets may say what they like as long as it is the default.
void refuse_keys_of_absent_parts(const config::ExperimentFile& file, config::SelectedRun run,
                                 Setup& setup, const std::vector<hw::ParameterGroup*>& all) {
    const std::vector<hw::ParameterGroup*> present = setup.groups();
    const std::int64_t nodes = setup.machine.node_count();
    for (const hw::ParameterGroup* group : all) {
        if (std::find(present.begin(), present.end(), group) != present.end()) {
            continue;
        }
        for (const hw::ParameterBase* parameter : group->parameters()) {
            // A fact of the machine's, which presets may state.
            const bool is_stated = parameter == &setup.machine.machine.unloaded_overheads_cycles;
            const bool says_the_same = parameter == &setup.machine.machine.nodes &&
                                       setup.machine.machine.nodes.value() == nodes;
            if (is_given(*parameter) && !says_the_same && !is_stated) {
                const std::string key = group->table() + "." + parameter->name();
                throw file.fault_at(key, run,
                                    key +
                                        " has no effect on open-loop traffic, which has the "
                                        "network alone",
                                    "[network], [traffic], [clock] and [run], or no " + key);
            }
        }
    }
}

struct TrafficKey {
    const char* key;
    const hw::ParameterBase& parameter;
    bool has_effect;
    const char* accepted;
};

void refuse_traffic_keys_without_effect(const config::ExperimentFile& file, config::SelectedRun run,
                                        const Setup& setup) {
    const network::TrafficParameters& traffic = *setup.traffic;
    const PatternKind pattern = traffic.pattern.value();
    const bool is_alone = pattern == PatternKind::kOneAtATime;
    const bool is_trace = pattern == PatternKind::kTrace;
    const bool is_random = !is_trace && !is_alone;
    const bool is_bursty = is_random && traffic.source.value() == SourceKind::kBursty;
    using network::TopologyKind;
    const network::NetworkParameters& network = setup.machine.network;
    const TopologyKind topology = network.topology.value();
    const bool is_graph = topology == TopologyKind::kGraph;
    const bool has_arity =
        topology == TopologyKind::kButterfly || topology == TopologyKind::kFatTree;
    const bool is_ordered = (topology == TopologyKind::kMesh || topology == TopologyKind::kTorus) &&
                            network.routing.value() != network::RoutingKind::kUpDown;
    constexpr const char* kRandom = R"(a traffic.pattern other than "trace" and "one_at_a_time")";
    constexpr const char* kPhases = R"(a traffic.pattern other than "one_at_a_time")";
    constexpr const char* kBursty = R"(traffic.source = "bursty")";
    constexpr const char* kHotSpot = R"(traffic.pattern = "hot_spot")";
    const std::array keys{
        TrafficKey{"traffic.load", traffic.load, is_random, kRandom},
        TrafficKey{"traffic.packet_flits", traffic.packet_flits, !is_trace,
                   R"(a traffic.pattern other than "trace")"},
        TrafficKey{"traffic.source", traffic.source, is_random, kRandom},
        TrafficKey{"traffic.burst_cycles", traffic.burst_cycles, is_bursty, kBursty},
        TrafficKey{"traffic.burst_load", traffic.burst_load, is_bursty, kBursty},
        TrafficKey{"traffic.hot_spot_share", traffic.hot_spot_share,
                   pattern == PatternKind::kHotSpot, kHotSpot},
        TrafficKey{"traffic.hot_spot_node", traffic.hot_spot_node, pattern == PatternKind::kHotSpot,
                   kHotSpot},
        TrafficKey{"traffic.locality_hops", traffic.locality_hops,
                   pattern == PatternKind::kLocality, R"(traffic.pattern = "locality")"},
        TrafficKey{"traffic.trace_file", traffic.trace_file, is_trace,
                   R"(traffic.pattern = "trace")"},
        TrafficKey{"traffic.warm_up_cycles", traffic.warm_up_cycles, !is_alone, kPhases},
        TrafficKey{"traffic.measurement_cycles", traffic.measurement_cycles, !is_alone, kPhases},
        TrafficKey{"traffic.drain_cycles", traffic.drain_cycles, !is_alone, kPhases},
        TrafficKey{"run.warmup_cycles", setup.run.warmup_cycles, false, "traffic.warm_up_cycles"},
        TrafficKey{"run.most_cycles", setup.run.most_cycles, false, "traffic.drain_cycles"},
        TrafficKey{"network.model", network.model, false, R"(network.model = "wormhole")"},
        TrafficKey{"network.delay", network.delay, false, "a kernel"},
        TrafficKey{"network.delay_cycles", network.delay_cycles, false, "a kernel"},
        TrafficKey{"network.bulk_advance", network.bulk_advance, false, "a kernel"},
        // All copies are alike, and a packet alone takes one of them.
        TrafficKey{"network.copies", network.copies, is_alone,
                   R"(network.copies = 1, or traffic.pattern = "one_at_a_time")"},
        TrafficKey{"network.dimensions", network.dimensions, !is_graph,
                   R"(any network.topology but "graph")"},
        TrafficKey{"network.arity", network.arity, has_arity,
                   R"(network.topology = "butterfly" or "fat_tree")"},
        TrafficKey{"network.graph_file", network.graph_file, is_graph,
                   R"(network.topology = "graph")"},
        TrafficKey{"network.routing_order", network.routing_order, is_ordered,
                   "a mesh or torus with dimension order, or minimal adaptive routing"},
    };
    for (const TrafficKey& key : keys) {
        if (!key.has_effect && is_given(key.parameter)) {
            throw file.fault_at(key.key, run,
                                std::string(key.key) + " has no effect on this traffic",
                                std::string(key.accepted) + ", or no " + key.key);
        }
    }
}

void refuse_traffic_without_meaning(const config::ExperimentFile& file, config::SelectedRun run,
                                    const Setup& setup) {
    try {
        const TrafficNetwork network(setup.machine.network);
        if (setup.traffic->pattern.value() == PatternKind::kOneAtATime) {
            return;
        }
        static_cast<void>(network::TrafficSources(*setup.traffic, network.topology(),
                                                  setup.machine.network.flit_bytes.value(),
                                                  network.longest_packet()));
    } catch (const network::TrafficFault& fault) {
        if (fault.parameter().empty()) {
            throw config::UserFault(std::string(fault.what()) + "; accepted: " + fault.accepted());
        }
        throw file.fault_at("traffic." + fault.parameter(), run, fault.what(), fault.accepted());
    }
}

}  // namespace

void set_up_open_loop(const config::ExperimentFile& file, config::SelectedRun run, Setup& setup) {
    setup.traffic = std::make_unique<network::TrafficParameters>();
    std::vector<hw::ParameterGroup*> all = setup.machine.groups();
    all.insert(all.end(), {&setup.firmware, setup.traffic.get(), &setup.run, &setup.trace});
    file.apply(run, all);
    refuse_networks_that_cannot_be(file, run, setup);
    refuse_keys_of_absent_parts(file, run, setup, all);
    refuse_packets_beyond_buffers(file, run, setup);
    refuse_traffic_keys_without_effect(file, run, setup);
    refuse_traffic_without_meaning(file, run, setup);
}

}  // namespace weir::experiments::run
