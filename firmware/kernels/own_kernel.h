#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/kernels/registry.h"
#include "nodes/programming/machine_grid.h"

/// Identifier of the Weir version that a kernel library was built for; `weir build-kernel` defines
/// it.
#ifndef WEIR_KERNEL_INTERFACE
#define WEIR_KERNEL_INTERFACE "unknown"
#endif

/// Ends the file of a user's own kernel; lists the entries of all kernels in the file:
///     WEIR_KERNELS(weir::firmware::kernel_entry<TokenRing>("token-ring", "a token goes around"))
/// Weir calls these two functions of a library (experiments/kinds/kernel/kernel_library.h).
#define WEIR_KERNELS(...)                                                             \
    extern "C" const char* weir_kernel_interface() { return WEIR_KERNEL_INTERFACE; }  \
    extern "C" void weir_kernels(std::vector<weir::firmware::KernelEntry>* entries) { \
        *entries = {__VA_ARGS__};                                                     \
    }

namespace weir::firmware {

/// Base of one node's program in a user's kernel. Derived classes write thread() and handlers.
template <class Parameters>
class OwnProgram : public ActiveMessageProgram {
  public:
    OwnProgram(nodes::Processor& processor, const ActiveMessages::Parameters& layer,
               const Parameters& parameters, std::optional<nodes::MachineGrid> grid = {})
        : ActiveMessageProgram(processor, layer), parameters_(parameters), grid_(std::move(grid)) {}

  protected:
    [[nodiscard]] const Parameters& parameters() const { return parameters_; }
    /// The machine's nodes as a grid. Throws std::logic_error if the kernel has a prepare() that
    /// has not called OwnKernel::prepare().
    [[nodiscard]] const nodes::MachineGrid& grid() const {
        if (!grid_) {
            throw std::logic_error("the kernel's prepare() has to call OwnKernel::prepare()");
        }
        return *grid_;
    }
    /// Computes for a number of cycles: co_await compute(59).
    [[nodiscard]] nodes::Processor::Awaiter compute(
        hw::Cycles cycles, nodes::CallPlace call = nodes::CallPlace::current()) {
        return processor().compute(cycles, call);
    }
    [[nodiscard]] nodes::Processor::Awaiter compute(
        std::int64_t cycles, nodes::CallPlace call = nodes::CallPlace::current()) {
        return processor().compute(hw::Cycles(cycles), call);
    }

  private:
    const Parameters& parameters_;
    std::optional<nodes::MachineGrid> grid_;
};

/// Base of a user's kernel that is a complete program (Communication::kProgram), with defaults for
/// everything optional. Derived classes write prepare() and check(), unless the program has no
/// data. A prepare() whose programs use grid() calls OwnKernel::prepare() first.
template <class Parameters, class Program>
class OwnKernel : public Kernel {
  public:
    hw::ParameterGroup& parameters() override { return values_; }
    [[nodiscard]] const Parameters& values() const { return values_; }
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] double progress() const override { return 0.0; }
    /// False unless a derived class declares its program safe for concurrent tiles.
    [[nodiscard]] bool runs_in_tiles() const override { return false; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t /*seed*/,
                 nodes::MemoryAccess& /*memory*/) override {
        grid_.emplace(machine);
    }
    std::optional<std::string> check(nodes::MemoryAccess& /*memory*/) override {
        return std::nullopt;
    }
    std::unique_ptr<nodes::NodeProgram> program(nodes::Processor& processor,
                                                const ActiveMessages::Parameters& layer) override {
        return std::make_unique<Program>(processor, layer, values_, grid_);
    }

  private:
    Parameters values_;
    std::optional<nodes::MachineGrid> grid_;
};

}  // namespace weir::firmware
