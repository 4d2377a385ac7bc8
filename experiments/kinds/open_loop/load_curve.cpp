#include "experiments/kinds/open_loop/load_curve.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <variant>

#include "experiments/kinds/open_loop/traffic_kind.h"
#include "experiments/setup/files/toml_tree.h"

namespace weir::experiments::kinds {

namespace {

using Configuration = std::vector<std::pair<std::string, hw::ParameterValue>>;

constexpr std::string_view kLoad = "traffic.load";

Configuration without_load(const records::PointResult& point) {
    Configuration rest = point.configuration;
    std::erase_if(rest, [](const auto& entry) { return entry.first == kLoad; });
    return rest;
}

// Settings in which the curves' first points differ: "traffic.pattern = "transpose"".
std::string differences(const records::PointResult& point, const std::vector<LoadCurve>& curves) {
    std::string text;
    for (const auto& entry : without_load(point)) {
        const bool differs = std::any_of(curves.begin(), curves.end(), [&](const LoadCurve& other) {
            const Configuration& theirs = other.points.front()->configuration;
            return std::find(theirs.begin(), theirs.end(), entry) == theirs.end();
        });
        if (differs) {
            text += text.empty() ? "" : ", ";
            text += entry.first + " = " + setup::toml_text(entry.second);
        }
    }
    return text;
}

}  // namespace

double load_of(const records::PointResult& point) {
    for (const auto& [key, value] : point.configuration) {
        if (key == "traffic.pattern" && (value == hw::ParameterValue(std::string("trace")) ||
                                         value == hw::ParameterValue(std::string("table")))) {
            const records::Estimate* offered = records::find_estimate(point, "offered_load");
            return offered != nullptr ? offered->mean : 0.0;
        }
    }
    for (const auto& [key, value] : point.configuration) {
        if (key == kLoad) {
            return std::get<double>(value);
        }
    }
    return 0.0;
}

bool is_saturated(const records::PointResult& point) {
    const records::Estimate* saturated = records::find_estimate(point, "saturated");
    return saturated != nullptr && saturated->mean > 0.0;
}

std::vector<LoadCurve> load_curves(const records::ExperimentResult& result) {
    std::vector<LoadCurve> curves;
    if (result.kernel != kOpenLoop) {
        return curves;
    }
    for (const records::PointResult& point : result.points) {
        if (point.particulars->contains("unloaded") || point.particulars->contains("recording")) {
            continue;  // points of single packets and of recordings have no offered load
        }
        const auto same = std::find_if(curves.begin(), curves.end(), [&](const LoadCurve& curve) {
            return without_load(*curve.points.front()) == without_load(point);
        });
        LoadCurve& curve = same != curves.end() ? *same : curves.emplace_back();
        curve.points.push_back(&point);
        const records::Estimate* accepted = records::find_estimate(point, "accepted_load");
        if (accepted != nullptr) {
            curve.saturation_throughput = std::max(curve.saturation_throughput, accepted->mean);
        }
        if (is_saturated(point)) {
            curve.is_saturated = true;
        } else {
            curve.highest_load_not_saturated =
                std::max(curve.highest_load_not_saturated, load_of(point));
        }
    }
    for (LoadCurve& curve : curves) {
        std::stable_sort(curve.points.begin(), curve.points.end(),
                         [](const records::PointResult* a, const records::PointResult* b) {
                             return load_of(*a) < load_of(*b);
                         });
    }
    for (LoadCurve& curve : curves) {
        curve.what = curves.size() > 1 ? differences(*curve.points.front(), curves) : "";
    }
    return curves;
}

}  // namespace weir::experiments::kinds
