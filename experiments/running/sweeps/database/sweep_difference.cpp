#include "experiments/running/sweeps/database/sweep_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/records/json_input.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/text_table.h"
#include "experiments/setup/text/wrapped_text.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace {

using setup::UserFault;

using PointKey = std::pair<std::string, std::vector<std::string>>;

PointKey key_of(const StoredPoint& point) { return {point.label, point.values}; }

bool same_results(const StoredPoint& before, const StoredPoint& after) {
    const auto same = [](const StoredRun& a, const StoredRun& b) {
        return a.seed == b.seed && a.status == b.status && a.digest == b.digest;
    };
    return std::equal(before.runs.begin(), before.runs.end(), after.runs.begin(), after.runs.end(),
                      same);
}

Sample sample_of(const StoredPoint& point, const std::map<std::int64_t, double>& values) {
    Sample sample;
    for (const StoredRun& run : point.runs) {
        const auto value = values.find(run.run_id);
        if (value != values.end()) {
            sample.values.push_back(value->second);
        }
    }
    return sample;
}

std::string status_of_point(const StoredPoint& point) {
    for (const StoredRun& run : point.runs) {
        if (run.status != "ok") {
            return run.status;
        }
    }
    return "ok";
}

/// Metrics of a database, each read once.
class MetricsOf {
  public:
    explicit MetricsOf(const SweepDatabase& database) : database_(database) {}
    const std::map<std::int64_t, double>& operator()(const std::string& name) {
        const auto known = metrics_.find(name);
        return known != metrics_.end()
                   ? known->second
                   : metrics_.emplace(name, database_.metric(name)).first->second;
    }

  private:
    const SweepDatabase& database_;
    std::map<std::string, std::map<std::int64_t, double>> metrics_;
};

std::string json_text(const nlohmann::ordered_json& object, const std::string& key) {
    return object.contains(key) ? object.at(key).dump() : "not there";
}

// The configurations are valid, since SweepDatabase::points() has read them.
void add_parameters(const StoredPoint& before, const StoredPoint& after,
                    const std::set<std::string>& swept, SweepDifference& difference) {
    const auto old_values = records::parse_json(before.configuration);
    const auto new_values = records::parse_json(after.configuration);
    std::set<std::string> keys;
    for (const auto& [key, ignored] : old_values.items()) {
        keys.insert(key);
    }
    for (const auto& [key, ignored] : new_values.items()) {
        keys.insert(key);
    }
    for (const std::string& key : keys) {
        const std::string old_text = json_text(old_values, key);
        const std::string new_text = json_text(new_values, key);
        const bool is_told = std::any_of(
            difference.parameters.begin(), difference.parameters.end(),
            [&key](const SweepDifference::Parameter& parameter) { return parameter.key == key; });
        if (old_text != new_text && !is_told && swept.count(key) == 0) {
            difference.parameters.push_back({key, old_text, new_text});
        }
    }
}

std::vector<std::string> optional_cells(const std::vector<std::optional<double>>& values) {
    const bool none = std::none_of(values.begin(), values.end(),
                                   [](const std::optional<double>& v) { return v.has_value(); });
    return none ? std::vector<std::string>(values.size(), "-") : setup::column_text(values, "-");
}

// "438.3 +/- 1.0", or the value alone where there is no interval.
std::vector<std::string> with_intervals(const std::vector<std::optional<double>>& values,
                                        const std::vector<std::optional<double>>& half_widths) {
    std::vector<std::string> cells = optional_cells(values);
    const std::vector<std::string> intervals = optional_cells(half_widths);
    std::size_t widest = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        widest = std::max(widest, half_widths[i] ? intervals[i].size() : 0);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (half_widths[i]) {
            cells[i] += fmt::format(" +/- {:>{}}", intervals[i], widest);
        }
    }
    return cells;
}

}  // namespace

bool ChangedPoint::is_significant() const {
    if (before_status != after_status) {
        return true;
    }
    return half_width ? std::abs(difference()) > *half_width : difference() != 0.0;
}

