#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// What one access to shared memory takes, by who has copies of its line before: one access at a
/// time on a machine that does nothing else. Node 0 is the home of all lines; node 1, its
/// neighbour, makes the accesses to another node's memory; nodes from 2 on have the copies.
///
/// The check: every access reads or leaves the value that the steps before it make right.
class SharedLatencies final : public Kernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload",
                             "shared-latencies: one access to shared memory at a time") {}

        hw::Parameter<std::int64_t> rounds{
            *this, "rounds", 4, {1, 10'000}, "Times that each kind of access is measured"};
    };

    /// A kind of access: what is done to a line before, and the access that is measured.
    struct Scenario {
        const char* name;  ///< of its marks: "NAME begins", "NAME ends"
        bool is_store = false;
        bool from_home = false;    ///< node 0 makes the access, else node 1
        std::int32_t readers = 0;  ///< nodes from 2 on that load the line before
        std::int32_t writer = -1;  ///< the node that stores to it before
    };
    [[nodiscard]] static const std::vector<Scenario>& scenarios();

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] bool shares_memory() const override { return true; }
    /// The lines of scenario after scenario, round after round, which are lines of their own.
    [[nodiscard]] const std::vector<std::uint32_t>& lines() const { return lines_; }
    /// What is wrong with the words that the lines of lines() begin with at the end, or nothing.
    [[nodiscard]] std::optional<std::string> fault_of(
        const std::vector<std::uint32_t>& found) const;
    /// What nodes store before an access, and in one that is measured.
    static constexpr std::uint32_t kStoredBefore = 17;
    static constexpr std::uint32_t kStored = 4711;
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(parameters_.rounds.value())};
    }
    [[nodiscard]] double progress() const override {
        return static_cast<double>(done_) / static_cast<double>(lines_.size());
    }

  private:
    class Program;

    Parameters parameters_;
    std::vector<std::uint32_t> lines_;  // of scenario after scenario, round after round
    SharedCount done_ = 0;
    std::optional<std::string> wrong_;
};

/// shared_latencies.c on Sparcle nodes, with its twin's lines and check. The store that marks an
/// access's end, and the one before it that names the mark, are in what is measured: two stores
/// that hit.
class CompiledSharedLatencies final : public TwinKernel<SharedLatencies> {
  protected:
    [[nodiscard]] bool is_mark(const std::string& text) const override;
    [[nodiscard]] ElfImage load_image() override { return built_in_program("shared-latencies"); }
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;
};

}  // namespace weir::firmware
