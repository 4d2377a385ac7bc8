#include "experiments/pages/findings/sweep_findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "experiments/pages/estimate_text.h"
#include "experiments/pages/sweep_values.h"
#include "experiments/records/run_status.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::Finding;
using statistics::VarianceShare;

// Text of a share: "96.1 %".
std::string share_text(double share) { return setup::percent_number(kPercent * share) + " %"; }

// Text of an upper bound: the share, rounded up to a tenth of a per cent.
std::string bound_text(double share) {
    return fmt::format("{:.1f} %", std::max(std::ceil(10.0 * kPercent * share) / 10.0, 0.1));
}

// Text of an interval: "95.2 to 96.9 %".
std::string interval_text(const statistics::Interval& interval) {
    return setup::percent_number(kPercent * interval.least) + " to " + share_text(interval.most);
}

// Text of an effect's share: "96.1 % (95.2 to 96.9 %)".
std::string share_with_interval(const VarianceShare& effect) {
    return share_text(effect.share) +
           (effect.interval ? " (" + interval_text(*effect.interval) + ")" : "");
}

std::string capital(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') {
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    }
    return text;
}

std::string metric_text(const std::string& metric) { return setup::spaced_name(metric); }

// Text of a level; `of_part` is its index in the part.
std::string level_text(const CrossedStudy& study, std::size_t factor, std::size_t of_part) {
    return study.factors[factor].levels[study.level(factor, of_part)].text;
}

/// Two levels of a factor, as indexes in the part.
struct LevelPair {
    std::size_t least = 0;  ///< level with the least mean
    std::size_t most = 0;
};

LevelPair extreme_levels(const CrossedStudy& study, std::size_t factor) {
    LevelPair pair;
    for (std::size_t level = 0; level < study.part->levels[factor].size(); ++level) {
        const double mean = study.mean_at({{factor, level}}).mean;
        pair.least = mean < study.mean_at({{factor, pair.least}}).mean ? level : pair.least;
        pair.most = mean > study.mean_at({{factor, pair.most}}).mean ? level : pair.most;
    }
    return pair;
}

std::string mean_text(const CrossedStudy& study, std::size_t factor, std::size_t level) {
    return fmt::format("{} at {}", estimate_text(study.mean_at({{factor, level}})),
                       level_text(study, factor, level));
}

// Text of means: "mean 84.6 ± 1.9 at 20 to 258.7 ± 2.8 at 120"; for a study's only factor, those of
// all levels, if few.
std::string means_text(const CrossedStudy& study, std::size_t factor) {
    constexpr std::size_t kFewLevels = 4;
    const std::size_t levels = study.part->levels[factor].size();
    if (study.factors.size() > 1) {
        const LevelPair pair = extreme_levels(study, factor);
        return fmt::format("; mean {} to {}", mean_text(study, factor, pair.least),
                           mean_text(study, factor, pair.most));
    }
    std::vector<std::string> texts;
    for (std::size_t level = 0; level < levels && levels <= kFewLevels; ++level) {
        texts.push_back(mean_text(study, factor, level));
    }
    return texts.empty() ? "" : fmt::format("; {}", fmt::join(texts, ", "));
}

/// Change in per cent from one level of a factor to another, at one level of other factors.
struct ChangeAt {
    double percent = 0.0;
    std::string place;
};

// Text of the least and the greatest change between the levels with the least and the greatest
// mean.
//
// "256 instead of 64 changes the mean by -17.2 % at entry cycles = 20, by +3.0 % at entry cycles =
// 120"
std::string changes_text(const CrossedStudy& study, std::size_t factor,
                         const std::vector<std::size_t>& others) {
    const LevelPair pair = extreme_levels(study, factor);
    const std::size_t from = std::min(pair.least, pair.most);
    const std::size_t to = std::max(pair.least, pair.most);
    std::vector<ChangeAt> changes;
    std::vector<std::pair<std::size_t, std::size_t>> place;
    const auto add_change = [&] {
        auto fixed = place;
        fixed.emplace_back(factor, from);
        const double before = study.mean_at(fixed).mean;
        fixed.back().second = to;
        std::vector<std::string> texts;
        texts.reserve(place.size());
        for (const auto& [other, level] : place) {
            texts.push_back(study.factors[other].at(study.level(other, level)));
        }
        if (before != 0.0) {
            changes.push_back({kPercent * (study.mean_at(fixed).mean / before - 1.0),
                               fmt::format("{}", fmt::join(texts, ", "))});
        }
    };
    const auto visit = [&](const auto& self, std::size_t next) -> void {
        if (next == others.size()) {
            add_change();
            return;
        }
        for (std::size_t level = 0; level < study.part->levels[others[next]].size(); ++level) {
            place.emplace_back(others[next], level);
            self(self, next + 1);
            place.pop_back();
        }
    };
    visit(visit, 0);
    const auto [least, most] = std::minmax_element(
        changes.begin(), changes.end(),
        [](const ChangeAt& a, const ChangeAt& b) { return a.percent < b.percent; });
    if (from == to || changes.empty() || least == most) {
        return "";
    }
    return fmt::format("; {} instead of {} changes the mean by {} % at {}, by {} % at {}",
                       level_text(study, factor, to), level_text(study, factor, from),
                       setup::signed_number(least->percent), least->place,
                       setup::signed_number(most->percent), most->place);
}

