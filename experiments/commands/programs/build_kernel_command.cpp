#include "experiments/commands/programs/build_kernel_command.h"

#include <iostream>

#include "experiments/commands/new_file.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

void BuildKernelCommand::declare(CLI::App& command) {
    command.add_option("SOURCE", request_.sources, "Files of C++, one of which says WEIR_KERNELS")
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

int BuildKernelCommand::execute() {
    request_.check();
    const std::string library = library_.empty() ? request_.default_library() : library_;
    NewFile file(library, "--output");
    const std::string kernels =
        programs::compile_kernels(request_, file.unfinished_path(), library);
    file.finish();
    std::cout << library << ": " << kernels << '\n';
    return running::kSuccess;
}

}  // namespace weir::experiments::commands
