#include "experiments/analyses/combined_runs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "experiments/analyses/whole_of_parts.h"
#include "experiments/statistics/sample.h"

namespace weir::experiments::analyses {

namespace {

// Sets the half width of a point with a single run, from the confidence interval of the run's
// batches.
void add_own_half_width(const std::vector<records::SimulationResult>& runs,
                        records::Estimate& measured) {
    const std::optional<records::SteadyInterval>& interval = runs.front().measured.interval;
    if (runs.size() == 1 && interval && interval->is_believed() &&
        interval->metric == measured.name) {
        measured.half_width = interval->half_width;
    }
}

}  // namespace

std::vector<std::string> part_names(const std::vector<records::SimulationResult>& runs) {
    std::vector<std::string> names;
    for (const records::SimulationResult& run : runs) {
        if (run.measured.round_trip.empty()) {
            return {};
        }
        for (const auto& [name, ignored] : run.measured.round_trip) {
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                names.push_back(name);
            }
        }
    }
    return names;
}

records::Estimate estimate(const std::string& name, const std::vector<double>& values) {
    const statistics::Sample sample{values};
    return {name, sample.mean(), sample.half_width()};
}

records::Estimate estimate_of_change(const std::string& name, const std::vector<double>& first,
                                     const std::vector<double>& second, double computed_from) {
    std::vector<double> changes(first.size());
    std::transform(second.begin(), second.end(), first.begin(), changes.begin(), std::minus<>());
    double largest = std::abs(computed_from);
    for (const std::vector<double>* values : {&first, &second}) {
        for (const double value : *values) {
            largest = std::max(largest, std::abs(value));
        }
    }
    const double rounding = statistics::kRounding * largest;
    if (std::all_of(changes.begin(), changes.end(),
                    [&](double change) { return std::abs(change) <= rounding; })) {
        std::fill(changes.begin(), changes.end(), 0.0);
    }
    records::Estimate change = estimate(name, changes);
    const auto [least, most] = std::minmax_element(changes.begin(), changes.end());
    if (change.half_width && *most - *least <= rounding) {
        change.half_width = 0.0;
    }
    return change;
}

void set_changes(const std::string& change, const std::string& metric,
                 std::vector<records::PointResult>& points) {
    for (records::PointResult& point : points) {
        std::erase_if(point.compared, [&](const auto& each) { return each.name == change; });
        const auto other = std::find_if(
            points.begin(), points.end(),
            [&](const records::PointResult& each) { return each.label == point.against; });
        if (other == points.end()) {
            continue;
        }
        const records::Estimate* measured = records::find_estimate(point, metric);
        const records::Estimate* reference = records::find_estimate(*other, metric);
        if (measured != nullptr && reference != nullptr && reference->mean > 0.0) {
            point.compared.push_back(
                {change, 100.0 * (measured->mean / reference->mean - 1.0), std::nullopt});
        }
    }
}

records::PointResult combine(const std::vector<records::SimulationResult>& runs) {
    records::PointResult point;
    point.particulars = without_wholes(*runs.front().measured.particulars);
    for (const records::SimulationResult& run : runs) {
        point.seeds.push_back(run.seed);
        point.cycles.push_back(run.cycles);
        point.wall_seconds += run.wall_seconds;
        point.messages += run.messages;
        point.machine_seconds += run.machine_seconds;
        point.processor_seconds += run.processor_seconds;
    }
    for (const records::SimulationResult& run : runs) {
        if (run.measured.interval) {
            point.intervals.push_back(*run.measured.interval);
        }
    }
    // A metric is estimated only if every seed has it.
    const auto in_all = [&runs](const std::string& name,
                                records::Metrics records::Measured::*which) {
        std::vector<double> values;
        for (const records::SimulationResult& run : runs) {
            if (const auto value = records::find_metric(run.measured.*which, name)) {
                values.push_back(*value);
            }
        }
        return values.size() == runs.size() ? values : std::vector<double>{};
    };
    for (const auto& [name, ignored] : runs.front().measured.metrics) {
        const std::vector<double> values = in_all(name, &records::Measured::metrics);
        if (!values.empty()) {
            point.measured.push_back(estimate(name, values));
            add_own_half_width(runs, point.measured.back());
        }
    }
    // A part that a run lacks counts as 0 cycles, so that the parts still sum to the whole.
    for (const std::string& name : part_names(runs)) {
        std::vector<double> values;
        values.reserve(runs.size());
        for (const records::SimulationResult& run : runs) {
            values.push_back(records::find_metric(run.measured.round_trip, name).value_or(0.0));
        }
        point.round_trip.emplace_back(name, estimate(name, values).mean);
    }
    return point;
}

}  // namespace weir::experiments::analyses
