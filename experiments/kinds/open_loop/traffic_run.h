#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "experiments/kinds/host_seconds.h"
#include "experiments/kinds/open_loop/traffic_network.h"
#include "experiments/kinds/setup.h"
#include "experiments/records/simulation_result.h"
#include "hw/clock/clock_domain.h"
#include "hw/wait_report.h"
#include "network/traffic/open_loop.h"
#include "network/traffic/packet_network.h"

namespace weir::experiments::kinds {

/// Common part of runs of all kinds of traffic: the clock, copies of the network, and the parts of
/// the result that all have.
class TrafficRun {
  public:
    /// Writes configuration.toml to `folder`. The setup must outlive this object.
    TrafficRun(Setup& setup, std::uint64_t seed, const std::filesystem::path& folder);

    [[nodiscard]] const TrafficNetwork& network() const { return network_; }
    [[nodiscard]] hw::ClockDomain& domain() { return domain_; }
    /// Adds a copy of the network, which lives as long as this object.
    network::PacketNetwork& add_copy();

    /// Limits of a run of `traffic` (an OpenLoop or OneAtATime), with its watchdog and a report of
    /// its progress.
    template <class Traffic>
    [[nodiscard]] network::OpenLoop::Limits limits(
        const Traffic& traffic, const std::function<bool(const records::Progress&)>& report) const {
        return {.watchdog_cycles = setup_.run.watchdog_cycles.value(), .proceed = [&, this] {
                    return report({static_cast<double>(domain_.now().count()), traffic.progress()});
                }};
    }
    /// Result with the end of the run, without measurements. Writes statistics.json and .csv to the
    /// folder.
    template <class Traffic, class Ended>
    [[nodiscard]] records::SimulationResult result_of(const Traffic& traffic,
                                                      const Ended& ended) const {
        return result_of({ended.end, ended.cycles, traffic.packets_in_network(), traffic.waits()});
    }

  private:
    struct Left {
        network::TrafficEnd end;
        std::int64_t cycles;
        std::size_t packets_in_network;
        hw::WaitReport waits;
    };
    [[nodiscard]] records::SimulationResult result_of(const Left& left) const;
    [[nodiscard]] std::string explanation(const Left& left) const;

    HostSeconds taken_;
    Setup& setup_;
    std::uint64_t seed_;
    std::filesystem::path folder_;
    TrafficNetwork network_;
    hw::ClockDomain domain_;
    std::vector<std::unique_ptr<network::PacketNetwork>> copies_;
};

}  // namespace weir::experiments::kinds
