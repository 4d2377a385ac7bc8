#include "experiments/run/precision_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "experiments/config/wrapped_text.h"

namespace weir::experiments::run {

namespace {

std::string spaced_metric(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string of_mean(double half_width, double mean) {
    return mean == 0.0 ? fmt::format("± {:.3g}", half_width)
                       : fmt::format("± {:.2g} %", 100.0 * half_width / mean);
}

const char* precision_verdict(bool is_precise) {
    return is_precise ? "precise" : "NOT PRECISE ENOUGH";
}

std::string batches_text(const SteadyInterval& interval) {
    const bool is_of_nodes = interval.observations != "cycles";
    std::string text =
        fmt::format("{} batches of {} {}{}", interval.batches, interval.batch_observations,
                    interval.observations, is_of_nodes ? " of all nodes" : "");
    if (interval.warm_up_observations > 0) {
        text += fmt::format(" after {} of warm-up", interval.warm_up_observations);
    }
    return text + fmt::format("; lag-1 of their quarters {:.2f}", interval.quarters_lag_1);
}

// "precise with workload.iterations = 750, from 500 in 2 runs"
std::string length_text(const SteadyInterval& interval) {
    std::string text = fmt::format("{} with {} = {}", precision_verdict(interval.is_precise),
                                   interval.length_key, interval.lengths.back());
    if (interval.lengths.size() > 1) {
        text +=
            fmt::format(", from {} in {} runs", interval.lengths.front(), interval.lengths.size());
    }
    return text;
}

std::string interval_text(const SteadyInterval& interval, std::optional<double> mean) {
    if (!interval.half_width || !mean) {
        return "no interval: " + interval.doubt;
    }
    std::string text =
        fmt::format("{}; {}", of_mean(*interval.half_width, *mean), batches_text(interval));
    if (!interval.doubt.empty()) {
        text += "; not to be believed: " + interval.doubt;
    }
    return interval.length_key.empty() ? text : text + "; " + length_text(interval);
}

// Several runs in short; result.json has each.
std::string intervals_text(const std::vector<SteadyInterval>& intervals, double mean) {
    double widest = 0.0;
    std::size_t believed = 0;
    std::size_t precise = 0;
    std::int64_t longest = 0;
    for (const SteadyInterval& interval : intervals) {
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

std::string point_lines(const PointResult& point, const std::string& indent) {
    std::string lines;
    const auto add = [&](const std::string& text) {
        lines += config::wrapped(text, indent, indent + "  ");
    };
    if (point.replications) {
        const Replications& made = *point.replications;
        const Estimate& measured = *find_estimate(point, made.metric);
        add(fmt::format("{} over {} seeds; {}",
                        measured.half_width ? of_mean(*measured.half_width, measured.mean) : "",
                        point.seeds.size(), precision_verdict(made.is_precise)));
    }
    if (!point.intervals.empty()) {
        const Estimate* measured = find_estimate(point, point.intervals.front().metric);
        const auto mean = measured != nullptr ? std::optional(measured->mean) : std::nullopt;
        add(point.intervals.size() == 1 || !mean ? interval_text(point.intervals.front(), mean)
                                                 : intervals_text(point.intervals, *mean));
    }
    return lines;
}

void add_point(const PointResult& point, bool has_label, std::string& page) {
    const std::string lines = point_lines(point, has_label ? "    " : "  ");
    if (lines.empty()) {
        return;
    }
    page += (has_label ? config::wrapped(point.label, "  ", "  ") : "") + lines;
}

std::string heading_metric(const ExperimentResult& result) {
    for (const PointResult& point : result.points) {
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

std::string precision_page(const ExperimentResult& result) {
    std::string page;
    for (const PointResult& point : result.points) {
        add_point(point, result.points.size() > 1, page);
    }
    for (const SensitivityResult& sensitivity : result.sensitivity) {
        for (const PointResult& variant : sensitivity.variants) {
            add_point(variant, true, page);
        }
    }
    if (page.empty()) {
        return page;
    }
    return "95 % intervals of " + spaced_metric(heading_metric(result)) + "\n" + page + "\n";
}

}  // namespace weir::experiments::run
