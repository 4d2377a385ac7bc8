#pragma once

#include <cstdint>

#include "firmware/collectives.h"

namespace weir::firmware {

/// How the elements of an n x n matrix are dealt out to P nodes (LogP Section 4.2).
enum class LuLayoutKind : std::uint8_t {
    kBad,            ///< by diagonals: element (i, j) on node (i + j) mod P
    kColumn,         ///< column j on node j mod P
    kBlockedGrid,    ///< nodes as a grid, each with adjacent rows and columns
    kScatteredGrid,  ///< nodes as a grid, each with every R-th row and every C-th column
};

/// Who has which element, and where. A grid is of R x C nodes, R the largest divisor of P up to its
/// root; node r C + c is in its row r and column c. Columns are a grid of one row.
class LuLayout {
  public:
    /// Row or column numbers, `step` apart.
    struct Lines {
        std::int64_t first = 0;
        std::int64_t step = 1;
        std::int64_t count = 0;
        [[nodiscard]] std::int64_t at(std::int64_t index) const { return first + index * step; }
        [[nodiscard]] std::int64_t index_of(std::int64_t line) const {
            return (line - first) / step;
        }
    };

    LuLayout() = default;
    LuLayout(LuLayoutKind kind, std::int64_t rows, std::int32_t nodes);

    /// What n must be a multiple of.
    [[nodiscard]] std::int64_t divisor() const;
    [[nodiscard]] bool is_grid() const { return kind_ != LuLayoutKind::kBad; }
    [[nodiscard]] std::int32_t grid_rows() const { return grid_rows_; }
    [[nodiscard]] std::int32_t grid_columns() const { return grid_columns_; }

    [[nodiscard]] std::int32_t owner(std::int64_t i, std::int64_t j) const;
    /// The element's place among its owner's: by columns in a grid, by rows in the bad layout.
    [[nodiscard]] std::int64_t place(std::int64_t i, std::int64_t j) const;
    /// The rows from `from` on that a node has of a column.
    [[nodiscard]] Lines rows(std::int32_t node, std::int64_t column, std::int64_t from) const;
    /// The columns from `from` on that a node has of a row.
    [[nodiscard]] Lines columns(std::int32_t node, std::int64_t row, std::int64_t from) const;

    /// The nodes that have elements of a column, or of a row.
    [[nodiscard]] Collectives::Group holders_of_column(std::int64_t column) const;
    [[nodiscard]] Collectives::Group holders_of_row(std::int64_t row) const;
    /// In a grid: the nodes of a node's row, and of its column.
    [[nodiscard]] Collectives::Group grid_row_of(std::int32_t node) const;
    [[nodiscard]] Collectives::Group grid_column_of(std::int32_t node) const;

  private:
    /// One dimension: which part of `parts` has line `line`, where, and which lines a part has.
    [[nodiscard]] std::int32_t part_of(std::int64_t line, std::int32_t parts) const;
    [[nodiscard]] std::int64_t place_in_part(std::int64_t line, std::int32_t parts) const;
    [[nodiscard]] Lines lines_of(std::int32_t part, std::int32_t parts, std::int64_t from) const;
    [[nodiscard]] Lines every(std::int64_t step, std::int64_t remainder, std::int64_t from) const;

    LuLayoutKind kind_ = LuLayoutKind::kColumn;
    std::int64_t rows_ = 0;  // n
    std::int32_t nodes_ = 1;
    std::int32_t grid_rows_ = 1;
    std::int32_t grid_columns_ = 1;
};

}  // namespace weir::firmware
