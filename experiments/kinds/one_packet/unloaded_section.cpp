#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/kinds/one_packet/one_packet_kind.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::kinds {

namespace {

using records::Curve;
using records::CurveKind;
using records::LineChart;

struct UnloadedRow {
    std::string name;
    const records::PointResult* point = nullptr;

    [[nodiscard]] std::optional<double> value(const char* metric) const {
        const std::optional<records::Estimate> found = records::find_comparable(*point, metric);
        return found ? std::optional(found->mean) : std::nullopt;
    }
    [[nodiscard]] std::optional<double> published(const char* metric) const {
        for (const setup::Published& value : point->published) {
            if (value.metric == metric) {
                return value.value;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] std::optional<double> predicted(const char* metric) const {
        for (const records::Prediction& prediction : point->predictions) {
            if (const auto value = records::find_metric(prediction.metrics, metric)) {
                return value;
            }
        }
        return std::nullopt;
    }
};

// Rows of all points; a file with one point is named by its title.
std::vector<UnloadedRow> rows_of(std::span<const records::ExperimentResult> results) {
    std::vector<UnloadedRow> rows;
    for (const records::ExperimentResult& result : results) {
        for (const records::PointResult& point : result.points) {
            if (!unloaded_distances(point).empty()) {
                const bool is_only = result.points.size() == 1 && !result.title.empty();
                rows.push_back({is_only ? result.title : point.label, &point});
            }
        }
    }
    return rows;
}

// Cell with a number of cycles: one decimal, or none for a whole number.
records::TableCell cycles_cell(std::optional<double> value, int decimals = 1) {
    if (!value) {
        return records::absent_cell();
    }
    const bool is_whole = std::abs(*value - std::round(*value)) < 1e-9;
    return {setup::fixed_number(*value, is_whole ? 0 : decimals), value, std::nullopt, {}};
}

records::TableCell difference_cell(std::optional<double> value, std::optional<double> reference) {
    if (!value || !reference) {
        return records::absent_cell();
    }
    const double difference = *value - *reference;
    const std::string text = setup::signed_number(difference);
    return {text == "+0.0" ? "0" : text, difference, std::nullopt, {}};
}

records::Table network_table(const std::vector<UnloadedRow>& rows) {
    records::Table table;
    table.columns = {records::text_column("point"),
                     records::text_column("topology"),
                     records::number_column("hops"),
                     records::number_column("mean distance"),
                     records::number_column("cycles = a + r H"),
                     records::number_column("largest deviation")};
    for (const UnloadedRow& row : rows) {
        const auto r = row.value("cycles_per_hop");
        const records::UnloadedDistances distances = unloaded_distances(*row.point);
        table.rows.push_back(
            {records::text_cell(row.name),
             records::text_cell(row.point->routing ? row.point->routing->topology : ""),
             records::text_cell(distances.size() == 1 ? std::to_string(distances.front().hops)
                                                      : fmt::format("{}-{}", distances.front().hops,
                                                                    distances.back().hops)),
             cycles_cell(row.value("mean_distance_hops"), 3),
             r ? records::text_cell(fmt::format("{} + {} H",
                                                cycles_cell(row.value("cycles_at_no_hops")).text,
                                                cycles_cell(r).text))
               : cycles_cell(row.value("network_latency_to_others_cycles")),
             r ? cycles_cell(row.value("cycles_off_the_line")) : records::text_cell("no line")});
    }
    return table;
}

records::Table message_table(const std::vector<UnloadedRow>& rows) {
    records::Table table;
    table.columns = {
        records::text_column("point"),
        records::number_column("input T_snd + T_rcv"),
        records::number_column("N measured"),
        records::number_column("T"),
        records::number_column("T by formula"),
        records::number_column("T less formula", "measured T less the formula's"),
        records::number_column("published T"),
        records::number_column("published H"),
        records::number_column("T less published T", "measured T less the published T"),
        records::number_column("T at published H", "measured T at the published distance")};
    for (const UnloadedRow& row : rows) {
        const auto total = row.value("message_cycles");
        const auto overheads = row.value("overheads_input_cycles");
        const auto formula = row.predicted("message_cycles");
        const auto published = row.published("message_cycles");
        const auto measured = total && overheads ? std::optional(*total - *overheads)
                                                 : row.value("network_latency_cycles");
        table.rows.push_back({records::text_cell(row.name), cycles_cell(overheads),
                              cycles_cell(measured), cycles_cell(total), cycles_cell(formula),
                              difference_cell(total, formula), cycles_cell(published),
                              cycles_cell(row.published("mean_distance_hops")),
                              difference_cell(total, published),
                              cycles_cell(row.value("message_at_published_distance_cycles"))});
    }
    return table;
}

records::Table distances_table(const UnloadedRow& row) {
    double pairs = 0.0;
    for (const records::UnloadedDistance& distance : unloaded_distances(*row.point)) {
        pairs += static_cast<double>(distance.pairs);
    }
    const auto count = [](std::int64_t value) {
        return records::whole_cell(static_cast<double>(value));
    };
    records::Table table;
    table.caption = row.name;
    table.columns = {records::number_column("hops"),     records::number_column("share of pairs"),
                     records::number_column("packets"),  records::number_column("cycles"),
                     records::number_column("shortest"), records::number_column("longest")};
    for (const records::UnloadedDistance& distance : unloaded_distances(*row.point)) {
        const double share = 100.0 * static_cast<double>(distance.pairs) / pairs;
        table.rows.push_back({count(distance.hops),
                              {setup::fixed_number(share, 3) + " %", share, std::nullopt, {}},
                              count(distance.packets),
                              cycles_cell(distance.mean_cycles),
                              count(distance.least_cycles),
                              count(distance.longest_cycles)});
    }
    return table;
}

void add_unloaded_figure(const records::ExperimentResult& result, records::Section& section) {
    LineChart chart;
    chart.title = "cycles of a packet alone in the network, by distance";
    chart.caption = "Mean over all pairs of nodes at each distance.";
    chart.x_name = "hops";
    chart.y_name = "mean_cycles";
    chart.x_label = "hops";
    chart.y_label = "cycles";
    for (const records::PointResult& point : result.points) {
        Curve curve{CurveKind::kMeasured,
                    "measured",
                    result.points.size() > 1 ? point.label : "",
                    {},
                    false};
        for (const records::UnloadedDistance& distance : unloaded_distances(point)) {
            curve.points.push_back(
                {static_cast<double>(distance.hops), distance.mean_cycles, std::nullopt});
        }
        if (!curve.points.empty()) {
            chart.curves.push_back(std::move(curve));
        }
    }
    if (!chart.is_empty()) {
        section.blocks.emplace_back(records::Figure{"", chart});
    }
}

}  // namespace

std::optional<records::Section> unloaded_tables(
    std::span<const records::ExperimentResult> results) {
    const std::vector<UnloadedRow> rows = rows_of(results);
    if (rows.empty()) {
        return std::nullopt;
    }
    records::Section section;
    section.title = "A message's time";
    section.blocks.emplace_back(
        records::Paragraph{"The network's term N: time from a packet's generation to its tail's "
                           "arrival, with one packet at a time in the network. The mean distance "
                           "is over all pairs, including a node and itself."});
    section.blocks.emplace_back(network_table(rows));
    if (std::any_of(rows.begin(), rows.end(), [](const UnloadedRow& row) {
            return row.value("message_cycles").has_value();
        })) {
        section.blocks.emplace_back(records::Paragraph{
            "A message's time T at the mean distance: the input T_snd + T_rcv of the machine's "
            "file, plus the measured N. The formula is T_snd + M/w + H r + T_rcv (LogP Section "
            "5.2) at the same distance. The published T has its own H; \"T at published H\" is the "
            "input plus the measured line at that H."});
        section.blocks.emplace_back(message_table(rows));
        section.blocks.emplace_back(records::Paragraph{
            "The measurement differs from the formula in three ways. Routers forward whole flits, "
            "so leaving the last router takes one more flit time than there are hops. Channels of "
            "a node that do not count as hops take at least a cycle. The tail counts as arrived in "
            "the cycle of its last bit, not after it."});
    }
    return section;
}

std::optional<records::Section> unloaded_section(const records::ExperimentResult& result) {
    std::optional<records::Section> section = unloaded_tables({&result, 1});
    if (section) {
        std::vector<records::Block> tables;
        for (const UnloadedRow& row : rows_of({&result, 1})) {
            tables.emplace_back(distances_table(row));
        }
        section->blocks.insert(section->blocks.begin(), tables.begin(), tables.end());
        add_unloaded_figure(result, *section);
    }
    return section;
}

}  // namespace weir::experiments::kinds
