#pragma once

#include <string>
#include <variant>
#include <vector>

#include "experiments/records/charts.h"
#include "hw/variant.h"

namespace weir::experiments::records {

/// The numbers behind a figure. Columns carry their units in their names.
struct DataTable {
    using Cell = hw::Variant<std::monostate, double, std::string>;  ///< monostate: nothing there

    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;
};

/// As CSV (RFC 4180, lines that end with a line feed); numbers read back to the same bits.
[[nodiscard]] std::string csv_text(const DataTable& data);

/// A chart in a document.
struct Figure {
    std::string name;  ///< of its files, without ending; a document's differ
    Chart chart;

    [[nodiscard]] const std::string& title() const;
    [[nodiscard]] const std::string& caption() const;
};

}  // namespace weir::experiments::records
