#include "experiments/kinds/open_loop/traffic_run.h"

#include <fmt/format.h>

#include <string>

#include "experiments/kinds/run_files.h"
#include "nodes/machine.h"
#include "nodes/wait_cycle.h"

namespace weir::experiments::kinds {

namespace {

using network::TrafficEnd;

// End of a machine's run that corresponds to the end of traffic; saturation counts as a normal end.
nodes::RunEnd run_end_of(TrafficEnd end) {
    switch (end) {
        case TrafficEnd::kDeadlock:
            return nodes::RunEnd::kDeadlock;
        case TrafficEnd::kNoProgress:
            return nodes::RunEnd::kNoProgress;
        case TrafficEnd::kInterrupted:
            return nodes::RunEnd::kInterrupted;
        case TrafficEnd::kDrained:
        case TrafficEnd::kSaturated:
            break;
    }
    return nodes::RunEnd::kFinished;
}

}  // namespace

TrafficRun::TrafficRun(Setup& setup, std::uint64_t seed, const std::filesystem::path& folder)
    : setup_(setup),
      seed_(seed),
      folder_(folder),
      network_(setup.machine.network, setup.machine.faults, seed),
      domain_("clock", setup.machine.clock, seed) {
    write_configuration(setup, seed, folder / "configuration.toml");
}

// Emulations that work ahead are used only where a run cannot stand still. A very short watchdog
// can end a run in a pause of the network.
network::PacketNetwork& TrafficRun::add_copy() {
    const std::string name =
        copies_.empty() ? "network" : "network_copy_" + std::to_string(copies_.size());
    const network::NetworkParameters& parameters = setup_.machine.network;
    const bool works_ahead =
        setup_.run.watchdog_cycles.value() > network::PacketNetwork::kLongestPause &&
        !parameters.allow_deadlock.value();
    if (works_ahead && network::WormPacketNetwork::takes(parameters, setup_.machine.faults)) {
        copies_.push_back(std::make_unique<network::WormPacketNetwork>(
            name.c_str(), domain_, network_.routing(), network_.design()));
    } else {
        network::Fabric::Design design = network_.design();
        design.has_virtual_channel_ends = works_ahead;
        copies_.push_back(std::make_unique<network::FabricPacketNetwork>(
            name, domain_, network_.routing(), design));
    }
    return *copies_.back();
}

records::SimulationResult TrafficRun::result_of(const Left& left) const {
    records::SimulationResult result;
    result.end = run_end_of(left.end);
    result.seed = seed_;
    result.cycles = left.cycles;
    result.explanation = explanation(left);
    std::vector<hw::PartStatistics> statistics;
    for (const auto& copy : copies_) {
        copy->add_statistics(statistics);
    }
    write_statistics(statistics, folder_);
    result.wall_seconds = taken_.wall();
    return result;
}

// Explains which packets wait for which; empty if the run reached its end.
std::string TrafficRun::explanation(const Left& left) const {
    const std::string at = fmt::format("cycle {}: ", domain_.now().count());
    const std::string packets =
        fmt::format("{} packets are in the network; ", left.packets_in_network);
    switch (left.end) {
        case TrafficEnd::kDeadlock:
            return at + "deadlock, " + packets + nodes::explain(left.waits, network_.routing());
        case TrafficEnd::kNoProgress:
            return at +
                   fmt::format("nothing arrived for run.watchdog_cycles = {} cycles, ",
                               setup_.run.watchdog_cycles.value().count()) +
                   packets + nodes::explain(left.waits, network_.routing());
        default:
            return {};
    }
}

}  // namespace weir::experiments::kinds