// Text of an interaction: the change by one factor at each level of the factor that matters more.
std::string interaction_text(const CrossedStudy& study, const VarianceShare& effect) {
    const auto share = [&study](std::size_t factor) {
        return study.shares->main_effects[factor].share;
    };
    std::size_t changed = effect.factors[0];
    std::size_t other = effect.factors[1];
    if (share(other) < share(changed)) {
        std::swap(changed, other);
    }
    return changes_text(study, changed, {other});
}

// True if an interaction with this main effect's factor matters.
bool matters_with_another(const CrossedStudy& study, const VarianceShare& effect) {
    return effect.factors.size() == 1 &&
           std::any_of(study.shares->interactions.begin(), study.shares->interactions.end(),
                       [&effect](const VarianceShare& each) {
                           return kind_of(each) == EffectKind::kMatters &&
                                  (each.factors[0] == effect.factors[0] ||
                                   each.factors[1] == effect.factors[0]);
                       });
}

// Text of a main effect: for two levels, the change in per cent, unless the sentence of an
// interaction has it; otherwise the means.
std::string main_effect_text(const CrossedStudy& study, const VarianceShare& effect) {
    const std::size_t factor = effect.factors.front();
    const bool is_pair = study.part->levels[factor].size() == 2 && study.factors.size() > 1;
    if (!is_pair || matters_with_another(study, effect)) {
        return means_text(study, factor);
    }
    std::vector<std::size_t> others;
    for (std::size_t other = 0; other < study.factors.size(); ++other) {
        if (other != factor) {
            others.push_back(other);
        }
    }
    return changes_text(study, factor, others);
}

std::string effect_sentence(const CrossedStudy& study, const VarianceShare& effect) {
    const std::string name = study.name_of(effect);
    const std::string share = share_with_interval(effect);
    const bool is_interaction = effect.factors.size() > 1;
    switch (kind_of(effect)) {
        case EffectKind::kMatters:
            return fmt::format(
                "{}: {}{}.", name, share,
                is_interaction ? interaction_text(study, effect) : main_effect_text(study, effect));
        case EffectKind::kSmall:
            return fmt::format("{}: little, {}{}.", name, share,
                               is_interaction ? "" : main_effect_text(study, effect));
        case EffectKind::kNone:
            return fmt::format("{}: no effect{}, below {}.", name,
                               matters_with_another(study, effect) ? " by itself" : "",
                               bound_text(effect.interval->most));
        default:
            return fmt::format("{}: no effect beyond chance, below {}.", name,
                               bound_text(effect.interval->most));
    }
}

// Sentence on the interactions that do not matter.
std::string small_interactions(const CrossedStudy& study,
                               const std::vector<VarianceShare>& effects) {
    double most = 0.0;
    std::vector<const VarianceShare*> small;
    for (const VarianceShare& effect : effects) {
        if (effect.factors.size() > 1 && kind_of(effect) != EffectKind::kMatters) {
            most = std::max(most, effect.interval ? effect.interval->most : effect.share);
            small.push_back(&effect);
        }
    }
    if (small.size() < 2) {
        return small.empty() ? "" : effect_sentence(study, *small.front());
    }
    return fmt::format("The {} {}interactions of two parameters: below {} each.", small.size(),
                       small.size() < study.shares->interactions.size() ? "other " : "",
                       bound_text(most));
}

