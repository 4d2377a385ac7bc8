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
#include "network/fabric/fabric.h"
#include "network/traffic/traffic_endpoint.h"
#include "network/traffic/traffic_parameters.h"
#include "network/traffic/traffic_pattern.h"
#include "network/traffic/traffic_record.h"

namespace weir::network {

/// How a run of open-loop traffic ended.
enum class TrafficEnd : std::uint8_t {
    kDrained,      ///< every packet that was measured has arrived
    kSaturated,    ///< some had not when the time for that was over
    kDeadlock,     ///< packets are left in the network, and nothing can happen any more
    kNoProgress,   ///< or nothing arrived for the watchdog's time
    kInterrupted,  ///< the caller asked to stop
};

/// What was measured. Loads are flits a node and cycle.
struct TrafficResult {
    TrafficEnd end = TrafficEnd::kDrained;
    std::int64_t cycles = 0;     ///< until the last measured packet's arrival, or the time was over
    double offered_load = 0.0;   ///< generated in the measurement phase
    double accepted_load = 0.0;  ///< arrived in it, whenever generated
    std::int64_t packets_measured = 0;  ///< generated in it
    std::int64_t packets_missing = 0;   ///< of these, those that had not arrived at the end
    /// Mean number of hops on the ways of the measured packets that arrived; nothing where none
    /// did. Those that are missing had more: in a saturated network it is too low.
    std::optional<double> mean_hops;
    /// Share of the measurement phase for which a flit was on the link, for each of the topology's
    /// channels in the order of channels_of(), to and from the nodes too.
    std::vector<double> channel_utilisation;
};

/// Open-loop traffic on a network: an endpoint at every node, and the phases of a measurement.
///
/// On several copies of a network, each node has an endpoint at each copy. Its packets take the
/// copies in turn, whenever they can leave: in a cycle, a node may send a flit into each copy and
/// take one from each. Loads are those of all copies together, utilisations their mean.
///
/// Warm-up: sources run. Measurement: the packets generated in it are tagged, and arriving flits
/// counted. Drain: sources go on until all tagged packets have arrived, or the time for that is
/// over, when the network is saturated. Then no source begins another packet, and what is in the
/// network leaves it: packets that don't are in a deadlock.
class OpenLoop {
  public:
    using MakeSource = std::function<std::unique_ptr<PacketSource>(hw::NodeId node)>;

    /// All must stay.
    OpenLoop(hw::ClockDomain& domain, Fabric& fabric, const TrafficParameters& parameters,
             const MakeSource& make_source)
        : OpenLoop(domain, std::vector{&fabric}, parameters, make_source) {}
    /// At least one, all alike. `make_source` is called once a copy, for the same packets each
    /// time.
    OpenLoop(hw::ClockDomain& domain, std::vector<Fabric*> copies,
             const TrafficParameters& parameters, const MakeSource& make_source);

    struct Limits {
        hw::Cycles watchdog_cycles{1'000'000};
        /// Called now and then; returning false ends the run.
        std::function<bool()> proceed = [] { return true; };
    };
    /// Calls `tell` for each packet that arrives; before the run. Packets of one cycle come in any
    /// order.
    void tell_trips(std::function<void(const PacketTrip&)> tell) {
        record_.tell_trips(std::move(tell));
    }
    /// Once. Throws std::logic_error when flits are lost, made or sent astray.
    TrafficResult run(const Limits& limits);

    /// Latencies of the tagged packets that have arrived.
    [[nodiscard]] const TrafficRecord& record() const { return record_; }
    /// What share of warm-up and measurement is done.
    [[nodiscard]] double progress() const;
    [[nodiscard]] std::size_t packets_in_network() const { return packets_.in_use(); }
    [[nodiscard]] hw::WaitReport waits() const;

  private:
    void add_endpoints(std::size_t copy, const TrafficParameters& parameters,
                       const MakeSource& make_source);
    [[nodiscard]] bool advance_to(hw::Cycles end, const Limits& limits);
    void drain(const Limits& limits);
    void empty_network(const Limits& limits);
    [[nodiscard]] bool measure_links(const Limits& limits);
    void add_sent_flits(std::int64_t times, std::vector<std::int64_t>& sums) const;
    [[nodiscard]] std::optional<double> mean_hops() const;
    void require_conservation() const;

    hw::ClockDomain& domain_;
    std::vector<Fabric*> copies_;
    hw::Cycles measurement_begin_;
    hw::Cycles measurement_end_;
    hw::Cycles drain_end_;
    PacketTable packets_;
    TrafficRecord record_;
    std::vector<std::unique_ptr<TrafficEndpoint>> endpoints_;
    TrafficResult result_;
    std::optional<TrafficEnd> stopped_;  // before its time
};

}  // namespace weir::network
