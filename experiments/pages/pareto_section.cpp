#include "experiments/pages/pareto_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "experiments/pages/sweep_places.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/statistics/pareto_front.h"
#include "experiments/statistics/sample.h"

namespace weir::experiments::pages {

namespace {

constexpr const char* kTitle = "Pareto front";

/// The points of one label that have both a cost and the metric.
struct PricedPoints {
    std::string label;
    std::vector<std::size_t> points;  ///< by SweepValues's index
    std::vector<std::size_t> front;   ///< of these, the cheapest first
};

/// What a point costs, and its values by seed, the less the better.
struct PricedPoint {
    double cost = 0.0;
    std::map<std::uint64_t, double> losses;
};

double mean_of(const std::map<std::uint64_t, double>& losses) {
    statistics::Sample sample;
    for (const auto& [seed, loss] : losses) {
        sample.values.push_back(loss);
    }
    return sample.mean();
}

// By how much the first one is worse over the seeds that both have; over all where there are none.
double behind(const PricedPoint& point, const PricedPoint& other) {
    statistics::Sample differences;
    for (const auto& [seed, loss] : point.losses) {
        const auto same = other.losses.find(seed);
        if (same != other.losses.end()) {
            differences.values.push_back(loss - same->second);
        }
    }
    return differences.values.empty() ? mean_of(point.losses) - mean_of(other.losses)
                                      : differences.mean();
}

bool have_same_seeds(const std::vector<PricedPoint>& points) {
    return std::all_of(points.begin(), points.end(), [&points](const PricedPoint& each) {
        return std::equal(each.losses.begin(), each.losses.end(), points.front().losses.begin(),
                          points.front().losses.end(),
                          [](const auto& a, const auto& b) { return a.first == b.first; });
    });
}

// Points that have run with different seeds, as a search leaves them, are compared two by two: what
// few seeds say of one alone may be luck that others had as well.
std::vector<std::size_t> front_of(const std::vector<PricedPoint>& points) {
    std::vector<statistics::Tradeoff> means;
    means.reserve(points.size());
    for (const PricedPoint& point : points) {
        means.push_back({point.cost, mean_of(point.losses)});
    }
    if (have_same_seeds(points)) {
        return statistics::pareto_front(means);
    }
    std::vector<std::size_t> front;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto beats = [&](const PricedPoint& other) {
            const double worse = behind(points[i], other);
            const bool is_first = &other < &points[i];
            return other.cost <= points[i].cost &&
                   (worse > 0.0 || (worse == 0.0 && (other.cost < points[i].cost || is_first)));
        };
        if (std::none_of(points.begin(), points.end(), beats)) {
            front.push_back(i);
        }
    }
    std::stable_sort(front.begin(), front.end(), [&points](std::size_t a, std::size_t b) {
        return points[a].cost < points[b].cost;
    });
    return front;
}

double cost_of(const SweepValues& values, std::size_t point) {
    return values.points()[point].costs.back();
}

std::vector<PricedPoints> priced_points(const SweepValues& values, const std::string& metric,
                                        Better better) {
    std::vector<PricedPoints> groups;
    for (std::size_t i = 0; i < values.points().size(); ++i) {
        const records::StoredPoint& point = values.points()[i];
        if (point.costs.empty() || !values.estimate(i, metric)) {
            continue;
        }
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&point](const auto& each) { return each.label == point.label; });
        if (group == groups.end()) {
            group = groups.insert(group, {point.label, {}, {}});
        }
        group->points.push_back(i);
    }
    for (PricedPoints& group : groups) {
        std::vector<PricedPoint> priced;
        for (const std::size_t point : group.points) {
            priced.push_back({cost_of(values, point), values.by_seed(point, metric)});
            for (auto& [seed, loss] : priced.back().losses) {
                loss = better == Better::kMore ? -loss : loss;
            }
        }
        for (const std::size_t index : front_of(priced)) {
            group.front.push_back(group.points[index]);
        }
    }
    return groups;
}

