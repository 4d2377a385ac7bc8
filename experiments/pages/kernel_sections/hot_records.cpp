#include <array>

#include "experiments/pages/kernel_sections/kernel_sections.h"

namespace weir::experiments::pages {

std::optional<records::Section> hot_records_section(const records::ExperimentResult& result) {
    constexpr std::array kMetrics{"hot_record_cycles", "hot_records_done_cycles",
                                  "other_record_cycles", "other_records_done_cycles"};
    records::Table table;
    table.columns = {records::text_column("point"), records::number_column("to the hot"),
                     records::number_column("all done"), records::number_column("to others"),
                     records::number_column("all done")};
    for (const records::PointResult& point : result.points) {
        std::vector<records::TableCell> row{records::text_cell(point.label)};
        for (const char* metric : kMetrics) {
            const records::Estimate* measured = records::find_estimate(point, metric);
            row.push_back(measured == nullptr ? records::absent_cell()
                                              : records::whole_cell(measured->mean));
        }
        if (row[1].value || row[3].value) {
            table.rows.push_back(std::move(row));
        }
    }
    if (table.rows.empty()) {
        return std::nullopt;
    }
    records::Section section;
    section.title = "Records, cycles";
    section.blocks.emplace_back(std::move(table));
    return section;
}

}  // namespace weir::experiments::pages
