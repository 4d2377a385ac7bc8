#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "firmware/kernels/em3d/em3d.h"
#include "firmware/shared_memory.h"

namespace weir::firmware {

/// EM3D as the kernel em3d has it, by shared memory: a processor's values have their home there,
/// and the others load them where they are. Each edge has the address of its neighbour's value, so
/// that there are no ghosts; addresses and weights are their processor's own. All meet at a barrier
/// after each computation.
///
/// A program that prefetches loads the address of a later edge besides, and asks for its line; of
/// its own values, for the only copy of the next line.
class SharedEm3d final : public Em3dComputation {
  public:
    struct Parameters : Em3dComputation::Parameters {
        Parameters()
            : Em3dComputation::Parameters(
                  "shared-em3d: electric and magnetic values on a graph, by shared memory") {}

        hw::Choice<HomePlacement> placement{*this, "placement", HomePlacement::kApart,
                                            home_placements(), kHomePlacementSentence};
        hw::Parameter<std::int64_t> prefetch_edges{
            *this,
            "prefetch_edges",
            0,
            {0, 64},
            "Edges ahead of the one at work whose neighbour's line a processor asks for; and it "
            "asks for the lines that it writes; 0: none"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    [[nodiscard]] bool shares_memory() const override { return true; }
    [[nodiscard]] std::vector<float> values_of(Kind kind, std::int32_t processor,
                                               nodes::MemoryAccess& memory) const override;

    /// After prepare(): the shared address of a value.
    [[nodiscard]] std::uint32_t address(Kind kind, std::int32_t processor,
                                        std::int64_t index) const;

  protected:
    [[nodiscard]] const Em3dComputation::Parameters& common() const override { return parameters_; }
    void place(const nodes::MachineShape& machine, std::uint64_t seed,
               nodes::MemoryAccess& memory) override;

  private:
    class Program;
    /// Addresses, in each processor's own memory, of what its edges have; by the values' kind.
    struct EdgeTables {
        std::uint32_t neighbours = 0;  // addresses of their values
        std::uint32_t weights = 0;
    };

    Parameters parameters_;
    nodes::MachineShape machine_;
    std::array<EdgeTables, 2> tables_;
    std::vector<std::array<std::uint32_t, 2>> offsets_;  // of values, by processor and kind
    std::optional<TreeBarrier> barrier_;
};

}  // namespace weir::firmware
