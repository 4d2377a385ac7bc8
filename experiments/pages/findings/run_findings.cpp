#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "experiments/pages/estimate_text.h"
#include "experiments/pages/run_sections.h"
#include "experiments/records/point_values.h"
#include "experiments/records/saturation.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::ExperimentResult;
using records::PointResult;

/// Errors of one source (a model, published values) over the points, in per cent of the measured
/// value.
struct Range {
    std::vector<double> said;
    std::vector<double> off;

    void add(double value, double measured) {
        said.push_back(value);
        off.push_back(100.0 * (value / measured - 1.0));
    }
    // Text of the errors: "lopc 483.2 (+10.2 %)"; for several points "lopc off by +8.7 to +11.8 %".
    [[nodiscard]] std::string text(const std::string& who, bool is_one_point) const {
        if (is_one_point && said.size() == 1) {
            return fmt::format("{} {} ({} %)", who, setup::shown_number(said.front()),
                               setup::signed_number(off.front()));
        }
        const auto [least, most] = std::minmax_element(off.begin(), off.end());
        return fmt::format("{} off by {} to {} %", who, setup::signed_number(*least),
                           setup::signed_number(*most));
    }
};

// Texts that compare published and predicted values with measured ones.
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

/// Points with the least and the greatest value.
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
    if (extremes.least == extremes.most && result.points.size() > 1) {
        return fmt::format("Measured: {} {} ({})", value(*extremes.least), name,
                           extremes.least->label);
    }
    return result.points.size() == 1
               ? fmt::format("Measured: {} {}", value(*extremes.least), name)
               : fmt::format("Measured: {} {} ({}) to {} ({})", value(*extremes.least), name,
                             extremes.least->label, value(*extremes.most), extremes.most->label);
}

// Sentence on saturation: "Saturated, without packet latency cycles: high, higher (1 of 3
// saturated)."
std::string saturation_sentence(const ExperimentResult& result) {
    constexpr std::size_t kMostNamed = 5;
    std::vector<std::string> names;
    std::size_t count = 0;
    for (const PointResult& point : result.points) {
        if (records::saturated_runs(point) == 0 ||
            records::find_estimate(point, result.leading_metric) != nullptr) {
            continue;
        }
        if (++count <= kMostNamed) {
            const bool are_all = records::saturated_runs(point) == point.seeds.size();
            names.push_back(point.label +
                            (are_all ? "" : " (" + records::saturation_text(point) + ")"));
        }
    }
    if (count == 0) {
        return "";
    }
    if (result.points.size() == 1) {
        return fmt::format(
            "Saturated ({} of {} runs): no {}.", records::saturated_runs(result.points.front()),
            result.points.front().seeds.size(), setup::spaced_name(result.leading_metric));
    }
    return fmt::format("Saturated, without {}: {}{}.", setup::spaced_name(result.leading_metric),
                       fmt::join(names, ", "),
                       count > kMostNamed ? fmt::format(" and {} more", count - kMostNamed) : "");
}

// Text of the largest parts of a point's time, the greatest first.
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
        texts.push_back(fmt::format("{} {} %", setup::spaced_name(parts[i].first),
                                    setup::percent_number(100.0 * parts[i].second / all, 0)));
    }
    return fmt::format("Where the cycles go{}: {}.", is_only_point ? "" : " at " + point.label,
                       fmt::join(texts, ", "));
}

}  // namespace

std::vector<records::Finding> run_findings(const ExperimentResult& result) {
    if (result.leading_metric.empty()) {
        return {};
    }
    const Extremes extremes = extremes_of(result);
    const std::string saturation = saturation_sentence(result);
    records::Finding finding;
    if (extremes.least == nullptr) {
        return saturation.empty() ? std::vector<records::Finding>{}
                                  : std::vector{records::Finding{"", {saturation}}};
    }
    const std::vector<std::string> compared = comparisons(result);
    finding.sentences.push_back(measured_text(result, extremes) + (compared.empty() ? "" : "; ") +
                                fmt::format("{}.", fmt::join(compared, "; ")));
    const std::string time = time_text(*extremes.most, result.points.size() == 1);
    if (!time.empty()) {
        finding.sentences.push_back(time);
    }
    if (!saturation.empty()) {
        finding.sentences.push_back(saturation);
    }
    return {finding};
}

}  // namespace weir::experiments::pages
