#include "experiments/report/sweep_values.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace weir::experiments::report {

namespace {

hw::ParameterValue value_from(const nlohmann::json& json, const std::string& otherwise) {
    if (json.is_boolean()) {
        return json.get<bool>();
    }
    if (json.is_number_integer()) {
        return json.get<std::int64_t>();
    }
    if (json.is_number()) {
        return json.get<double>();
    }
    if (json.is_array()) {
        return json.get<std::vector<std::int64_t>>();
    }
    return otherwise;
}

}  // namespace

SweepValues::SweepValues(const sweep::SweepDatabase& database)
    : database_(database),
      points_(database.points()),
      names_(database.names()),
      design_(database.design()) {}

bool SweepValues::has_labels() const {
    return std::any_of(points_.begin(), points_.end(),
                       [](const sweep::StoredPoint& point) { return !point.label.empty(); });
}

sweep::Sample SweepValues::sample(std::size_t point, const std::string& metric) {
    auto known = metrics_.find(metric);
    if (known == metrics_.end()) {
        known = metrics_.emplace(metric, database_.metric(metric)).first;
    }
    sweep::Sample sample;
    for (const sweep::StoredRun& run : points_[point].runs) {
        const auto value = known->second.find(run.run_id);
        if (value != known->second.end()) {
            sample.values.push_back(value->second);
        }
    }
    return sample;
}

std::optional<run::Estimate> SweepValues::estimate(std::size_t point, const std::string& metric) {
    const sweep::Sample values = sample(point, metric);
    return values.values.empty() ? std::nullopt
                                 : std::optional(run::estimate(metric, values.values));
}

std::optional<run::Estimate> SweepValues::change_percent(std::size_t point, std::size_t base,
                                                         const std::string& metric) {
    const sweep::Sample of_base = sample(base, metric);
    const sweep::Sample of_point = sample(point, metric);
    if (of_base.values.empty() || of_point.values.empty() || of_base.mean() == 0.0) {
        return std::nullopt;
    }
    constexpr double kPercent = 100.0;
    run::Estimate change;
    change.name = metric;
    change.mean = kPercent * (of_point.mean() / of_base.mean() - 1.0);
    if (const auto half_width = sweep::welch_half_width(of_base, of_point)) {
        change.half_width = kPercent * *half_width / of_base.mean();
    }
    return change;
}

std::optional<std::size_t> SweepValues::point_like(std::size_t point, const std::string& column,
                                                   const std::string& value) const {
    std::size_t axis = 0;
    for (const sweep::SweptName& name : names_) {
        axis = name.column == column ? name.axis : axis;
    }
    const auto is_like = [&](const sweep::StoredPoint& other) {
        bool alike = axis == 0 ? other.label == value : other.label == points_[point].label;
        for (std::size_t i = 0; i < names_.size() && alike; ++i) {
            alike = names_[i].column == column
                        ? other.values[i] == value
                        : names_[i].axis == axis || other.values[i] == points_[point].values[i];
        }
        return alike;
    };
    const auto found = std::find_if(points_.begin(), points_.end(), is_like);
    return found == points_.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - points_.begin()));
}

std::vector<std::string> SweepValues::models_of(const std::string& metric) const {
    sweep::Query query(database_.connection(),
                       "SELECT DISTINCT source FROM metrics WHERE metric = ? AND source NOT IN "
                       "('measured', 'round_trip', 'compared') ORDER BY source");
    query.bind(metric);
    std::vector<std::string> models;
    while (query.step()) {
        models.push_back(query.text(0));
    }
    return models;
}

std::vector<std::string> SweepValues::main_metrics() const {
    std::vector<std::string> metrics;
    for (const sweep::StoredPoint& point : points_) {
        if (std::find(metrics.begin(), metrics.end(), point.main_metric) == metrics.end()) {
            metrics.push_back(point.main_metric);
        }
    }
    return metrics;
}

VariedPoint SweepValues::varied(std::size_t point) const {
    const sweep::StoredPoint& stored = points_[point];
    const nlohmann::json configuration = nlohmann::json::parse(stored.configuration);
    VariedPoint varied{stored.label, {}};
    if (!stored.label.empty()) {
        varied.values.emplace_back("label", stored.label);
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
        varied.values.emplace_back(
            names_[i].column,
            value_from(configuration.value(names_[i].key, nlohmann::json()), stored.values[i]));
    }
    return varied;
}

std::string SweepValues::description(std::size_t point) const {
    return sweep::description_of(points_[point], design_, names_);
}

}  // namespace weir::experiments::report
