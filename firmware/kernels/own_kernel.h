#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/kernels/registry.h"

/// Which Weir a library of kernels is for; `weir build-kernel` says it to the compiler.
#ifndef WEIR_KERNEL_INTERFACE
#define WEIR_KERNEL_INTERFACE "unknown"
#endif

/// Ends the file of a kernel of one's own, with the entries of all it has:
///     WEIR_KERNELS(weir::firmware::kernel_entry<TokenRing>("token-ring", "a token goes around"))
/// The program asks a library for these two (experiments/kinds/kernel/kernel_library.h).
#define WEIR_KERNELS(...)                                                             \
    extern "C" const char* weir_kernel_interface() { return WEIR_KERNEL_INTERFACE; }  \
    extern "C" void weir_kernels(std::vector<weir::firmware::KernelEntry>* entries) { \
        *entries = {__VA_ARGS__};                                                     \
    }

namespace weir::firmware {

/// One node's program of a kernel with those parameters: it writes thread(), and handlers.
template <class Parameters>
class OwnProgram : public ActiveMessageProgram {
  public:
    OwnProgram(nodes::Processor& processor, const ActiveMessages::Parameters& layer,
               const Parameters& parameters)
        : ActiveMessageProgram(processor, layer), parameters_(parameters) {}

  protected:
    [[nodiscard]] const Parameters& parameters() const { return parameters_; }

  private:
    const Parameters& parameters_;
};

/// What a kernel needs no words for that is a program of its own (Communication::kProgram). It
/// writes prepare() and check(), unless its program only takes time and has no data.
template <class Parameters, class Program>
class OwnKernel : public Kernel {
  public:
    hw::ParameterGroup& parameters() override { return values_; }
    [[nodiscard]] const Parameters& values() const { return values_; }
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] double progress() const override { return 0.0; }
    /// Unless it says so itself, nobody knows.
    [[nodiscard]] bool runs_in_tiles() const override { return false; }
    void prepare(const nodes::MachineShape& /*machine*/, std::uint64_t /*seed*/,
                 nodes::MemoryAccess& /*memory*/) override {}
    std::optional<std::string> check(nodes::MemoryAccess& /*memory*/) override {
        return std::nullopt;
    }
    std::unique_ptr<nodes::NodeProgram> program(nodes::Processor& processor,
                                                const ActiveMessages::Parameters& layer) override {
        return std::make_unique<Program>(processor, layer, values_);
    }

  private:
    Parameters values_;
};

}  // namespace weir::firmware
