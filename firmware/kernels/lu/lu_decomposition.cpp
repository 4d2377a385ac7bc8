#include "firmware/kernels/lu/lu_decomposition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "hw/random_stream.h"
#include "hw/text_streams.h"

namespace weir::firmware {

namespace {

// Nonnegative remainder, for negative numbers too.
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

bool LuDecomposition::is_before(const Pivot& other, const Pivot& one) {
    const double size = std::abs(one.element);
    const double others = std::abs(other.element);
    return others > size || (others == size && other.row < one.row);
}

void LuDecomposition::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                              nodes::MemoryAccess& memory) {
    node_count_ = machine.node_count();
    layout_ = LuLayout(common().layout.value(), rows(), node_count_);
    if (rows() % layout_.divisor() != 0) {
        throw InputFault("workload.rows",
                         std::to_string(rows()) + " don't divide among " +
                             (layout_.grid_rows() > 1 ? std::to_string(layout_.grid_rows()) + " x "
                                                      : std::string()) +
                             std::to_string(layout_.grid_columns()) + " nodes",
                         "a multiple of " + std::to_string(layout_.divisor()));
    }
    place(machine, memory);
    hw::RandomStream stream(seed, hw::NodeId(0), "lu matrix");
    start_.resize(rows() * rows());
    for (double& value : start_) {
        value = 2.0 * stream.unit() - 1.0;
    }
    for (std::int64_t i = 0; i < rows(); ++i) {
        for (std::int64_t j = 0; j < rows(); ++j) {
            memory.write<double>(hw::NodeId(layout_.owner(i, j)), element(i, j),
                                 {&start_[i * rows() + j], 1});
        }
    }
}

LuDecomposition::Matrix LuDecomposition::result(nodes::MemoryAccess& memory) const {
    Matrix found(start_.size());
    for (std::int64_t i = 0; i < rows(); ++i) {
        for (std::int64_t j = 0; j < rows(); ++j) {
            memory.read<double>(hw::NodeId(layout_.owner(i, j)), element(i, j),
                                {&found[i * rows() + j], 1});
        }
    }
    return found;
}

// Original row of each row of the result, from the pivots in node 0's memory.
std::optional<std::string> LuDecomposition::permute(std::vector<std::size_t>& permutation,
                                                    nodes::MemoryAccess& memory) const {
    std::iota(permutation.begin(), permutation.end(), std::size_t{0});
    for (std::int64_t k = 0; k < steps(); ++k) {
        std::uint32_t row = 0;
        memory.read<std::uint32_t>(hw::NodeId(0), pivot_row_address(k), {&row, 1});
        if (row < static_cast<std::uint32_t>(k) || row >= permutation.size()) {
            return "the pivot of step " + std::to_string(k) + " is in row " + std::to_string(row) +
                   ", of rows " + std::to_string(k) + " to " +
                   std::to_string(permutation.size() - 1);
        }
        std::swap(permutation[k], permutation[row]);
    }
    return std::nullopt;
}

std::optional<std::string> LuDecomposition::check(nodes::MemoryAccess& memory) {
    const std::size_t n = rows();
    const Matrix found = result(memory);
    std::vector<std::size_t> permutation(n);
    if (auto fault = permute(permutation, memory)) {
        return fault;
    }
    // Rounding errors of sums of up to n products, whose factors grow little with partial pivoting.
    const double tolerance = 32.0 * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            double product = i <= j ? found[i * n + j] : 0.0;
            for (std::size_t k = 0; k < std::min(i, j + 1); ++k) {
                product += found[i * n + k] * found[k * n + j];
            }
            const double right = start_[permutation[i] * n + j];
            const bool is_beyond = i > j && !(std::abs(found[i * n + j]) <= 1.0);
            if (!is_beyond && std::abs(product - right) <= tolerance) {
                continue;
            }
            hw::TextWriter text;
            text.precision(17);
            if (is_beyond) {
                text << "element (" << i << ", " << j << ") of L is " << found[i * n + j]
                     << ", but partial pivoting limits it to 1";
            } else {
                text << "element (" << i << ", " << j << ") of L U is " << product
                     << ", the matrix with its rows permuted has " << right;
            }
            return text.str();
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
