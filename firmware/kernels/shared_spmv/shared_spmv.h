#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernels/spmv/sparse_product.h"
#include "firmware/shared_memory.h"
#include "hw/per_node.h"

namespace weir::firmware {

/// The kernel spmv by shared memory: a node's elements of x and y have their home at the node.
/// Other nodes load elements of x from there. Each non-zero has the address of its element of x.
/// Rows, addresses and values are in the node's own memory. x is never stored to, so no node waits
/// for another.
///
/// With prefetching, a program also loads the address of a later non-zero and prefetches its line.
class SharedSpmv final : public SparseProduct {
  public:
    struct Parameters : SparseProduct::Parameters {
        Parameters()
            : SparseProduct::Parameters(
                  "shared-spmv: sparse matrix-vector product y = A x, by shared memory") {}

        hw::Choice<HomePlacement> placement{*this, "placement", HomePlacement::kApart,
                                            home_placements(), kHomePlacementSentence};
        hw::Parameter<std::int64_t> prefetch_nonzeros{
            *this,
            "prefetch_nonzeros",
            0,
            {0, 64},
            "Prefetch distance in non-zeros, for the lines of their elements of x. 0: no "
            "prefetches"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] bool shares_memory() const override { return true; }
    [[nodiscard]] std::vector<double> y_of(std::int32_t node,
                                           nodes::MemoryAccess& memory) const override;

    /// Shared addresses of a node's elements; call after prepare().
    [[nodiscard]] std::uint32_t x_address(std::int32_t node, std::int64_t index) const;
    [[nodiscard]] std::uint32_t y_address(std::int32_t node, std::int64_t index) const;

  protected:
    [[nodiscard]] const SparseProduct::Parameters& common() const override { return parameters_; }
    void place(const nodes::MachineShape& machine, nodes::MemoryAccess& memory) override;

  private:
    class Program;
    /// Addresses in a node's own memory, and offsets in its part of shared memory.
    struct Layout {
        std::uint32_t rows = 0;
        std::uint32_t nonzeros = 0;
        std::uint32_t values = 0;     // doubles
        std::uint32_t row_end = 0;    // a word for each row: index after its last non-zero
        std::uint32_t addresses = 0;  // a word for each non-zero: address of its element of x
        std::uint32_t x = 0;          // elements of x: doubles in shared memory
        std::uint32_t y = 0;          // elements of y: doubles in shared memory
    };

    void place_shared(const std::vector<Part>& parts);

    Parameters parameters_;
    nodes::MachineShape machine_;
    hw::PerNode<Layout> layout_;  // addresses of each node's data
};

}  // namespace weir::firmware
