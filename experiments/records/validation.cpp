#include "experiments/records/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "experiments/records/saturation.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/text/text_table.h"

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

// Shares and loads, below 1, need three decimals.
int digits_for(double published) { return published != 0.0 && std::abs(published) < 1.0 ? 3 : 1; }

std::string absence_text(const Check& check) {
    if (!check.saturation.empty()) {
        return check.saturation;
    }
    return check.is_of_trace ? "not in this trace" : "none";
}

void add_rows(const Check& check, std::vector<std::vector<std::string>>& rows) {
    std::string metric = check.metric;
    std::replace(metric.begin(), metric.end(), '_', ' ');
    const int digits = digits_for(check.published);
    const auto number = [digits](double value) { return setup::fixed_number(value, digits); };
    const auto& measured = check.measured;
    const bool has_interval = measured && measured->half_width;
    rows.push_back({check.point.empty() ? metric : check.point + ": " + metric,
                    number(check.published), measured ? number(measured->mean) : "",
                    has_interval ? "± " + number(*measured->half_width)
                    : measured   ? ""
                                 : absence_text(check),
                    measured ? error_against(check.published, measured->mean, check.metric) : "",
                    check.allowed ? number(*check.allowed) : "", verdict(check)});
    for (const auto& [model, value] : check.predicted) {
        rows.push_back(
            {"  " + model, "", number(value), "",
             error_against(check.published, value, check.metric), "",
             measured ? "(" + error_against(measured->mean, value, check.metric) + ")" : ""});
    }
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
    std::vector<std::vector<std::string>> rows;
    for (const Check& check : checks) {
        add_rows(check, rows);
    }
    using setup::column_of_numbers;
    using setup::column_of_text;
    return experiment + "\n" +
           setup::text_table(
               {column_of_text(""), column_of_numbers("published"), column_of_numbers("measured"),
                column_of_text(""), column_of_numbers("error"), column_of_numbers("within"),
                column_of_text("")},
               rows) +
           "\n";
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
            "Rows below a measured value: predictions of the models, with the error against\n"
            "the published value and, in brackets, against the measured value.\n";
    }
    const auto with_tolerance = std::count_if(checks.begin(), checks.end(),
                                              [](const Check& c) { return c.allowed.has_value(); });
    const auto missed =
        std::count_if(checks.begin(), checks.end(), [](const Check& c) { return c.missed(); });
    page += fmt::format("{} of {} checked values hold; {} open: no tolerance, not checked\n",
                        with_tolerance - missed, with_tolerance,
                        static_cast<std::ptrdiff_t>(checks.size()) - with_tolerance);
    return page;
}

}  // namespace weir::experiments::records
