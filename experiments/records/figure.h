#pragma once

#include <string>
#include <variant>
#include <vector>

#include "experiments/records/charts.h"
#include "hw/variant.h"

namespace weir::experiments::records {

/// Numbers that a figure shows, as a table. Column names include their units.
struct DataTable {
    /// Content of a cell; monostate: the cell is empty.
    using Cell = hw::Variant<std::monostate, double, std::string>;

    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;
};

/// CSV text (RFC 4180, lines end with a line feed). Numbers are exact to the bit.
[[nodiscard]] std::string csv_text(const DataTable& data);

/// Chart in a document.
struct Figure {
    std::string name;  ///< name of the figure's files, without extension; unique in a document
    Chart chart;

    [[nodiscard]] const std::string& title() const;
    [[nodiscard]] const std::string& caption() const;
};

}  // namespace weir::experiments::records
