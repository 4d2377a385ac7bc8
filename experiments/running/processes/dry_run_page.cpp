#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "experiments/running/processes/dry_run.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/text/text_table.h"
#include "experiments/setup/text/wrapped_text.h"

namespace weir::experiments::running {

namespace {

std::string bytes_text(double bytes) {
    constexpr std::array<const char*, 5> kUnits{"bytes", "KB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    while (bytes >= 1000.0 && unit + 1 < kUnits.size()) {
        bytes /= 1000.0;
        ++unit;
    }
    return unit == 0 ? fmt::format("{:.0f} bytes", bytes)
                     : fmt::format("{:.{}f} {}", bytes, bytes < 10.0 ? 1 : 0, kUnits[unit]);
}

std::string seconds_text(double seconds) {
    if (seconds < 10.0) {
        return setup::fixed_number(seconds, 1) + " s";
    }
    if (seconds < 120.0) {
        return fmt::format("{:.0f} s", seconds);
    }
    if (seconds < 7200.0) {
        return fmt::format("{:.0f} min", seconds / 60.0);
    }
    return fmt::format("{:.1f} h", seconds / 3600.0);
}

void add_parts(const std::vector<kinds::TreePart>& parts, const std::string& indent,
               std::vector<std::string>::const_iterator& parameters, std::string& page) {
    for (const kinds::TreePart& part : parts) {
        std::string name = part.name;
        if (part.count > 1) {
            name += fmt::format(" ... {} ({} alike)", part.last, part.count);
        }
        page += setup::wrapped(*parameters, indent + name + (parameters->empty() ? "" : "  "),
                               indent + "    ");
        ++parameters;
        add_parts(part.parts, indent + "  ", parameters, page);
    }
}

std::string tried_text(const PlannedRuns& point) {
    if (!point.failure.empty()) {
        return "trial failed: " + point.failure;
    }
    if (!point.is_tried) {
        return "not tried";
    }
    if (point.has_ended) {
        return "run to its end in " + seconds_text(*point.run_seconds);
    }
    if (!point.run_seconds) {
        return "unknown: the kernel reports no progress";
    }
    return fmt::format("{:.3g} % done in the trial, a run takes about {}", 100.0 * point.share_done,
                       seconds_text(*point.run_seconds));
}

std::string time_text(const DryRun& dry_run) {
    const auto seconds = dry_run.estimated_seconds();
    if (!seconds) {
        return "unknown";
    }
    const bool all_ended =
        std::all_of(dry_run.points.begin(), dry_run.points.end(),
                    [](const PlannedRuns& point) { return !point.is_tried || point.has_ended; });
    return fmt::format("{}about {}, {} at a time", all_ended ? "" : "at least ",
                       seconds_text(*seconds),
                       std::min<std::size_t>(dry_run.workers, dry_run.runs()));
}

std::string points_table(const DryRun& dry_run) {
    std::vector<std::pair<std::string, std::string>> points;
    for (const PlannedRuns& point : dry_run.points) {
        points.emplace_back(
            point.label.empty() ? "point" : point.label,
            fmt::format("{}, {}", setup::counted(static_cast<std::size_t>(point.seeds), "seed"),
                        tried_text(point)));
    }
    return setup::text_list(points);
}

std::string memory_text(const DryRun& dry_run) {
    std::int64_t peak = 0;
    for (const PlannedRuns& point : dry_run.points) {
        peak = std::max(peak, point.peak_bytes);
    }
    std::string text = "\nmemory of a run\n";
    text += setup::wrapped(fmt::format("{} of host memory for the machine, measured",
                                       bytes_text(static_cast<double>(dry_run.machine_bytes))),
                           "  ", "  ");
    if (peak > 0) {
        text += setup::wrapped(
            fmt::format("{} of host memory at most for the whole process in the trials",
                        bytes_text(static_cast<double>(peak))),
            "  ", "  ");
    }
    if (dry_run.node_memory_bytes > 0) {
        text += setup::wrapped(
            fmt::format("{} of emulated memory: {} nodes of {} each; a page takes host memory once "
                        "it is written",
                        bytes_text(static_cast<double>(dry_run.nodes) *
                                   static_cast<double>(dry_run.node_memory_bytes)),
                        dry_run.nodes, bytes_text(static_cast<double>(dry_run.node_memory_bytes))),
            "  ", "  ");
    }
    return text;
}

std::string page_of(const DryRun& dry_run) {
    std::string page = setup::wrapped(dry_run.title.empty() ? dry_run.file : dry_run.title, "", "");
    page += setup::wrapped(fmt::format("{} is valid. Trial runs have left no files.", dry_run.file),
                           "", "");
    if (!dry_run.wants.empty()) {
        page += setup::wrapped(dry_run.wants + ".", "", "");
    }
    page += fmt::format("\nthe first point's machine, for {}\n", dry_run.kernel);
    auto parameters = dry_run.parameters.cbegin();
    add_parts(dry_run.machine, "  ", parameters, page);

    page += memory_text(dry_run);
    const std::size_t variants =
        std::count_if(dry_run.points.begin(), dry_run.points.end(),
                      [](const PlannedRuns& point) { return point.is_variant; });
    page += fmt::format("\n{}: {}{}\n", setup::counted(dry_run.runs(), "run"),
                        setup::counted(dry_run.points.size() - variants, "point"),
                        variants == 0 ? ""
                                      : ", and " + setup::counted(variants, "variant") +
                                            " of it from the sensitivity table");
    page += points_table(dry_run);
    page += "\ntime    " + time_text(dry_run) + "\n";
    page += setup::wrapped(
        fmt::format(
            "Up to {} points had a trial of {:.0f} s each with their first seed. The kernel "
            "reports which share of the run is done. The time to read the trace after a run, "
            "which may exceed that of the cycles, is included only for trials that ended.",
            kMostTried, kSliceSeconds),
        "        ", "        ");
    return page;
}

}  // namespace

std::string dry_run_page(std::span<const DryRun> parts) {
    std::string page;
    double sum = 0.0;
    std::size_t unknown = 0;
    for (const DryRun& part : parts) {
        page += (page.empty() ? "" : "\n") + page_of(part);
        const auto seconds = part.estimated_seconds();
        sum += seconds.value_or(0.0);
        unknown += seconds ? 0 : 1;
    }
    if (parts.size() > 1) {
        page += fmt::format("\nall {} parts, one after the other: about {}{}\n", parts.size(),
                            seconds_text(sum),
                            unknown == 0 ? "" : fmt::format(", and {} unknown", unknown));
    }
    return page;
}

nlohmann::ordered_json to_json(const DryRun& dry_run) {
    nlohmann::ordered_json document{{"file", dry_run.file},
                                    {"title", dry_run.title},
                                    {"kernel", dry_run.kernel},
                                    {"machine", to_json(dry_run.machine)},
                                    {"machine_bytes", dry_run.machine_bytes},
                                    {"nodes", dry_run.nodes},
                                    {"node_memory_bytes", dry_run.node_memory_bytes},
                                    {"runs", dry_run.runs()},
                                    {"points", nlohmann::ordered_json::array()}};
    for (const PlannedRuns& point : dry_run.points) {
        nlohmann::ordered_json entry{{"label", point.label},
                                     {"seeds", point.seeds},
                                     {"is_variant", point.is_variant},
                                     {"is_tried", point.is_tried}};
        if (point.is_tried) {
            entry["has_ended"] = point.has_ended;
            entry["share_done"] = point.share_done;
            entry["peak_bytes"] = point.peak_bytes;
        }
        entry["run_seconds"] = point.run_seconds ? nlohmann::ordered_json(*point.run_seconds)
                                                 : nlohmann::ordered_json();
        if (!point.failure.empty()) {
            entry["failure"] = point.failure;
        }
        document["points"].push_back(std::move(entry));
    }
    const auto seconds = dry_run.estimated_seconds();
    document["estimated_seconds"] =
        seconds ? nlohmann::ordered_json(*seconds) : nlohmann::ordered_json();
    document["workers"] = dry_run.workers;
    document["wants"] = dry_run.wants;
    return document;
}

}  // namespace weir::experiments::running
