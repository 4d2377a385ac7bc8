#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/kernels/lu/lu_layout.h"

namespace weir::firmware {

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
