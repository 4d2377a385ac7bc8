#include "experiments/pages/findings/run_findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "experiments/pages/estimate_text.h"
#include "experiments/records/point_values.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::ExperimentResult;
using records::PointResult;

/// How far what somebody says of a metric is off over the points, in per cent of the measured.
struct Range {
    std::vector<double> said;
    std::vector<double> off;

    void add(double value, double measured) {
        said.push_back(value);
        off.push_back(100.0 * (value / measured - 1.0));
    }
    // "lopc 483.2 (+10.2 %)"; of several points "lopc off by +8.7 to +11.8 %"
    [[nodiscard]] std::string text(const std::string& who, bool is_one_point) const {
        if (is_one_point && said.size() == 1) {
            return fmt::format("{} {} ({:+.1f} %)", who, setup::shown_number(said.front()),
                               off.front());
        }
        const auto [least, most] = std::minmax_element(off.begin(), off.end());
        return fmt::format("{} off by {:+.1f} to {:+.1f} %", who, *least, *most);
    }
};

// What is published and what models say, against what was measured.
std::vector<std::string> comparisons(const ExperimentResult& result) {
    const std::string& metric = result.leading_metric;
    std::vector<std::pair<std::string, Range>> ranges{{"published", {}}};
    for (const std::string& model : records::models_of(result, metric)) {
        ranges.emplace_back(model, Range{});
    }
    for (const PointResult& point : result.points) {
        const records::Estimate* measured = records::find_estimate(point, metric);
        if (measured == nullptr || measured->mean == 0.0) {
            continue;
        }
        for (const double published : records::published_values(point, metric)) {
            ranges.front().second.add(published, measured->mean);
        }
        for (std::size_t i = 1; i < ranges.size(); ++i) {
            if (const auto said = records::predicted_value(point, ranges[i].first, metric)) {
                ranges[i].second.add(*said, measured->mean);
            }
        }
    }
    std::vector<std::string> texts;
    for (const auto& [who, range] : ranges) {
        if (!range.said.empty()) {
            texts.push_back(range.text(who, result.points.size() == 1));
        }
    }
    return texts;
}

/// The points with the least and the greatest value.
struct Extremes {
    const PointResult* least = nullptr;
    const PointResult* most = nullptr;
};

Extremes extremes_of(const ExperimentResult& result) {
    Extremes found;
    const auto mean = [&result](const PointResult* point) {
        return records::find_estimate(*point, result.leading_metric)->mean;
    };
    for (const PointResult& point : result.points) {
        if (records::find_estimate(point, result.leading_metric) != nullptr) {
            found.least =
                found.least == nullptr || mean(&point) < mean(found.least) ? &point : found.least;
            found.most =
                found.most == nullptr || mean(&point) > mean(found.most) ? &point : found.most;
        }
    }
    return found;
}

std::string measured_text(const ExperimentResult& result, const Extremes& extremes) {
    const auto value = [&result](const PointResult& point) {
        return estimate_text(*records::find_estimate(point, result.leading_metric));
    };
    const std::string name = setup::spaced_name(result.leading_metric);
    return result.points.size() == 1
               ? fmt::format("Measured: {} {}", value(*extremes.least), name)
               : fmt::format("Measured: {} {} ({}) to {} ({})", value(*extremes.least), name,
                             extremes.least->label, value(*extremes.most), extremes.most->label);
}

// The parts of a point's time, the greatest first.
std::string time_text(const PointResult& point, bool is_only_point) {
    constexpr std::size_t kMostParts = 3;
    records::Metrics parts = point.round_trip;
    double all = 0.0;
    for (const auto& [name, cycles] : parts) {
        all += cycles;
    }
    if (parts.size() < 2 || all <= 0.0) {
        return "";
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < std::min(kMostParts, parts.size()); ++i) {
        texts.push_back(fmt::format("{} {:.0f} %", setup::spaced_name(parts[i].first),
                                    100.0 * parts[i].second / all));
    }
    return fmt::format("Where the cycles go{}: {}.", is_only_point ? "" : " at " + point.label,
                       fmt::join(texts, ", "));
}

}  // namespace

std::vector<records::Finding> run_findings(const ExperimentResult& result) {
    const Extremes extremes = extremes_of(result);
    if (result.leading_metric.empty() || extremes.least == nullptr) {
        return {};
    }
    const std::vector<std::string> compared = comparisons(result);
    records::Finding finding;
    finding.sentences.push_back(measured_text(result, extremes) + (compared.empty() ? "" : "; ") +
                                fmt::format("{}.", fmt::join(compared, "; ")));
    const std::string time = time_text(*extremes.most, result.points.size() == 1);
    if (!time.empty()) {
        finding.sentences.push_back(time);
    }
    return {finding};
}

}  // namespace weir::experiments::pages
