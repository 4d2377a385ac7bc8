#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "experiments/pages/chosen_figures.h"
#include "experiments/pages/findings/sweep_findings.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::Finding;

constexpr std::size_t kMostListed = 5;

using records::TornadoValue;

/// Changes of a curve, or of the bars with one colour.
struct Changes {
    std::string series;
    /// Changes in the figure's order, named by position: "hot percent = 30".
    std::vector<TornadoValue> all;
};

std::vector<Changes> changes_of(const records::LineChart& chart) {
    std::vector<Changes> found;
    for (const records::Curve& curve : chart.curves) {
        Changes changes{curve.series, {}};
        for (const records::CurvePoint& point : curve.points) {
            changes.all.push_back(
                {fmt::format("{} = {}", chart.x_label, setup::shown_number(point.x)), point.y,
                 point.half_width});
        }
        found.push_back(std::move(changes));
    }
    return found;
}

std::vector<Changes> changes_of(const records::DotChart& chart) {
    std::vector<Changes> found;
    for (const records::DotSeries& series : chart.series) {
        Changes changes{series.name, {}};
        for (const records::Dot& dot : series.dots) {
            changes.all.push_back({chart.categories[dot.category], dot.value, dot.half_width});
        }
        found.push_back(std::move(changes));
    }
    return found;
}

std::vector<Changes> changes_of(const records::Chart& chart) {
    if (const auto* lines = std::get_if<records::LineChart>(&chart)) {
        return changes_of(*lines);
    }
    if (const auto* bars = std::get_if<records::DotChart>(&chart)) {
        return changes_of(*bars);
    }
    return {};
}

std::string label_of(const records::Chart& chart) {
    const auto* lines = std::get_if<records::LineChart>(&chart);
    return lines != nullptr ? lines->y_label : std::get<records::DotChart>(chart).value_label;
}

bool is_less(const TornadoValue& a, const TornadoValue& b) {
    return a.change_percent < b.change_percent;
}

// Sentence with the significant changes: all, or of many the first, last, least and greatest.
// Changes that are not significant follow.
std::string sentence_of(const Changes& changes) {
    std::vector<std::string> parts;
    std::vector<TornadoValue> told;
    std::vector<std::string> insignificant;
    double most_untold = 0.0;
    for (const TornadoValue& change : changes.all) {
        if (change.is_significant()) {
            told.push_back(change);
        } else {
            insignificant.push_back(change.value);
            most_untold = std::max(most_untold, change.farthest_percent());
        }
    }
    if (told.size() <= kMostListed) {
        for (const TornadoValue& change : told) {
            parts.push_back(change_text(change));
        }
    } else {
        const auto [least, greatest] = std::minmax_element(told.begin(), told.end(), is_less);
        for (auto change = told.begin(); change != told.end(); ++change) {
            if (change == told.begin() || change == least || change == greatest ||
                change == told.end() - 1) {
                parts.push_back(change_text(*change));
            }
        }
    }
    if (!insignificant.empty()) {
        parts.push_back(fmt::format("not distinguishable from 0, below {:.1f} %, at {}",
                                    std::ceil(10.0 * most_untold) / 10.0,
                                    fmt::join(insignificant, ", ")));
    }
    return fmt::format("{}{}.", changes.series.empty() ? "" : changes.series + ": ",
                       fmt::join(parts, "; "));
}

// Sentence with the least and the greatest change of all curves; nothing for a single curve.
std::optional<std::string> sentence_of_ends(const std::vector<Changes>& all) {
    std::vector<TornadoValue> told;
    for (const Changes& changes : all) {
        for (TornadoValue change : changes.all) {
            if (change.is_significant()) {
                change.value = changes.series + ", " + change.value;
                told.push_back(std::move(change));
            }
        }
    }
    if (all.size() < 2 || told.size() < 2) {
        return std::nullopt;
    }
    const auto [least, greatest] = std::minmax_element(told.begin(), told.end(), is_less);
    return fmt::format("From {} to {}.", change_text(*least), change_text(*greatest));
}

}  // namespace

std::vector<Finding> change_findings(const SweepValues& values,
                                     const std::vector<records::FigureChoice>& choices) {
    std::vector<Finding> findings;
    for (const records::FigureChoice& choice : choices) {
        if (choice.against_column.empty()) {
            continue;
        }
        for (const records::Figure& figure : chosen_figures(values, {choice})) {
            const std::vector<Changes> all = changes_of(figure.chart);
            if (all.empty()) {
                continue;
            }
            Finding finding{fmt::format("{}: {}", figure.title(), label_of(figure.chart)), {}};
            if (auto ends = sentence_of_ends(all)) {
                finding.sentences.push_back(*std::move(ends));
            }
            for (const Changes& changes : all) {
                finding.sentences.push_back(sentence_of(changes));
            }
            findings.push_back(std::move(finding));
        }
    }
    return findings;
}

std::string change_text(const records::TornadoValue& change) {
    return fmt::format(
        "{}{} % at {}", setup::signed_number(change.change_percent),
        change.half_width_percent ? " ± " + setup::percent_number(*change.half_width_percent) : "",
        change.value);
}

}  // namespace weir::experiments::pages
