#include "experiments/analyses/packed_message.h"

#include "experiments/pages/kernel_sections/kernel_sections.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::StackedBars;

void add_packed_figure(const records::ExperimentResult& result, records::Section& section) {
    StackedBars chart;
    chart.title = "a column as a message";
    chart.caption =
        "From the left: measured, memory logP with l of a repeated transfer, and with l of one "
        "that misses every line.";
    chart.group_name = "point";
    chart.unit = "cycles";
    chart.value_label = "cycles";
    chart.parts = {{"pack", "#0072B2"}, {"network", "#009E73"}, {"unpack", "#E69F00"}};
    for (const records::PointResult& point : result.points) {
        for (const analyses::PackedMessage& message : analyses::packed_messages(point)) {
            chart.bars.push_back(
                {point.label,
                 message.who,
                 {message.pack_cycles, message.network_cycles, message.unpack_cycles}});
        }
    }
    if (!chart.bars.empty()) {
        section.blocks.emplace_back(records::Figure{"", chart});
    }
}

}  // namespace

std::optional<records::Section> packed_message_section(const records::ExperimentResult& result) {
    records::Table table;
    table.columns = {records::text_column("point"),
                     records::text_column("who"),
                     records::number_column("pack"),
                     records::number_column("network"),
                     records::number_column("unpack"),
                     records::number_column("whole"),
                     records::number_column("off", "against what was measured")};
    table.keys = 2;
    for (const records::PointResult& point : result.points) {
        const analyses::PackedMessages messages = analyses::packed_messages(point);
        for (const analyses::PackedMessage& message : messages) {
            const double whole = messages.front().whole_cycles;
            table.rows.push_back(
                {records::text_cell(point.label),
                 records::text_cell(setup::spaced_name(message.who)),
                 records::whole_cell(message.pack_cycles),
                 records::whole_cell(message.network_cycles),
                 records::whole_cell(message.unpack_cycles),
                 records::whole_cell(message.whole_cycles),
                 whole != 0.0 ? records::percent_cell(100.0 * (message.whole_cycles / whole - 1.0))
                              : records::absent_cell()});
        }
    }
    if (table.rows.empty()) {
        return std::nullopt;
    }
    records::Section section;
    section.title = "A column as a message, cycles";
    add_packed_figure(result, section);
    section.blocks.emplace_back(std::move(table));
    section.blocks.emplace_back(records::Paragraph{
        "memory logp: l of a transfer repeated over its data; cold: every line is missed. Neither "
        "knows what the program does in between."});
    return section;
}

}  // namespace weir::experiments::pages
