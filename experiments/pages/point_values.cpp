#include "experiments/pages/point_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "experiments/kinds/kind.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

std::optional<double> predicted_value(const records::PointResult& point, const std::string& model,
                                      const std::string& metric) {
    for (const records::Prediction& prediction : point.predictions) {
        if (prediction.model == model) {
            return records::find_metric(prediction.metrics, metric);
        }
    }
    return std::nullopt;
}

std::vector<double> published_values(const records::PointResult& point, const std::string& metric) {
    std::vector<double> values;
    for (const setup::Published& each : point.published) {
        if (each.metric == metric) {
            values.push_back(each.value);
        }
    }
    return values;
}

std::vector<std::string> models_of(const records::ExperimentResult& result,
                                   const std::string& metric) {
    std::vector<std::string> models;
    for (const records::PointResult& point : result.points) {
        for (const records::Prediction& prediction : point.predictions) {
            const bool says = metric.empty() || records::find_metric(prediction.metrics, metric);
            if (says && std::find(models.begin(), models.end(), prediction.model) == models.end()) {
                models.push_back(prediction.model);
            }
        }
    }
    return models;
}

std::string metric_label(const std::string& metric) {
    constexpr std::string_view kAboveMeasured = "_over_measured_percent";
    if (metric.ends_with(kAboveMeasured)) {
        return setup::spaced_name(metric.substr(0, metric.size() - kAboveMeasured.size())) +
               " above what was measured, %";
    }
    std::string name = setup::spaced_name(metric);
    const std::string unit = kinds::unit_of(metric);
    if (unit != "1" && name.size() > unit.size() && name.ends_with(" " + unit)) {
        name.erase(name.size() - unit.size() - 1);
        return name + ", " + unit;
    }
    return name;
}

std::string sources_of(const records::ExperimentResult& result, const std::string& metric) {
    std::set<std::string> seen;
    std::string text;
    for (const records::PointResult& point : result.points) {
        for (const setup::Published& each : point.published) {
            if (each.metric == metric && seen.insert(each.source).second) {
                text += (text.empty() ? "" : "; ") + each.source;
            }
        }
    }
    return text.empty() ? "" : "Published: " + text + ".";
}

std::string seeds_text(const records::ExperimentResult& result) {
    std::size_t most = 0;
    for (const records::PointResult& point : result.points) {
        most = std::max(most, point.seeds.size());
    }
    return most > 1 ? fmt::format("Means of {} seeds with 95 % confidence intervals. ", most) : "";
}

std::string in_point(const records::ExperimentResult& result, const records::PointResult& point) {
    return result.points.size() > 1 ? ", " + point.label : "";
}

}  // namespace weir::experiments::pages
