#include "experiments/analyses/processor_use.h"
#include "experiments/pages/kernel_sections/kernel_sections.h"
#include "experiments/pages/point_values.h"
#include "experiments/records/stored_result.h"

namespace weir::experiments::pages {

namespace {

using records::Curve;
using records::CurveKind;
using records::LineChart;

// What the processors did, of the first seed (LogP Section 4.2).
void add_processors_figure(const records::ExperimentResult& result,
                           const records::PointResult& point, records::Section& section) {
    const std::vector<std::filesystem::path> folders = records::folders_of_point(result, point);
    if (folders.empty()) {
        return;
    }
    const std::vector<analyses::ProcessorUse> uses =
        analyses::read_processor_use(folders.front() / "processors.csv");
    if (uses.size() < 2) {
        return;
    }
    LineChart chart;
    chart.title = "what the processors do over time" + in_point(result, point);
    chart.caption = "Means over equal slices of the time.";
    chart.x_name = "begin_cycle";
    chart.y_name = "processors";
    chart.x_label = "cycle";
    chart.y_label = "processors";
    for (const auto& [name, share] :
         {std::pair{"computing", &analyses::ProcessorUse::computing},
          std::pair{"communicating", &analyses::ProcessorUse::communicating},
          std::pair{"idle", &analyses::ProcessorUse::idle}}) {
        Curve curve{CurveKind::kMeasured, "measured", name, {}, true};
        for (const analyses::ProcessorUse& use : uses) {
            curve.points.push_back({use.begin_cycle, use.*share, std::nullopt});
        }
        chart.curves.push_back(std::move(curve));
    }
    section.blocks.emplace_back(records::Figure{"", chart});
}

}  // namespace

std::optional<records::Section> idle_processors_section(const records::ExperimentResult& result) {
    if (records::find_estimate(result.points.front(), "idle_percent") == nullptr) {
        return std::nullopt;
    }
    constexpr int kTenthsOfTime = 10;
    records::Table table;
    table.columns = {records::text_column("point"), records::number_column("all")};
    for (int tenth = 1; tenth <= kTenthsOfTime; ++tenth) {
        table.columns.push_back(records::number_column(std::to_string(tenth)));
    }
    for (const records::PointResult& point : result.points) {
        const auto cell = [&point](const std::string& metric) {
            const records::Estimate* idle = records::find_estimate(point, metric);
            return idle == nullptr ? records::absent_cell() : records::whole_cell(idle->mean);
        };
        std::vector<records::TableCell> row{records::text_cell(point.label), cell("idle_percent")};
        for (int tenth = 1; tenth <= kTenthsOfTime; ++tenth) {
            row.push_back(cell("idle_percent_tenth_" + std::to_string(tenth)));
        }
        table.rows.push_back(std::move(row));
    }
    records::Section section;
    section.title = "Idle processors, per cent";
    for (const records::PointResult& point : result.points) {
        add_processors_figure(result, point, section);
    }
    section.blocks.emplace_back(std::move(table));
    section.blocks.emplace_back(records::Paragraph{
        "In all, and in each tenth of the time; processors.csv of each run has more."});
    return section;
}

}  // namespace weir::experiments::pages
