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
#include "network/fabric/fabric.h"
#include "network/traffic/open_loop.h"

namespace weir::experiments::kinds {

/// What runs of all kinds of traffic have in common: the clock, the network in as many copies as
/// the traffic takes, and the result as far as it is the same for all.
class TrafficRun {
  public:
    /// Leaves configuration.toml in `folder`. The setup must stay.
    TrafficRun(Setup& setup, std::uint64_t seed, const std::filesystem::path& folder);

    [[nodiscard]] const TrafficNetwork& network() const { return network_; }
    [[nodiscard]] hw::ClockDomain& domain() { return domain_; }
    /// A copy more; it stays as long as this.
    network::Fabric& add_copy();

    /// With a caller that is told of the progress of `traffic` (an OpenLoop or OneAtATime).
    template <class Traffic>
    [[nodiscard]] network::OpenLoop::Limits limits(
        const Traffic& traffic, const std::function<bool(const records::Progress&)>& report) const {
        return {.watchdog_cycles = setup_.run.watchdog_cycles.value(), .proceed = [&, this] {
                    return report({static_cast<double>(domain_.now().count()), traffic.progress()});
                }};
    }
    /// How it ended, without what was measured. Leaves statistics.json and .csv in the folder.
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
    std::vector<std::unique_ptr<network::Fabric>> copies_;
};

}  // namespace weir::experiments::kinds
