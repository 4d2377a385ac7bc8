#include "experiments/records/figure.h"

#include <fmt/format.h>

#include "experiments/setup/text/csv_text.h"

namespace weir::experiments::records {

namespace {

std::string csv_cell(const DataTable::Cell& cell) {
    if (const auto* number = std::get_if<double>(&cell)) {
        return fmt::format("{}", *number);
    }
    const auto* text = std::get_if<std::string>(&cell);
    return text != nullptr ? setup::csv_field(*text) : "";
}

}  // namespace

std::string csv_text(const DataTable& data) {
    std::string csv;
    const auto add = [&csv](const std::string& cell, bool is_first) {
        csv += is_first ? "" : ",";
        csv += cell;
    };
    for (std::size_t i = 0; i < data.columns.size(); ++i) {
        add(setup::csv_field(data.columns[i]), i == 0);
    }
    csv += '\n';
    for (const std::vector<DataTable::Cell>& row : data.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            add(csv_cell(row[i]), i == 0);
        }
        csv += '\n';
    }
    return csv;
}

const std::string& Figure::title() const {
    return std::visit([](const auto& each) -> const std::string& { return each.title; }, chart);
}

const std::string& Figure::caption() const {
    return std::visit([](const auto& each) -> const std::string& { return each.caption; }, chart);
}

}  // namespace weir::experiments::records
