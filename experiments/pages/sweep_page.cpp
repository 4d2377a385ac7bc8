#include "experiments/pages/sweep_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "experiments/pages/chosen_figures.h"
#include "experiments/pages/findings/crossed_study.h"
#include "experiments/pages/findings/sweep_findings.h"
#include "experiments/pages/pareto_section.h"
#include "experiments/pages/sweep_figures.h"
#include "experiments/pages/sweep_values.h"
#include "experiments/records/run_status.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::StoredPoint;
using records::StoredRun;

std::size_t runs_of(const SweepValues& values, const std::string& status = {}) {
    std::size_t count = 0;
    for (const StoredPoint& point : values.points()) {
        for (const StoredRun& run : point.runs) {
            count += status.empty() || run.status == status ? 1 : 0;
        }
    }
    return count;
}

std::string statuses_text(const SweepValues& values) {
    std::string text;
    for (const records::RunStatus each : records::kRunStatuses) {
        const char* const status = records::status_name(each);
        const std::size_t count = runs_of(values, status);
        if (count > 0) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, status);
        }
    }
    return text;
}

// Cell of a point's status: "ok", "saturated", "2 of 3 ok", "1 of 3 ok, 1 saturated". A point
// without the metric also has the reason.
records::TableCell status_cell(const StoredPoint& point, bool has_metric) {
    if (point.runs.empty()) {
        return records::text_cell("no run has ended", records::TableCell::Mark::kBad);
    }
    std::map<std::string, std::size_t> by_status;
    for (const StoredRun& run : point.runs) {
        ++by_status[run.status];
    }
    const std::string ok = records::status_name(records::RunStatus::kOk);
    const std::string of_ok = has_metric ? "" : "not measured";
    if (by_status.size() == 1) {
        const std::string& status = by_status.begin()->first;
        if (status != ok) {
            return records::text_cell(status, records::TableCell::Mark::kBad);
        }
        return has_metric ? records::text_cell(ok)
                          : records::text_cell(of_ok, records::TableCell::Mark::kQuiet);
    }
    std::vector<std::string> texts;
    const std::size_t well = by_status[ok];
    if (well > 0) {
        texts.push_back(fmt::format("{} of {} {}", well, point.runs.size(), ok));
    }
    for (const auto& [status, count] : by_status) {
        const bool is_told = well == 0 || !records::is_trouble(status);
        if (status != ok && is_told) {
            texts.push_back(well == 0 ? fmt::format("{} of {} {}", count, point.runs.size(), status)
                                      : fmt::format("{} {}", count, status));
        }
    }
    const std::string saturated = records::status_name(records::RunStatus::kSaturated);
    if (well > 0 && !has_metric && !by_status.contains(saturated)) {
        texts.push_back(of_ok);
    }
    return records::text_cell(fmt::format("{}", fmt::join(texts, ", ")),
                              records::TableCell::Mark::kBad);
}

// Adds a metric's measured value, its change from the base, and models' predictions.
void add_metric(const SweepValues& values, std::size_t index, const std::string& metric,
                std::vector<records::TableCell>& row) {
    const auto measured = values.estimate(index, metric);
    const std::string saturation = values.saturation_text(index);
    row.push_back(measured ? records::interval_cell(measured->mean, measured->half_width)
                  : saturation.empty()
                      ? records::absent_cell()
                      : records::text_cell(saturation, records::TableCell::Mark::kBad));
    if (values.design() == records::SweepDesign::kOneAtATime) {
        const auto base = values.base_of(index);
        const auto change = base ? values.change_percent(index, *base, metric) : std::nullopt;
        row.push_back(change ? records::percent_cell(change->mean) : records::absent_cell());
    }
    for (const std::string& model : values.models_of(metric)) {
        const auto said = values.estimate(index, fmt::format("{}.{}", model, metric));
        row.push_back(said ? records::number_cell(said->mean) : records::absent_cell());
        row.push_back(said && measured && measured->mean != 0.0
                          ? records::percent_cell(100.0 * (said->mean / measured->mean - 1.0))
                          : records::absent_cell());
    }
}

void add_metric_columns(const SweepValues& values, const std::string& metric, bool is_only,
                        records::Table& table) {
    table.columns.push_back(records::number_column(
        is_only ? "measured" : metric,
        "mean over the seeds ± half the width of its 95 % confidence interval (Student's t)"));
    if (values.design() == records::SweepDesign::kOneAtATime) {
        table.columns.push_back(records::TableColumn{"change", "from the base", true, true});
    }
    for (const std::string& model : values.models_of(metric)) {
        table.columns.push_back(records::number_column(model));
        table.columns.push_back(records::off_column(model + " against the measured value"));
    }
}

