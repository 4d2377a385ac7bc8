#include "experiments/report/sweep_report.h"

#include <fmt/format.h>

#include <map>

#include "experiments/config/user_fault.h"
#include "experiments/report/chart_style.h"
#include "experiments/report/chosen_figures.h"
#include "experiments/report/sweep_figures.h"
#include "experiments/report/sweep_values.h"

namespace weir::experiments::report {

namespace {

using sweep::StoredPoint;
using sweep::StoredRun;

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
    for (const char* status : {"ok", "failed", "deadlocked", "bad"}) {
        const std::size_t count = runs_of(values, status);
        if (count > 0) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, status);
        }
    }
    return text;
}

TableCell status_cell(const StoredPoint& point) {
    std::size_t ok = 0;
    std::string other;
    for (const StoredRun& run : point.runs) {
        ok += run.status == "ok" ? 1 : 0;
        other = run.status == "ok" ? other : run.status;
    }
    if (other.empty()) {
        return text_cell("ok");
    }
    return text_cell(ok == 0 ? other : fmt::format("{} of {} ok", ok, point.runs.size()),
                     TableCell::Mark::kBad);
}

// A number as such, so that rows can be sorted by it.
TableCell swept_cell(const hw::ParameterValue& value) {
    TableCell cell = text_cell(sweep::value_text(value));
    cell.value = number_of(value);
    return cell;
}

// Every point with what its axes set, its main metric, and what models say of that.
Table points_table(SweepValues& values, const std::string& metric) {
    const std::vector<std::string> models = values.models_of(metric);
    Table table;
    table.caption = spaced_name(metric);
    table.columns = {{"point", "", true}};
    if (values.has_labels()) {
        table.columns.push_back({"label", "", false});
    }
    for (const sweep::SweptName& name : values.names()) {
        table.columns.push_back({name.column, name.key, true});
    }
    table.columns.push_back({"seeds", "runs that have the metric", true});
    table.columns.push_back({"measured",
                             "mean over the seeds ± half the width of its 95 % confidence interval "
                             "(Student's t)",
                             true});
    for (const std::string& model : models) {
        table.columns.push_back({model, "", true});
        table.columns.push_back({"off", model + " against what was measured", true});
    }
    table.columns.push_back({"status", "", false});
    for (std::size_t i = 0; i < values.points().size(); ++i) {
        const StoredPoint& point = values.points()[i];
        if (point.main_metric != metric) {
            continue;
        }
        std::vector<TableCell> row{point.number ? number_cell(static_cast<double>(*point.number))
                                                : absent_cell()};
        if (values.has_labels()) {
            row.push_back(text_cell(point.label));
        }
        const VariedPoint varied = values.varied(i);
        for (const auto& [key, value] : varied.values) {
            if (key != "label" || point.label.empty()) {
                row.push_back(swept_cell(value));
            }
        }
        const auto measured = values.estimate(i, metric);
        row.push_back(number_cell(static_cast<double>(values.sample(i, metric).values.size())));
        row.push_back(measured ? interval_cell(measured->mean, measured->half_width)
                               : absent_cell());
        for (const std::string& model : models) {
            const auto said = values.estimate(i, fmt::format("{}.{}", model, metric));
            row.push_back(said ? number_cell(said->mean) : absent_cell());
            row.push_back(said && measured && measured->mean != 0.0
                              ? percent_cell(100.0 * (said->mean / measured->mean - 1.0))
                              : absent_cell());
        }
        row.push_back(status_cell(point));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<Figure> figures_of(SweepValues& values,
                               const std::vector<sweep::FigureChoice>& choices) {
    if (!choices.empty()) {
        return chosen_figures(values, choices);
    }
    return values.design() == sweep::SweepDesign::kOneAtATime ? one_at_a_time_figures(values)
                                                              : crossed_figures(values);
}

Section troubles_section(const SweepValues& values) {
    Section section;
    section.title = "Runs that did not end well";
    Table table;
    table.columns = {
        {"point", "", false}, {"seed", "", true}, {"status", "", false}, {"message", "", false}};
    for (std::size_t i = 0; i < values.points().size(); ++i) {
        for (const StoredRun& run : values.points()[i].runs) {
            if (run.status != "ok") {
                table.rows.push_back(
                    {text_cell(values.description(i)), number_cell(static_cast<double>(run.seed)),
                     text_cell(run.status, TableCell::Mark::kBad), text_cell(run.message)});
            }
        }
    }
    if (!table.rows.empty()) {
        section.blocks.emplace_back(std::move(table));
    }
    return section;
}

}  // namespace

Document sweep_document(const std::filesystem::path& database) {
    const auto stored = sweep::SweepDatabase::open(database, sweep::SweepConnection::Access::kRead);
    SweepValues values(stored);
    if (runs_of(values) == 0) {
        throw config::UserFault({database.string()}, "no run of the sweep has ended",
                                "a database with results; weir sweep FILE --resume goes on");
    }
    Document document;
    document.title = stored.meta("title");
    if (document.title.empty()) {
        document.title = stored.meta("study_file");
    }
    document.description = stored.meta("description");
    document.facts = {{"study", stored.meta("study_file")},
                      {"axes", sweep::design_name(values.design())},
                      {"runs", fmt::format("{} of {} points: {}", runs_of(values),
                                           values.points().size(), statuses_text(values))},
                      {"digest of all results", stored.digest()},
                      {"Weir", stored.meta("weir_version")}};
    Section results;
    results.title = "Results";
    if (auto swings = swing_table(values)) {
        results.blocks.emplace_back(*std::move(swings));
    }
    for (Figure& figure : figures_of(values, stored.figures())) {
        results.blocks.emplace_back(std::move(figure));
    }
    document.sections.push_back(std::move(results));
    Section points;
    points.title = "All points";
    for (const std::string& metric : values.main_metrics()) {
        points.blocks.emplace_back(points_table(values, metric));
    }
    document.sections.push_back(std::move(points));
    Section troubles = troubles_section(values);
    if (!troubles.blocks.empty()) {
        document.sections.push_back(std::move(troubles));
    }
    Section study;
    study.title = "The study's file";
    study.is_folded = true;
    study.blocks.emplace_back(Listing{stored.meta("study_text")});
    document.sections.push_back(std::move(study));
    name_figures(document);
    return document;
}

}  // namespace weir::experiments::report
