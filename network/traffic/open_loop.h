#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/traffic/packet_network.h"
#include "network/traffic/traffic_parameters.h"
#include "network/traffic/traffic_pattern.h"
#include "network/traffic/traffic_record.h"

namespace weir::network {

/// End of a run of open-loop traffic.
enum class TrafficEnd : std::uint8_t {
    kDrained,      ///< all measured packets have arrived
    kSaturated,    ///< measured packets were missing after drain_cycles
    kDeadlock,     ///< packets are in the network, and no event is left
    kNoProgress,   ///< no flit arrived for the watchdog's time
    kInterrupted,  ///< the caller stopped the run
};

/// Results of the measurement. Loads are in flits per node and cycle.
struct TrafficResult {
    TrafficEnd end = TrafficEnd::kDrained;
    /// cycles until the last measured packet's arrival, or the end of the drain
    std::int64_t cycles = 0;
    double offered_load = 0.0;  ///< flits generated in the measurement phase
    /// flits that arrived in the measurement phase, whenever generated
    double accepted_load = 0.0;
    std::int64_t packets_measured = 0;  ///< packets generated in the measurement phase
    std::int64_t packets_missing = 0;   ///< measured packets that had not arrived at the end
    /// Mean number of hops of the measured packets that arrived; nullopt if none arrived. Missing
    /// packets tend to have longer routes, so that the mean is too low in a saturated network.
    std::optional<double> mean_hops;
    /// Share of the measurement phase in which a flit was on the link, for each channel. Nodes'
    /// channels are included; the order is that of channels_of().
    std::vector<double> channel_utilisation;
};

/// Open-loop traffic on a network: an endpoint at each node, and the phases of a measurement.
///
/// If the network has several copies, each node has an endpoint at each copy. A node's packets are
/// dealt to the copies in turn. In a cycle a node may send a flit into each copy, and take one from
/// each. Loads are sums over all copies, utilisations are means.
///
/// Phases:
/// - Warm-up: the sources run.
/// - Measurement: packets generated in this phase are tagged, and arriving flits are counted.
/// - Drain: sources go on until all tagged packets have arrived. If drain_cycles are not enough,
///   the network is saturated.
/// - Emptying: sources begin no more packets, and all packets leave the network. Packets that do
///   not are in a deadlock.
class OpenLoop {
  public:
    using MakeSource = PacketNetwork::MakeSource;

    /// All arguments must outlive this object. `copies` are the copies of the network, at least
    /// one, all alike. `make_source` is called once per node and copy, and must give the same
    /// packets each time.
    OpenLoop(hw::ClockDomain& domain, std::vector<PacketNetwork*> copies,
             const TrafficParameters& parameters, const MakeSource& make_source);

    struct Limits {
        hw::Cycles watchdog_cycles{1'000'000};
        /// Called at intervals during the run; the run ends if it returns false.
        std::function<bool()> proceed = [] { return true; };
    };
    /// Calls `tell` for each packet that arrives, packets of one cycle in any order; to be set
    /// before the run.
    void tell_trips(std::function<void(const PacketTrip&)> tell);
    /// Runs all phases; to be called once. Throws std::logic_error if flits are lost, duplicated or
    /// misrouted.
    TrafficResult run(const Limits& limits);

    /// Counts of packets and flits, and latencies of the tagged packets that have arrived.
    [[nodiscard]] const TrafficRecord& record() const { return record_; }
    /// Share of warm-up and measurement that is done.
    [[nodiscard]] double progress() const;
    [[nodiscard]] std::size_t packets_in_network() const { return packets_.in_use(); }
    [[nodiscard]] hw::WaitReport waits() const;

  private:
    [[nodiscard]] bool advance_to(hw::Cycles end, const Limits& limits);
    void drain(const Limits& limits);
    void generate_before(hw::Cycles cycle);
    void empty_network(const Limits& limits);
    [[nodiscard]] bool measure_links(const Limits& limits);
    void add_sent_flits(hw::Cycles through, std::int64_t times,
                        std::vector<std::int64_t>& sums) const;
    [[nodiscard]] std::optional<double> mean_hops() const;
    void require_conservation() const;

    hw::ClockDomain& domain_;
    std::vector<PacketNetwork*> copies_;
    hw::Cycles measurement_begin_;
    hw::Cycles measurement_end_;
    hw::Cycles drain_end_;
    PacketTable packets_;
    TrafficRecord record_;
    TrafficResult result_;
    std::optional<TrafficEnd> stopped_;  // reason why a phase was cut short; nullopt if none was
};

}  // namespace weir::network
