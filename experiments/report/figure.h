#pragma once

#include <string>
#include <variant>
#include <vector>

namespace weir::experiments::report {

/// The numbers behind a figure. Columns carry their units in their names.
struct DataTable {
    using Cell = std::variant<std::monostate, double, std::string>;  ///< monostate: nothing there

    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;
};

/// As CSV (RFC 4180, lines that end with a line feed); numbers read back to the same bits.
[[nodiscard]] std::string csv_text(const DataTable& data);

/// A picture that gnuplot draws, and the numbers in it.
struct Figure {
    std::string name;  ///< of its files, without ending; a document's differ
    std::string title;
    std::string caption;
    DataTable data;
    int width_pixels = 760;
    int height_pixels = 420;
    std::string script;  ///< gnuplot's commands after the terminal and the output are set
};

}  // namespace weir::experiments::report
