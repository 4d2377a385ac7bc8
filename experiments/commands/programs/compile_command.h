#pragma once

#include <string>

#include "experiments/commands/command.h"
#include "experiments/programs/program_compiler.h"

namespace weir::experiments::commands {

/// `weir compile`: a program of the user's own for Sparcle nodes.
class CompileCommand final : public Command {
  public:
    CompileCommand() : Command("compile", "Compile one's own program for Sparcle nodes") {}

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    programs::ProgramRequest request_;
    std::string image_;
};

}  // namespace weir::experiments::commands
