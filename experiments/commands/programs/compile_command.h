#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/commands/command.h"

namespace weir::experiments::commands {

/// `weir compile`: a program of the user's own for Sparcle nodes, from C and assembly, with the
/// flags and the runtime that Weir's own kernels are compiled with.
class CompileCommand final : public Command {
  public:
    CompileCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;
    /// The compiler's command line.
    [[nodiscard]] std::vector<std::string> command_line(const std::string& image) const;

    std::vector<std::string> sources_;
    std::string image_;
    std::vector<std::string> flags_;
    bool soft_float_ = false;
    bool contexts_ = false;
};

}  // namespace weir::experiments::commands
