#include <iostream>
#include <memory>
#include <string>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/new_file.h"
#include "experiments/kinds/kernel/own_libraries.h"
#include "experiments/programs/kernel_compiler.h"
#include "experiments/running/processes/command_line.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/files/permissions.h"
#include "experiments/setup/text/utf8_text.h"

namespace weir::experiments::commands {

namespace {

/// `weir build-kernel`: compiles a user's kernels, in C++ with this Weir's headers, into a library.
/// Experiments name it as workload.library.
class BuildKernelCommand final : public Command {
  public:
    BuildKernelCommand() : Command("build-kernel", "Compile your own C++ kernel into a library") {}

  private:
    void declare(CommandSyntax command) override {
        command
            .add_option("SOURCE", request_.sources, "C++ files; one of them contains WEIR_KERNELS")
            .required();
        command
            .add_option("-o,--output", library_, "Library to write [beside the first source, .so]")
            .type_name("FILE");
        command.add_option("--flag", request_.flags, "Further compiler flag, repeatable: --flag=-g")
            .type_name("FLAG")
            .takes_one_value();
        command.footer(
            "To run the kernel, set library = \"FILE\" and kernel = \"NAME\" in [workload].\n"
            "firmware/README.md shows a complete kernel. A library works only with the Weir\n"
            "that compiled it; another build of Weir refuses it. Compile it again there.\n"
            "Your own libraries run without asking; other users need --allow-library.");
    }

    int execute() override {
        request_.check();
        const std::string library = library_.empty() ? request_.default_library() : library_;
        NewFile file(library, "--output");
        const programs::CompiledKernels compiled =
            programs::compile_kernels(request_, file.unfinished_path(), library);
        file.finish();
        std::cout << library << ": " << compiled.list << '\n';
        if (const auto reason = kinds::note_own_library(library, compiled.content)) {
            std::cerr << "weir: runs of this library need " << setup::kAllowLibrary << ' '
                      << running::shell_word(library)
                      << ", because your settings can't be written: " << setup::printable(*reason)
                      << '\n';
        }
        return running::kSuccess;
    }

    programs::KernelRequest request_;
    std::string library_;
};

}  // namespace

std::unique_ptr<Command> build_kernel_command() { return std::make_unique<BuildKernelCommand>(); }

}  // namespace weir::experiments::commands
