#include "experiments/pages/findings/crossed_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "experiments/setup/parameters/parameter_value.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using statistics::VarianceShare;

/// Axis of a sweep, with its columns.
struct Axis {
    std::string name;
    std::vector<std::size_t> columns;  ///< indexes in SweepValues::names()
};

std::vector<Axis> axes_of(const SweepValues& values) {
    std::map<std::size_t, Axis> by_number;
    for (std::size_t column = 0; column < values.names().size(); ++column) {
        Axis& axis = by_number[values.names()[column].axis];
        axis.name = values.names()[column].axis_name;
        axis.columns.push_back(column);
    }
    std::vector<Axis> axes;
    axes.reserve(by_number.size());
    for (auto& [number, axis] : by_number) {
        axes.push_back(std::move(axis));
    }
    return axes;
}

std::string text_of(const records::StoredPoint& point, const std::vector<std::size_t>& columns) {
    std::string text;
    for (const std::size_t column : columns) {
        text += (text.empty() ? "" : " / ") + point.values[column];
    }
    return text;
}

std::size_t distinct(const SweepValues& values, const std::vector<std::size_t>& points,
                     const std::vector<std::size_t>& columns) {
    std::set<std::string> texts;
    for (const std::size_t point : points) {
        texts.insert(text_of(values.points()[point], columns));
    }
    return texts.size();
}

// The first column that tells the levels apart by itself, else all columns.
std::vector<std::size_t> telling_columns(const SweepValues& values,
                                         const std::vector<std::size_t>& points,
                                         const std::vector<std::size_t>& columns) {
    const std::size_t levels = distinct(values, points, columns);
    for (const std::size_t column : columns) {
        if (distinct(values, points, {column}) == levels) {
            return {column};
        }
    }
    return columns;
}

void sort_levels(StudyFactor& factor) {
    const bool are_numbers = std::all_of(factor.levels.begin(), factor.levels.end(),
                                         [](const auto& level) { return level.number; });
    std::vector<double> numbers;
    for (StudyFactor::Level& level : factor.levels) {
        level.number = are_numbers ? level.number : std::nullopt;
        numbers.push_back(level.number.value_or(0.0));
    }
    factor.is_logarithmic = are_numbers && grows_by_factors(numbers);
    if (are_numbers) {
        std::stable_sort(factor.levels.begin(), factor.levels.end(),
                         [](const auto& a, const auto& b) { return *a.number < *b.number; });
    }
}

std::size_t level_of(const StudyFactor& factor, const std::string& text) {
    const auto found = std::find_if(factor.levels.begin(), factor.levels.end(),
                                    [&text](const auto& level) { return level.text == text; });
    return found - factor.levels.begin();
}

/// Adds an axis to a study. The argument of_points has each point's level; an axis with a single
/// level is not added.
void add_factor(const std::string& name, const std::vector<StudyFactor::Level>& of_points,
                CrossedStudy& study) {
    StudyFactor factor{name, {}, false};
    for (const StudyFactor::Level& level : of_points) {
        if (level_of(factor, level.text) == factor.levels.size()) {
            factor.levels.push_back(level);
        }
    }
    if (factor.levels.size() < 2) {
        return;
    }
    sort_levels(factor);
    for (std::size_t i = 0; i < of_points.size(); ++i) {
        study.levels_of_points[i].push_back(level_of(factor, of_points[i].text));
    }
    study.factors.push_back(std::move(factor));
}

StudyFactor::Level level_at(const records::StoredPoint& point,
                            const std::vector<std::size_t>& columns) {
    const std::optional<double> number =
        columns.size() == 1 ? setup::number_of(point.swept[columns.front()]) : std::nullopt;
    return {number ? fmt::format("{:.6g}", *number) : text_of(point, columns), number};
}

// Name of the axis in the sweep's file; without one, the column that tells its levels apart.
std::string name_of(const SweepValues& values, const Axis& axis,
                    const std::vector<std::size_t>& columns) {
    std::string joined;
    for (const std::size_t column : axis.columns) {
        joined += (joined.empty() ? "" : ", ") + values.names()[column].column;
    }
    return setup::spaced_name(axis.name == joined && columns.size() == 1
                                  ? values.names()[columns.front()].column
                                  : axis.name);
}

