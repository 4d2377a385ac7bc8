#include "experiments/kinds/open_loop/open_loop_kind.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "experiments/analyses/steady_interval.h"
#include "experiments/kinds/kernel/network_use.h"
#include "experiments/kinds/open_loop/load_curve.h"
#include "experiments/kinds/open_loop/recording_file.h"
#include "experiments/kinds/open_loop/traffic_metrics.h"
#include "experiments/kinds/open_loop/traffic_network.h"
#include "experiments/kinds/open_loop/traffic_run.h"
#include "experiments/records/saturation.h"
#include "network/traffic/open_loop.h"
#include "network/traffic/traffic_sources.h"

namespace weir::experiments::kinds {

namespace {

using network::TrafficEnd;

/// Channel that carried flits for the largest share of the time, and that share.
struct BusiestChannel {
    std::string name;
    double utilisation = 0.0;
};

// Channel's name as in channels.csv, followed by the node if a switch has several channels of this
// name.
std::string name_of(const network::Channel& channel, const std::vector<network::Channel>& channels,
                    const network::Topology& topology) {
    const std::string name = topology.channel_name(channel);
    const auto namesakes = std::count_if(
        channels.begin(), channels.end(),
        [&](const network::Channel& other) { return topology.channel_name(other) == name; });
    return namesakes > 1 ? name + " to " + topology.graph()[target(channel, topology.graph())].name
                         : name;
}

// The first of the busiest channels, among them those to and from the nodes.
BusiestChannel busiest_of(const network::TrafficResult& result, const network::Topology& topology) {
    const auto most =
        std::max_element(result.channel_utilisation.begin(), result.channel_utilisation.end());
    const std::vector<network::Channel> channels = network::channels_of(topology.graph());
    const std::size_t number = most - result.channel_utilisation.begin();
    return {name_of(channels[number], channels, topology), *most};
}

// Metrics of a traffic run. A saturated network has no means over the measured packets: packets
// that arrived in time are fast, or have a short distance.
records::Metrics measured_traffic(const network::TrafficResult& result,
                                  const network::OpenLoop& traffic, const TrafficNetwork& network) {
    const bool is_saturated = result.end == TrafficEnd::kSaturated;
    const TrafficMetrics& m = traffic_metrics();
    records::Metrics metrics;
    add(metrics, m.offered_load, result.offered_load);
    add(metrics, m.accepted_load, result.accepted_load);
    add(metrics, m.saturated, is_saturated ? 1.0 : 0.0);
    add(metrics, m.packets_measured, static_cast<double>(result.packets_measured));
    add(metrics, m.packets_missing, static_cast<double>(result.packets_missing));
    add(metrics, m.uniform_capacity_load, network.uniform_capacity());
    add(metrics, m.bisection_capacity_load, network.bisection_capacity());
    const network::CycleHistogram& latencies = traffic.record().from_generation();
    if (!is_saturated && latencies.count() > 0) {
        add(metrics, m.packet_latency_cycles, latencies.mean());
        add(metrics, m.network_latency_cycles, traffic.record().from_injection().mean());
        m.packet_latency_percentiles.add_to(metrics, latencies);
        add(metrics, m.mean_hops, result.mean_hops.value());
    }
    double sum = 0.0;
    double hop_channels = 0.0;
    const std::vector<network::Channel> channels = network::channels_of(network.topology().graph());
    for (std::size_t i = 0; i < result.channel_utilisation.size(); ++i) {
        if (network.topology().is_hop(channels[i])) {
            sum += result.channel_utilisation[i];
            hop_channels += 1.0;
        }
    }
    if (hop_channels > 0.0) {
        add(metrics, m.mean_channel_utilisation, sum / hop_channels);
    }
    add(metrics, m.busiest_channel_utilisation, busiest_of(result, network.topology()).utilisation);
    return metrics;
}

records::ChannelUses uses_of_channels(const network::TrafficResult& result,
                                      const network::Topology& topology) {
    records::ChannelUses uses;
    const std::vector<network::Channel> channels = network::channels_of(topology.graph());
    for (std::size_t i = 0; i < result.channel_utilisation.size(); ++i) {
        uses.push_back({topology.channel_name(channels[i]), result.channel_utilisation[i]});
    }
    return uses;
}

// A saturated network has no mean latency.
records::SteadyInterval traffic_interval(const Setup& setup,
                                         const network::TrafficParameters& parameters,
                                         const network::TrafficResult& result,
                                         const network::OpenLoop& traffic) {
    records::SteadyInterval interval;
    if (result.end == TrafficEnd::kSaturated || result.packets_measured == 0) {
        interval =
            analyses::steady_interval(traffic_metrics().packet_latency_cycles.name(), "cycles", {});
        interval.doubt =
            result.packets_measured == 0 ? "there are no packets" : "the network is saturated";
    } else {
        interval = analyses::latency_interval(traffic.record(), setup.run.batches.value());
    }
    interval.measured_from_cycle = parameters.warm_up_cycles.value().count();
    return interval;
}

// JSON array of pairs (name, utilisation). It is no object, because ejection channels of one switch
// to several nodes may have the same name.
records::Particulars channels_to_json(const records::ChannelUses& channels) {
    records::Particulars json = records::Particulars::array();
    for (const records::ChannelUse& use : channels) {
        json.push_back({use.channel, use.utilisation});
    }
    return json;
}

}  // namespace

std::unique_ptr<Kind> make_open_loop_kind(const setup::ExperimentFile& file,
                                          setup::SelectedRun run) {
    return file.workload_kernel(run).name == kOpenLoop ? std::make_unique<OpenLoopKind>() : nullptr;
}

// Null for packets from a file: the file determines the length of the run.
hw::ParameterBase* OpenLoopKind::steady_state_length() {
    return traffic().pattern.value() != network::PatternKind::kTrace
               ? &own_traffic().measurement_cycles
               : nullptr;
}

std::int64_t OpenLoopKind::warmup_cycles(const Setup& /*setup*/) const {
    return traffic().warm_up_cycles.value().count();
}

const records::Metric& OpenLoopKind::leading_metric(const records::Metrics& /*measured*/) const {
    return traffic_metrics().packet_latency_cycles;
}

void OpenLoopKind::refuse_traffic_without_meaning(const Setup& setup) const {
    const TrafficNetwork network(setup.machine.network, setup.machine.faults);
    static_cast<void>(network::TrafficSources(traffic(), network.topology(),
                                              setup.machine.network.flit_bytes.value(),
                                              network.longest_packet()));
}

records::SimulationResult OpenLoopKind::run(Setup& setup, const RunRequest& request) {
    TrafficRun run(setup, request.seed, request.folder);
    const TrafficNetwork& network = run.network();
    const network::TrafficSources sources(traffic(), network.topology(),
                                          setup.machine.network.flit_bytes.value());
    std::vector<network::PacketNetwork*> copies;
    while (copies.size() < network.copies()) {
        copies.push_back(&run.add_copy());
    }
    network::OpenLoop offered(run.domain(), copies, traffic(),
                              [&](hw::NodeId node) { return sources.make(node, request.seed); });
    RecordingFile recording;
    if (traffic().write_recording.value()) {
        offered.tell_trips([&](const network::PacketTrip& trip) { recording.add(trip); });
    }
    const network::TrafficResult ended = offered.run(run.limits(offered, request.report));

    records::SimulationResult result = run.result_of(offered, ended);
    if (result.end == nodes::RunEnd::kFinished) {
        result.measured.metrics = measured_traffic(ended, offered, network);
        if (setup.wants_interval()) {
            result.measured.interval = traffic_interval(setup, traffic(), ended, offered);
        }
        if (ended.end == TrafficEnd::kSaturated) {
            (*result.measured.particulars)[records::kSaturatedRuns] = 1;
        }
        (*result.measured.particulars)[kBusiestChannels] =
            records::Particulars::array({busiest_of(ended, network.topology()).name});
        const records::ChannelUses channels = uses_of_channels(ended, network.topology());
        (*result.measured.particulars)["channels"] = channels_to_json(channels);
        write_channels(channels, request.folder);
        if (traffic().write_recording.value()) {
            recording.write(request.folder);
        }
    }
    return result;
}

// Averages the utilisation of each channel over the seeds, whose networks are the same.
void OpenLoopKind::ask_models(const AskedPoint& asked, Setup& setup, records::PointResult& point) {
    records::ChannelUses means = channel_uses(*asked.seeds.front().measured.particulars);
    for (std::size_t channel = 0; channel < means.size(); ++channel) {
        double sum = 0.0;
        for (const records::SimulationResult& run : asked.seeds) {
            sum += run.measured.particulars->at("channels").at(channel).at(1).get<double>();
        }
        means[channel].utilisation = sum / static_cast<double>(asked.seeds.size());
    }
    (*point.particulars)["channels"] = channels_to_json(means);
    point.particulars->erase(records::kSaturatedRuns);
    if (const std::size_t saturated = records::saturated_runs(asked.seeds); saturated > 0) {
        (*point.particulars)[records::kSaturatedRuns] = saturated;
    }
    records::Particulars& busiest = (*point.particulars)[kBusiestChannels];
    busiest = records::Particulars::array();
    for (const records::SimulationResult& run : asked.seeds) {
        busiest.push_back(run.measured.particulars->at(kBusiestChannels).at(0));
    }
    TrafficKind::ask_models(asked, setup, point);
}

void OpenLoopKind::finish(records::ExperimentResult& result) const {
    auto curves = records::Particulars::array();
    for (const LoadCurve& curve : load_curves(result)) {
        records::Particulars entry{{"what", curve.what}, {"points", records::Particulars::array()}};
        for (const records::PointResult* point : curve.points) {
            entry["points"].push_back(point->label);
        }
        entry["saturation_throughput"] = curve.saturation_throughput;
        entry["is_saturated"] = curve.is_saturated;
        entry["highest_load_not_saturated"] = curve.highest_load_not_saturated;
        curves.push_back(entry);
    }
    if (!curves.empty()) {
        (*result.particulars)["load_curves"] = std::move(curves);
    }
}

records::ChannelUses channel_uses(const records::Particulars& particulars) {
    records::ChannelUses uses;
    const auto found = particulars.find("channels");
    if (found != particulars.end()) {
        for (const auto& use : *found) {
            uses.push_back({use.at(0), use.at(1)});
        }
    }
    return uses;
}

}  // namespace weir::experiments::kinds
