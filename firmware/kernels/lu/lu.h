#pragma once

#include <cstdint>

#include "firmware/kernels/lu/lu_decomposition.h"

namespace weir::firmware {

/// LU decomposition by messages. A step of n - 1:
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
class Lu final : public LuDecomposition {
  public:
    /// A mark of each node at its end: the words of data that came to it in messages.
    static constexpr const char* kWordsReceived = "words received";

    enum class Broadcast : std::uint8_t { kTree, kScattered };

    struct Parameters : LuDecomposition::Parameters {
        Parameters() : LuDecomposition::Parameters("lu: LU decomposition with partial pivoting") {}

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
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    [[nodiscard]] std::uint32_t element(std::int64_t i, std::int64_t j) const override;
    struct Facts {
        LuLayoutKind layout = LuLayoutKind::kColumn;
        double rows = 0.0;
        double update_cycles = 0.0;  ///< of an element, but its loads and its store
        double values_per_message = 0.0;
    };
    /// After prepare().
    [[nodiscard]] Facts facts() const;

  protected:
    [[nodiscard]] const LuDecomposition::Parameters& common() const override { return parameters_; }
    void place(const nodes::MachineShape& machine, nodes::MemoryAccess& memory) override;
    [[nodiscard]] std::uint32_t pivot_row_address(std::int64_t step) const override;

  private:
    class Program;

    // Addresses, the same on every node.
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
    std::int64_t shared_rows_ = 0;     // at most so many multipliers come to a node in a step,
    std::int64_t shared_columns_ = 0;  // so many pivots,
    std::int64_t columns_each_ = 0;    // and so many elements of a row are a node's
};

}  // namespace weir::firmware