void add_factors(const SweepValues& values, CrossedStudy& study) {
    study.levels_of_points.resize(study.points.size());
    for (const Axis& axis : axes_of(values)) {
        const std::vector<std::size_t> columns =
            telling_columns(values, study.points, axis.columns);
        std::vector<StudyFactor::Level> of_points;
        for (const std::size_t point : study.points) {
            of_points.push_back(level_at(values.points()[point], columns));
        }
        add_factor(name_of(values, axis, columns), of_points, study);
    }
}

void add_labels(const SweepValues& values, CrossedStudy& study) {
    study.levels_of_points.resize(study.points.size());
    std::vector<StudyFactor::Level> of_points;
    for (const std::size_t point : study.points) {
        of_points.push_back({values.points()[point].label, std::nullopt});
    }
    add_factor("point", of_points, study);
}

void name_left_out(CrossedStudy& study) {
    for (std::size_t factor = 0; factor < study.factors.size(); ++factor) {
        const std::vector<std::size_t>& kept = study.part->levels[factor];
        for (std::size_t level = 0; level < study.factors[factor].levels.size(); ++level) {
            if (std::find(kept.begin(), kept.end(), level) == kept.end()) {
                study.left_out.push_back(study.factors[factor].at(level));
            }
        }
    }
}

// True if all values are positive and the greatest mean is over four times the least.
bool vary_by_factors(const statistics::FactorialRuns& runs) {
    constexpr double kFactor = 4.0;
    double least = std::numeric_limits<double>::infinity();
    double most = 0.0;
    for (const statistics::FactorialCell& cell : runs.cells) {
        const std::vector<double>& values = cell.sample.values;
        if (*std::min_element(values.begin(), values.end()) <= 0.0) {
            return false;
        }
        least = std::min(least, cell.sample.mean());
        most = std::max(most, cell.sample.mean());
    }
    return most > kFactor * least;
}

statistics::FactorialRuns logarithms_of(statistics::FactorialRuns runs) {
    for (statistics::FactorialCell& cell : runs.cells) {
        for (double& value : cell.sample.values) {
            value = std::log(value);
        }
    }
    return runs;
}

void add_shares(const SweepValues& values, CrossedStudy& study) {
    statistics::FactorialRuns runs;
    for (const StudyFactor& factor : study.factors) {
        runs.level_counts.push_back(factor.levels.size());
    }
    for (std::size_t i = 0; i < study.points.size(); ++i) {
        statistics::Sample sample = values.sample(study.points[i], study.metric);
        study.most_seeds = std::max(study.most_seeds, sample.values.size());
        if (!sample.values.empty()) {
            runs.cells.push_back({study.levels_of_points[i], std::move(sample)});
        }
    }
    study.measured = runs.cells.size();
    study.combinations = runs.combinations();
    study.part = statistics::crossed_part(runs);
    if (study.part) {
        name_left_out(study);
        study.are_shares_of_logarithms = vary_by_factors(study.part->runs);
        study.shares = statistics::variance_shares(
            study.are_shares_of_logarithms ? logarithms_of(study.part->runs) : study.part->runs);
    }
}

// Measured metrics of a figure, without the prefix "measured."; predictions of models are left out.
std::vector<std::string> measured_metrics(const records::FigureChoice& figure) {
    constexpr std::string_view kMeasured = "measured.";
    std::vector<std::string> metrics;
    for (const std::string& metric : figure.metrics) {
        if (metric.starts_with(kMeasured)) {
            metrics.push_back(metric.substr(kMeasured.size()));
        } else if (metric.find('.') == std::string::npos) {
            metrics.push_back(metric);
        }
    }
    return metrics;
}

// Metrics of the figures; empty if any figure shows the main metrics.
std::vector<std::string> metrics_of(const std::vector<records::FigureChoice>& figures) {
    std::vector<std::string> found;
    for (const records::FigureChoice& figure : figures) {
        const std::vector<std::string> metrics = measured_metrics(figure);
        if (figure.metrics.empty() || figure.kind == records::FigureChoice::Kind::kStacked) {
            return {};
        }
        for (const std::string& metric : metrics) {
            if (std::find(found.begin(), found.end(), metric) == found.end()) {
                found.push_back(metric);
            }
        }
    }
    return found;
}

