#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernels/broadcast/broadcast_tree.h"
#include "firmware/kernels/built_in_kernel.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// Node 0 has a datum, and every node gets it (LogP Section 3.3, Figure 3). A node that has the
/// datum sends it to its children in the tree, one after the other. The optimal tree is computed
/// for a machine with the latency, overhead and gap given here, whatever machine runs the kernel.
///
/// The time is from node 0's first send until the last node has the datum. The check: every node
/// has the datum in its memory.
class Broadcast final : public BuiltInKernel {
  public:
    struct Parameters : TreeParameters {
        Parameters()
            : TreeParameters("broadcast: a datum sent from node 0 to all nodes, along a tree",
                             "Kind of tree along which nodes send the datum", "LogP Figure 3", 6) {}
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    struct Facts {
        TreeKind tree = TreeKind::kOptimal;
        // Machine for which the optimal tree is computed.
        std::int64_t tree_latency_cycles = 0;
        std::int64_t tree_overhead_cycles = 0;
        std::int64_t tree_gap_cycles = 0;
    };
    [[nodiscard]] Facts facts() const {
        return {parameters_.tree.value(), parameters_.tree_latency_cycles.value().count(),
                parameters_.tree_overhead_cycles.value().count(),
                parameters_.tree_gap_cycles.value().count()};
    }
    [[nodiscard]] double work() const override { return static_cast<double>(children_.size()); }

  private:
    class Program;
    static constexpr std::uint32_t kDatum = 0;  // address of the datum on every node

    Parameters parameters_;
    std::vector<std::vector<std::int32_t>> children_;
    std::uint32_t datum_ = 0;
};

/// broadcast.c on Sparcle nodes.
class CompiledBroadcast final : public TwinKernel<Broadcast> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    std::uint32_t datum_ = 0;
};

}  // namespace weir::firmware