void add_effects(const CrossedStudy& study, Finding& finding) {
    const std::vector<VarianceShare> effects = study.effects();
    for (const VarianceShare& effect : effects) {
        if (effect.factors.size() == 1 || kind_of(effect) == EffectKind::kMatters) {
            finding.sentences.push_back(effect_sentence(study, effect));
        }
    }
    const std::string rest = small_interactions(study, effects);
    if (!rest.empty()) {
        finding.sentences.push_back(rest);
    }
}

// Ranking of a point, followed by all points that differ from it significantly: the difference's
// interval does not hold 0 (Welch). The remaining points may be as good.
records::Ranking ranking_of(const SweepValues& values, const CrossedStudy& study, std::size_t point,
                            bool is_most) {
    records::Ranking ranking{metric_text(study.metric), is_most, {}};
    const statistics::Sample best = values.sample(study.points[point], study.metric);
    for (std::size_t i = 0; i < study.points.size(); ++i) {
        const statistics::Sample other = values.sample(study.points[i], study.metric);
        if (other.values.empty()) {
            continue;
        }
        const double half_width = statistics::welch_half_width(best, other).value_or(0.0);
        const bool is_significant = i != point && std::abs(other.mean() - best.mean()) > half_width;
        ranking.entries.push_back({study.place_of(i), is_significant ? std::size_t{1} : 0,
                                   other.values, other.half_width()});
    }
    return ranking;
}

// Number of other points that share the first rank.
std::size_t like_it(const records::Ranking& ranking) {
    return std::count_if(ranking.entries.begin(), ranking.entries.end(),
                         [](const auto& entry) { return entry.place == 0; }) -
           1;
}

void add_extremes(const SweepValues& values, const CrossedStudy& study, Finding& finding) {
    std::optional<std::size_t> least;
    std::optional<std::size_t> most;
    const auto mean = [&](std::size_t i) {
        return values.estimate(study.points[i], study.metric)->mean;
    };
    for (std::size_t i = 0; i < study.points.size(); ++i) {
        if (values.estimate(study.points[i], study.metric)) {
            least = least && mean(*least) <= mean(i) ? least : i;
            most = most && mean(*most) >= mean(i) ? most : i;
        }
    }
    const Better better = better_of(study.metric);
    if (better == Better::kMore) {
        std::swap(least, most);
    }
    const double ratio = mean(*least) != 0.0 ? mean(*most) / mean(*least) : 0.0;
    const auto sentence = [&](const char* name, std::size_t i, const std::string& compared) {
        const bool is_most = (i == *most) != (better == Better::kMore);
        finding.rankings.push_back(ranking_of(values, study, i, is_most));
        const std::size_t others = like_it(finding.rankings.back());
        return fmt::format("{}: {} {}{}, at {}{}.", name,
                           estimate_text(*values.estimate(study.points[i], study.metric)),
                           metric_text(study.metric), compared, study.place_of(i),
                           others == 0 ? ""
                                       : fmt::format("; {} can't be told from it",
                                                     setup::counted(others, "other point")));
    };
    const bool is_known = better != Better::kUnknown;
    finding.sentences.push_back(sentence(is_known ? "Best" : "Least", *least, ""));
    finding.sentences.push_back(
        sentence(is_known ? "Worst" : "Greatest", *most,
                 ratio > 0.0 ? fmt::format(", {} times as much", setup::shown_number(ratio)) : ""));
}

void add_seeds(const CrossedStudy& study, Finding& finding) {
    constexpr double kLarge = 0.1;
    const statistics::VarianceShares& shares = *study.shares;
    const double seeds = shares.seeds ? shares.seeds->share : 0.0;
    const bool has_higher = study.factors.size() > 2;
    const double left = seeds + (has_higher ? shares.higher_orders.share : 0.0);
    constexpr double kNothing = 0.0005;  // smaller shares would be printed as 0.0 %
    if (left < kNothing) {
        return;
    }
    std::vector<std::string> parts;
    if (shares.seeds) {
        parts.push_back("between seeds " + share_with_interval(*shares.seeds));
    }
    if (has_higher) {
        parts.push_back("three or more parameters together " +
                        share_with_interval(shares.higher_orders));
    }
    finding.sentences.push_back(fmt::format(
        "{}: {}.", left > kLarge ? "Does not fit: much variance remains" : "Remaining variance",
        fmt::join(parts, ", ")));
}

