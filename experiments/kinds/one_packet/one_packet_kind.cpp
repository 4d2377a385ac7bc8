#include "experiments/kinds/one_packet/one_packet_kind.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/kinds/open_loop/traffic_metrics.h"
#include "experiments/kinds/open_loop/traffic_models.h"
#include "experiments/kinds/open_loop/traffic_run.h"
#include "network/traffic/one_at_a_time.h"

namespace weir::experiments::kinds {

namespace {

// Line of cycles by hops, through the times of the nearest and the farthest nodes.
struct TripLine {
    double at_no_hops = 0.0;
    double each_hop = 0.0;

    [[nodiscard]] double at(double hops) const { return at_no_hops + each_hop * hops; }
};

std::optional<TripLine> line_through(const records::UnloadedDistances& distances) {
    if (distances.size() < 2) {
        return std::nullopt;
    }
    const records::UnloadedDistance& nearest = distances.front();
    const records::UnloadedDistance& farthest = distances.back();
    const double each_hop = (farthest.mean_cycles - nearest.mean_cycles) /
                            static_cast<double>(farthest.hops - nearest.hops);
    return TripLine{nearest.mean_cycles - each_hop * static_cast<double>(nearest.hops), each_hop};
}

double off_the_line(const records::UnloadedDistances& distances, const TripLine& line) {
    double most = 0.0;
    for (const records::UnloadedDistance& distance : distances) {
        const double expected = line.at(static_cast<double>(distance.hops));
        most = std::max({most, std::abs(static_cast<double>(distance.least_cycles) - expected),
                         std::abs(static_cast<double>(distance.longest_cycles) - expected)});
    }
    return most;
}

records::UnloadedDistances distances_of_result(const network::OneAtATimeResult& ended) {
    records::UnloadedDistances distances;
    for (const auto& [hops, apart] : ended.by_hops) {
        const network::CycleHistogram& cycles = apart.measured;
        distances.push_back(
            {hops, apart.pairs, cycles.count(), cycles.least(), cycles.mean(), cycles.largest()});
    }
    return distances;
}

// Sums over pairs of nodes. Hops and cycles divided by pairs are means over all pairs.
struct PairSums {
    double pairs = 0.0;
    double hops = 0.0;
    double cycles = 0.0;