// Table of the points whose main metric is `metric`; with requested metrics, of all points.
records::Table points_table(const SweepValues& values, const std::string& metric,
                            const std::vector<std::string>& asked) {
    const std::vector<std::string> metrics = asked.empty() ? std::vector{metric} : asked;
    records::Table table;
    add_place_columns(values, table);
    table.columns.push_back(records::number_column("seeds", "runs that have the metric"));
    for (const std::string& each : metrics) {
        add_metric_columns(values, each, metrics.size() == 1, table);
    }
    table.caption = metrics.size() == 1 ? setup::spaced_name(metrics.front()) : "";
    table.columns.push_back(records::status_column());
    for (std::size_t i = 0; i < values.points().size(); ++i) {
        if (asked.empty() && values.points()[i].main_metric != metric) {
            continue;
        }
        std::vector<records::TableCell> row;
        add_place(values, i, row);
        row.push_back(records::number_cell(
            static_cast<double>(values.sample(i, metrics.front()).values.size())));
        for (const std::string& each : metrics) {
            add_metric(values, i, each, row);
        }
        row.push_back(
            status_cell(values.points()[i], !values.sample(i, metrics.front()).values.empty()));
        table.rows.push_back(std::move(row));
    }
    return table;
}

bool has_any(const SweepValues& values, const std::string& metric) {
    for (std::size_t i = 0; i < values.points().size(); ++i) {
        if (!values.sample(i, metric).values.empty()) {
            return true;
        }
    }
    return false;
}

// Metrics of the studies that any point has, without duplicates.
std::vector<std::string> studied_metrics(const std::vector<CrossedStudy>& studies) {
    std::vector<std::string> metrics;
    for (const CrossedStudy& study : studies) {
        if (study.measured > 0 &&
            std::find(metrics.begin(), metrics.end(), study.metric) == metrics.end()) {
            metrics.push_back(study.metric);
        }
    }
    return metrics;
}

std::vector<records::Figure> figures_of(const SweepValues& values,
                                        const std::vector<records::FigureChoice>& choices) {
    if (!choices.empty()) {
        return chosen_figures(values, choices);
    }
    return values.design() == records::SweepDesign::kOneAtATime ? one_at_a_time_figures(values)
                                                                : crossed_figures(values);
}

// Figures and shares of each study, from the strongest effect on.
records::Section effects_section(const std::vector<CrossedStudy>& studies) {
    records::Section section;
    section.title = "What matters";
    for (const CrossedStudy& study : studies) {
        for (records::Figure& figure : effect_figures(study)) {
            section.blocks.emplace_back(std::move(figure));
        }
    }
    for (const CrossedStudy& study : studies) {
        auto table = shares_table(study);
        if (!table) {
            continue;
        }
        if (study.factors.size() > 1) {
            section.blocks.emplace_back(*std::move(table));
        } else {  // the finding's sentence holds all shares
            records::Section part{"In numbers", {*std::move(table)}, {}};
            part.is_folded = true;
            part.is_left_out_of_text = true;
            section.parts.push_back(std::move(part));
        }
    }
    return section;
}

void append_section(records::Section section, records::Document& document) {
    if (!section.blocks.empty() || !section.parts.empty()) {
        document.sections.push_back(std::move(section));
    }
}

constexpr const char* kTroubles = "Failed runs";

bool ended_badly(const StoredRun& run) { return records::is_trouble(run.status); }

// One line on a run's end: its reason, or at least its status.
std::string reason_of(const StoredRun& run) {
    const std::string reason = records::headline_of(run.message);
    return reason.empty() ? run.status : reason;
}

// Folded section with an explanation longer than one line.
records::Section explanation_of(const SweepValues& values, std::size_t point,
                                const StoredRun& run) {
    records::Section section;
    section.title = fmt::format("{}, seed {}", values.description(point), run.seed);
    section.is_folded = true;
    section.blocks.emplace_back(records::Listing{run.message});
    return section;
}

records::Section troubles_section(const SweepValues& values) {
    constexpr std::size_t kMostInText = 4;
    records::Section section;
    section.title = kTroubles;
    records::Table table;
    table.columns = {records::text_column("point"), records::number_column("seed"),
                     records::text_column("status"), records::text_column("message")};
    for (std::size_t i = 0; i < values.points().size(); ++i) {
        for (const StoredRun& run : values.points()[i].runs) {
            if (!ended_badly(run)) {
                continue;
            }
            table.rows.push_back({records::text_cell(values.description(i)),
                                  records::number_cell(static_cast<double>(run.seed)),
                                  records::text_cell(run.status, records::TableCell::Mark::kBad),
                                  records::text_cell(records::headline_of(run.message))});
            if (run.message.find('\n') < run.message.size() - 1) {
                section.parts.push_back(explanation_of(values, i, run));
                section.parts.back().is_left_out_of_text = section.parts.size() > kMostInText;
            }
        }
    }
    if (!table.rows.empty()) {
        section.blocks.emplace_back(std::move(table));
    }
    return section;
}

