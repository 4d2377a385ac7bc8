#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "experiments/pages/run_sections.h"
#include "experiments/records/saturation.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

std::string of_mean(double half_width, double mean) {
    return mean == 0.0 ? fmt::format("± {:.3g}", half_width)
                       : fmt::format("± {:.2g} %", 100.0 * half_width / mean);
}

const char* precision_verdict(bool is_precise) {
    return is_precise ? "precise" : "NOT PRECISE ENOUGH";
}

std::string batches_text(const records::SteadyInterval& interval) {
    const bool is_of_nodes = interval.observations != "cycles";
    std::string text =
        fmt::format("{} batches of {} {}{}", interval.batches, interval.batch_observations,
                    interval.observations, is_of_nodes ? " of all nodes" : "");
    if (interval.warm_up_observations > 0) {
        text += fmt::format(" after {} of warm-up", interval.warm_up_observations);
    }
    return text + fmt::format("; lag-1 of their quarters {:.2f}", interval.quarters_lag_1);
}

// Text of a run's length: "precise with workload.iterations = 750, from 500 in 2 runs".
std::string length_text(const records::SteadyInterval& interval) {
    std::string text = fmt::format("{} with {} = {}", precision_verdict(interval.is_precise),
                                   interval.length_key, interval.lengths.back());
    if (interval.lengths.size() > 1) {
        text +=
            fmt::format(", from {} in {} runs", interval.lengths.front(), interval.lengths.size());
    }
    return text;
}

std::string interval_text(const records::SteadyInterval& interval, std::optional<double> mean) {
    if (!interval.half_width || !mean) {
        return "no interval: " + interval.doubt;
    }
    std::string text =
        fmt::format("{}; {}", of_mean(*interval.half_width, *mean), batches_text(interval));
    if (!interval.doubt.empty()) {
        text += "; not reliable: " + interval.doubt;
    }
    return interval.length_key.empty() ? text : text + "; " + length_text(interval);
}

// Summary of several runs' intervals; result.json has each interval.
std::string intervals_text(const std::vector<records::SteadyInterval>& intervals, double mean) {
    double widest = 0.0;
    std::size_t believed = 0;
    std::size_t precise = 0;
    std::int64_t longest = 0;
    for (const records::SteadyInterval& interval : intervals) {
        widest = std::max(widest, interval.is_believed() ? *interval.half_width : 0.0);
        believed += interval.is_believed() ? 1 : 0;
        precise += interval.is_precise ? 1 : 0;
        longest = interval.lengths.empty() ? longest : std::max(longest, interval.lengths.back());
    }
    if (believed == 0) {
        return "no interval: " + intervals.front().doubt;
    }
    std::string text =
        fmt::format("{} or less within each of {} runs", of_mean(widest, mean), believed);
    if (!intervals.front().length_key.empty()) {
        text += fmt::format("; {}: {} of {}, {} up to {}",
                            precision_verdict(precise == intervals.size()), precise,
                            intervals.size(), intervals.front().length_key, longest);
    }
    return text;
}

void add_rows(const records::PointResult& point, records::Table& table) {
    const auto add = [&](const std::string& text) {
        table.rows.push_back({records::text_cell(point.label), records::text_cell(text)});
    };
    if (point.replications) {
        const records::Replications& made = *point.replications;
        const records::Estimate& measured = *records::find_estimate(point, made.metric);
        add(fmt::format("{} over {} seeds; {}",
                        measured.half_width ? of_mean(*measured.half_width, measured.mean) : "",
                        point.seeds.size(), precision_verdict(made.is_precise)));
    }
    if (!point.intervals.empty()) {
        const records::Estimate* measured =
            records::find_estimate(point, point.intervals.front().metric);
        const auto mean = measured != nullptr ? std::optional(measured->mean) : std::nullopt;
        const std::string saturation = records::saturation_text(point);
        if (!mean && !saturation.empty()) {
            add("no interval: " + saturation);
            return;
        }
        add(point.intervals.size() == 1 || !mean ? interval_text(point.intervals.front(), mean)
                                                 : intervals_text(point.intervals, *mean));
    }
}

std::string heading_metric(const records::ExperimentResult& result) {
    for (const records::PointResult& point : result.points) {
        if (point.replications) {
            return point.replications->metric;
        }
        if (!point.intervals.empty()) {
            return point.intervals.front().metric;
        }
    }
    return {};
}

}  // namespace

std::optional<records::Table> precision_table(const records::ExperimentResult& result) {
    records::Table table;
    table.columns = {records::text_column("point"), records::text_column("95 % interval")};
    for (const records::PointResult& point : result.points) {
        add_rows(point, table);
    }
    for (const records::SensitivityResult& sensitivity : result.sensitivity) {
        for (const records::PointResult& variant : sensitivity.variants) {
            add_rows(variant, table);
        }
    }
    if (table.rows.empty()) {
        return std::nullopt;
    }
    table.caption = "95 % intervals of " + setup::spaced_name(heading_metric(result));
    return table;
}

}  // namespace weir::experiments::pages
