#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firmware/collectives.h"
#include "firmware/kernel.h"

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

    /// The nodes that have elements of a column.
    [[nodiscard]] Collectives::Group holders_of_column(std::int64_t column) const;
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

/// LU decomposition of an n x n matrix by Gaussian elimination with partial pivoting (LogP Section
/// 4.2), PA = LU in place of A. In each of n - 1 steps the largest element of a column is found,
/// its row changes places with the step's, the elements below it are divided by it, and every
/// element to the right and below is updated, A_ij -= L_ik U_kj, by the node that has it. It is
/// what lu and shared-lu have in common; they say how nodes get what others have.
///
/// The check: L U is the matrix with its rows permuted, element by element, and no element of L is
/// beyond 1.
class LuDecomposition : public Kernel {
  public:
    struct Parameters : hw::ParameterGroup {
        explicit Parameters(const char* sentence) : ParameterGroup("workload", sentence) {}

        hw::Parameter<std::int64_t> rows{
            *this, "rows", 64, {2, 2'048}, "Rows and columns of the matrix (n)"};
        hw::Choice<LuLayoutKind> layout{*this,
                                        "layout",
                                        LuLayoutKind::kScatteredGrid,
                                        {{LuLayoutKind::kBad, "bad"},
                                         {LuLayoutKind::kColumn, "column"},
                                         {LuLayoutKind::kBlockedGrid, "blocked_grid"},
                                         {LuLayoutKind::kScatteredGrid, "scattered_grid"}},
                                        "Which node has which elements",
                                        "LogP Section 4.2"};
        hw::Parameter<hw::Cycles> update_cycles{
            *this,
            "update_cycles",
            2,
            {0, 1'000'000},
            "Multiply and subtract of one element, beside two loads and a store",
            "LogP Section 4.2: 2(n - k)^2/P, a cycle an operation"};
        hw::Parameter<hw::Cycles> compare_cycles{
            *this,
            "compare_cycles",
            1,
            {0, 1'000'000},
            "Comparison of an element in the pivot search, beside its load",
            "not published; assumed"};
        hw::Parameter<hw::Cycles> divide_cycles{
            *this,
            "divide_cycles",
            1,
            {0, 1'000'000},
            "Division of an element by the pivot, beside its load and stores",
            "not published; assumed"};
    };

    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) final;
    std::optional<std::string> check(nodes::MemoryAccess& memory) final;
    [[nodiscard]] Communication communication() const final { return Communication::kProgram; }
    [[nodiscard]] MessagePattern message_pattern() const final {
        return {.operations_per_node = static_cast<double>(steps())};
    }
    [[nodiscard]] double progress() const final {
        return static_cast<double>(done_) / static_cast<double>(steps() * node_count_);
    }

    /// After prepare(): where an element is, by the address that its owner has.
    [[nodiscard]] virtual std::uint32_t element(std::int64_t i, std::int64_t j) const = 0;
    /// After prepare().
    [[nodiscard]] const LuLayout& layout() const { return layout_; }

  protected:
    [[nodiscard]] virtual const Parameters& common() const = 0;
    /// Says where the elements are: layout() and node_count() are known. Throws InputFault.
    virtual void place(const nodes::MachineShape& machine, nodes::MemoryAccess& memory) = 0;
    /// In node 0's memory, of each step: the row in which it has found the pivot.
    [[nodiscard]] virtual std::uint32_t pivot_row_address(std::int64_t step) const = 0;

    [[nodiscard]] std::int32_t node_count() const { return node_count_; }
    [[nodiscard]] std::int64_t rows() const { return common().rows.value(); }
    [[nodiscard]] std::int64_t steps() const { return rows() - 1; }

    /// The largest element of a column that was found, and its row; at first none.
    struct Pivot {
        double element = 0.0;
        std::int64_t row = 0;
    };
    /// Whether another find takes the place of one: of equals the one higher up, wherever it was
    /// found.
    static bool is_before(const Pivot& other, const Pivot& one);
    /// A node has ended a step.
    void count_step() { ++done_; }

  private:
    using Matrix = std::vector<double>;  // by rows

    [[nodiscard]] Matrix result(nodes::MemoryAccess& memory) const;
    [[nodiscard]] std::optional<std::string> permute(std::vector<std::size_t>& permutation,
                                                     nodes::MemoryAccess& memory) const;

    std::int32_t node_count_ = 0;
    LuLayout layout_;
    Matrix start_;
    SharedCount done_ = 0;  // steps, of all nodes
};

}  // namespace weir::firmware