SweepDifference difference_of(const SweepDatabase& before, const SweepDatabase& after,
                              const std::string& metric) {
    const std::vector<SweptName> names = before.names();
    const std::vector<SweptName> names_after = after.names();
    const auto same_key = [](const SweptName& a, const SweptName& b) { return a.key == b.key; };
    if (!std::equal(names.begin(), names.end(), names_after.begin(), names_after.end(), same_key)) {
        throw UserFault({after.path()}, "its axes are others than those of " + before.path(),
                        "databases of one study");
    }
    std::set<std::string> swept;
    for (const SweptName& name : names) {
        swept.insert(name.key);
    }
    MetricsOf before_metrics(before);
    MetricsOf after_metrics(after);
    if (!metric.empty() && before_metrics(metric).empty() && after_metrics(metric).empty()) {
        throw setup::unknown_name({"--metric " + metric}, "metric", metric, before.metric_names());
    }
    std::map<PointKey, StoredPoint> old_points;
    for (StoredPoint& point : before.points()) {
        old_points.emplace(key_of(point), std::move(point));
    }
    SweepDifference difference;
    for (const StoredPoint& point : after.points()) {
        const auto found = old_points.find(key_of(point));
        if (found == old_points.end()) {
            ++difference.only_after;
            continue;
        }
        const StoredPoint old = std::move(found->second);
        old_points.erase(found);
        ++difference.compared;
        if (old.digest != point.digest) {
            add_parameters(old, point, swept, difference);
        }
        if (same_results(old, point)) {
            continue;
        }
        const std::string& name = metric.empty() ? point.main_metric : metric;
        ChangedPoint changed{description_of(point, after.design(), names),
                             static_cast<std::size_t>(old.number.value_or(0)),
                             name,
                             sample_of(old, before_metrics(name)),
                             sample_of(point, after_metrics(name)),
                             {},
                             status_of_point(old),
                             status_of_point(point)};
        changed.half_width = welch_half_width(changed.before, changed.after);
        difference.changed.push_back(std::move(changed));
    }
    difference.only_before = old_points.size();
    return difference;
}

std::string difference_page(const SweepDifference& difference, const SweepDatabase& before,
                            const SweepDatabase& after) {
    const auto described = [](const SweepDatabase& database) {
        return fmt::format("{}: weir {}, build {}\n", database.path(),
                           database.meta("weir_version"), database.meta("weir_build").substr(0, 8));
    };
    std::string page = described(before) + described(after);
    for (const SweepDifference::Parameter& parameter : difference.parameters) {
        page += setup::wrapped(
            fmt::format("{} was {} and is {}", parameter.key, parameter.before, parameter.after),
            "", "  ");
    }
    if (!difference.changed.empty()) {
        setup::TextColumn point = setup::column_of_numbers("point");
        setup::TextColumn description = setup::column_of_text("where");
        setup::TextColumn metric = setup::column_of_text("metric");
        setup::TextColumn significant = setup::column_of_numbers("");
        std::vector<std::optional<double>> old_means;
        std::vector<std::optional<double>> new_means;
        std::vector<std::optional<double>> differences;
        std::vector<std::optional<double>> half_widths;
        std::set<std::string> metrics;
        for (const ChangedPoint& changed : difference.changed) {
            const bool has_both = !changed.before.values.empty() && !changed.after.values.empty();
            const auto mean = [](const Sample& sample) {
                return sample.values.empty() ? std::nullopt : std::optional(sample.mean());
            };
            point.cells.push_back(changed.number == 0 ? "-" : std::to_string(changed.number));
            description.cells.push_back(changed.before_status == changed.after_status
                                            ? changed.description
                                            : fmt::format("{}: {}, was {}", changed.description,
                                                          changed.after_status,
                                                          changed.before_status));
            metrics.insert(changed.metric);
            metric.cells.push_back(changed.metric);
            old_means.push_back(mean(changed.before));
            new_means.push_back(mean(changed.after));
            differences.push_back(has_both ? std::optional(changed.difference()) : std::nullopt);
            half_widths.push_back(has_both ? changed.half_width : std::nullopt);
            significant.cells.emplace_back(changed.is_significant() ? "*" : "");
        }
        std::vector<setup::TextColumn> columns{point, description};
        if (metrics.size() > 1) {
            columns.push_back(metric);
        }
        columns.push_back({"before", "", optional_cells(old_means), false});
        columns.push_back({"after", "", optional_cells(new_means), false});
        columns.push_back({"change", "", with_intervals(differences, half_widths), false});
        columns.push_back(significant);
        page +=
            "\n" + (metrics.size() == 1 ? *metrics.begin() + "\n" : std::string()) +
            setup::text_table(columns, 2) +
            "  * more than chance: the 95 % interval leaves out 0, or there is a single seed\n\n";
    }
    page += fmt::format("{} compared: {} changed\n", setup::counted(difference.compared, "point"),
                        difference.changed.size());
    if (difference.only_before + difference.only_after > 0) {
        page += fmt::format("{} only in the first, {} only in the second\n", difference.only_before,
                            difference.only_after);
    }
    return page;
}

}  // namespace weir::experiments::running
