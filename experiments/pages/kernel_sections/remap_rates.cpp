#include "experiments/pages/kernel_sections/kernel_sections.h"

namespace weir::experiments::pages {

std::optional<records::Section> remap_rates_section(const records::ExperimentResult& result) {
    records::Table table;
    table.columns = {records::text_column("point"), records::number_column("cycles"),
                     records::number_column("MB/s a processor"),
                     records::number_column("over compute")};
    for (const records::PointResult& point : result.points) {
        const records::Estimate* cycles = records::find_estimate(point, "remap_cycles");
        const records::Estimate* rate = records::find_estimate(point, "remap_megabytes_per_second");
        const records::Estimate* share = records::find_estimate(point, "remap_over_compute");
        if (cycles != nullptr && rate != nullptr && share != nullptr) {
            table.rows.push_back(
                {records::text_cell(point.label), records::whole_cell(cycles->mean),
                 records::number_cell(rate->mean), records::number_cell(share->mean)});
        }
    }
    if (table.rows.empty()) {
        return std::nullopt;
    }
    records::Section section;
    section.title = "The remap";
    section.blocks.emplace_back(std::move(table));
    return section;
}

}  // namespace weir::experiments::pages
