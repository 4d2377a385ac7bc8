#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/kernels/registry.h"
#include "hw/parameter.h"

namespace weir::experiments::kinds {

/// A kernel without its code: parameters and properties, as the description in a library of kernels
/// has them. It can be configured and checked, but not run. Its properties are those of the
/// kernel's defaults: for other values of the parameters, only the kernel's code knows them.
class DescribedKernel final : public firmware::Kernel {
  public:
    /// Throws nlohmann::json::exception for an invalid description.
    explicit DescribedKernel(const nlohmann::ordered_json& description);
    ~DescribedKernel() override;

    /// True if every parameter has its default, so that the properties hold.
    [[nodiscard]] bool has_known_properties() const;

    hw::ParameterGroup& parameters() override { return *group_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor,
        const firmware::ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] firmware::Communication communication() const override { return communication_; }
    [[nodiscard]] hw::ParameterBase* steady_state_length() override { return steady_state_length_; }
    [[nodiscard]] std::vector<firmware::SizeParameter> size_parameters() override {
        return size_parameters_;
    }
    [[nodiscard]] bool sends_bodies() const override { return sends_bodies_; }
    [[nodiscard]] std::vector<std::string> sending_handlers() const override {
        return sending_handlers_;
    }
    [[nodiscard]] bool shares_memory() const override { return shares_memory_; }
    [[nodiscard]] bool fetches_at_homes() const override { return fetches_at_homes_; }
    [[nodiscard]] bool needs_barrier() const override { return needs_barrier_; }
    [[nodiscard]] bool runs_in_tiles() const override { return runs_in_tiles_; }
    [[nodiscard]] std::int64_t threads_per_node() const override { return threads_per_node_; }
    [[nodiscard]] std::int64_t least_nodes() const override { return least_nodes_; }
    [[nodiscard]] double progress() const override { return 0.0; }

  private:
    class Group;

    [[nodiscard]] hw::ParameterBase* whole_parameter(const nlohmann::ordered_json& name);

    std::unique_ptr<hw::ParameterGroup> group_;
    firmware::Communication communication_;
    hw::ParameterBase* steady_state_length_ = nullptr;
    std::vector<firmware::SizeParameter> size_parameters_;
    bool sends_bodies_;
    std::vector<std::string> sending_handlers_;
    bool shares_memory_;
    bool fetches_at_homes_;
    bool needs_barrier_;
    bool runs_in_tiles_;
    std::int64_t threads_per_node_;
    std::int64_t least_nodes_;
};

/// Description of a kernel, for DescribedKernel: name, sentence, parameters and properties.
[[nodiscard]] nlohmann::ordered_json description_of(const firmware::KernelEntry& entry);

}  // namespace weir::experiments::kinds
