#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "firmware/kernel.h"

namespace weir::firmware {

/// Number of rows in each node's strip of a square grid with `grid` rows. Throws InputFault if
/// `nodes` does not divide `grid`.
inline std::int64_t rows_of_each_node(std::int64_t grid, std::int32_t nodes) {
    if (grid % nodes != 0) {
        throw InputFault("workload.grid",
                         "found " + std::to_string(grid) + ", whose rows don't divide among " +
                             std::to_string(nodes) + " nodes",
                         "a multiple of " + std::to_string(nodes));
    }
    return grid / nodes;
}

/// Describes the first value in these rows of a grid that differs in any bit from the sequential
/// program's; nothing if all are equal. found_at and right_at take row and column.
template <class Found, class Right>
[[nodiscard]] std::optional<std::string> fault_of_rows(std::int64_t first, std::int64_t rows,
                                                       std::int64_t columns, const Found& found_at,
                                                       const Right& right_at) {
    for (std::int64_t row = first; row < first + rows; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
            const double found = found_at(row, column);
            const double right = right_at(row, column);
            if (std::bit_cast<std::uint64_t>(found) != std::bit_cast<std::uint64_t>(right)) {
                return "row " + std::to_string(row) + ", column " + std::to_string(column) +
                       " of the grid is " + std::to_string(found) +
                       ", the sequential program gives " + std::to_string(right);
            }
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
