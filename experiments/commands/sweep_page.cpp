#include "experiments/commands/sweep_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <type_traits>

#include "experiments/commands/text_table.h"
#include "experiments/config/user_fault.h"
#include "experiments/config/wrapped_text.h"
#include "experiments/run/result.h"

namespace weir::experiments::commands {

namespace {

using sweep::StoredPoint;
using sweep::StoredRun;
using sweep::SweptName;
using MetricValues = std::map<std::int64_t, double>;

constexpr std::size_t kMostTroubles = 10;
constexpr const char* kVaried = "varied";

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string counted(std::size_t count, const std::string& what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::vector<std::string> metrics_to_show(const sweep::SweepDatabase& database,
                                         const std::vector<StoredPoint>& points,
                                         std::vector<std::string> asked) {
    if (asked.empty()) {
        for (const StoredPoint& point : points) {
            if (std::find(asked.begin(), asked.end(), point.main_metric) == asked.end()) {
                asked.push_back(point.main_metric);
            }
        }
        return asked;
    }
    for (const std::string& metric : asked) {
        if (database.metric(metric).empty()) {
            throw config::unknown_name({"--metric " + metric}, "metric", metric,
                                       database.metric_names());
        }
    }
    return asked;
}

std::vector<double> values_of(const StoredPoint& point, const MetricValues& metric) {
    std::vector<double> values;
    for (const StoredRun& run : point.runs) {
        const auto value = metric.find(run.run_id);
        if (value != metric.end()) {
            values.push_back(value->second);
        }
    }
    return values;
}

// "ok", or "1 of 3 deadlocked" where seeds differ.
std::string status_of(const StoredPoint& point) {
    std::map<std::string, std::size_t> by_status;
    for (const StoredRun& run : point.runs) {
        ++by_status[run.status];
    }
    std::string text;
    for (const auto& [status, count] : by_status) {
        const std::string part = by_status.size() == 1
                                     ? status
                                     : fmt::format("{} of {} {}", count, point.runs.size(), status);
        if (by_status.size() == 1 || status != "ok") {
            text += (text.empty() ? "" : ", ") + part;
        }
    }
    return text;
}

// What a point sets where axes are varied one at a time.
template <class Value>
std::string varied_text(std::optional<std::size_t> varied_axis, const std::vector<SweptName>& names,
                        const std::vector<Value>& values) {
    std::vector<std::string> texts;
    for (const Value& value : values) {
        if constexpr (std::is_same_v<Value, std::string>) {
            texts.push_back(value);
        } else {
            texts.push_back(sweep::value_text(value));
        }
    }
    return varied_axis ? sweep::point_description("", sweep::SweepDesign::kOneAtATime, varied_axis,
                                                  names, texts)
                       : "-";
}

// The points' values of the axes, and their labels where they have some.
std::vector<TextColumn> columns_of_points(const std::vector<StoredPoint>& points,
                                          sweep::SweepDesign design,
                                          const std::vector<SweptName>& names) {
    std::vector<TextColumn> columns(1);
    columns.front().name = "point";
    for (const StoredPoint& point : points) {
        columns.front().cells.push_back(point.number ? std::to_string(*point.number) : "-");
    }
    const bool has_labels = std::any_of(points.begin(), points.end(),
                                        [](const StoredPoint& p) { return !p.label.empty(); });
    if (has_labels) {
        TextColumn column;
        column.name = "label";
        column.is_text = true;
        for (const StoredPoint& point : points) {
            column.cells.push_back(point.label);
        }
        columns.push_back(std::move(column));
    }
    if (design == sweep::SweepDesign::kOneAtATime) {
        TextColumn varied{kVaried, "", {}, true};
        for (const StoredPoint& point : points) {
            varied.cells.push_back(varied_text(point.varied_axis, names, point.values));
        }
        columns.push_back(std::move(varied));
        return columns;
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        TextColumn column;
        column.name = names[i].column;
        for (const StoredPoint& point : points) {
            column.cells.push_back(point.values[i]);
        }
        columns.push_back(std::move(column));
    }
    return columns;
}

std::vector<std::string> optional_cells(const std::vector<std::optional<double>>& values) {
    const bool none = std::none_of(values.begin(), values.end(),
                                   [](const std::optional<double>& v) { return v.has_value(); });
    return none ? std::vector<std::string>(values.size(), "-") : column_text(values, "-");
}

// "438.3 +/- 1.0", or the value alone where there is no interval.
std::vector<std::string> with_intervals(const std::vector<std::optional<double>>& values,
                                        const std::vector<std::optional<double>>& half_widths) {
    std::vector<std::string> cells = optional_cells(values);
    const std::vector<std::string> intervals = optional_cells(half_widths);
    std::size_t widest = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        widest = std::max(widest, half_widths[i] ? intervals[i].size() : 0);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (half_widths[i]) {
            cells[i] += fmt::format(" +/- {:>{}}", intervals[i], widest);
        }
    }
    return cells;
}

// Against the point that axes are varied around, which has the same label.
std::vector<std::optional<double>> changes(const std::vector<StoredPoint>& points,
                                           const std::vector<std::optional<double>>& means) {
    std::map<std::string, double> bases;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i].varied_axis && means[i]) {
            bases.emplace(points[i].label, *means[i]);
        }
    }
    std::vector<std::optional<double>> changed;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto base = bases.find(points[i].label);
        const bool is_known =
            points[i].varied_axis && means[i] && base != bases.end() && base->second != 0.0;
        constexpr double kPercent = 100.0;
        changed.push_back(is_known ? std::optional(kPercent * (*means[i] / base->second - 1.0))
                                   : std::nullopt);
    }
    return changed;
}