    void add(std::int64_t count, std::int32_t of_hops, double of_cycles) {
        const auto weight = static_cast<double>(count);
        pairs += weight;
        hops += weight * static_cast<double>(of_hops);
        cycles += weight * of_cycles;
    }
};

// Cycles of a packet at a distance: the measured value, or else that of the line; empty if there is
// neither.
std::optional<double> cycles_at(std::int32_t hops, const records::UnloadedDistances& distances,
                                const std::optional<TripLine>& line) {
    const auto same = std::find_if(
        distances.begin(), distances.end(),
        [hops](const records::UnloadedDistance& distance) { return distance.hops == hops; });
    if (same != distances.end()) {
        return same->mean_cycles;
    }
    return line ? std::optional(line->at(static_cast<double>(hops))) : std::nullopt;
}

records::Metrics measured_metrics(const network::OneAtATimeResult& ended,
                                  const records::UnloadedDistances& distances,
                                  const std::optional<double>& overheads) {
    const UnloadedMetrics& m = unloaded_metrics();
    PairSums sums;
    double packets = 0.0;
    for (const records::UnloadedDistance& distance : distances) {
        sums.add(distance.pairs, distance.hops, distance.mean_cycles);
        packets += static_cast<double>(distance.packets);
    }
    const std::optional<TripLine> line = line_through(distances);
    records::Metrics metrics;
    add(metrics, traffic_metrics().packets_measured, packets);
    add(metrics, traffic_metrics().mean_hops, ended.mean_hops);
    add(metrics, m.diameter_hops, static_cast<double>(distances.back().hops));
    add(metrics, m.network_latency_to_others_cycles, sums.cycles / sums.pairs);
    if (line) {
        add(metrics, m.cycles_per_hop, line->each_hop);
        add(metrics, m.cycles_at_no_hops, line->at_no_hops);
        add(metrics, m.cycles_off_the_line, off_the_line(distances, *line));
    }
    double at_the_mean = sums.cycles / sums.pairs;
    bool has_all = true;
    for (const auto& [hops, nodes] : ended.to_itself) {
        const std::optional<double> cycles = cycles_at(hops, distances, line);
        sums.add(nodes, hops, cycles.value_or(0.0));
        has_all = has_all && cycles.has_value();
    }
    add(metrics, m.mean_distance_hops, sums.hops / sums.pairs);
    if (has_all) {
        at_the_mean = sums.cycles / sums.pairs;
        add(metrics, traffic_metrics().network_latency_cycles, at_the_mean);
    }
    if (overheads) {
        add(metrics, m.overheads_input_cycles, *overheads);
        add(metrics, m.message_cycles, *overheads + at_the_mean);
    }
    return metrics;
}

records::Particulars to_json(const records::UnloadedDistances& distances) {
    records::Particulars json = records::Particulars::array();
    for (const records::UnloadedDistance& distance : distances) {
        json.push_back({{"hops", distance.hops},
                        {"pairs", distance.pairs},
                        {"packets", distance.packets},
                        {"least_cycles", distance.least_cycles},
                        {"mean_cycles", distance.mean_cycles},
                        {"longest_cycles", distance.longest_cycles}});
    }
    return json;
}

// Adds T at the published distance, on the measured line, if that distance differs from the
// topology's.
void add_message_at_published_distance(records::PointResult& point) {
    const UnloadedMetrics& m = unloaded_metrics();
    const auto published = std::find_if(
        point.published.begin(), point.published.end(),
        [&m](const setup::Published& p) { return p.metric == m.mean_distance_hops.name(); });
    const records::Estimate* overheads =
        records::find_estimate(point, m.overheads_input_cycles.name());
    const records::Estimate* at_no_hops = records::find_estimate(point, m.cycles_at_no_hops.name());
    const records::Estimate* each_hop = records::find_estimate(point, m.cycles_per_hop.name());
    if (published == point.published.end() || overheads == nullptr || each_hop == nullptr) {
        return;
    }
    point.compared.push_back(
        {m.message_at_published_distance_cycles.name(),
         overheads->mean + at_no_hops->mean + each_hop->mean * published->value, std::nullopt});
}

}  // namespace

std::unique_ptr<Kind> make_one_packet_kind(const setup::ExperimentFile& file,
                                           setup::SelectedRun run) {
    const bool is_one = file.workload_kernel(run).name == kOpenLoop &&
                        file.string_of("traffic", "pattern", run) == kOneAtATime;
    return is_one ? std::make_unique<OnePacketKind>() : nullptr;
}

std::vector<hw::ParameterGroup*> OnePacketKind::groups(Setup& setup) {
    std::vector<hw::ParameterGroup*> groups = TrafficKind::groups(setup);
    groups.push_back(&setup.machine.machine);  // includes unloaded_overheads_cycles, T_snd + T_rcv
    return groups;
}

void OnePacketKind::refuse_traffic_without_meaning(const Setup& setup) const {
    static_cast<void>(TrafficNetwork(setup.machine.network, setup.machine.faults));
}

const records::Metric& OnePacketKind::leading_metric(const records::Metrics& /*measured*/) const {
    return traffic_metrics().packet_latency_cycles;
}

records::SimulationResult OnePacketKind::run(Setup& setup, const RunRequest& request) {
    TrafficRun run(setup, request.seed, request.folder);
    // Copies of the network are alike, and a single packet uses one of them.
    network::OneAtATime alone(run.domain(), run.add_copy(), traffic().packet_flits.value());
    const network::OneAtATimeResult ended = alone.run(run.limits(alone, request.report));
    records::SimulationResult result = run.result_of(alone, ended);
    if (result.end == nodes::RunEnd::kFinished) {
        const records::UnloadedDistances distances = distances_of_result(ended);
        result.measured.metrics = measured_metrics(ended, distances, overheads_input(setup));
        (*result.measured.particulars)["unloaded"] = to_json(distances);
    }
    return result;
}

void OnePacketKind::ask_models(const AskedPoint& asked, Setup& setup, records::PointResult& point) {
    TrafficKind::ask_models(asked, setup, point);
    add_message_at_published_distance(point);
}

records::UnloadedDistances unloaded_distances(const records::PointResult& point) {
    records::UnloadedDistances distances;
    for (const auto& distance : records::particular(point, "unloaded")) {
        distances.push_back({distance.at("hops"), distance.at("pairs"), distance.at("packets"),
                             distance.at("least_cycles"), distance.at("mean_cycles"),
                             distance.at("longest_cycles")});
    }
    return distances;
}

}  // namespace weir::experiments::kinds
