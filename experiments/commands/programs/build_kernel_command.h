#pragma once

#include <string>

#include "experiments/commands/command.h"
#include "experiments/programs/kernel_compiler.h"

namespace weir::experiments::commands {

/// `weir build-kernel`: a library of kernels of the user's own, which experiments name as
/// workload.library, from C++ and this Weir's headers.
class BuildKernelCommand final : public Command {
  public:
    BuildKernelCommand()
        : Command("build-kernel", "Compile a kernel of one's own into a library") {}

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    programs::KernelRequest request_;
    std::string library_;
};

}  // namespace weir::experiments::commands
