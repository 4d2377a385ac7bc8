#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "firmware/kernels/lu/lu_decomposition.h"
#include "firmware/shared_memory.h"

namespace weir::firmware {

/// LU decomposition as the kernel lu has it, by shared memory: elements have their home at the node
/// that lu has them on, and others load them where they are. A step of n - 1:
///
///   pivot search  the holders of column k look through their elements of it; what they found goes
///                 up the tree of a barrier, and the largest comes back down to all
///   swapping      the holders of row k exchange it with the pivot's, whole rows, and divide what
///                 goes below the diagonal in column k by the pivot
///   scaling       the holders of column k divide their other elements of it by the pivot
///   a barrier     of all nodes
///   update        each node A_ij -= L_ik U_kj for its elements; multipliers L_ik and pivots U_kj
///                 are loaded from their homes
///
/// A program that prefetches asks for multipliers, pivots, and the row that it swaps with ahead.
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
            "Multipliers, pivots and elements of the row to swap with, ahead of the one at work, "
            "whose line a node asks for; 0: none"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
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
    std::vector<std::uint32_t> offsets_;  // of elements, by node
    std::optional<TreeReduction> reduction_;
};

}  // namespace weir::firmware
