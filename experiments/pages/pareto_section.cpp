#include "experiments/pages/pareto_section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "experiments/pages/sweep_values.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/statistics/pareto_front.h"

namespace weir::experiments::pages {

namespace {

constexpr const char* kTitle = "Pareto front";

/// Points of one label that have both a cost and the metric, by index in SweepValues.
struct PricedPoints {
    std::string label;
    std::vector<std::size_t> points;
    std::vector<statistics::FrontMember> front;
    std::size_t left_out = 0;  ///< number of points without a cost or without the metric
};

double cost_of(const SweepValues& values, std::size_t point) {
    return values.points()[point].costs.back();
}

std::vector<PricedPoints> priced_points(const SweepValues& values, const std::string& metric,
                                        Better better) {
    std::vector<PricedPoints> groups;
    for (std::size_t i = 0; i < values.points().size(); ++i) {
        const records::StoredPoint& point = values.points()[i];
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&point](const auto& each) { return each.label == point.label; });
        if (group == groups.end()) {
            group = groups.insert(group, {point.label, {}, {}, 0});
        }
        if (point.costs.empty() || !values.estimate(i, metric)) {
            group->left_out += 1;
        } else {
            group->points.push_back(i);
        }
    }
    std::erase_if(groups, [](const PricedPoints& group) { return group.points.empty(); });
    for (PricedPoints& group : groups) {
        std::vector<statistics::Tradeoff> priced;
        for (const std::size_t point : group.points) {
            priced.push_back({cost_of(values, point), values.by_seed(point, metric)});
            for (auto& [seed, loss] : priced.back().losses) {
                loss = better == Better::kMore ? -loss : loss;
            }
        }
        group.front = statistics::pareto_front(priced);
        for (statistics::FrontMember& member : group.front) {
            member.candidate = group.points[member.candidate];
            for (std::size_t& other : member.equal) {
                other = group.points[other];
            }
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
    chart.caption =
        "Steps: the best mean at or below each cost. Open circles: points that the runs do not "
        "distinguish from a point of the front. Bars are 95 % intervals.";
    chart.x_name = records::kCost;
    chart.y_name = metric;
    chart.x_label = records::kCost;
    chart.y_label = name;
    records::Curve others{records::CurveKind::kOthers, "others", "", {}, false};
    records::Curve equal{records::CurveKind::kEqual, "equal to it", "", {}, false};
    records::Curve front{records::CurveKind::kFront, "Pareto front", "", {}, false};
    for (const std::size_t point : group.points) {
        const auto known =
            std::find_if(group.front.begin(), group.front.end(),
                         [point](const auto& each) { return each.candidate == point; });
        if (known == group.front.end()) {
            others.points.push_back(place_of(values, point, metric));
        }
    }
    for (const statistics::FrontMember& each : group.front) {
        (each.is_step ? front : equal).points.push_back(place_of(values, each.candidate, metric));
    }
    std::stable_sort(others.points.begin(), others.points.end(),
                     [](const auto& a, const auto& b) { return a.x < b.x; });
    chart.curves = {std::move(others), std::move(equal), std::move(front)};
    std::erase_if(chart.curves, [](const records::Curve& curve) { return curve.points.empty(); });
    return {"", std::move(chart)};
}

std::string name_of_point(const SweepValues& values, std::size_t point) {
    const auto& number = values.points()[point].number;
    return number ? std::to_string(*number) : values.description(point);
}

records::TableCell equal_cell(const SweepValues& values, const std::vector<std::size_t>& equal) {
    constexpr std::size_t kMostNamed = 4;
    if (equal.empty()) {
        return records::absent_cell();
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(kMostNamed, equal.size()); ++i) {
        names.push_back(name_of_point(values, equal[i]));
    }
    return records::text_cell(fmt::format(
        "{}{}", fmt::join(names, ", "),
        equal.size() > kMostNamed ? fmt::format(" and {} more", equal.size() - kMostNamed) : ""));
}

std::string caption_of(const PricedPoints& group) {
    const std::size_t steps = std::count_if(group.front.begin(), group.front.end(),
                                            [](const auto& each) { return each.is_step; });
    std::string text =
        fmt::format("{}{} of {}: no other point costs at most as much and is as good",
                    group.label.empty() ? "" : group.label + ": ", steps,
                    setup::counted(group.points.size(), "point"));
    if (steps < group.front.size()) {
        text += fmt::format("; {} more that the runs do not distinguish from a point of the front",
                            group.front.size() - steps);
    }
    if (group.left_out > 0) {
        text += fmt::format("; {} without a cost or the metric left out",
                            setup::counted(group.left_out, "point"));
    }
    return text;
}

records::Table table_of(const SweepValues& values, const PricedPoints& group,
                        const std::string& metric) {
    records::Table table;
    table.caption = caption_of(group);
    const auto& costs = values.costs();
    const bool has_parts = costs.size() > 2;
    add_place_columns(values, table);
    table.columns.push_back(records::number_column(records::kCost, "the sum of its parts"));
    table.columns.push_back(records::number_column(setup::spaced_name(metric)));
    const bool has_equal = std::any_of(group.front.begin(), group.front.end(),
                                       [](const auto& each) { return !each.equal.empty(); });
    if (has_equal) {
        table.columns.push_back(records::text_column("front"));
        table.columns.push_back({"equal to",
                                 "points of this table that the runs do not distinguish from this "
                                 "point: the 95 % interval of the difference, seed by seed, holds "
                                 "0",
                                 false});
    }
    for (std::size_t i = 0; has_parts && i + 1 < costs.size(); ++i) {
        table.columns.push_back(records::number_column(costs[i].first, costs[i].second));
    }
    for (const statistics::FrontMember& each : group.front) {
        const records::StoredPoint& point = values.points()[each.candidate];
        const records::Estimate value = *values.estimate(each.candidate, metric);
        std::vector<records::TableCell> row;
        std::vector<std::size_t> parts;
        add_place(values, each.candidate, row);
        const std::size_t cost = row.size();
        row.push_back(records::number_cell(point.costs.back()));
        row.push_back(records::interval_cell(value.mean, value.half_width));
        if (has_equal) {
            row.push_back(each.is_step
                              ? records::text_cell("step")
                              : records::text_cell("equal", records::TableCell::Mark::kQuiet));
            row.push_back(equal_cell(values, each.equal));
        }
        for (std::size_t i = 0; has_parts && i + 1 < costs.size(); ++i) {
            parts.push_back(row.size());
            row.push_back(records::number_cell(point.costs[i]));
        }
        table.rows.push_back(std::move(row));
        if (has_parts) {
            records::declare_sum_in_last_row(table, parts, cost);
        }
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
