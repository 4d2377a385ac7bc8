#pragma once

#include <string>
#include <vector>

#include "experiments/commands/command.h"

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
    [[nodiscard]] std::vector<std::string> command_line(const std::string& library) const;

    std::vector<std::string> sources_;
    std::string library_;
    std::vector<std::string> flags_;
};

}  // namespace weir::experiments::commands
