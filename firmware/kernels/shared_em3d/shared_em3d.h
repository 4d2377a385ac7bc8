#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "firmware/kernels/em3d/em3d.h"
#include "firmware/shared_memory.h"

namespace weir::firmware {

/// The kernel em3d by shared memory: a processor's values have their home at its node, and other
/// processors load them from there. Each edge has the address of its neighbour's value, so there
/// are no ghosts. Addresses and weights are in the processor's own memory. All processors meet at a
/// barrier after each computation.
///
/// With prefetching, a program also loads the address of a later edge and prefetches its line. For
/// its own values, it prefetches the only copy of the next line.
class SharedEm3d final : public Em3dComputation {
  public:
    struct Parameters : Em3dComputation::Parameters {
        Parameters()
            : Em3dComputation::Parameters(
                  "shared-em3d: electric and magnetic values on a bipartite graph, by shared "
                  "memory") {}

        hw::Choice<HomePlacement> placement{*this, "placement", HomePlacement::kApart,
                                            home_placements(), kHomePlacementSentence};
        hw::Parameter<std::int64_t> prefetch_edges{
            *this,
            "prefetch_edges",
            0,
            {0, 64},
            "Prefetch distance in edges, for the neighbours' lines and for the lines that the "
            "processor writes. 0: no prefetches"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] bool shares_memory() const override { return true; }
    [[nodiscard]] std::vector<float> values_of(Kind kind, std::int32_t processor,
                                               nodes::MemoryAccess& memory) const override;

    /// Shared address of a value; call after prepare().
    [[nodiscard]] std::uint32_t address(Kind kind, std::int32_t processor,
                                        std::int64_t index) const;

  protected:
    [[nodiscard]] const Em3dComputation::Parameters& common() const override { return parameters_; }
    void place(const nodes::MachineShape& machine, std::uint64_t seed,
               nodes::MemoryAccess& memory) override;

  private:
    class Program;
    /// Addresses of the edges' tables in each processor's own memory; indexed by the kind of value.
    struct EdgeTables {
        std::uint32_t neighbours = 0;  // addresses of the neighbours' values
        std::uint32_t weights = 0;
    };

    Parameters parameters_;
    nodes::MachineShape machine_;
    std::array<EdgeTables, 2> tables_;
    // Offset of each processor's values in its part of shared memory, by kind.
    std::vector<std::array<std::uint32_t, 2>> offsets_;
    std::optional<TreeBarrier> barrier_;
};

}  // namespace weir::firmware