// First level that all of these points have: "network = torus"; empty without one.
std::string common_place(const CrossedStudy& study, const std::vector<std::size_t>& of_points) {
    for (std::size_t factor = 0; factor < study.factors.size(); ++factor) {
        const std::size_t level = study.levels_of_points[of_points.front()][factor];
        const bool is_common = std::all_of(of_points.begin(), of_points.end(), [&](std::size_t i) {
            return study.levels_of_points[i][factor] == level;
        });
        if (is_common) {
            return study.factors[factor].at(level);
        }
    }
    return "";
}

// Text of points: "2 points, all with load = 1".
std::string points_text(const CrossedStudy& study, const std::vector<std::size_t>& points) {
    const std::string common =
        points.size() == 1 ? study.place_of(points.front()) : common_place(study, points);
    return setup::counted(points.size(), "point") +
           (common.empty() ? "" : (points.size() == 1 ? ", " : ", all with ") + common);
}

// Adds sentences on runs that did not end well, and on saturated runs.
void add_troubles(const SweepValues& values, const CrossedStudy& study, Finding& finding) {
    std::map<std::string, std::size_t> by_status;
    std::size_t runs = 0;
    std::size_t saturated = 0;
    std::vector<std::size_t> points;
    std::vector<std::size_t> saturated_points;
    const auto add_once = [](std::size_t point, std::vector<std::size_t>& to) {
        if (to.empty() || to.back() != point) {
            to.push_back(point);
        }
    };
    for (std::size_t i = 0; i < study.points.size(); ++i) {
        for (const records::StoredRun& run : values.points()[study.points[i]].runs) {
            ++runs;
            if (records::is_trouble(run.status)) {
                ++by_status[run.status];
                add_once(i, points);
            } else if (run.status == records::status_name(records::RunStatus::kSaturated)) {
                ++saturated;
                add_once(i, saturated_points);
            }
        }
    }
    if (saturated > 0) {
        finding.sentences.push_back(fmt::format("Saturated: {} of {}, at {}.", saturated,
                                                setup::counted(runs, "run"),
                                                points_text(study, saturated_points)));
    }
    if (points.empty()) {
        return;
    }
    std::vector<std::string> statuses;
    statuses.reserve(by_status.size());
    for (const auto& [status, count] : by_status) {
        statuses.push_back(fmt::format("{} {}", count, status));
    }
    finding.sentences.push_back(fmt::format("Does not fit: of {}, these failed: {}, at {}.",
                                            setup::counted(runs, "run"), fmt::join(statuses, ", "),
                                            points_text(study, points)));
}

void add_crossing(const CrossedStudy& study, Finding& finding) {
    if (study.measured == study.combinations) {
        return;
    }
    const std::string there = fmt::format("Not crossed: {} of {} combinations have results",
                                          study.measured, study.combinations);
    finding.sentences.push_back(
        study.part ? fmt::format("{}; shares and means are of the {} without {}.", there,
                                 study.part->runs.cells.size(), fmt::join(study.left_out, ", "))
                   : there + ", and no part of them is crossed. The shares are unknown.");
}

/// Errors of a model over a study's points.
struct ModelFit {
    std::string models;  ///< models with the same errors
    double least_percent = 0.0;
    double most_percent = 0.0;
    std::size_t farthest = 0;
    std::size_t points = 0;

    [[nodiscard]] double most_off() const {
        return std::max(std::abs(least_percent), std::abs(most_percent));
    }
    [[nodiscard]] bool is_like(const ModelFit& other) const {
        return least_percent == other.least_percent && most_percent == other.most_percent &&
               farthest == other.farthest && points == other.points;
    }
};

ModelFit fit_of(const SweepValues& values, const CrossedStudy& study, const std::string& model) {
    ModelFit fit;
    fit.models = model;
    for (std::size_t i = 0; i < study.points.size(); ++i) {
        const auto measured = values.estimate(study.points[i], study.metric);
        const auto said =
            values.estimate(study.points[i], fmt::format("{}.{}", model, study.metric));
        if (!measured || !said || measured->mean == 0.0) {
            continue;
        }
        const double off = kPercent * (said->mean / measured->mean - 1.0);
        fit.farthest = fit.points == 0 || std::abs(off) > fit.most_off() ? i : fit.farthest;
        fit.least_percent = fit.points == 0 ? off : std::min(fit.least_percent, off);
        fit.most_percent = fit.points == 0 ? off : std::max(fit.most_percent, off);
        ++fit.points;
    }
    return fit;
}