/// Points grouped by label and main metric, in the file's order.
std::vector<CrossedStudy> grouped(const SweepValues& values, bool by_label) {
    std::vector<CrossedStudy> studies;
    for (std::size_t i = 0; i < values.points().size(); ++i) {
        const records::StoredPoint& point = values.points()[i];
        if (!point.number) {
            continue;  // a point that has been removed from the file
        }
        const std::string label = by_label ? point.label : "";
        auto study = std::find_if(studies.begin(), studies.end(), [&](const CrossedStudy& each) {
            return each.label == label && each.metric == point.main_metric;
        });
        if (study == studies.end()) {
            study = studies.insert(studies.end(), CrossedStudy{});
            study->label = label;
            study->metric = point.main_metric;
        }
        study->points.push_back(i);
    }
    return studies;
}

}  // namespace

std::string StudyFactor::at(std::size_t level) const { return name + " = " + levels[level].text; }

std::size_t CrossedStudy::level(std::size_t factor, std::size_t of_part) const {
    return part->levels[factor][of_part];
}

records::Estimate CrossedStudy::mean_at(
    const std::vector<std::pair<std::size_t, std::size_t>>& fixed) const {
    std::vector<statistics::Sample> samples;
    for (const statistics::FactorialCell& cell : part->runs.cells) {
        if (std::all_of(fixed.begin(), fixed.end(), [&cell](const auto& factor_level) {
                return cell.levels[factor_level.first] == factor_level.second;
            })) {
            samples.push_back(cell.sample);
        }
    }
    records::Estimate estimate{metric, 0.0, statistics::half_width_of_mean(samples)};
    for (const statistics::Sample& sample : samples) {
        estimate.mean += sample.mean() / static_cast<double>(samples.size());
    }
    return estimate;
}

std::vector<VarianceShare> CrossedStudy::effects() const {
    std::vector<VarianceShare> effects = shares->main_effects;
    effects.insert(effects.end(), shares->interactions.begin(), shares->interactions.end());
    // A factor with a single level in the part has no known effect.
    std::erase_if(effects, [this](const VarianceShare& effect) {
        return std::any_of(effect.factors.begin(), effect.factors.end(),
                           [this](std::size_t factor) { return part->levels[factor].size() < 2; });
    });
    std::stable_sort(
        effects.begin(), effects.end(),
        [](const VarianceShare& a, const VarianceShare& b) { return a.share > b.share; });
    return effects;
}

std::string CrossedStudy::name_of(const VarianceShare& effect) const {
    std::string name;
    for (const std::size_t factor : effect.factors) {
        name += (name.empty() ? "" : " × ") + factors[factor].name;
    }
    return name;
}

std::string CrossedStudy::place_of(std::size_t index) const {
    std::string text;
    for (std::size_t factor = 0; factor < factors.size(); ++factor) {
        text += (text.empty() ? "" : ", ") + factors[factor].at(levels_of_points[index][factor]);
    }
    return text;
}

EffectKind kind_of(const VarianceShare& effect) {
    constexpr double kSmallShare = 0.01;
    const bool is_significant = !effect.interval || effect.interval->least > 0.0;
    if (is_significant) {
        return effect.share >= kSmallShare ? EffectKind::kMatters : EffectKind::kSmall;
    }
    return effect.interval->most < kSmallShare ? EffectKind::kNone : EffectKind::kUntold;
}

std::vector<CrossedStudy> crossed_studies(const SweepValues& values,
                                          const std::vector<records::FigureChoice>& figures,
                                          const std::vector<std::string>& asked) {
    std::vector<CrossedStudy> studies;
    if (values.design() != records::SweepDesign::kCrossed) {
        return studies;
    }
    const std::vector<std::string> metrics = asked.empty() ? metrics_of(figures) : asked;
    for (CrossedStudy& group : grouped(values, !values.names().empty())) {
        const std::vector<std::string> of_group =
            metrics.empty() ? std::vector{group.metric} : metrics;
        for (const std::string& metric : of_group) {
            CrossedStudy study = group;
            study.metric = metric;
            values.names().empty() ? add_labels(values, study) : add_factors(values, study);
            if (!study.factors.empty()) {
                add_shares(values, study);
                if (study.measured > 0 || metrics.empty()) {
                    studies.push_back(std::move(study));
                }
            }
        }
    }
    return studies;
}

}  // namespace weir::experiments::pages
