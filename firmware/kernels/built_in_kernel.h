#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "firmware/kernel.h"
#include "firmware/shared_findings.h"

namespace weir::firmware {

/// Fault of the parameter body_bytes if it is not a multiple of WEIR_DMA_ALIGNMENT, which DMA
/// engines require; otherwise nothing.
[[nodiscard]] inline std::optional<hw::ParameterGroup::Fault> fault_of_body(hw::Bytes body) {
    if (body.count() % WEIR_DMA_ALIGNMENT == 0) {
        return std::nullopt;
    }
    return hw::ParameterGroup::Fault{
        "body_bytes", "found " + std::to_string(body.count()),
        "0 (short messages), or a multiple of " + std::to_string(WEIR_DMA_ALIGNMENT)};
}

/// Base of a node's program for the kernel K. All nodes share the kernel's object. The derived
/// class defines thread().
template <class K>
class ProgramOf : public ActiveMessageProgram {
  public:
    ProgramOf(K& kernel, nodes::Processor& processor, const ActiveMessages::Parameters& parameters)
        : ActiveMessageProgram(processor, parameters),
          kernel_(kernel),
          self_(processor.node().index()) {}

  protected:
    K& kernel_;
    const std::int32_t self_;  // the node's number
};

/// Base of Weir's own kernels: creates the nodes' programs and counts their completed work.
/// communication() is Communication::kProgram unless the kernel overrides it.
class BuiltInKernel : public Kernel {
  public:
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override {
        return make_program_(processor, parameters);
    }
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] double progress() const override { return static_cast<double>(done_) / work(); }

  protected:
    /// First step of prepare(): chooses Program as each node's program for `kernel`.
    template <class Program, class K>
    void start(K& kernel, const nodes::MachineShape& machine, std::uint64_t seed = 0) {
        make_program_ = [&kernel](nodes::Processor& processor,
                                  const ActiveMessages::Parameters& parameters) {
            return std::make_unique<Program>(kernel, processor, parameters);
        };
        node_count_ = machine.node_count();
        seed_ = seed;
    }
    /// Total work of all nodes: the value of done_ at the end.
    [[nodiscard]] virtual double work() const = 0;

    std::int32_t node_count_ = 1;
    std::uint64_t seed_ = 0;
    SharedCount done_ = 0;

  private:
    std::function<std::unique_ptr<nodes::NodeProgram>(nodes::Processor&,
                                                      const ActiveMessages::Parameters&)>
        make_program_;
};

}  // namespace weir::firmware
