#include <algorithm>
#include <array>

#include "experiments/analyses/patterns/long_messages.h"
#include "experiments/records/point_values.h"

namespace weir::experiments::analyses {

namespace {

using records::Curve;
using records::CurveKind;
using records::LineChart;

records::Table messages_table(const records::ExperimentResult& result) {
    struct Column {
        const char* metric;
        const char* heading;
        const char* explanation;
    };
    constexpr std::array kColumns{
        Column{"sender_cycles", "sender", "cycles until the last byte is in the network"},
        Column{"end_to_end_cycles", "end to end", "cycles"},
        Column{"bandwidth_bytes_per_cycle", "bytes/cycle", ""},
        Column{"input_queue_peak_bytes", "peak", "bytes in the receiver's input queue"},
        Column{"network_stopped_cycles", "stopped", "cycles in which the queue had no room"},
        Column{"input_queue_drained_bytes_per_cycle", "drained",
               "bytes per cycle by which the queue drains while the DMA engine catches up"},
        Column{"crossover_bytes", "crossover",
               "message length from which the DMA engine catches up before the tail arrives"}};
    records::Table table;
    table.columns = {records::text_column("measured")};
    for (const Column& column : kColumns) {
        table.columns.push_back(records::number_column(column.heading, column.explanation));
    }
    for (const records::PointResult& point : result.points) {
        std::vector<records::TableCell>& row =
            table.rows.emplace_back(1, records::text_cell(point.label));
        for (const Column& column : kColumns) {
            const records::Estimate* measured = records::find_estimate(point, column.metric);
            row.push_back(measured == nullptr ? records::absent_cell()
                                              : records::number_cell(measured->mean));
        }
    }
    return table;
}

// Table of the queue's course, with at most about 20 rows.
records::Table queue_table(const records::PointResult& point, bool has_others) {
    constexpr std::int64_t kRows = 20;
    const auto queue = input_queue(point);
    const std::int64_t last = queue.back().first;
    const std::int64_t step = std::max<std::int64_t>(1, (last + kRows - 1) / kRows);
    records::Table table;
    table.caption = "Input queue from a message's first byte until its DMA has caught up" +
                    (has_others ? ": " + point.label : "");
    table.columns = {records::number_column("cycle"), records::number_column("bytes")};
    std::size_t next = 0;
    std::int64_t held = 0;
    for (std::int64_t cycle = 0; cycle < last + step; cycle += step) {
        while (next < queue.size() && queue[next].first <= cycle) {
            held = queue[next++].second;
        }
        table.rows.push_back({records::number_cell(static_cast<double>(cycle)),
                              records::number_cell(static_cast<double>(held))});
    }
    return table;
}

void add_queue_figure(const records::ExperimentResult& result, const records::PointResult& point,
                      records::Section& section) {
    const auto queue = input_queue(point);
    if (queue.size() < 2) {
        return;
    }
    LineChart chart;
    chart.title =
        "the receiver's input queue during a long message" + records::in_point(result, point);
    chart.caption =
        "The course begins with the message's first byte and ends when the DMA engine has caught "
        "up with the network.";
    chart.x_name = "cycle";
    chart.y_name = "bytes";
    chart.x_label = "cycles since the first byte arrived";
    chart.y_label = "bytes in the input queue";
    Curve curve{CurveKind::kMeasured, "measured", "", {}, true};
    for (const auto& [cycle, bytes] : queue) {
        curve.points.push_back(
            {static_cast<double>(cycle), static_cast<double>(bytes), std::nullopt});
    }
    chart.curves.push_back(std::move(curve));
    section.blocks.emplace_back(records::Figure{"", chart});
}

}  // namespace

std::optional<records::Section> long_messages_section(const records::ExperimentResult& result) {
    records::Section section;
    section.title = "Single messages";
    if (result.points.size() > 1 &&
        records::find_estimate(result.points.front(), "bandwidth_bytes_per_cycle") != nullptr) {
        section.blocks.emplace_back(messages_table(result));
        section.blocks.emplace_back(records::Paragraph{
            "Sender: cycles until the last byte is in the network. Peak: largest number of bytes "
            "in the receiver's input queue. Stopped: cycles in which the queue had no room. "
            "Drained: bytes per cycle by which the queue drains while the DMA engine catches up. "
            "Crossover: message length from which the engine catches up before the tail arrives."});
    }
    constexpr std::size_t kMostQueues = 4;
    for (const records::PointResult& point : result.points) {
        add_queue_figure(result, point, section);
        if (result.points.size() <= kMostQueues && !input_queue(point).empty()) {
            section.blocks.emplace_back(queue_table(point, result.points.size() > 1));
        }
    }
    return section.blocks.empty() ? std::nullopt : std::optional(std::move(section));
}

}  // namespace weir::experiments::analyses
