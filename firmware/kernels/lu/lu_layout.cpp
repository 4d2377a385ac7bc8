#include "firmware/kernels/lu/lu_layout.h"

#include <algorithm>
#include <numeric>

namespace weir::firmware {

namespace {

// Also of a negative number.
std::int64_t remainder_of(std::int64_t value, std::int64_t divisor) {
    return (value % divisor + divisor) % divisor;
}

}  // namespace

LuLayout::LuLayout(LuLayoutKind kind, std::int64_t rows, std::int32_t nodes)
    : kind_(kind), rows_(rows), nodes_(nodes), grid_columns_(nodes) {
    if (kind == LuLayoutKind::kBlockedGrid || kind == LuLayoutKind::kScatteredGrid) {
        for (std::int32_t side = 1; side * side <= nodes; ++side) {
            grid_rows_ = nodes % side == 0 ? side : grid_rows_;
        }
        grid_columns_ = nodes / grid_rows_;
    }
}

std::int64_t LuLayout::divisor() const {
    return std::lcm(static_cast<std::int64_t>(grid_rows_),
                    static_cast<std::int64_t>(grid_columns_));
}

std::int32_t LuLayout::part_of(std::int64_t line, std::int32_t parts) const {
    const bool is_blocked = kind_ == LuLayoutKind::kBlockedGrid;
    return static_cast<std::int32_t>(is_blocked ? line / (rows_ / parts) : line % parts);
}

std::int64_t LuLayout::place_in_part(std::int64_t line, std::int32_t parts) const {
    return kind_ == LuLayoutKind::kBlockedGrid ? line % (rows_ / parts) : line / parts;
}

LuLayout::Lines LuLayout::every(std::int64_t step, std::int64_t remainder,
                                std::int64_t from) const {
    const std::int64_t first = from + remainder_of(remainder - from, step);
    return {first, step, first < rows_ ? (rows_ - 1 - first) / step + 1 : 0};
}

LuLayout::Lines LuLayout::lines_of(std::int32_t part, std::int32_t parts, std::int64_t from) const {
    if (kind_ != LuLayoutKind::kBlockedGrid) {
        return every(parts, part, from);
    }
    const std::int64_t begin = part * (rows_ / parts);
    const std::int64_t end = begin + rows_ / parts;
    const std::int64_t first = std::max(begin, from);
    return {first, 1, std::max(end - first, std::int64_t{0})};
}

std::int32_t LuLayout::owner(std::int64_t i, std::int64_t j) const {
    return is_grid() ? part_of(i, grid_rows_) * grid_columns_ + part_of(j, grid_columns_)
                     : static_cast<std::int32_t>((i + j) % nodes_);
}

std::int64_t LuLayout::place(std::int64_t i, std::int64_t j) const {
    return is_grid() ? place_in_part(j, grid_columns_) * (rows_ / grid_rows_) +
                           place_in_part(i, grid_rows_)
                     : i * (rows_ / nodes_) + j / nodes_;
}

LuLayout::Lines LuLayout::rows(std::int32_t node, std::int64_t column, std::int64_t from) const {
    if (!is_grid()) {
        return every(nodes_, remainder_of(node - column, nodes_), from);
    }
    return part_of(column, grid_columns_) == node % grid_columns_
               ? lines_of(node / grid_columns_, grid_rows_, from)
               : Lines{};
}

LuLayout::Lines LuLayout::columns(std::int32_t node, std::int64_t row, std::int64_t from) const {
    if (!is_grid()) {
        return every(nodes_, remainder_of(node - row, nodes_), from);
    }
    return part_of(row, grid_rows_) == node / grid_columns_
               ? lines_of(node % grid_columns_, grid_columns_, from)
               : Lines{};
}

Collectives::Group LuLayout::grid_row_of(std::int32_t node) const {
    return {node / grid_columns_ * grid_columns_, 1, grid_columns_};
}

Collectives::Group LuLayout::grid_column_of(std::int32_t node) const {
    return {node % grid_columns_, grid_columns_, grid_rows_};
}

Collectives::Group LuLayout::holders_of_column(std::int64_t column) const {
    return is_grid() ? grid_column_of(owner(0, column)) : Collectives::Group{0, 1, nodes_};
}

Collectives::Group LuLayout::holders_of_row(std::int64_t row) const {
    return is_grid() ? grid_row_of(owner(row, 0)) : Collectives::Group{0, 1, nodes_};
}

}  // namespace weir::firmware