void add_models(const SweepValues& values, const CrossedStudy& study, Finding& finding) {
    constexpr double kFits = 5.0;
    std::vector<ModelFit> fits;
    for (const std::string& model : values.models_of(study.metric)) {
        const ModelFit fit = fit_of(values, study, model);
        const auto like = std::find_if(fits.begin(), fits.end(),
                                       [&fit](const ModelFit& each) { return each.is_like(fit); });
        if (fit.points > 0 && like != fits.end()) {
            like->models += " and " + model;
        } else if (fit.points > 0) {
            fits.push_back(fit);
        }
    }
    for (const ModelFit& fit : fits) {
        const std::string off =
            fmt::format("{} off by {} to {} %", fit.models, setup::signed_number(fit.least_percent),
                        setup::signed_number(fit.most_percent));
        finding.sentences.push_back(
            fit.most_off() <= kFits
                ? fmt::format("Models: {} at {}.", off, setup::counted(fit.points, "point"))
                : fmt::format("Does not fit: {}, farthest at {}.", off,
                              study.place_of(fit.farthest)));
    }
}

// Heading of a study: "short: shares of the variance of makespan cycles (95 % intervals)".
std::string heading_of(const CrossedStudy& study) {
    const std::string metric = metric_text(study.metric);
    std::string what = metric;
    if (study.shares) {
        what = fmt::format(
            "shares of the variance of {}{} ({})", metric,
            study.are_shares_of_logarithms ? " (logarithms)" : "",
            study.shares->seeds ? "95 % intervals" : "one seed per point: without intervals");
    }
    return study.label.empty() ? capital(what) : study.label + ": " + what;
}

Finding finding_of(const SweepValues& values, const CrossedStudy& study) {
    Finding finding{heading_of(study), {}};
    if (study.shares) {
        add_effects(study, finding);
    } else if (study.part) {
        finding.sentences.push_back(fmt::format(
            "No parameter has an effect: {} at all of {}.", estimate_text(study.mean_at({})),
            setup::counted(study.part->runs.cells.size(), "point")));
    }
    if (study.measured > 1 && (study.shares || !study.part)) {
        add_extremes(values, study, finding);
    }
    if (study.shares) {
        add_seeds(study, finding);
    }
    add_crossing(study, finding);
    add_troubles(values, study, finding);
    add_models(values, study, finding);
    return finding;
}

void add_row(const std::string& what, const VarianceShare& part, records::Table& table) {
    const auto bound = [&part](double statistics::Interval::*end) {
        return part.interval ? records::number_cell(kPercent * ((*part.interval).*end))
                             : records::absent_cell();
    };
    table.rows.push_back({records::text_cell(what), records::number_cell(kPercent * part.share),
                          bound(&statistics::Interval::least), bound(&statistics::Interval::most)});
}

}  // namespace

std::vector<Finding> sweep_findings(const SweepValues& values,
                                    const std::vector<CrossedStudy>& studies) {
    if (values.design() == records::SweepDesign::kOneAtATime) {
        return varied_findings(values);
    }
    std::vector<Finding> findings;
    for (const CrossedStudy& study : studies) {
        findings.push_back(finding_of(values, study));
        if (findings.back().sentences.empty()) {
            findings.pop_back();
        }
    }
    return findings;
}

std::optional<records::Table> shares_table(const CrossedStudy& study) {
    if (!study.shares) {
        return std::nullopt;
    }
    records::Table table;
    table.caption =
        fmt::format("{}{}: share of the variance, %", study.label.empty() ? "" : study.label + ": ",
                    metric_text(study.metric));
    table.columns = {records::text_column("effect"), records::number_column("share"),
                     records::number_column("lower bound", "of the 95 % interval"),
                     records::number_column("upper bound", "of the 95 % interval")};
    for (const VarianceShare& effect : study.effects()) {
        add_row(study.name_of(effect), effect, table);
    }
    if (study.factors.size() > 2) {
        add_row("three or more together", study.shares->higher_orders, table);
    }
    if (study.shares->seeds) {
        add_row("between seeds", *study.shares->seeds, table);
    }
    return table;
}

}  // namespace weir::experiments::pages
