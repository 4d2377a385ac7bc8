#include <array>

#include "experiments/analyses/cost_bars.h"
#include "experiments/pages/kernel_sections/kernel_sections.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::StackedBar;
using records::StackedBars;

void add_cost_figure(const records::ExperimentResult& result, records::Section& section) {
    StackedBars chart;
    chart.title = "where a non-zero's cycles go";
    chart.group_name = "point";
    chart.unit = "cycles";
    chart.value_label = "cycles a non-zero";
    std::string who;
    constexpr std::array kPartColours{"#26426B", "#0072B2", "#009E73",
                                      "#A3547F", "#C22E1F", "#E6E6EA"};
    static_assert(kPartColours.size() == analyses::kCostParts.size());
    for (std::size_t part = 0; part < kPartColours.size(); ++part) {
        chart.parts.push_back({analyses::kCostParts[part], kPartColours[part]});
    }
    for (const records::PointResult& point : result.points) {
        for (const analyses::CostBar& each : analyses::cost_bars(point)) {
            StackedBar bar{point.label, each.who, {}};
            for (const char* part : analyses::kCostParts) {
                bar.parts.push_back(records::find_metric(each.parts, part));
            }
            chart.bars.push_back(std::move(bar));
            who = each.who == "measured" ? who : setup::spaced_name(each.who);
        }
    }
    chart.caption = "Left bars: measured" + (who.empty() ? "" : "; right bars: " + who) +
                    ". Idle is what is left, of nodes that end before the last; a model's compute "
                    "has the sends.";
    constexpr std::size_t kMostBars = 60;
    if (!chart.bars.empty() && chart.bars.size() <= kMostBars) {
        section.blocks.emplace_back(records::Figure{"", chart});
    }
}

}  // namespace

std::optional<records::Section> product_costs_section(const records::ExperimentResult& result) {
    records::Table table;
    table.columns = {records::text_column("point"), records::text_column("who")};
    table.keys = 2;
    for (const char* part : analyses::kCostParts) {
        table.columns.push_back(records::number_column(part));
    }
    for (const records::PointResult& point : result.points) {
        for (const analyses::CostBar& bar : analyses::cost_bars(point)) {
            std::vector<records::TableCell> row{records::text_cell(point.label),
                                                records::text_cell(setup::spaced_name(bar.who))};
            for (const char* part : analyses::kCostParts) {
                row.push_back(records::number_cell(records::find_metric(bar.parts, part)));
            }
            table.rows.push_back(std::move(row));
        }
    }
    if (table.rows.empty()) {
        return std::nullopt;
    }
    records::Section section;
    section.title = "Where a non-zero's cycles go";
    add_cost_figure(result, section);
    section.blocks.emplace_back(std::move(table));
    section.blocks.emplace_back(records::Paragraph{
        "Contention: waits for handlers and in the network. Idle: what is left, of nodes that end "
        "before the last. The models' compute has the sends."});
    return section;
}

}  // namespace weir::experiments::pages