// Finding on points with runs that did not end well; nothing if all did.
std::optional<records::Finding> troubles_finding(const SweepValues& values) {
    constexpr std::size_t kMostPoints = 5;
    records::Finding finding;
    std::size_t bad = 0;
    std::size_t points = 0;
    for (std::size_t i = 0; i < values.points().size(); ++i) {
        const StoredPoint& point = values.points()[i];
        const auto first = std::find_if(point.runs.begin(), point.runs.end(), ended_badly);
        if (first == point.runs.end()) {
            continue;
        }
        const std::size_t of_point =
            std::count_if(point.runs.begin(), point.runs.end(), ended_badly);
        bad += of_point;
        if (++points > kMostPoints) {
            continue;
        }
        const std::string place = values.description(i);
        finding.sentences.push_back(
            fmt::format("{}{}{} of {}. Seed {}: {}.", place, place.empty() ? "" : ": ", of_point,
                        setup::counted(point.runs.size(), "run"), first->seed, reason_of(*first)));
    }
    if (bad == 0) {
        return std::nullopt;
    }
    if (points > kMostPoints) {
        finding.sentences.push_back(
            fmt::format("And {} more.", setup::counted(points - kMostPoints, "point")));
    }
    finding.about = fmt::format("{} of {} failed, at {}; see \"{}\"", bad,
                                setup::counted(runs_of(values), "run"),
                                setup::counted(points, "point"), kTroubles);
    return finding;
}

}  // namespace

records::Document sweep_document(records::SweepResult sweep,
                                 const std::vector<std::string>& metrics) {
    // Requested metrics replace those of the points and of the study's figures.
    if (!metrics.empty()) {
        sweep.figures.clear();
        for (StoredPoint& point : sweep.points) {
            point.main_metric = metrics.front();
        }
    }
    const SweepValues values(sweep);
    records::Document document;
    document.title = sweep.title.empty() ? sweep.file : sweep.title;
    document.description = sweep.description;
    document.facts = {{"study", sweep.file},
                      {"axes", records::design_name(sweep.design)},
                      {"runs", fmt::format("{} of {}: {}", runs_of(values),
                                           setup::counted(values.points().size(), "point"),
                                           statuses_text(values))},
                      {"digest of all results", sweep.digest},
                      {"Weir", sweep.weir_version}};
    const std::vector<CrossedStudy> studies = crossed_studies(values, sweep.figures, metrics);
    document.findings = sweep_findings(values, studies);
    if (metrics.empty()) {
        for (records::Finding& finding : change_findings(values, sweep.figures)) {
            document.findings.push_back(std::move(finding));
        }
    }
    if (auto troubles = troubles_finding(values)) {
        document.findings.insert(document.findings.begin(), *std::move(troubles));
    }
    if (runs_of(values) < sweep.planned_runs) {
        document.findings.insert(
            document.findings.begin(),
            {"",
             {fmt::format("Not finished: {} of {} runs have ended; the page shows these.",
                          runs_of(values), sweep.planned_runs)}});
    }
    if (!sweep.searched.empty()) {
        document.findings.insert(document.findings.begin(),
                                 {"",
                                  {fmt::format("Searched: {}.", sweep.searched),
                                   "Each point has only the seeds of its rounds. Below, a point "
                                   "with few seeds may appear as the best."}});
    }
    append_section(effects_section(studies), document);
    records::Section results;
    results.title = "Results";
    if (auto swings = swing_table(values)) {
        results.blocks.emplace_back(*std::move(swings));
    }
    for (records::Figure& figure : figures_of(values, sweep.figures)) {
        results.blocks.emplace_back(std::move(figure));
    }
    append_section(std::move(results), document);
    if (auto front = pareto_section(values, metrics)) {
        document.sections.push_back(*std::move(front));
    }
    records::Section points;
    points.title = "All points";
    if (metrics.empty()) {
        for (const std::string& metric : values.main_metrics()) {
            points.blocks.emplace_back(points_table(
                values, metric,
                has_any(values, metric) ? std::vector<std::string>{} : studied_metrics(studies)));
        }
    } else {
        points.blocks.emplace_back(points_table(values, "", metrics));
    }
    document.sections.push_back(std::move(points));
    append_section(troubles_section(values), document);
    records::Section study;
    study.title = "The study's file";
    study.is_folded = true;
    study.is_left_out_of_text = true;
    study.blocks.emplace_back(records::Listing{sweep.text});
    document.sections.push_back(std::move(study));
    records::name_figures(document);
    records::share_value_axes(document);
    return document;
}

}  // namespace weir::experiments::pages
