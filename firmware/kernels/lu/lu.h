#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/kernels/lu/lu_layout.h"

namespace weir::firmware {

/// LU decomposition of an n x n matrix by Gaussian elimination with partial pivoting (LogP Section
/// 4.2), PA = LU in place of A. A step of n - 1:
///
///   pivot search     the holders of column k look through their elements of it and reduce what
///                    they found to the largest; all nodes learn it
///   swapping         the holders of row k and those of the pivot's exchange them, whole rows
///   scaling          the holders of column k divide their elements of it by the pivot
///   sharing          those who update hear of the multipliers and of the pivot row: in a grid each
///                    row of nodes the multipliers of its rows and each column of nodes the pivots
///                    of its columns, by broadcasts; with columns the multipliers alone; with
///                    the bad layout all nodes everything, by an all-to-all broadcast
///   update           each node A_ij -= L_ik U_kj for its elements
///
/// What a step receives has its own place in memory, so that no step waits for the one before it
/// elsewhere. A double is two words of a message, of which Collectives packs two.
///
/// The check: L U is the matrix with its rows permuted, element by element, and no element of L is
/// beyond 1.
class Lu final : public Kernel {
  public:
    /// A mark of each node at its end: the words of data that came to it in messages.
    static constexpr const char* kWordsReceived = "words received";

    enum class Broadcast : std::uint8_t { kTree, kScattered };

    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "lu: LU decomposition with partial pivoting") {}

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
        hw::Choice<Broadcast> broadcast{
            *this,
            "broadcast",
            Broadcast::kTree,
            {{Broadcast::kTree, "tree"}, {Broadcast::kScattered, "scattered"}},
            "How a grid's or a column's multipliers and pivots get from "
            "the node that has them to the others: down a tree, or a "
            "share to each that passes it on to all",
            "LogP Section 4.2, footnote 6: an efficient all-to-all "
            "broadcast, of values that lie on all nodes evenly",
            hw::when("workload.layout").is_not("bad")};
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

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(steps())};
    }
    struct Facts {
        LuLayoutKind layout = LuLayoutKind::kColumn;
        double rows = 0.0;
        double update_cycles = 0.0;  ///< of an element, but its loads and its store
        double values_per_message = 0.0;
    };
    /// After prepare().
    [[nodiscard]] Facts facts() const;
    [[nodiscard]] double progress() const override {
        return static_cast<double>(done_) / static_cast<double>(steps() * node_count_);
    }

  private:
    class Program;
    using Matrix = std::vector<double>;  // by rows

    [[nodiscard]] std::int64_t rows() const { return parameters_.rows.value(); }
    [[nodiscard]] std::int64_t steps() const { return rows() - 1; }

    // Addresses, the same on every node.
    [[nodiscard]] std::uint32_t element(std::int64_t i, std::int64_t j) const;
    /// Of step k: the multipliers and the pivots that a node has heard of, and the parts of rows
    /// that came to it in exchange, of row k and of the pivot's.
    [[nodiscard]] std::uint32_t multipliers(std::int64_t step) const;
    [[nodiscard]] std::uint32_t pivots(std::int64_t step) const;
    [[nodiscard]] std::uint32_t incoming(std::int64_t step, bool is_of_pivot_row) const;
    [[nodiscard]] std::uint32_t outgoing(bool is_of_pivot_row) const;
    /// The pivot found: the element and its row; and what other nodes found.
    [[nodiscard]] std::uint32_t found(std::int64_t step) const;
    [[nodiscard]] std::uint32_t others_found(std::int64_t step) const;
    [[nodiscard]] std::uint32_t end_of_data() const;

    Parameters parameters_;
    std::int32_t node_count_ = 0;
    LuLayout layout_;
    std::int64_t shared_rows_ = 0;     // at most so many multipliers come to a node in a step,
    std::int64_t shared_columns_ = 0;  // so many pivots,
    std::int64_t columns_each_ = 0;    // and so many elements of a row are a node's
    Matrix start_;
    std::int64_t done_ = 0;  // steps, of all nodes
};

}  // namespace weir::firmware
