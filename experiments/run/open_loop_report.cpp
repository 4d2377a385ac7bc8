#include "experiments/run/open_loop_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "experiments/config/wrapped_text.h"
#include "experiments/run/channel_heat_map.h"
#include "experiments/run/load_curve.h"
#include "experiments/run/unloaded_report.h"
#include "experiments/run/validation.h"

namespace weir::experiments::run {

namespace {

constexpr const char* kUnit = "flits a node and cycle";

double mean_of(const PointResult& point, const char* name) {
    const Estimate* estimate = find_estimate(point, name);
    return estimate != nullptr ? estimate->mean : 0.0;
}

// 16 columns.
std::string mean_and_half_width(const Estimate& estimate) {
    return fmt::format("{:>9.1f}{:<7}", estimate.mean,
                       estimate.half_width ? fmt::format(" ± {:.1f}", *estimate.half_width) : "");
}

void curve_table(const LoadCurve& curve, std::string& page) {
    if (!curve.what.empty()) {
        page += config::wrapped(curve.what, "", "  ");
    }
    page += fmt::format("{:>9}{:>10}{:>15} {:>8}{:>8}{:>8}{:>9}{:>7}\n", "offered", "accepted",
                        "mean latency", "p50", "p95", "p99", "longest", "hops");
    for (const PointResult* point : curve.points) {
        page += fmt::format("{:>9.3f}{:>10.3f}", load_of(*point), mean_of(*point, "accepted_load"));
        const Estimate* latency = find_estimate(*point, "packet_latency_cycles");
        if (latency == nullptr) {
            page += fmt::format("{:>15}\n", "saturated");
            continue;
        }
        page += mean_and_half_width(*latency);
        for (const char* name : {"packet_latency_p50_cycles", "packet_latency_p95_cycles",
                                 "packet_latency_p99_cycles"}) {
            page += fmt::format("{:>8.0f}", mean_of(*point, name));
        }
        page += fmt::format("{:>9.0f}{:>7.2f}\n", mean_of(*point, "packet_latency_longest_cycles"),
                            mean_of(*point, "mean_hops"));
    }
    page += "\n";
}

// What was measured beside what was published, four digits of loads, which are small; 44 columns.
std::string beside_published(const PointResult& point, const config::Published& published) {
    const int digits = std::abs(published.value) < 1.0 ? 4 : 1;
    const std::optional<Estimate> measured = find_comparable(point, published.metric);
    if (!measured) {
        return fmt::format("{:>12}{:>22.{}f}", "none", published.value, digits);
    }
    return fmt::format(
        "{:>12.{}f}{:<10}{:>12.{}f}{:>10}", measured->mean, digits,
        measured->half_width ? fmt::format(" ± {:.{}f}", *measured->half_width, digits) : "",
        published.value, digits, error_against(published.value, measured->mean, published.metric));
}

// What tells the points of one curve apart is their load, and those of several curves their label.
enum class ToldBy : std::uint8_t { kItsLoad, kItsLabel };
constexpr std::size_t kLabelColumns = 34;

void published_row(const PointResult& point, const config::Published& published, ToldBy told_by,
                   std::string& page) {
    const std::string label = "  " + point.label;
    if (told_by == ToldBy::kItsLoad) {
        page += fmt::format("{:>9.3f}{:>10.3f}", load_of(point), mean_of(point, "accepted_load"));
    } else if (config::width_of(label) < kLabelColumns) {
        page += fmt::format("{:<{}}", label, kLabelColumns);
    } else {
        page += config::wrapped(point.label, "  ", "  ") + std::string(kLabelColumns, ' ');
    }
    page += beside_published(point, published) + "\n";
}

// A table for each metric and source, of the points of which something is published.
void published_tables(const std::vector<const PointResult*>& points, ToldBy told_by,
                      std::string& page) {
    using Heading = std::pair<std::string, std::string>;  // metric and source
    std::vector<std::pair<Heading, std::string>> tables;
    for (const PointResult* point : points) {
        for (const config::Published& published : point->published) {
            const Heading heading(published.metric, published.source);
            auto table = std::find_if(tables.begin(), tables.end(),
                                      [&](const auto& known) { return known.first == heading; });
            if (table == tables.end()) {
                table = tables.insert(tables.end(), {heading, ""});
            }
            published_row(*point, published, told_by, table->second);
        }
    }
    for (const auto& [heading, rows] : tables) {
        std::string metric = heading.first;
        std::replace(metric.begin(), metric.end(), '_', ' ');
        page += config::wrapped(metric + ", published in " + heading.second, "", "  ");
        page += told_by == ToldBy::kItsLoad ? fmt::format("{:>9}{:>10}", "offered", "accepted")
                                            : std::string(kLabelColumns, ' ');
        page += fmt::format("{:>12}{:>22}{:>10}\n", "measured", "published", "apart") + rows + "\n";
    }
}

std::string saturation_text(const LoadCurve& curve) {
    const double capacity = mean_of(*curve.points.front(), "uniform_capacity_load");
    const bool has_wider_bisection =
        mean_of(*curve.points.front(), "bisection_capacity_load") > capacity;
    const std::string of_capacity =
        capacity > 0.0
            ? fmt::format(", {:.0f} % of the {:.3f} at which uniform traffic fills the {}",
                          100.0 * curve.saturation_throughput / capacity, capacity,
                          has_wider_bisection ? "nodes' channels into the network" : "bisection")
            : "";
    if (!curve.is_saturated) {
        return fmt::format(
            "No load saturates the network: its saturation throughput, the highest "
            "load it accepts, is {:.3f} {} at least{}.",
            curve.saturation_throughput, kUnit, of_capacity);
    }
    return fmt::format("Saturation throughput, the highest load accepted: {:.3f} {}{}.{}",
                       curve.saturation_throughput, kUnit, of_capacity,
                       curve.highest_load_not_saturated > 0.0
                           ? fmt::format(" The highest load offered that does not saturate it: "
                                         "{:.3f}.",
                                         curve.highest_load_not_saturated)
                           : " Every load offered saturates it.");
}

void curve_chart(const LoadCurve& curve, std::string& page) {
    constexpr double kBar = 55.0;
    double longest = 0.0;
    for (const PointResult* point : curve.points) {
        longest = std::max(longest, mean_of(*point, "packet_latency_cycles"));
    }
    if (curve.points.size() < 2 || longest == 0.0) {
        return;
    }
    page += "mean latency by offered load\n";
    for (const PointResult* point : curve.points) {
        const double latency = mean_of(*point, "packet_latency_cycles");
        page += latency > 0.0 ? fmt::format("{:>9.3f}{:>9.1f}  {:#>{}}\n", load_of(*point), latency,
                                            "", std::lround(latency * kBar / longest))
                              : fmt::format("{:>9.3f}{:>9}  saturated\n", load_of(*point), "");
    }
    page += "\n";
}

std::string apart(const PointResult& point, const std::string& name) {
    const std::optional<Estimate> compared = find_comparable(point, name);
    return compared ? fmt::format("{:+.1f} %", compared->mean) : "";
}

void model_tables(const LoadCurve& curve, std::string& page) {
    for (std::size_t model = 0; model < curve.points.front()->predictions.size(); ++model) {
        const std::string name = curve.points.front()->predictions[model].model;
        page += fmt::format("{:<16}{:>32}{:>32}\n", name, "mean latency from", "model over those");
        page += fmt::format("{:>9}{:>11}{:>14}{:>14}{:>18}{:>14}\n", "offered", "model",
                            "generation", "injection", "from generation", "injection");
        for (const PointResult* point : curve.points) {
            const Prediction& prediction = point->predictions[model];
            const auto predicted = find_metric(prediction.metrics, "packet_latency_cycles");
            const Estimate* from_generation = find_estimate(*point, "packet_latency_cycles");
            const Estimate* from_injection = find_estimate(*point, "network_latency_cycles");
            page += fmt::format("{:>9.3f}{:>11}", load_of(*point),
                                predicted ? fmt::format("{:.1f}", *predicted) : "none");
            if (from_generation == nullptr || from_injection == nullptr) {
                page += fmt::format("{:>14}\n", "saturated");
            } else {
                page += fmt::format("{:>14.1f}{:>14.1f}{:>18}{:>14}\n", from_generation->mean,
                                    from_injection->mean,
                                    apart(*point, name + "_over_measured_percent"),
                                    apart(*point, name + "_network_over_measured_percent"));
            }
        }
        for (const PointResult* point : curve.points) {
            const std::string& why = point->predictions[model].not_applicable;
            if (!why.empty()) {
                page += config::wrapped(
                    fmt::format("none from {:.3f} on, since {}", load_of(*point), why), "  ", "  ");
                break;
            }
        }
        page += "\n";
    }
}

// Where the network is fullest and all packets still arrive.
void heat_map(const LoadCurve& curve, std::string& page) {
    const PointResult* shown = curve.points.front();
    for (const PointResult* point : curve.points) {
        shown = is_saturated(*point) ? shown : point;
    }
    const std::string map = heat_map_text(shown->channels);
    if (map.empty()) {
        return;
    }
    const std::optional<GridSize> grid = grid_of(shown->channels);
    page += config::wrapped(
        fmt::format(
            "channels at a load of {:.3f}, in {} of the cycles: between two nodes the one "
            "to the right (down), then the one back; {:.0f} % in the mean, {:.0f} % at most",
            load_of(*shown), grid->columns <= 9 ? "per cent" : "tenths",
            100.0 * mean_of(*shown, "mean_channel_utilisation"),
            100.0 * mean_of(*shown, "busiest_channel_utilisation")),
        "", "");
    page += map + "\n";
}

void summary_table(const std::vector<LoadCurve>& curves, std::string& page) {
    page += fmt::format("{:<34}{:>11}{:>10}{:>12}{:>12}\n", "the highest load accepted",
                        "saturation", "of the", "highest not", "latency at");
    page += fmt::format("{:<34}{:>11}{:>10}{:>12}{:>12}\n", kUnit, "throughput", "capacity",
                        "saturated", "least load");
    for (const LoadCurve& curve : curves) {
        const PointResult& first = *curve.points.front();
        const double capacity = mean_of(first, "uniform_capacity_load");
        const Estimate* latency = find_estimate(first, "packet_latency_cycles");
        const std::string columns = fmt::format(
            "{:>11}{:>8.0f} %{:>12}{:>12}\n",
            fmt::format("{}{:.3f}", curve.is_saturated ? "" : "> ", curve.saturation_throughput),
            capacity > 0.0 ? 100.0 * curve.saturation_throughput / capacity : 0.0,
            curve.highest_load_not_saturated > 0.0
                ? fmt::format("{:.3f}", curve.highest_load_not_saturated)
                : "none",
            latency != nullptr ? fmt::format("{:.1f}", latency->mean) : "saturated");
        const std::string name = "  " + curve.what;
        constexpr std::size_t kName = 34;
        page += config::width_of(name) < kName
                    ? fmt::format("{:<{}}{}", name, kName, columns)
                    : config::wrapped(curve.what, "  ", "  ") + std::string(kName, ' ') + columns;
    }
    page += "\n";
}

}  // namespace

std::string open_loop_report(const ExperimentResult& result) {
    const std::vector<LoadCurve> curves = load_curves(result);
    std::string page = unloaded_page(result);
    if (curves.empty()) {
        return page;
    }
    page += fmt::format("loads in {}, latencies in cycles from generation\n\n", kUnit);
    if (curves.size() > 1) {
        summary_table(curves, page);
    }
    // Else the points differ in more than their load, and are told by what does.
    const bool has_curve =
        curves.size() == 1 || std::any_of(curves.begin(), curves.end(), [](const LoadCurve& curve) {
            return curve.points.size() > 1;
        });
    for (const LoadCurve& curve : curves) {
        curve_table(curve, page);
        if (curves.size() == 1) {
            page += config::wrapped(saturation_text(curve), "", "") + "\n";
            curve_chart(curve, page);
        }
        if (has_curve) {
            published_tables(curve.points, ToldBy::kItsLoad, page);
        }
        model_tables(curve, page);
        if (curves.size() == 1) {
            heat_map(curve, page);
        }
    }
    if (!has_curve) {
        std::vector<const PointResult*> points;
        for (const PointResult& point : result.points) {
            points.push_back(&point);
        }
        published_tables(points, ToldBy::kItsLabel, page);
    }
    return page;
}

}  // namespace weir::experiments::run
