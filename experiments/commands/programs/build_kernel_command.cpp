#include <iostream>
#include <memory>
#include <string>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/new_file.h"
#include "experiments/programs/kernel_compiler.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

namespace {

/// `weir build-kernel`: a library of kernels of the user's own, which experiments name as
/// workload.library, from C++ and this Weir's headers.
class BuildKernelCommand final : public Command {
  public:
    BuildKernelCommand()
        : Command("build-kernel", "Compile a kernel of one's own into a library") {}

  private:
    void declare(CLI::App& command) override {
        command
            .add_option("SOURCE", request_.sources, "Files of C++, one of which says WEIR_KERNELS")
            ->required();
        command.add_option("-o,--output", library_, "The library [beside the first source, .so]")
            ->type_name("FILE");
        command.add_option("--flag", request_.flags, "One more flag of the compiler: --flag=-g")
            ->type_name("FLAG")
            ->allow_extra_args(false);
        command.footer(
            "An experiment runs it with library = \"FILE\" and kernel = \"NAME\" in [workload].\n"
            "firmware/README.md has a whole kernel. A library is for the very Weir that made\n"
            "it: another one refuses it, and makes it once more in seconds.");
    }

    int execute() override {
        request_.check();
        const std::string library = library_.empty() ? request_.default_library() : library_;
        NewFile file(library, "--output");
        const std::string kernels =
            programs::compile_kernels(request_, file.unfinished_path(), library);
        file.finish();
        std::cout << library << ": " << kernels << '\n';
        return running::kSuccess;
    }

    programs::KernelRequest request_;
    std::string library_;
};

}  // namespace

std::unique_ptr<Command> build_kernel_command() { return std::make_unique<BuildKernelCommand>(); }

}  // namespace weir::experiments::commands