records::CurvePoint place_of(const SweepValues& values, std::size_t point,
                             const std::string& metric) {
    const records::Estimate value = *values.estimate(point, metric);
    return {cost_of(values, point), value.mean, value.half_width};
}

records::Figure figure_of(const SweepValues& values, const PricedPoints& group,
                          const std::string& metric) {
    records::LineChart chart;
    const std::string name = setup::spaced_name(metric);
    chart.title = (group.label.empty() ? "" : group.label + ": ") + name + " over cost";
    chart.caption = "The front joins the points that no other one beats.";
    chart.x_name = records::kCost;
    chart.y_name = metric;
    chart.x_label = records::kCost;
    chart.y_label = name;
    records::Curve others{records::CurveKind::kOthers, "others", "", {}, false};
    records::Curve front{records::CurveKind::kMeasured, "Pareto front", "", {}, false};
    for (const std::size_t point : group.points) {
        if (std::find(group.front.begin(), group.front.end(), point) == group.front.end()) {
            others.points.push_back(place_of(values, point, metric));
        }
    }
    for (const std::size_t point : group.front) {
        front.points.push_back(place_of(values, point, metric));
    }
    std::stable_sort(others.points.begin(), others.points.end(),
                     [](const auto& a, const auto& b) { return a.x < b.x; });
    chart.curves = {std::move(others), std::move(front)};
    std::erase_if(chart.curves, [](const records::Curve& curve) { return curve.points.empty(); });
    return {"", std::move(chart)};
}

records::Table table_of(const SweepValues& values, const PricedPoints& group,
                        const std::string& metric) {
    records::Table table;
    table.caption = fmt::format("{}{} of {}: no other one costs at most as much and is as good",
                                group.label.empty() ? "" : group.label + ": ", group.front.size(),
                                setup::counted(group.points.size(), "point"));
    const auto& costs = values.costs();
    const bool has_parts = costs.size() > 2;
    add_place_columns(values, table);
    table.columns.push_back(records::number_column(records::kCost, "the sum of its parts"));
    table.columns.push_back(records::number_column(setup::spaced_name(metric)));
    for (std::size_t i = 0; has_parts && i + 1 < costs.size(); ++i) {
        table.columns.push_back(records::number_column(costs[i].first, costs[i].second));
    }
    for (const std::size_t index : group.front) {
        const records::StoredPoint& point = values.points()[index];
        const records::Estimate value = *values.estimate(index, metric);
        std::vector<records::TableCell> row;
        add_place(values, index, row);
        row.push_back(records::number_cell(point.costs.back()));
        row.push_back(records::interval_cell(value.mean, value.half_width));
        for (std::size_t i = 0; has_parts && i + 1 < costs.size(); ++i) {
            row.push_back(records::number_cell(point.costs[i]));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

std::optional<records::Section> pareto_section(const SweepValues& values, const std::string& metric,
                                               Better better) {
    if (values.costs().empty() || better == Better::kUnknown) {
        return std::nullopt;
    }
    records::Section section;
    section.title = fmt::format("{}: {} against cost", kTitle, setup::spaced_name(metric));
    for (const PricedPoints& group : priced_points(values, metric, better)) {
        section.blocks.emplace_back(figure_of(values, group, metric));
        section.blocks.emplace_back(table_of(values, group, metric));
    }
    return section.blocks.empty() ? std::nullopt : std::optional(std::move(section));
}

std::optional<records::Section> pareto_section(const SweepValues& values,
                                               const std::vector<std::string>& metrics) {
    std::optional<records::Section> all;
    for (const std::string& metric : metrics.empty() ? values.main_metrics() : metrics) {
        auto section = pareto_section(values, metric, better_of(metric));
        if (section && !all) {
            all = std::move(section);
        } else if (section) {
            std::move(section->blocks.begin(), section->blocks.end(),
                      std::back_inserter(all->blocks));
            all->title = fmt::format("{}s against cost", kTitle);
        }
    }
    return all;
}

}  // namespace weir::experiments::pages
