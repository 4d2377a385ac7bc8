#include "experiments/report/point_values.h"

#include <algorithm>

namespace weir::experiments::report {

std::optional<double> predicted_value(const run::PointResult& point, const std::string& model,
                                      const std::string& metric) {
    for (const run::Prediction& prediction : point.predictions) {
        if (prediction.model == model) {
            return run::find_metric(prediction.metrics, metric);
        }
    }
    return std::nullopt;
}

std::vector<double> published_values(const run::PointResult& point, const std::string& metric) {
    std::vector<double> values;
    for (const config::Published& each : point.published) {
        if (each.metric == metric) {
            values.push_back(each.value);
        }
    }
    return values;
}

std::vector<std::string> models_of(const run::ExperimentResult& result, const std::string& metric) {
    std::vector<std::string> models;
    for (const run::PointResult& point : result.points) {
        for (const run::Prediction& prediction : point.predictions) {
            const bool says = metric.empty() || run::find_metric(prediction.metrics, metric);
            if (says && std::find(models.begin(), models.end(), prediction.model) == models.end()) {
                models.push_back(prediction.model);
            }
        }
    }
    return models;
}

}  // namespace weir::experiments::report
