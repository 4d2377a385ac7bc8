#include <fmt/format.h>

#include <cmath>

#include "experiments/kinds/recorded_traffic/compared_recording.h"
#include "experiments/kinds/recorded_traffic/recorded_traffic_kind.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::kinds {

namespace {

// Share of packets that arrive in the recorded cycle, rounded down, so that 100.00 % means all
// packets.
records::TableCell same_cycle_cell(const ComparedRecording& compared) {
    const double share = 100.0 * static_cast<double>(compared.in_the_same_cycle) /
                         static_cast<double>(compared.packets);
    return {setup::fixed_number(std::floor(100.0 * share) / 100.0, 2) + " %", share, std::nullopt,
            compared.in_the_same_cycle == compared.packets ? records::TableCell::Mark::kGood
                                                           : records::TableCell::Mark::kNone};
}

records::TableCell signed_cell(double value, const std::string& text) {
    return {value > 0.0 ? "+" + text : text, value, std::nullopt, {}};
}

records::TableCell whole(std::int64_t value) {
    return records::whole_cell(static_cast<double>(value));
}

std::string described(const DifferentPacket& packet) {
    return fmt::format("node {} to {}, {} flits, generated in cycle {}", packet.source,
                       packet.destination, packet.flits, packet.generated);
}

void add_way(const std::string& label, const DifferentPacket& packet, records::Section& section) {
    records::Table table;
    table.caption = fmt::format("{}the first packet that differs: {}",
                                label.empty() ? "" : label + ": ", described(packet));
    table.columns = {records::text_column("where"), records::number_column("cycle"),
                     records::number_column("waited", "cycles of contention before this event")};
    table.rows.push_back({records::text_cell("header leaves the source queue"),
                          whole(packet.injected), whole(packet.injected - packet.generated)});
    for (const RouterOfRoute& router : packet.way) {
        table.rows.push_back({records::text_cell("grant in router " + router.name),
                              whole(router.cycle), whole(router.waited)});
    }
    table.rows.push_back(
        {records::text_cell("tail arrives"), whole(packet.arrived), records::absent_cell()});
    table.rows.push_back({records::text_cell("tail arrives, in the recording"),
                          whole(packet.recorded), records::absent_cell()});
    section.blocks.emplace_back(std::move(table));
}

}  // namespace

std::optional<records::Section> recorded_traffic_section(const records::ExperimentResult& result) {
    records::Table table;
    table.columns = {
        records::text_column("point"),
        records::number_column("same cycle",
                               "share of packets that arrive in the "
                               "recorded cycle"),
        records::number_column("packets"),
        records::number_column("mean difference",
                               "arrival in the run minus recorded arrival, in cycles"),
        records::number_column("largest", "largest difference of a packet's arrival, in cycles"),
        records::text_column("first packet that differs")};
    records::Section section;
    section.title = "Comparison with the recording, packet by packet";
    for (const records::PointResult& point : result.points) {
        if (!point.particulars->contains(kComparedRecording)) {
            continue;
        }
        const auto compared = point.particulars->at(kComparedRecording).get<ComparedRecording>();
        const std::string label = point.label.empty() ? compared.file : point.label;
        table.rows.push_back(
            {records::text_cell(label), same_cycle_cell(compared), whole(compared.packets),
             signed_cell(compared.mean_difference_cycles,
                         setup::fixed_number(compared.mean_difference_cycles, 3)),
             whole(compared.largest_difference_cycles),
             records::text_cell(compared.first_different.empty()
                                    ? "none"
                                    : described(compared.first_different.front()))});
        for (const DifferentPacket& packet : compared.first_different) {
            add_way(result.points.size() > 1 ? label : "", packet, section);
        }
    }
    if (table.rows.empty()) {
        return std::nullopt;
    }
    section.blocks.insert(section.blocks.begin(), std::move(table));
    return section;
}

}  // namespace weir::experiments::kinds
