#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// Time of one access to shared memory, by which nodes hold copies of its line. There is one access
/// at a time on an otherwise idle machine. Node 0 is the home of all lines. Node 1, its neighbour,
/// makes the accesses to another node's memory. Nodes from 2 on hold the copies.
///
/// The check: every access reads or leaves the value that follows from the previous steps.
class SharedLatencies final : public BuiltInKernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload",
                             "shared-latencies: one access to shared memory at a time") {}

        hw::Parameter<std::int64_t> rounds{
            *this, "rounds", 4, {1, 10'000}, "Number of measurements of each kind of access"};
    };

    /// A kind of access: the preparation of a line, and the measured access.
    struct Scenario {
        const char* name;  ///< name of its marks: "NAME begins", "NAME ends"
        bool is_store = false;
        bool from_home = false;    ///< node 0 makes the access; else node 1
        std::int32_t readers = 0;  ///< number of nodes, from node 2 on, that first load the line
        std::int32_t writer = -1;  ///< node that first stores to the line; -1: none
    };
    [[nodiscard]] static const std::vector<Scenario>& scenarios();

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] bool shares_memory() const override { return true; }
    /// Addresses of the lines: one for each scenario, in order, and again for each round. Each line
    /// is used once.
    [[nodiscard]] const std::vector<std::uint32_t>& lines() const { return lines_; }
    /// Fault in the final first words of the lines of lines(), or nothing.
    [[nodiscard]] std::optional<std::string> fault_of(
        const std::vector<std::uint32_t>& found) const;
    /// Values that nodes store before an access, and in a measured access.
    static constexpr std::uint32_t kStoredBefore = 17;
    static constexpr std::uint32_t kStored = 4711;
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(parameters_.rounds.value())};
    }
    [[nodiscard]] double work() const override { return static_cast<double>(lines_.size()); }

  private:
    class Program;

    Parameters parameters_;
    std::vector<std::uint32_t> lines_;  // addresses; see lines()
    std::optional<std::string> wrong_;
};

/// shared_latencies.c on Sparcle nodes, with its twin's lines and check. The measured time includes
/// two stores that hit: the store of the end mark's name, and the store that makes this mark.
class CompiledSharedLatencies final : public TwinKernel<SharedLatencies> {
  protected:
    [[nodiscard]] bool is_mark(const std::string& text) const override;
    [[nodiscard]] ElfImage load_image() override { return built_in_program("shared-latencies"); }
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;
};

}  // namespace weir::firmware
