#include "experiments/pages/sweep_places.h"

#include "experiments/setup/parameters/parameter_value.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::StoredPoint;

// A number as such, so that rows can be sorted by it.
records::TableCell swept_cell(const hw::ParameterValue& value) {
    records::TableCell cell = records::text_cell(setup::value_text(value));
    cell.value = setup::number_of(value);
    return cell;
}

}  // namespace

void add_place(const SweepValues& values, std::size_t index, std::vector<records::TableCell>& row) {
    const StoredPoint& point = values.points()[index];
    row.push_back(point.number ? records::number_cell(static_cast<double>(*point.number))
                               : records::absent_cell());
    if (values.has_labels()) {
        row.push_back(records::text_cell(point.label));
    }
    if (values.design() == records::SweepDesign::kOneAtATime) {
        row.push_back(point.varied_axis ? records::text_cell(records::point_description(
                                              "", values.design(), point.varied_axis,
                                              values.names(), point.values))
                                        : records::absent_cell());
        return;
    }
    for (const hw::ParameterValue& value : point.swept) {
        row.push_back(swept_cell(value));
    }
}

void add_place_columns(const SweepValues& values, records::Table& table) {
    table.columns = {records::number_column("point")};
    if (values.has_labels()) {
        table.columns.push_back(records::text_column("label"));
    }
    if (values.design() == records::SweepDesign::kOneAtATime) {
        table.columns.push_back(records::text_column("varied"));
    } else {
        for (const records::SweptName& name : values.names()) {
            table.columns.push_back(records::number_column(name.column, name.key));
        }
    }
    table.keys = table.columns.size();
}

}  // namespace weir::experiments::pages