std::vector<std::string> percent_cells(const std::vector<std::optional<double>>& values) {
    std::vector<std::string> cells;
    cells.reserve(values.size());
    for (const std::optional<double>& value : values) {
        cells.push_back(value ? fmt::format("{:+.1f} %", *value) : "-");
    }
    return cells;
}

// `metric_of` says which metric a point shows.
template <class MetricOf>
void add_metric(const std::vector<StoredPoint>& points, const std::string& name,
                const MetricOf& metric_of, sweep::SweepDesign design,
                std::vector<TextColumn>& columns) {
    std::vector<std::optional<double>> means;
    std::vector<std::optional<double>> half_widths;
    for (const StoredPoint& point : points) {
        const std::vector<double> values = values_of(point, metric_of(point));
        const auto estimate = values.empty() ? std::optional<run::Estimate>()
                                             : std::optional(run::estimate(name, values));
        means.push_back(estimate ? std::optional(estimate->mean) : std::nullopt);
        half_widths.push_back(estimate ? estimate->half_width : std::nullopt);
    }
    columns.push_back({name, "", with_intervals(means, half_widths), false});
    if (design == sweep::SweepDesign::kOneAtATime) {
        columns.push_back({"change", "", percent_cells(changes(points, means)), false});
    }
}

// What each point is about, in one column, where kernels differ in that.
void add_main_metrics(const sweep::SweepDatabase& database, const std::vector<StoredPoint>& points,
                      std::vector<TextColumn>& columns) {
    std::map<std::string, MetricValues> metrics;
    TextColumn names{"metric", "", {}, true};
    for (const StoredPoint& point : points) {
        names.cells.push_back(point.main_metric);
        metrics.try_emplace(point.main_metric, database.metric(point.main_metric));
    }
    columns.push_back(std::move(names));
    add_metric(
        points, "mean",
        [&metrics](const StoredPoint& point) -> const MetricValues& {
            return metrics.at(point.main_metric);
        },
        database.design(), columns);
}

bool differ_in_main_metric(const std::vector<StoredPoint>& points) {
    return std::any_of(points.begin(), points.end(), [&points](const StoredPoint& point) {
        return point.main_metric != points.front().main_metric;
    });
}

// As CSV has it: in quotes where it has to be.
std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char letter : text) {
        quoted += letter;
        if (letter == '"') {
            quoted += letter;
        }
    }
    return quoted + '"';
}

// All that the database has, as "source.metric".
std::vector<std::string> all_metrics(const sweep::SweepDatabase& database) {
    sweep::Query query(database.connection(),
                       "SELECT source || '.' || metric FROM metrics GROUP BY source, metric "
                       "ORDER BY source = 'measured' DESC, source, metric");
    std::vector<std::string> names;
    while (query.step()) {
        names.push_back(query.text(0));
    }
    return names;
}

std::string statuses(const std::map<std::string, std::size_t>& by_status) {
    std::string text;
    for (const char* status : {"ok", "failed", "deadlocked", "bad"}) {
        const auto found = by_status.find(status);
        if (found != by_status.end()) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", found->second, status);
        }
    }
    return text.empty() ? "none ended" : text;
}

}  // namespace

std::string summary_page(const sweep::SweepSummary& summary) {
    std::string page =
        fmt::format("{}: {} of {}: {}\n", summary.database, counted(summary.runs, "run"),
                    counted(summary.points, "point"), statuses(summary.by_status));
    for (std::size_t i = 0; i < std::min(summary.troubles.size(), kMostTroubles); ++i) {
        const sweep::SweepSummary::Trouble& trouble = summary.troubles[i];
        page += config::wrapped(
            fmt::format("{} {}: {}", trouble.run, trouble.status, first_line(trouble.message)),
            "  ", "    ");
    }
    if (summary.troubles.size() > kMostTroubles) {
        page += fmt::format("  and {} more\n", summary.troubles.size() - kMostTroubles);
    }
    return page + fmt::format("digest of all results {}\nshown by: weir sweep show {}\n",
                              summary.digest, summary.database);
}

