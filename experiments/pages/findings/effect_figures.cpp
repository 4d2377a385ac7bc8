#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "experiments/pages/findings/sweep_findings.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::CurvePoint;
using records::Panel;
using records::PanelChart;
using statistics::VarianceShare;

using Fixed = std::vector<std::pair<std::size_t, std::size_t>>;  ///< pairs of factor and level

constexpr std::size_t kMostInteractions = 3;

// Adds the levels of a factor to the horizontal axis; levels that are not numbers are evenly
// spaced.
void add_places(const CrossedStudy& study, std::size_t factor, Panel& panel) {
    const StudyFactor& axis = study.factors[factor];
    panel.x_label = axis.name;
    panel.x_is_logarithmic = axis.is_logarithmic;
    panel.has_categories = std::any_of(axis.levels.begin(), axis.levels.end(),
                                       [](const auto& level) { return !level.number; });
    for (std::size_t i = 0; i < study.part->levels[factor].size(); ++i) {
        const StudyFactor::Level& level = axis.levels[study.level(factor, i)];
        panel.places.push_back({level.number.value_or(static_cast<double>(i)), level.text});
    }
}

// Means over all factors other than the fixed ones.
std::vector<CurvePoint> means_over(const CrossedStudy& study, std::size_t factor,
                                   const Panel& panel, Fixed fixed) {
    std::vector<CurvePoint> points;
    fixed.emplace_back(factor, 0);
    for (std::size_t i = 0; i < panel.places.size(); ++i) {
        fixed.back().second = i;
        const records::Estimate mean = study.mean_at(fixed);
        points.push_back({panel.places[i].at, mean.mean, mean.half_width});
    }
    return points;
}

std::string share_text(const VarianceShare& effect) {
    return effect.interval && kind_of(effect) == EffectKind::kNone
               ? "no effect"
               : setup::percent_number(100.0 * effect.share) + " % of the variance";
}

PanelChart chart_of(const CrossedStudy& study, const std::string& title) {
    PanelChart chart;
    chart.title = study.label.empty() ? title : study.label + ": " + title;
    chart.value_name = study.metric;
    chart.value_label = setup::spaced_name(study.metric);
    chart.points_name = "mean";
    chart.axis.subject = study.label;
    return chart;
}

std::string bands_text(const CrossedStudy& study) {
    return study.shares->seeds ? " Bands are 95 % intervals over the seeds." : "";
}

records::Figure main_effects(const CrossedStudy& study) {
    PanelChart chart =
        chart_of(study, "Effect of each parameter on " + setup::spaced_name(study.metric));
    for (const VarianceShare& effect : study.effects()) {
        if (effect.factors.size() == 1) {
            Panel panel;
            const std::size_t factor = effect.factors.front();
            panel.title = share_text(effect);
            add_places(study, factor, panel);
            panel.points = means_over(study, factor, panel, {});
            chart.panels.push_back(std::move(panel));
        }
    }
    chart.caption =
        "The mean over all values of the other parameters; the largest effect is at the left." +
        bands_text(study);
    return {"", std::move(chart)};
}

records::Figure interaction(const CrossedStudy& study, const VarianceShare& effect) {
    std::size_t of_panels = effect.factors[0];
    std::size_t below = effect.factors[1];
    if (study.part->levels[of_panels].size() > study.part->levels[below].size()) {
        std::swap(of_panels, below);
    }
    PanelChart chart = chart_of(
        study, fmt::format("{} by {}", study.factors[below].name, study.factors[of_panels].name));
    chart.reference_name = "mean of all panels";
    for (std::size_t level = 0; level < study.part->levels[of_panels].size(); ++level) {
        Panel panel;
        panel.title = study.factors[of_panels].at(study.level(of_panels, level));
        add_places(study, below, panel);
        panel.points = means_over(study, below, panel, {{of_panels, level}});
        panel.reference = means_over(study, below, panel, {});
        for (CurvePoint& point : panel.reference) {
            point.half_width.reset();
        }
        chart.panels.push_back(std::move(panel));
    }
    chart.caption = fmt::format(
        "Together they make {} beyond their separate effects. The dashed curve, the mean of all "
        "panels, is the same in each.{}",
        share_text(effect), bands_text(study));
    return {"", std::move(chart)};
}

}  // namespace

std::vector<records::Figure> effect_figures(const CrossedStudy& study) {
    std::vector<records::Figure> figures;
    if (!study.shares || study.factors.size() < 2) {
        return figures;
    }
    figures.push_back(main_effects(study));
    for (const VarianceShare& effect : study.effects()) {
        if (effect.factors.size() == 2 && kind_of(effect) == EffectKind::kMatters &&
            figures.size() <= kMostInteractions) {
            figures.push_back(interaction(study, effect));
        }
    }
    return figures;
}

}  // namespace weir::experiments::pages
