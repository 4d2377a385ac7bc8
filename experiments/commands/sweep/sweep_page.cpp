#include "experiments/commands/sweep/sweep_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "experiments/records/run_status.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/csv_text.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/text/text_table.h"
#include "experiments/setup/text/wrapped_text.h"

namespace weir::experiments::commands {

namespace {

using running::StoredPoint;
using running::StoredRun;
using running::SweptName;
using setup::TextColumn;
using MetricValues = std::map<std::int64_t, double>;

constexpr std::size_t kMostTroubles = 10;
constexpr const char* kVaried = "varied";

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// What a point sets where axes are varied one at a time.
std::string varied_text(const running::PlannedPoint& point, const std::vector<SweptName>& names) {
    std::vector<std::string> texts;
    for (const hw::ParameterValue& value : point.values) {
        texts.push_back(setup::value_text(value));
    }
    return point.varied_axis ? records::point_description("", running::SweepDesign::kOneAtATime,
                                                          point.varied_axis, names, texts)
                             : "-";
}

std::vector<std::string> optional_cells(const std::vector<std::optional<double>>& values) {
    const bool none = std::none_of(values.begin(), values.end(),
                                   [](const std::optional<double>& v) { return v.has_value(); });
    return none ? std::vector<std::string>(values.size(), "-") : setup::column_text(values, "-");
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

// All that the database has, as "source.metric".
std::vector<std::string> metrics_in(const running::SweepDatabase& database) {
    running::Query query(database.connection(),
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
    for (const records::RunStatus each : records::kRunStatuses) {
        const char* const status = records::status_name(each);
        const auto found = by_status.find(status);
        if (found != by_status.end()) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", found->second, status);
        }
    }
    return text.empty() ? "none ended" : text;
}

}  // namespace

std::string summary_page(const running::SweepSummary& summary) {
    std::string page =
        fmt::format("{}: {} of {}: {}\n", summary.database, setup::counted(summary.runs, "run"),
                    setup::counted(summary.points, "point"), statuses(summary.by_status));
    for (std::size_t i = 0; i < std::min(summary.troubles.size(), kMostTroubles); ++i) {
        const running::SweepSummary::Trouble& trouble = summary.troubles[i];
        page += setup::wrapped(
            fmt::format("{} {}: {}", trouble.run, trouble.status, first_line(trouble.message)),
            "  ", "    ");
    }
    if (summary.troubles.size() > kMostTroubles) {
        page += fmt::format("  and {} more\n", summary.troubles.size() - kMostTroubles);
    }
    return page + fmt::format("digest of all results {}\nshown by: weir sweep show {}\n",
                              summary.digest, summary.database);
}

std::string plan_page(const running::SweepPlan& plan,
                      std::span<const running::RunRequest> requests) {
    const bool is_varied = plan.design == running::SweepDesign::kOneAtATime;
    std::vector<TextColumn> columns(1 + (is_varied ? 1 : plan.names.size()) + 1);
    const bool has_labels = !plan.points.front().label.empty();
    TextColumn labels;
    columns.front().name = "point";
    columns.back().name = "seeds";
    columns.back().is_text = true;
    labels.name = "label";
    labels.is_text = true;
    const running::PlannedPoint* last = nullptr;
    for (const running::RunRequest& request : requests) {
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
            columns[1].cells.push_back(varied_text(*last, plan.names));
        }
        for (std::size_t i = 0; i < plan.names.size() && !is_varied; ++i) {
            columns[1 + i].name = plan.names[i].column;
            columns[1 + i].cells.push_back(setup::value_text(last->values[i]));
        }
        columns.back().cells.push_back(seed);
    }
    const std::size_t points = columns.front().cells.size();
    if (has_labels) {
        columns.insert(columns.begin() + 1, std::move(labels));
    }
    std::string page = points == 0 ? "" : setup::text_table(columns, 1) + "\n";
    return page + fmt::format("{} of {}\n", setup::counted(requests.size(), "run"),
                              setup::counted(points, "point"));
}

std::string slurm_scripts_page(const running::SlurmArray& array) {
    return fmt::format("== {}/array.sh\n{}\n== {}/merge.sh\n{}\n== submitted by\n{}\n{}\n",
                       array.folder.string(), array.array_script, array.folder.string(),
                       array.merge_script, running::shell_text(array.array_command),
                       running::shell_text(array.merge_command));
}

std::string slurm_page(const running::SlurmArray& array, const running::SlurmJobs& jobs) {
    return fmt::format(
        "job {}: {} of {} in {}\njob {}: merges them into {}\n"
        "scripts, parts and what tasks print: {}\nfollow them: squeue --jobs {},{}\n",
        jobs.array, setup::counted(array.runs, "run"), setup::counted(array.points, "point"),
        setup::counted(array.to_run.size(), "task"), jobs.merge, array.database.string(),
        array.folder.string(), jobs.array, jobs.merge);
}

std::string database_csv(const running::SweepDatabase& database, std::vector<std::string> metrics) {
    const std::vector<StoredPoint> points = database.points();
    metrics = metrics.empty() ? metrics_in(database) : std::move(metrics);
    std::vector<MetricValues> values;
    std::string csv = "point,label";
    for (const SweptName& name : database.names()) {
        csv += "," + setup::csv_field(name.column);
    }
    csv += ",seed,status,message";
    for (const std::string& name : metrics) {
        csv += "," + setup::csv_field(name);
        values.push_back(database.metric(name));
    }
    csv += "\n";
    for (const StoredPoint& point : points) {
        std::string place = point.number ? std::to_string(*point.number) : "";
        place += "," + setup::csv_field(point.label);
        for (const std::string& value : point.values) {
            place += "," + setup::csv_field(value);
        }
        for (const StoredRun& run : point.runs) {
            csv += fmt::format("{},{},{},{}", place, run.seed, run.status,
                               setup::csv_field(run.message));
            for (const MetricValues& metric : values) {
                const auto value = metric.find(run.run_id);
                csv += value == metric.end() ? "," : fmt::format(",{}", value->second);
            }
            csv += "\n";
        }
    }
    return csv;
}

std::string difference_page(const running::SweepDifference& difference,
                            const running::SweepDatabase& before,
                            const running::SweepDatabase& after) {
    const auto described = [](const running::SweepDatabase& database) {
        return fmt::format("{}: weir {}, build {}\n", database.path(),
                           database.meta("weir_version"), database.meta("weir_build").substr(0, 8));
    };
    std::string page = described(before) + described(after);
    for (const running::SweepDifference::Parameter& parameter : difference.parameters) {
        page += setup::wrapped(
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
        for (const running::ChangedPoint& changed : difference.changed) {
            const bool has_both = !changed.before.values.empty() && !changed.after.values.empty();
            const auto mean = [](const running::Sample& sample) {
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
            setup::text_table(columns, 2) +
            "  * more than chance: the 95 % interval leaves out 0, or there is a single seed\n\n";
    }
    page += fmt::format("{} compared: {} changed\n", setup::counted(difference.compared, "point"),
                        difference.changed.size());
    if (difference.only_before + difference.only_after > 0) {
        page += fmt::format("{} only in the first, {} only in the second\n", difference.only_before,
                            difference.only_after);
    }
    return page;
}

}  // namespace weir::experiments::commands
