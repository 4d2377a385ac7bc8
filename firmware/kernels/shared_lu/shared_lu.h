#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "firmware/kernels/lu/lu_decomposition.h"
#include "firmware/shared_memory.h"

namespace weir::firmware {

/// The kernel lu by shared memory: elements have their home at the node that owns them in lu, and
/// other nodes load them from there. Parts of each of n - 1 steps:
///
/// - pivot search: the holders of column k search their elements. A barrier's tree reduces the
///   results, and returns the largest element to all nodes
/// - swapping: the holders of row k exchange it with the pivot's row, and scale the element that
/// moves
///   below the diagonal in column k
/// - scaling: the holders of column k divide its other elements by the pivot
/// - a barrier of all nodes
/// - update: each node computes A_ij -= L_ik U_kj for its elements; multipliers L_ik and pivots
///   U_kj are loaded from their homes
///
/// With prefetching, a program requests multipliers, pivots and the row to swap with in advance.
class SharedLu final : public LuDecomposition {
  public:
    struct Parameters : LuDecomposition::Parameters {
        Parameters()
            : LuDecomposition::Parameters(
                  "shared-lu: LU decomposition with partial pivoting, by shared memory") {}

        hw::Choice<HomePlacement> placement{*this, "placement", HomePlacement::kApart,
                                            home_placements(), kHomePlacementSentence};
        hw::Parameter<std::int64_t> prefetch_elements{
            *this,
            "prefetch_elements",
            0,
            {0, 64},
            "Prefetch distance in elements, for multipliers, pivots and the row to be swapped. 0: "
            "no prefetches"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] bool shares_memory() const override { return true; }
    [[nodiscard]] std::uint32_t element(std::int64_t i, std::int64_t j) const override;

  protected:
    [[nodiscard]] const LuDecomposition::Parameters& common() const override { return parameters_; }
    void place(const nodes::MachineShape& machine, nodes::MemoryAccess& memory) override;
    [[nodiscard]] std::uint32_t pivot_row_address(std::int64_t step) const override {
        return static_cast<std::uint32_t>(step) * 4;
    }

  private:
    class Program;

    Parameters parameters_;
    nodes::MachineShape machine_;
    // Offset of each node's elements in its part of shared memory.
    std::vector<std::uint32_t> offsets_;
    std::optional<TreeReduction> reduction_;
};

}  // namespace weir::firmware
