#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/kinds/machine_size.h"
#include "experiments/kinds/open_loop/traffic_kind.h"
#include "experiments/kinds/open_loop/traffic_run.h"
#include "experiments/setup/user_fault.h"
#include "network/network_plan.h"
#include "network/traffic/traffic_sources.h"

namespace weir::experiments::kinds {

namespace {

// Refuses packets that are longer than a buffer if the network switches whole packets.
void refuse_packets_beyond_buffers(const setup::ExperimentFile& file, setup::SelectedRun run,
                                   const Setup& setup, const network::TrafficParameters& traffic) {
    const network::NetworkParameters& network = setup.machine.network;
    const hw::Flits packet = traffic.packet_flits.value();
    const hw::Flits least_buffer = network.least_buffer();
    if (network.switching.value() != network::Switching::kWormhole &&
        traffic.pattern.value() != network::PatternKind::kTrace &&
        traffic.pattern.value() != network::PatternKind::kRecording && packet > least_buffer) {
        throw file.fault_at(
            "traffic.packet_flits", run,
            fmt::format("a packet of {} flits does not fit into a buffer of {} flits",
                        packet.count(), least_buffer.count()),
            "at most network.buffer_flits, or network.switching = \"wormhole\"");
    }
}

// A node sends at most one flit per cycle into each copy of the network.
void refuse_loads_beyond_nodes(const setup::ExperimentFile& file, setup::SelectedRun run,
                               const Setup& setup, const network::TrafficParameters& traffic) {
    const auto most = static_cast<double>(setup.machine.network.copies.value());
    for (const auto* load : {&traffic.load, &traffic.burst_load}) {
        if (load->value() > most) {
            const std::string key = "traffic." + load->name();
            throw file.fault_at(key, run,
                                fmt::format("{} is {} flits per cycle, but a node sends at most "
                                            "one into each of network.copies = {}",
                                            key, load->value(), most),
                                "at most network.copies");
        }
    }
}

// Sets the machine's nodes to those of the network, and refuses a routing that can deadlock.
void refuse_networks_that_cannot_be(const setup::ExperimentFile& file, setup::SelectedRun run,
                                    Setup& setup) {
    try {
        const auto nodes =
            static_cast<std::int64_t>(network::make_topology(setup.machine.network).node_count());
        if (!setup.machine.machine.nodes.is_given()) {
            static_cast<void>(setup.machine.machine.nodes.set(nodes));
        }
    } catch (const network::PlanFault& fault) {
        throw file.fault_at(fault.fault(), run);
    }
    if (const auto fault = setup.machine.check()) {
        throw file.fault_at(*fault, run);
    }
}

// Refuses keys of the machine's parts that traffic does not use. Presets may set such keys to their
// defaults.
void refuse_keys_of_absent_parts(const setup::ExperimentFile& file, setup::SelectedRun run,
                                 Setup& setup, const std::vector<hw::ParameterGroup*>& all) {
    const std::vector<hw::ParameterGroup*> present = setup.groups();
    const std::int64_t nodes = setup.machine.node_count();
    for (const hw::ParameterGroup* group : all) {
        if (std::find(present.begin(), present.end(), group) != present.end()) {
            continue;
        }
        for (const hw::ParameterBase* parameter : group->parameters()) {
            // Presets may have this key, a fact about the machine.
            const bool is_stated = parameter == &setup.machine.machine.unloaded_overheads_cycles;
            const bool says_the_same = parameter == &setup.machine.machine.nodes &&
                                       setup.machine.machine.nodes.value() == nodes;
            if (parameter->is_given() && !says_the_same && !is_stated) {
                const std::string key = group->table() + "." + parameter->name();
                throw file.fault_at(
                    key, run,
                    key + " has no effect on open-loop traffic, which uses the network alone",
                    "[network], [traffic], [clock] and [run], or no " + key);
            }
        }
    }
}

}  // namespace

std::vector<hw::ParameterGroup*> TrafficKind::groups(Setup& setup) {
    return {&setup.machine.clock, &setup.machine.network, &setup.machine.faults, &traffic_,
            &setup.run};
}

void TrafficKind::set_up(const setup::ExperimentFile& file, setup::SelectedRun run, Setup& setup) {
    std::vector<hw::ParameterGroup*> all = setup.machine.groups();
    all.insert(all.end(), {&setup.firmware, &traffic_, &setup.run, &setup.trace});
    file.apply(run, all);
    settle_size(file, run, setup.machine);
    refuse_networks_that_cannot_be(file, run, setup);
    refuse_keys_of_absent_parts(file, run, setup, all);
    refuse_packets_beyond_buffers(file, run, setup, traffic_);
    refuse_loads_beyond_nodes(file, run, setup, traffic_);
    refuse_keys_without_effect(file, run, setup);
    try {
        refuse_traffic_without_meaning(setup);
    } catch (const network::TrafficFault& fault) {
        const bool says_where = fault.fault().key.empty();
        throw says_where ? setup::UserFault({}, fault.fault()) : file.fault_at(fault.fault(), run);
    }
}

void TrafficKind::elaborate(Setup& setup, const std::filesystem::path& folder,
                            const std::function<void()>& look) {
    std::filesystem::create_directory(folder);
    TrafficRun run(setup, 1, folder);
    for (std::size_t copy = 0; copy < run.network().copies(); ++copy) {
        run.add_copy();
    }
    look();
}

}  // namespace weir::experiments::kinds
