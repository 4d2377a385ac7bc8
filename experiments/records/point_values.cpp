#include "experiments/records/point_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "experiments/records/saturation.h"

namespace weir::experiments::records {

std::optional<double> predicted_value(const PointResult& point, const std::string& model,
                                      const std::string& metric) {
    for (const Prediction& prediction : point.predictions) {
        if (prediction.model == model) {
            return find_metric(prediction.metrics, metric);
        }
    }
    return std::nullopt;
}

std::vector<double> published_values(const PointResult& point, const std::string& metric) {
    std::vector<double> values;
    for (const setup::Published& each : point.published) {
        if (each.metric == metric) {
            values.push_back(each.value);
        }
    }
    return values;
}

TableCell measured_cell(const PointResult& point, const std::string& metric) {
    if (const Estimate* measured = find_estimate(point, metric)) {
        return interval_cell(measured->mean, measured->half_width);
    }
    return saturated_runs(point) == 0 ? absent_cell()
                                      : text_cell(saturation_text(point), TableCell::Mark::kBad);
}

std::vector<std::string> models_of(const ExperimentResult& result, const std::string& metric) {
    std::vector<std::string> models;
    for (const PointResult& point : result.points) {
        for (const Prediction& prediction : point.predictions) {
            const bool says = metric.empty() || find_metric(prediction.metrics, metric);
            if (says && std::find(models.begin(), models.end(), prediction.model) == models.end()) {
                models.push_back(prediction.model);
            }
        }
    }
    return models;
}

std::string sources_of(const ExperimentResult& result, const std::string& metric) {
    std::set<std::string> seen;
    std::string text;
    for (const PointResult& point : result.points) {
        for (const setup::Published& each : point.published) {
            if (each.metric == metric && seen.insert(each.source).second) {
                text += (text.empty() ? "" : "; ") + each.source;
            }
        }
    }
    return text.empty() ? "" : "Published: " + text + ".";
}

std::string seeds_text(const ExperimentResult& result) {
    std::size_t most = 0;
    for (const PointResult& point : result.points) {
        most = std::max(most, point.seeds.size());
    }
    return most > 1 ? fmt::format("Means of {} seeds with 95 % confidence intervals. ", most) : "";
}

std::string in_point(const ExperimentResult& result, const PointResult& point) {
    return result.points.size() > 1 ? ", " + point.label : "";
}

}  // namespace weir::experiments::records
