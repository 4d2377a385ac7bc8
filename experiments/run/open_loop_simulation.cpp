#include "experiments/run/open_loop_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "experiments/run/channel_heat_map.h"
#include "experiments/run/network_use.h"
#include "experiments/run/open_loop_predictions.h"
#include "experiments/run/run_files.h"
#include "experiments/run/traffic_network.h"
#include "experiments/run/traffic_run.h"
#include "experiments/run/unloaded_simulation.h"
#include "network/traffic/open_loop.h"
#include "network/traffic/traffic_sources.h"

namespace weir::experiments::run {

namespace {

using network::TrafficEnd;

// Latencies are those of all packets, and so are none of a network that is saturated.
Metrics measured_traffic(const network::TrafficResult& result, const network::OpenLoop& traffic,
                         const TrafficNetwork& network) {
    const bool is_saturated = result.end == TrafficEnd::kSaturated;
    Metrics metrics{{"offered_load", result.offered_load},
                    {"accepted_load", result.accepted_load},
                    {"saturated", is_saturated ? 1.0 : 0.0},
                    {"packets_measured", static_cast<double>(result.packets_measured)},
                    {"packets_missing", static_cast<double>(result.packets_missing)},
                    {"uniform_capacity_load", network.uniform_capacity()},
                    {"bisection_capacity_load", network.bisection_capacity()}};
    const network::CycleHistogram& latencies = traffic.record().from_generation();
    if (!is_saturated && latencies.count() > 0) {
        const auto cycles = [&](const char* name, std::int64_t value) {
            metrics.emplace_back(name, static_cast<double>(value));
        };
        metrics.emplace_back("packet_latency_cycles", latencies.mean());
        metrics.emplace_back("network_latency_cycles", traffic.record().from_injection().mean());
        cycles("packet_latency_p50_cycles", latencies.percentile(50.0));
        cycles("packet_latency_p95_cycles", latencies.percentile(95.0));
        cycles("packet_latency_p99_cycles", latencies.percentile(99.0));
        cycles("packet_latency_longest_cycles", latencies.largest());
    }
    if (traffic.record().measured_taken() > hw::Flits(0)) {
        metrics.emplace_back("mean_hops", result.mean_hops);
    }
    double busiest = 0.0;
    double sum = 0.0;
    double hop_channels = 0.0;
    const std::vector<network::Channel> channels = network::channels_of(network.topology().graph());
    for (std::size_t i = 0; i < result.channel_utilisation.size(); ++i) {
        if (network.topology().is_hop(channels[i])) {
            busiest = std::max(busiest, result.channel_utilisation[i]);
            sum += result.channel_utilisation[i];
            hop_channels += 1.0;
        }
    }
    if (hop_channels > 0.0) {
        metrics.emplace_back("mean_channel_utilisation", sum / hop_channels);
        metrics.emplace_back("busiest_channel_utilisation", busiest);
    }
    return metrics;
}

ChannelUses uses_of_channels(const network::TrafficResult& result,
                             const network::Topology& topology) {
    ChannelUses uses;
    const std::vector<network::Channel> channels = network::channels_of(topology.graph());
    for (std::size_t i = 0; i < result.channel_utilisation.size(); ++i) {
        uses.push_back({topology.channel_name(channels[i]), result.channel_utilisation[i]});
    }
    return uses;
}

// A saturated network has no mean latency.
SteadyInterval traffic_interval(const Setup& setup, const network::TrafficResult& result,
                                const network::OpenLoop& traffic) {
    SteadyInterval interval;
    if (result.end == TrafficEnd::kSaturated || result.packets_measured == 0) {
        interval = steady_interval("packet_latency_cycles", "cycles", {});
        interval.doubt =
            result.packets_measured == 0 ? "there are no packets" : "the network is saturated";
    } else {
        interval =
            latency_interval(traffic.record(), static_cast<std::size_t>(setup.run.batches.value()));
    }
    interval.measured_from_cycle = setup.traffic->warm_up_cycles.value().count();
    return interval;
}

}  // namespace

SimulationResult simulate_open_loop(Setup& setup, std::uint64_t seed,
                                    const std::filesystem::path& folder,
                                    const std::function<bool(const Progress&)>& report) {
    if (setup.traffic->pattern.value() == network::PatternKind::kOneAtATime) {
        return simulate_one_at_a_time(setup, seed, folder, report);
    }
    TrafficRun run(setup, seed, folder);
    const TrafficNetwork& network = run.network();
    const network::TrafficSources sources(*setup.traffic, network.topology(),
                                          setup.machine.network.flit_bytes.value());
    std::vector<network::Fabric*> copies;
    while (copies.size() < network.copies()) {
        copies.push_back(&run.add_copy());
    }
    network::OpenLoop traffic(run.domain(), copies, *setup.traffic,
                              [&](hw::NodeId node) { return sources.make(node, seed); });
    const network::TrafficResult ended = traffic.run(run.limits(traffic, report));

    SimulationResult result = run.result_of(traffic, ended);
    if (result.end == nodes::RunEnd::kFinished) {
        result.measured.metrics = measured_traffic(ended, traffic, network);
        if (setup.wants_interval()) {
            result.measured.interval = traffic_interval(setup, ended, traffic);
        }
        result.channels = uses_of_channels(ended, network.topology());
        write_channels(result.channels, folder);
        const std::string picture = heat_map_picture(
            result.channels,
            fmt::format("{}, {:.3f} of {:.3f} flits a node and cycle accepted",
                        network.topology().title(), ended.accepted_load, ended.offered_load));
        if (!picture.empty()) {
            open_run_file(folder / "channels.svg") << picture;
        }
    }
    return result;
}

std::vector<std::string> known_open_loop_metrics() {
    std::vector<std::string> names{"offered_load",
                                   "accepted_load",
                                   "saturated",
                                   "packets_measured",
                                   "packets_missing",
                                   "uniform_capacity_load",
                                   "bisection_capacity_load",
                                   "packet_latency_cycles",
                                   "network_latency_cycles",
                                   "packet_latency_p50_cycles",
                                   "packet_latency_p95_cycles",
                                   "packet_latency_p99_cycles",
                                   "packet_latency_longest_cycles",
                                   "mean_hops",
                                   "mean_channel_utilisation",
                                   "busiest_channel_utilisation",
                                   "over_other_point_percent"};
    for (const std::string& metric : known_unloaded_metrics()) {
        names.push_back(metric);
    }
    for (const std::string& model : known_open_loop_models()) {
        names.push_back(model + "_over_measured_percent");
        names.push_back(model + "_network_over_measured_percent");
    }
    return names;
}

}  // namespace weir::experiments::run