std::string plan_page(const sweep::SweepPlan& plan, std::span<const sweep::RunRequest> requests) {
    const bool is_varied = plan.design == sweep::SweepDesign::kOneAtATime;
    std::vector<TextColumn> columns(1 + (is_varied ? 1 : plan.names.size()) + 1);
    const bool has_labels = !plan.points.front().label.empty();
    TextColumn labels;
    columns.front().name = "point";
    columns.back().name = "seeds";
    columns.back().is_text = true;
    labels.name = "label";
    labels.is_text = true;
    const sweep::PlannedPoint* last = nullptr;
    for (const sweep::RunRequest& request : requests) {
        const std::string seed = std::to_string(request.seed);
        if (request.point == last) {
            columns.back().cells.back() += ", " + seed;
            continue;
        }
        last = request.point;
        columns.front().cells.push_back(std::to_string(last->number));
        labels.cells.push_back(last->label);
        if (is_varied) {
            columns[1].name = kVaried;
            columns[1].is_text = true;
            columns[1].cells.push_back(varied_text(last->varied_axis, plan.names, last->values));
        }
        for (std::size_t i = 0; i < plan.names.size() && !is_varied; ++i) {
            columns[1 + i].name = plan.names[i].column;
            columns[1 + i].cells.push_back(sweep::value_text(last->values[i]));
        }
        columns.back().cells.push_back(seed);
    }
    const std::size_t points = columns.front().cells.size();
    if (has_labels) {
        columns.insert(columns.begin() + 1, std::move(labels));
    }
    std::string page = points == 0 ? "" : text_table(columns, 1) + "\n";
    return page +
           fmt::format("{} of {}\n", counted(requests.size(), "run"), counted(points, "point"));
}

std::string database_page(const sweep::SweepDatabase& database, std::vector<std::string> metrics) {
    const std::vector<StoredPoint> points = database.points();
    const std::vector<SweptName> names = database.names();
    std::map<std::string, std::size_t> by_status;
    std::size_t runs = 0;
    std::size_t seeds_of_each = points.empty() ? 0 : points.front().runs.size();
    for (const StoredPoint& point : points) {
        runs += point.runs.size();
        seeds_of_each = point.runs.size() == seeds_of_each ? seeds_of_each : 0;
        for (const StoredRun& run : point.runs) {
            ++by_status[run.status];
        }
    }
    std::string page = config::wrapped(database.meta("title"), "", "");
    if (!points.empty()) {
        std::vector<TextColumn> columns = columns_of_points(points, database.design(), names);
        const std::size_t repeated = columns.size();
        TextColumn seeds;
        TextColumn status;
        seeds.name = "seeds";
        status.name = "status";
        for (const StoredPoint& point : points) {
            seeds.cells.push_back(std::to_string(point.runs.size()));
            status.cells.push_back(status_of(point));
        }
        if (seeds_of_each == 0) {
            columns.push_back(std::move(seeds));
        }
        if (metrics.empty() && differ_in_main_metric(points)) {
            add_main_metrics(database, points, columns);
        } else {
            for (const std::string& name : metrics_to_show(database, points, std::move(metrics))) {
                const MetricValues values = database.metric(name);
                add_metric(
                    points, name,
                    [&values](const StoredPoint&) -> const MetricValues& { return values; },
                    database.design(), columns);
            }
        }
        if (by_status.size() != 1 || by_status.count("ok") == 0) {
            columns.push_back(std::move(status));
        }
        page += "\n" + text_table(columns, repeated) + "\n";
    }
    page += fmt::format("{} of {}{}: {}\n", counted(runs, "run"), counted(points.size(), "point"),
                        seeds_of_each > 1 ? fmt::format(", {} seeds each", seeds_of_each) : "",
                        statuses(by_status));
    return page +
           fmt::format("weir {}, digest {}\n", database.meta("weir_version"), database.digest());
}

std::string slurm_scripts_page(const sweep::SlurmArray& array) {
    return fmt::format("== {}/array.sh\n{}\n== {}/merge.sh\n{}\n== submitted by\n{}\n{}\n",
                       array.folder.string(), array.array_script, array.folder.string(),
                       array.merge_script, sweep::shell_text(array.array_command),
                       sweep::shell_text(array.merge_command));
}

