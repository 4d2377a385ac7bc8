#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/kernels/broadcast/tree_parameters.h"
#include "firmware/kernels/summation/summation_schedule.h"

namespace weir::firmware {

/// The sum of values that lie spread over the nodes' memories, at node 0 (LogP Section 3.3, Figure
/// 4): a node adds its own values and the sums of its children of the tree, and sends the result to
/// its parent. By the optimal schedule a node has as many values as it can add before, between and
/// after its children's messages; the other trees have the values spread evenly.
///
/// An addition takes add_cycles besides the load of the value, one cycle in all on LogP's machine.
/// The check: node 0 has the sum, modulo 2^32, of all values.
class Summation final : public Kernel {
  public:
    struct Parameters : TreeParameters {
        Parameters()
            : TreeParameters("summation: values of all nodes summed", "Who sends its sum to whom",
                             "LogP Figure 4", 5) {}

        hw::Parameter<hw::Cycles> time_cycles{
            *this,
            "time_cycles",
            28,
            {0, 1'000'000'000},
            "T of the optimal schedule, which decides how many values there are",
            "LogP Figure 4: 28"};
        hw::Parameter<std::int64_t> values{
            *this,
            "values",
            0,
            {0, 1'000'000'000},
            "Values to sum by a tree other than the optimal; 0: as many as that sums in T",
            hw::when("workload.tree").is_not("optimal")};
        hw::Parameter<hw::Cycles> add_cycles{*this,
                                             "add_cycles",
                                             1,
                                             {0, 1'000'000},
                                             "An addition, beside the load of a value",
                                             "LogP Section 3.3: 1"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    struct Facts {
        TreeKind tree = TreeKind::kOptimal;
        std::int64_t values = 0;  ///< of all nodes together
    };
    /// After prepare().
    [[nodiscard]] Facts facts() const { return {parameters_.tree.value(), values_of(plan_)}; }
    [[nodiscard]] double progress() const override;

  private:
    class Program;
    static constexpr std::uint32_t kSum = 0;     // its address on node 0
    static constexpr std::uint32_t kValues = 8;  // and that of a node's values

    Parameters parameters_;
    SummationPlan plan_;  // by node
    std::uint32_t sum_ = 0;
    SharedCount done_ = 0;
};

}  // namespace weir::firmware
