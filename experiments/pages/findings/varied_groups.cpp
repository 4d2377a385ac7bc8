#include "experiments/pages/findings/varied_groups.h"

#include <algorithm>

namespace weir::experiments::pages {

namespace {

std::string axis_name(const SweepValues& values, std::size_t axis) {
    for (const records::SweptName& name : values.names()) {
        if (name.axis == axis) {
            return name.axis_name;
        }
    }
    return "";
}

std::string varied_value(const SweepValues& values, std::size_t point, std::size_t axis) {
    std::string text;
    for (std::size_t i = 0; i < values.names().size(); ++i) {
        if (values.names()[i].axis == axis) {
            text += (text.empty() ? "" : ", ") + values.points()[point].values[i];
        }
    }
    return text;
}

}  // namespace

std::vector<VariedGroup> varied_groups(const SweepValues& values) {
    std::vector<VariedGroup> groups;
    const auto group_of = [&groups](const std::string& label) {
        return std::find_if(groups.begin(), groups.end(),
                            [&label](const VariedGroup& group) { return group.label == label; });
    };
    for (std::size_t i = 0; i < values.points().size(); ++i) {
        const records::StoredPoint& point = values.points()[i];
        if (!point.varied_axis && group_of(point.label) == groups.end()) {
            groups.push_back({point.label, point.main_metric, i, {}});
        }
    }
    for (std::size_t i = 0; i < values.points().size(); ++i) {
        const records::StoredPoint& point = values.points()[i];
        const auto group = group_of(point.label);
        // A point with another kernel than the base has another main metric.
        if (point.varied_axis && group != groups.end() && group->metric == point.main_metric) {
            group->points.push_back(i);
        }
    }
    return groups;
}

std::vector<records::TornadoFactor> tornado_factors(const SweepValues& values,
                                                    const VariedGroup& group) {
    const statistics::Sample base = values.sample(group.base, group.metric);
    std::vector<records::TornadoFactor> factors;
    if (base.values.empty() || base.mean() == 0.0) {
        return factors;
    }
    for (const std::size_t point : group.points) {
        const std::size_t axis = *values.points()[point].varied_axis;
        const std::string name = axis_name(values, axis);
        auto factor = std::find_if(factors.begin(), factors.end(),
                                   [&name](const auto& each) { return each.name == name; });
        if (factor == factors.end()) {
            factor = factors.insert(factors.end(), {name, {}});
        }
        if (const auto change = values.change_percent(point, group.base, group.metric)) {
            factor->values.push_back(
                {varied_value(values, point, axis), change->mean, change->half_width});
        }
    }
    return factors;
}

}  // namespace weir::experiments::pages
