#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firmware/collectives.h"
#include "firmware/kernels/built_in_kernel.h"

namespace weir::firmware {

/// Distribution of the elements of an n x n matrix over P nodes (LogP Section 4.2).
enum class LuLayoutKind : std::uint8_t {
    kBad,            ///< by diagonals: element (i, j) on node (i + j) mod P
    kColumn,         ///< column j on node j mod P
    kBlockedGrid,    ///< a grid of nodes, each with adjacent rows and columns
    kScatteredGrid,  ///< a grid of nodes, each with every R-th row and every C-th column
};

/// Owner and place of each element. A grid has R x C nodes; R is the largest divisor of P that is
/// at most sqrt(P). Node r C + c is in row r and column c of the grid. The column layout is a grid
/// with one row.
class LuLayout {
  public:
    /// Rows or columns whose numbers are `step` apart.
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

    /// Number that must divide the matrix's number of rows, n.
    [[nodiscard]] std::int64_t divisor() const;
    [[nodiscard]] bool is_grid() const { return kind_ != LuLayoutKind::kBad; }
    [[nodiscard]] std::int32_t grid_rows() const { return grid_rows_; }
    [[nodiscard]] std::int32_t grid_columns() const { return grid_columns_; }

    [[nodiscard]] std::int32_t owner(std::int64_t i, std::int64_t j) const;
    /// Position of element (i, j) among its owner's elements, which are in column order in a grid,
    /// and in row order in the bad layout.
    [[nodiscard]] std::int64_t place(std::int64_t i, std::int64_t j) const;
    /// Rows of a column that a node has, from row `from` on.
    [[nodiscard]] Lines rows(std::int32_t node, std::int64_t column, std::int64_t from) const;
    /// Columns of a row that a node has, from column `from` on.
    [[nodiscard]] Lines columns(std::int32_t node, std::int64_t row, std::int64_t from) const;

    /// Nodes with elements of a column.
    [[nodiscard]] Collectives::Group holders_of_column(std::int64_t column) const;
    /// Nodes in the same row, or column, of the grid as `node`.
    [[nodiscard]] Collectives::Group grid_row_of(std::int32_t node) const;
    [[nodiscard]] Collectives::Group grid_column_of(std::int32_t node) const;

  private:
    /// Functions for one dimension of a grid, whose lines (rows or columns) are divided into parts.
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

/// LU decomposition of an n x n matrix by Gaussian elimination with partial pivoting (LogP Section
/// 4.2); PA = LU replaces A. Each of n - 1 steps finds the largest element of a column, swaps its
/// row with the step's row and scales the elements below. Then the owner of each element to
/// the right and below updates it: A_ij -= L_ik U_kj. Common part of lu and shared-lu, which move
/// values between nodes.
///
/// The check: L U is the matrix with its rows permuted, element by element, and no element of L
/// exceeds 1 in magnitude.
class LuDecomposition : public BuiltInKernel {
  public:
    struct Parameters : hw::ParameterGroup {
        explicit Parameters(const char* sentence) : ParameterGroup("workload", sentence) {}

        hw::Parameter<std::int64_t> rows{
            *this, "rows", 64, {2, 2'048}, "Number of rows and of columns of the matrix (n)"};
        hw::Choice<LuLayoutKind> layout{
            *this,
            "layout",
            LuLayoutKind::kScatteredGrid,
            {{LuLayoutKind::kBad, "bad"},
             {LuLayoutKind::kColumn, "column"},
             {LuLayoutKind::kBlockedGrid, "blocked_grid"},
             {LuLayoutKind::kScatteredGrid, "scattered_grid"}},
            "Distribution of the elements over the nodes. bad: by diagonals. column: columns in "
            "turn. blocked_grid: a block of adjacent rows and columns on each node. "
            "scattered_grid: rows in turn over the rows of a grid of nodes, columns in turn over "
            "its columns",
            "LogP Section 4.2"};
        hw::Parameter<hw::Cycles> update_cycles{
            *this,
            "update_cycles",
            2,
            {0, 1'000'000},
            "Time of multiplication and subtraction for one element, in addition to two loads and "
            "a store",
            "LogP Section 4.2: 2(n - k)^2/P, a cycle for each operation"};
        hw::Parameter<hw::Cycles> compare_cycles{
            *this,
            "compare_cycles",
            1,
            {0, 1'000'000},
            "Time of the comparison of an element in the pivot search, in addition to its load",
            "not published; assumed"};
        hw::Parameter<hw::Cycles> divide_cycles{
            *this,
            "divide_cycles",
            1,
            {0, 1'000'000},
            "Time of the division of an element by the pivot, in addition to its load and stores",
            "not published; assumed"};
    };

    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) final;
    std::optional<std::string> check(nodes::MemoryAccess& memory) final;
    [[nodiscard]] std::vector<SizeParameter> size_parameters() override {
        return {{.name = common().rows.name(), .power = 2}};
    }
    [[nodiscard]] MessagePattern message_pattern() const final {
        return {.operations_per_node = static_cast<double>(steps())};
    }
    [[nodiscard]] double work() const final { return static_cast<double>(steps() * node_count_); }

    /// Address of an element at its owner; call after prepare().
    [[nodiscard]] virtual std::uint32_t element(std::int64_t i, std::int64_t j) const = 0;
    /// Layout of the matrix; call after prepare().
    [[nodiscard]] const LuLayout& layout() const { return layout_; }

  protected:
    [[nodiscard]] virtual const Parameters& common() const = 0;
    /// Places the elements in memory; layout() and node_count_ are known. Throws InputFault.
    virtual void place(const nodes::MachineShape& machine, nodes::MemoryAccess& memory) = 0;
    /// Address, in node 0's memory, of the row of a step's pivot.
    [[nodiscard]] virtual std::uint32_t pivot_row_address(std::int64_t step) const = 0;

    [[nodiscard]] std::int64_t rows() const { return common().rows.value(); }
    [[nodiscard]] std::int64_t steps() const { return rows() - 1; }

    /// Largest element found in a column, and its row; initially element 0 in row 0.
    struct Pivot {
        double element = 0.0;
        std::int64_t row = 0;
    };
    /// Whether `other` is a better pivot than `one`. Among equal elements the row with the lower
    /// number wins, so the order of comparisons does not matter.
    static bool is_before(const Pivot& other, const Pivot& one);

  private:
    using Matrix = std::vector<double>;  // elements, row by row

    [[nodiscard]] Matrix result(nodes::MemoryAccess& memory) const;
    [[nodiscard]] std::optional<std::string> permute(std::vector<std::size_t>& permutation,
                                                     nodes::MemoryAccess& memory) const;

    LuLayout layout_;
    Matrix start_;
};

}  // namespace weir::firmware
