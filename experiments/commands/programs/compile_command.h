#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/commands/command.h"
#include "experiments/commands/programs/cross_compiler.h"

namespace weir::experiments::commands {

/// `weir compile`: a program of the user's own for Sparcle nodes, from C, C++ and assembly, with
/// the flags and the runtime that Weir's own kernels are compiled with; and with the C library
/// where it asks for that.
class CompileCommand final : public Command {
  public:
    CompileCommand();

  private:
    using WordList = std::vector<std::string>;

    void declare(CLI::App& command) override;
    int execute() override;
    /// Whether the C library belongs to it.
    [[nodiscard]] bool wants_library(const CrossCompiler& compiler) const;
    /// Compiles what is to be compiled and links all. False where the compiler refuses it.
    [[nodiscard]] bool make(const CrossCompiler& compiler, const std::string& image,
                            const std::filesystem::path& objects) const;
    /// What the compiler is told of a source of the user's. `library` is the C library's folder, or
    /// empty.
    [[nodiscard]] WordList flags_for(const CrossCompiler& compiler, const std::string& source,
                                     const std::filesystem::path& library) const;
    /// What it is told of the runtime's.
    [[nodiscard]] WordList runtime_flags(const CrossCompiler& compiler) const;
    /// Of all: for which nodes.
    [[nodiscard]] WordList node_flags() const;

    std::vector<std::string> sources_;
    std::string image_;
    std::vector<std::string> flags_;
    std::vector<std::string> include_folders_;
    std::vector<std::string> definitions_;
    bool soft_float_ = false;
    bool contexts_ = false;
    bool shared_memory_ = false;
    bool library_ = false;
};

}  // namespace weir::experiments::commands
