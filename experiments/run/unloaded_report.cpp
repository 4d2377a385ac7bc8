#include "experiments/run/unloaded_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "experiments/config/wrapped_text.h"

namespace weir::experiments::run {

namespace {

struct UnloadedRow {
    std::string name;
    const PointResult* point = nullptr;

    [[nodiscard]] std::optional<double> value(const char* metric) const {
        const std::optional<Estimate> found = find_comparable(*point, metric);
        return found ? std::optional(found->mean) : std::nullopt;
    }
    [[nodiscard]] std::optional<double> published(const char* metric) const {
        for (const config::Published& value : point->published) {
            if (value.metric == metric) {
                return value.value;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] std::optional<double> predicted(const char* metric) const {
        for (const Prediction& prediction : point->predictions) {
            if (const auto value = find_metric(prediction.metrics, metric)) {
                return value;
            }
        }
        return std::nullopt;
    }
};

// Of a file with one point, its title says what it is.
void add_rows(const ExperimentResult& result, std::vector<UnloadedRow>& rows) {
    for (const PointResult& point : result.points) {
        if (!point.unloaded.empty()) {
            const bool is_only = result.points.size() == 1 && !result.title.empty();
            rows.push_back({is_only ? result.title : point.label, &point});
        }
    }
}

// Whole numbers whole, others with a decimal.
std::string cycles_text(std::optional<double> value, int decimals = 1) {
    if (!value) {
        return "";
    }
    const bool is_whole = std::abs(*value - std::round(*value)) < 1e-9;
    return fmt::format("{:.{}f}", *value, is_whole ? 0 : decimals);
}

std::string difference_text(std::optional<double> value, std::optional<double> reference) {
    if (!value || !reference) {
        return "";
    }
    const double difference = *value - *reference;
    return std::abs(difference) < 0.05 ? "0" : fmt::format("{:+.1f}", difference);
}

// The name in so many columns, or on a line of its own.
std::string with_name(const std::string& name, std::size_t width, std::string columns) {
    columns.erase(columns.find_last_not_of(' ') + 1);
    if (config::width_of(name) < width) {
        return fmt::format("{:<{}}{}\n", name, width, columns);
    }
    const bool fits = config::width_of(name) <= config::kPageColumns;
    return (fits ? name + "\n" : config::wrapped(name, "", "  ")) + std::string(width, ' ') +
           columns + "\n";
}

std::string network_table(const std::vector<UnloadedRow>& rows) {
    std::string page = config::wrapped(
        "The network's term N, measured with one packet at a time in the network, from its "
        "generation to its tail's arrival; mean distance over all pairs, a node and itself "
        "included",
        "", "");
    page += fmt::format("{:<41}{:>7}{:>10}{:>12}{:>9}\n", "", "", "mean", "cycles =", "farthest");
    page += fmt::format("{:<14}{:<27}{:>7}{:>10}{:>12}{:>9}\n", "", "topology", "hops", "distance",
                        "a + r hops", "off it");
    for (const UnloadedRow& row : rows) {
        const auto r = row.value("cycles_per_hop");
        const std::string line =
            r ? cycles_text(row.value("cycles_at_no_hops")) + " + " + cycles_text(r) + " H"
              : cycles_text(row.value("network_latency_to_others_cycles"));
        const UnloadedDistances& distances = row.point->unloaded;
        const std::string hops =
            distances.size() == 1
                ? std::to_string(distances.front().hops)
                : fmt::format("{}-{}", distances.front().hops, distances.back().hops);
        const std::string name = fmt::format(
            "{:<13} {}", row.name, row.point->routing ? row.point->routing->topology : "");
        page +=
            with_name(name, 41,
                      fmt::format("{:>7}{:>10}{:>12}{:>9}", hops,
                                  cycles_text(row.value("mean_distance_hops"), 3), line,
                                  r ? cycles_text(row.value("cycles_off_the_line")) : "no line"));
    }
    return page + "\n";
}

std::string message_table(const std::vector<UnloadedRow>& rows) {
    const bool has_messages = std::any_of(rows.begin(), rows.end(), [](const UnloadedRow& row) {
        return row.value("message_cycles").has_value();
    });
    if (!has_messages) {
        return "";
    }
    std::string page = config::wrapped(
        "A message's time T at the mean distance: T_snd + T_rcv, an INPUT from the machine's file, "
        "and N, measured. Beside it the formula T_snd + M/w + H r + T_rcv (LogP Section 5.2) at "
        "the same distance, and what was published, at its own H; \"there\": the input and the "
        "measured line at that H.",
        "", "");
    page += fmt::format("{:<14}{:>8}{:>9}{:>8}{:>8}{:>7}{:>11}{:>7}{:>7}\n", "", "INPUT", "N", "T",
                        "T by", "", "published", "T", "T");
    page += fmt::format("{:<14}{:>8}{:>9}{:>8}{:>8}{:>7}{:>6}{:>5}{:>7}{:>7}\n", "", "snd+rcv",
                        "measured", "", "formula", "apart", "T", "H", "apart", "there");
    for (const UnloadedRow& row : rows) {
        const auto total = row.value("message_cycles");
        const auto overheads = row.value("overheads_input_cycles");
        const auto formula = row.predicted("message_cycles");
        const auto published = row.published("message_cycles");
        const auto measured = total && overheads ? std::optional(*total - *overheads)
                                                 : row.value("network_latency_cycles");
        page += with_name(
            row.name, 14,
            fmt::format("{:>8}{:>9}{:>8}{:>8}{:>7}{:>6}{:>5}{:>7}{:>7}", cycles_text(overheads),
                        cycles_text(measured), cycles_text(total), cycles_text(formula),
                        difference_text(total, formula), cycles_text(published),
                        cycles_text(row.published("mean_distance_hops")),
                        difference_text(total, published),
                        cycles_text(row.value("message_at_published_distance_cycles"))));
    }
    page += config::wrapped(
        "Apart from the formula: routers pass on whole flits, so that the way out of the last one "
        "takes a flit's time once more than there are hops; a node's own channels, where they are "
        "no hops, take a cycle at least; and the tail is seen in the cycle in which its last bit "
        "arrives, not after it.",
        "", "");
    return page + "\n";
}

std::string tables_of(const std::vector<UnloadedRow>& rows) {
    return rows.empty() ? "" : network_table(rows) + message_table(rows);
}

std::string distances_table(const UnloadedRow& row) {
    double pairs = 0.0;
    for (const UnloadedDistance& distance : row.point->unloaded) {
        pairs += static_cast<double>(distance.pairs);
    }
    std::string page = fmt::format("{:>6}{:>12}{:>10}{:>10}{:>10}{:>10}\n", "hops", "of pairs",
                                   "packets", "cycles", "least", "longest");
    for (const UnloadedDistance& distance : row.point->unloaded) {
        page += fmt::format("{:>6}{:>10.3f} %{:>10}{:>10}{:>10}{:>10}\n", distance.hops,
                            100.0 * static_cast<double>(distance.pairs) / pairs, distance.packets,
                            cycles_text(distance.mean_cycles), distance.least_cycles,
                            distance.longest_cycles);
    }
    return page + "\n";
}

}  // namespace

std::string unloaded_page(const ExperimentResult& result) {
    std::vector<UnloadedRow> rows;
    add_rows(result, rows);
    std::string page;
    for (const UnloadedRow& row : rows) {
        page += (rows.size() > 1 ? config::wrapped(row.name, "", "") : "") + distances_table(row);
    }
    return page + tables_of(rows);
}

std::string unloaded_tables(std::span<const ExperimentResult> results) {
    std::vector<UnloadedRow> rows;
    for (const ExperimentResult& result : results) {
        add_rows(result, rows);
    }
    return tables_of(rows);
}

}  // namespace weir::experiments::run
