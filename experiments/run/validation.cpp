#include "experiments/run/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weir::experiments::run {

namespace {

std::optional<double> allowed_distance(const config::Published& published) {
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

}  // namespace

bool Check::missed() const {
    return allowed && !(measured && std::abs(*measured - published) <= *allowed);
}

std::vector<Check> validate(const ExperimentResult& result) {
    std::vector<Check> checks;
    for (const PointResult& point : result.points) {
        for (const config::Published& published : point.published) {
            Check check{.experiment = result.file,
                        .point = result.points.size() > 1 ? point.label : "",
                        .metric = published.metric,
                        .source = published.source,
                        .published = published.value,
                        .measured = std::nullopt,
                        .allowed = allowed_distance(published)};
            if (const auto comparable = find_comparable(point, published.metric)) {
                check.measured = comparable->mean;
            }
            checks.push_back(check);
        }
    }
    return checks;
}

std::string validation_report(const std::vector<Check>& checks) {
    std::string page;
    std::string experiment;
    for (const Check& check : checks) {
        if (check.experiment != experiment) {
            experiment = check.experiment;
            page += fmt::format("{}{}\n  {:<26}{:>10}{:>11}{:>10}{:>10}  {}\n",
                                page.empty() ? "" : "\n", experiment, "", "measured", "published",
                                "apart", "accepted", "");
        }
        std::string metric = check.metric;
        std::replace(metric.begin(), metric.end(), '_', ' ');
        const std::string name = check.point.empty() ? metric : check.point + ": " + metric;
        const std::string indent =
            name.size() > 26 ? name + "\n  " + std::string(26, ' ') : fmt::format("{:<26}", name);
        page += fmt::format(
            "  {}{:>10}{:>11.1f}{:>10}{:>10}  {}\n", indent,
            check.measured ? fmt::format("{:.1f}", *check.measured) : "none", check.published,
            check.measured ? fmt::format("{:+.1f}", *check.measured - check.published) : "",
            check.allowed ? fmt::format("{:.1f}", *check.allowed) : "", verdict(check));
    }
    const auto with_tolerance = std::count_if(checks.begin(), checks.end(),
                                              [](const Check& c) { return c.allowed.has_value(); });
    const auto missed =
        std::count_if(checks.begin(), checks.end(), [](const Check& c) { return c.missed(); });
    page += fmt::format("\n{} of {} checked values hold; {} are open: shown, without a tolerance\n",
                        with_tolerance - missed, with_tolerance,
                        static_cast<std::ptrdiff_t>(checks.size()) - with_tolerance);
    return page;
}

}  // namespace weir::experiments::run
