#include "experiments/run/unloaded_simulation.h"

#include <algorithm>
#include <cmath>

#include "experiments/run/traffic_run.h"
#include "network/traffic/one_at_a_time.h"

namespace weir::experiments::run {

namespace {

// Cycles over the hops, through what the nearest and the farthest nodes take.
struct TripLine {
    double at_no_hops = 0.0;
    double each_hop = 0.0;

    [[nodiscard]] double at(double hops) const { return at_no_hops + each_hop * hops; }
};

std::optional<TripLine> line_through(const UnloadedDistances& distances) {
    if (distances.size() < 2) {
        return std::nullopt;
    }
    const UnloadedDistance& nearest = distances.front();
    const UnloadedDistance& farthest = distances.back();
    const double each_hop = (farthest.mean_cycles - nearest.mean_cycles) /
                            static_cast<double>(farthest.hops - nearest.hops);
    return TripLine{nearest.mean_cycles - each_hop * static_cast<double>(nearest.hops), each_hop};
}

double off_the_line(const UnloadedDistances& distances, const TripLine& line) {
    double most = 0.0;
    for (const UnloadedDistance& distance : distances) {
        const double expected = line.at(static_cast<double>(distance.hops));
        most = std::max({most, std::abs(static_cast<double>(distance.least_cycles) - expected),
                         std::abs(static_cast<double>(distance.longest_cycles) - expected)});
    }
    return most;
}

UnloadedDistances distances_of_result(const network::OneAtATimeResult& ended) {
    UnloadedDistances distances;
    for (const auto& [hops, apart] : ended.by_hops) {
        const network::CycleHistogram& cycles = apart.measured;
        distances.push_back(
            {hops, apart.pairs, cycles.count(), cycles.least(), cycles.mean(), cycles.largest()});
    }
    return distances;
}

// Sums over pairs of nodes, so that their quotients are means over all of them.
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

// Nothing where there are no such nodes to measure and no line.
std::optional<double> cycles_at(std::int32_t hops, const UnloadedDistances& distances,
                                const std::optional<TripLine>& line) {
    const auto same =
        std::find_if(distances.begin(), distances.end(),
                     [hops](const UnloadedDistance& distance) { return distance.hops == hops; });
    if (same != distances.end()) {
        return same->mean_cycles;
    }
    return line ? std::optional(line->at(static_cast<double>(hops))) : std::nullopt;
}

Metrics unloaded_metrics(const network::OneAtATimeResult& ended, const UnloadedDistances& distances,
                         const std::optional<double>& overheads) {
    PairSums sums;
    double packets = 0.0;
    for (const UnloadedDistance& distance : distances) {
        sums.add(distance.pairs, distance.hops, distance.mean_cycles);
        packets += static_cast<double>(distance.packets);
    }
    const std::optional<TripLine> line = line_through(distances);
    Metrics metrics{{"packets_measured", packets},
                    {"mean_hops", ended.mean_hops},
                    {"diameter_hops", static_cast<double>(distances.back().hops)},
                    {"mean_distance_to_others_hops", sums.hops / sums.pairs},
                    {"network_latency_to_others_cycles", sums.cycles / sums.pairs}};
    if (line) {
        metrics.emplace_back("cycles_per_hop", line->each_hop);
        metrics.emplace_back("cycles_at_no_hops", line->at_no_hops);
        metrics.emplace_back("cycles_off_the_line", off_the_line(distances, *line));
    }
    double at_the_mean = sums.cycles / sums.pairs;
    bool has_all = true;
    for (const auto& [hops, nodes] : ended.to_itself) {
        const std::optional<double> cycles = cycles_at(hops, distances, line);
        sums.add(nodes, hops, cycles.value_or(0.0));
        has_all = has_all && cycles.has_value();
    }
    metrics.emplace_back("mean_distance_hops", sums.hops / sums.pairs);
    if (has_all) {
        at_the_mean = sums.cycles / sums.pairs;
        metrics.emplace_back("network_latency_cycles", at_the_mean);
    }
    if (overheads) {
        metrics.emplace_back("overheads_input_cycles", *overheads);
        metrics.emplace_back("message_cycles", *overheads + at_the_mean);
    }
    return metrics;
}

}  // namespace

std::optional<double> overheads_input(const Setup& setup) {
    const hw::Cycles overheads = setup.machine.machine.unloaded_overheads_cycles.value();
    return overheads > hw::Cycles(0) ? std::optional(static_cast<double>(overheads.count()))
                                     : std::nullopt;
}

SimulationResult simulate_one_at_a_time(Setup& setup, std::uint64_t seed,
                                        const std::filesystem::path& folder,
                                        const std::function<bool(const Progress&)>& report) {
    TrafficRun run(setup, seed, folder);
    // Copies are alike, and a packet alone takes one of them.
    network::OneAtATime traffic(run.domain(), run.add_copy(), setup.traffic->packet_flits.value());
    const network::OneAtATimeResult ended = traffic.run(run.limits(traffic, report));
    SimulationResult result = run.result_of(traffic, ended);
    if (result.end == nodes::RunEnd::kFinished) {
        result.unloaded = distances_of_result(ended);
        result.measured.metrics = unloaded_metrics(ended, result.unloaded, overheads_input(setup));
    }
    return result;
}

std::vector<std::string> known_unloaded_metrics() {
    return {"diameter_hops",
            "mean_distance_to_others_hops",
            "network_latency_to_others_cycles",
            "cycles_per_hop",
            "cycles_at_no_hops",
            "cycles_off_the_line",
            "mean_distance_hops",
            "overheads_input_cycles",
            "message_cycles",
            "message_at_published_distance_cycles"};
}

}  // namespace weir::experiments::run
