#include "experiments/records/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "experiments/records/saturation.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::records {

namespace {

std::optional<double> allowed_distance(const setup::Published& published) {
    if (published.within) {
        return published.within;
    }
    if (published.tolerance) {
        return *published.tolerance * std::abs(published.value);
    }
    return std::nullopt;
}

std::string verdict(const Check& check) {
    if (!check.allowed) {
        return "open";
    }
    return check.missed() ? "MISSED" : "holds";
}

// Of shares and loads the tenths say nothing.
int digits_for(double published) { return published != 0.0 && std::abs(published) < 1.0 ? 3 : 1; }

// 19 columns.
std::string value_text(const std::optional<Estimate>& value, int digits,
                       const std::string& if_absent = "none") {
    if (!value) {
        constexpr std::size_t kOfMean = 11;
        return if_absent.size() > kOfMean ? fmt::format("{:>19}", if_absent)
                                          : fmt::format("{:>11}        ", if_absent);
    }
    const std::string mean = setup::fixed_number(value->mean, digits);
    return value->half_width ? fmt::format("{:>11} ± {:<5}", mean,
                                           setup::fixed_number(*value->half_width, digits))
                             : fmt::format("{:>11}        ", mean);
}

std::string absence_text(const Check& check) {
    if (!check.saturation.empty()) {
        return check.saturation;
    }
    return check.is_of_trace ? "not in this trace" : "none";
}

std::string rows(const Check& check) {
    constexpr std::size_t kName = 25;
    std::string metric = check.metric;
    std::replace(metric.begin(), metric.end(), '_', ' ');
    const std::string name = check.point.empty() ? metric : check.point + ": " + metric;
    std::string text = name.size() > kName ? fmt::format("  {}\n  {:<{}}", name, "", kName)
                                           : fmt::format("  {:<{}}", name, kName);
    const int digits = digits_for(check.published);
    text += fmt::format(
        "{:>10}{}{:>9}{:>7}{:>8}\n", setup::fixed_number(check.published, digits),
        value_text(check.measured, digits, absence_text(check)),
        check.measured ? error_against(check.published, check.measured->mean, check.metric) : "",
        check.allowed ? setup::fixed_number(*check.allowed, digits) : "", verdict(check));
    for (const auto& [model, value] : check.predicted) {
        text += fmt::format(
            "    {:<{}}{:>10}{}{:>9}{}\n", model, kName - 2, "",
            value_text(Estimate{model, value, std::nullopt}, digits),
            error_against(check.published, value, check.metric),
            check.measured
                ? fmt::format("{:>15}",
                              "(" + error_against(check.measured->mean, value, check.metric) + ")")
                : "");
    }
    return text;
}

}  // namespace

std::string error_against(double reference, double value, const std::string& metric) {
    constexpr std::string_view kPercent = "_percent";
    return reference == 0.0 || metric.ends_with(kPercent)
               ? setup::signed_number(value - reference) + "  "
               : setup::signed_number(100.0 * (value - reference) / std::abs(reference)) + " %";
}

bool Check::missed() const {
    return allowed && !(measured && std::abs(measured->mean - published) <= *allowed);
}

std::vector<Check> validate(const ExperimentResult& result) {
    std::vector<Check> checks;
    for (const PointResult& point : result.points) {
        for (const setup::Published& published : point.published) {
            Check check{.point = result.points.size() > 1 ? point.label : "",
                        .metric = published.metric,
                        .source = published.source,
                        .published = published.value,
                        .measured = find_comparable(point, published.metric),
                        .allowed = allowed_distance(published),
                        .predicted = {},
                        .is_of_trace = !particular(point, kTraces).empty(),
                        .saturation = {}};
            check.saturation = check.measured ? "" : saturation_text(point);
            for (const records::Prediction& prediction : point.predictions) {
                if (const auto value = find_metric(prediction.metrics, published.metric)) {
                    check.predicted.emplace_back(prediction.model, *value);
                }
            }
            checks.push_back(check);
        }
    }
    return checks;
}

std::string validation_table(const std::string& experiment, const std::vector<Check>& checks) {
    if (checks.empty()) {
        return experiment + ": nothing published to compare with\n\n";
    }
    std::string page = fmt::format("{}\n{:>37}{:>11}{:>17}{:>7}\n", experiment, "published",
                                   "measured", "error", "within");
    for (const Check& check : checks) {
        page += rows(check);
    }
    return page + "\n";
}

nlohmann::ordered_json to_json(const std::vector<Check>& checks) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Check& check : checks) {
        nlohmann::ordered_json row{{"point", check.point},
                                   {"metric", check.metric},
                                   {"published", check.published},
                                   {"source", check.source}};
        if (check.measured) {
            row["measured"] = check.measured->mean;
        }
        if (check.measured && check.measured->half_width) {
            row["confidence_half_width_95"] = *check.measured->half_width;
        }
        if (check.allowed) {
            row["within"] = *check.allowed;
        }
        if (!check.saturation.empty()) {
            row["saturation"] = check.saturation;
        }
        row["missed"] = check.missed();
        row["predicted"] = nlohmann::ordered_json::object();
        for (const auto& [model, value] : check.predicted) {
            row["predicted"][model] = value;
        }
        rows.push_back(row);
    }
    return rows;
}

std::string validation_summary(const std::vector<Check>& checks) {
    std::string page;
    if (std::any_of(checks.begin(), checks.end(),
                    [](const Check& check) { return !check.predicted.empty(); })) {
        page +=
            "Under a measured value what each model predicts: its error against what was\n"
            "published and, in brackets, against what was measured.\n";
    }
    const auto with_tolerance = std::count_if(checks.begin(), checks.end(),
                                              [](const Check& c) { return c.allowed.has_value(); });
    const auto missed =
        std::count_if(checks.begin(), checks.end(), [](const Check& c) { return c.missed(); });
    page += fmt::format("{} of {} checked values hold; {} are open: shown, without a tolerance\n",
                        with_tolerance - missed, with_tolerance,
                        static_cast<std::ptrdiff_t>(checks.size()) - with_tolerance);
    return page;
}

}  // namespace weir::experiments::records