std::string slurm_page(const sweep::SlurmArray& array, const sweep::SlurmJobs& jobs) {
    return fmt::format(
        "job {}: {} of {} in {}\njob {}: merges them into {}\n"
        "scripts, parts and what tasks print: {}\nfollow them: squeue --jobs {},{}\n",
        jobs.array, counted(array.runs, "run"), counted(array.points, "point"),
        counted(array.to_run.size(), "task"), jobs.merge, array.database.string(),
        array.folder.string(), jobs.array, jobs.merge);
}

std::string database_csv(const sweep::SweepDatabase& database, std::vector<std::string> metrics) {
    const std::vector<StoredPoint> points = database.points();
    metrics = metrics.empty() ? all_metrics(database)
                              : metrics_to_show(database, points, std::move(metrics));
    std::vector<MetricValues> values;
    std::string csv = "point,label";
    for (const SweptName& name : database.names()) {
        csv += "," + csv_cell(name.column);
    }
    csv += ",seed,status,message";
    for (const std::string& name : metrics) {
        csv += "," + csv_cell(name);
        values.push_back(database.metric(name));
    }
    csv += "\n";
    for (const StoredPoint& point : points) {
        std::string place = point.number ? std::to_string(*point.number) : "";
        place += "," + csv_cell(point.label);
        for (const std::string& value : point.values) {
            place += "," + csv_cell(value);
        }
        for (const StoredRun& run : point.runs) {
            csv += fmt::format("{},{},{},{}", place, run.seed, run.status, csv_cell(run.message));
            for (const MetricValues& metric : values) {
                const auto value = metric.find(run.run_id);
                csv += value == metric.end() ? "," : fmt::format(",{}", value->second);
            }
            csv += "\n";
        }
    }
    return csv;
}

std::string difference_page(const sweep::SweepDifference& difference,
                            const sweep::SweepDatabase& before, const sweep::SweepDatabase& after) {
    const auto described = [](const sweep::SweepDatabase& database) {
        return fmt::format("{}: weir {}, build {}\n", database.path(),
                           database.meta("weir_version"), database.meta("weir_build").substr(0, 8));
    };
    std::string page = described(before) + described(after);
    for (const sweep::SweepDifference::Parameter& parameter : difference.parameters) {
        page += config::wrapped(
            fmt::format("{} was {} and is {}", parameter.key, parameter.before, parameter.after),
            "", "  ");
    }
    if (!difference.changed.empty()) {
        TextColumn point{"point", "", {}, false};
        TextColumn description{"where", "", {}, true};
        TextColumn metric{"metric", "", {}, true};
        TextColumn significant{"", "", {}, false};
        std::vector<std::optional<double>> old_means;
        std::vector<std::optional<double>> new_means;
        std::vector<std::optional<double>> differences;
        std::vector<std::optional<double>> half_widths;
        std::set<std::string> metrics;
        for (const sweep::ChangedPoint& changed : difference.changed) {
            const bool has_both = !changed.before.values.empty() && !changed.after.values.empty();
            const auto mean = [](const sweep::Sample& sample) {
                return sample.values.empty() ? std::nullopt : std::optional(sample.mean());
            };
            point.cells.push_back(changed.number == 0 ? "-" : std::to_string(changed.number));
            description.cells.push_back(changed.before_status == changed.after_status
                                            ? changed.description
                                            : fmt::format("{}: {}, was {}", changed.description,
                                                          changed.after_status,
                                                          changed.before_status));
            metrics.insert(changed.metric);
            metric.cells.push_back(changed.metric);
            old_means.push_back(mean(changed.before));
            new_means.push_back(mean(changed.after));
            differences.push_back(has_both ? std::optional(changed.difference()) : std::nullopt);
            half_widths.push_back(has_both ? changed.half_width : std::nullopt);
            significant.cells.emplace_back(changed.is_significant() ? "*" : "");
        }
        std::vector<TextColumn> columns{point, description};
        if (metrics.size() > 1) {
            columns.push_back(metric);
        }
        columns.push_back({"before", "", optional_cells(old_means), false});
        columns.push_back({"after", "", optional_cells(new_means), false});
        columns.push_back({"change", "", with_intervals(differences, half_widths), false});
        columns.push_back(significant);
        page +=
            "\n" + (metrics.size() == 1 ? *metrics.begin() + "\n" : std::string()) +
            text_table(columns, 2) +
            "  * more than chance: the 95 % interval leaves out 0, or there is a single seed\n\n";
    }
    page += fmt::format("{} compared: {} changed\n", counted(difference.compared, "point"),
                        difference.changed.size());
    if (difference.only_before + difference.only_after > 0) {
        page += fmt::format("{} only in the first, {} only in the second\n", difference.only_before,
                            difference.only_after);
    }
    return page;
}

}  // namespace weir::experiments::commands
