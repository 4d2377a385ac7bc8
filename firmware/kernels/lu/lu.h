#pragma once

#include <cstdint>

#include "firmware/kernels/lu/lu_decomposition.h"

namespace weir::firmware {

/// LU decomposition by messages. Parts of each of n - 1 steps:
///
/// - pivot search: the holders of column k search their elements, and reduce them to the largest,
///   which all nodes learn
/// - swapping: the holders of row k and of the pivot's row exchange them
/// - scaling: the holders of column k divide their elements by the pivot
/// - sharing: nodes get the multipliers and the pivot row that they need. In a grid, each row of
///   nodes gets the multipliers of its rows and each column of nodes the pivots of its columns, by
///   broadcasts. With columns, only multipliers are sent. With the bad layout, all nodes get all
///   values, by an all-to-all broadcast
/// - update: each node computes A_ij -= L_ik U_kj for its elements
///
/// Each step receives into its own memory, so that no step waits for the previous step elsewhere. A
/// double is two words of a message; Collectives packs two doubles into one message.
class Lu final : public LuDecomposition {
  public:
    /// Mark of each node at its end; its value is the number of data words received in messages.
    static constexpr const char* kWordsReceived = "words received";

    enum class Broadcast : std::uint8_t { kTree, kScattered };

    struct Parameters : LuDecomposition::Parameters {
        Parameters() : LuDecomposition::Parameters("lu: LU decomposition with partial pivoting") {}

        hw::Choice<Broadcast> broadcast{
            *this,
            "broadcast",
            Broadcast::kTree,
            {{Broadcast::kTree, "tree"}, {Broadcast::kScattered, "scattered"}},
            "Broadcast of multipliers and pivots. tree: down a tree of nodes. scattered: each "
            "receiver gets a share and passes it on to all other receivers",
            "LogP Section 4.2, footnote 6: an efficient all-to-all broadcast of values distributed "
            "evenly over the nodes",
            hw::when("workload.layout").is_not("bad")};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] std::uint32_t element(std::int64_t i, std::int64_t j) const override;
    struct Facts {
        LuLayoutKind layout = LuLayoutKind::kColumn;
        double rows = 0.0;
        double update_cycles = 0.0;  ///< time to update an element, without its loads and its store
        double values_per_message = 0.0;
    };
    /// Facts for models; call after prepare().
    [[nodiscard]] Facts facts() const;

  protected:
    [[nodiscard]] const LuDecomposition::Parameters& common() const override { return parameters_; }
    void place(const nodes::MachineShape& machine, nodes::MemoryAccess& memory) override;
    [[nodiscard]] std::uint32_t pivot_row_address(std::int64_t step) const override;

  private:
    class Program;

    // The following addresses are equal on every node.
    /// Addresses for step k: received multipliers and pivots, and received parts of row k or of the
    /// pivot's row.
    [[nodiscard]] std::uint32_t multipliers(std::int64_t step) const;
    [[nodiscard]] std::uint32_t pivots(std::int64_t step) const;
    [[nodiscard]] std::uint32_t incoming(std::int64_t step, bool is_of_pivot_row) const;
    [[nodiscard]] std::uint32_t outgoing(bool is_of_pivot_row) const;
    /// Addresses of the found pivot (element and row), and of the candidates of other nodes.
    [[nodiscard]] std::uint32_t found(std::int64_t step) const;
    [[nodiscard]] std::uint32_t others_found(std::int64_t step) const;
    [[nodiscard]] std::uint32_t end_of_data() const;

    Parameters parameters_;
    // Largest number of multipliers that a node receives in a step.
    std::int64_t shared_rows_ = 0;
    // Largest number of the pivot row's elements that a node receives in a step.
    std::int64_t shared_columns_ = 0;
    std::int64_t columns_each_ = 0;  // largest number of a row's elements on one node
};

}  // namespace weir::firmware
