#include "experiments/commands/programs/build_kernel_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <system_error>

#include "experiments/commands/new_file.h"
#include "experiments/commands/programs/cross_compiler.h"
#include "experiments/kinds/kernel/kernel_library.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

void BuildKernelCommand::declare(CLI::App& command) {
    command.add_option("SOURCE", sources_, "Files of C++, one of which says WEIR_KERNELS")
        ->required();
    command.add_option("-o,--output", library_, "The library [beside the first source, .so]")
        ->type_name("FILE");
    command.add_option("--flag", flags_, "One more flag of the compiler: --flag=-g")
        ->type_name("FLAG")
        ->allow_extra_args(false);
    command.footer(
        "An experiment runs it with library = \"FILE\" and kernel = \"NAME\" in [workload].\n"
        "firmware/README.md has a whole kernel. A library is for the very Weir that made\n"
        "it: another one refuses it, and makes it once more in seconds.");
}

std::vector<std::string> BuildKernelCommand::command_line(const std::string& library) const {
    std::vector<std::string> words{"g++",     "-std=c++20", "-O2",    "-fPIC",
                                   "-shared", "-Wall",      "-Wextra"};
    words.push_back(fmt::format("-DWEIR_KERNEL_INTERFACE=\"{}\"", kinds::kernel_interface()));
    words.insert(words.end(), {"-isystem", running::header_folder().string()});
    words.insert(words.end(), flags_.begin(), flags_.end());
    words.insert(words.end(), {"-o", library});
    words.insert(words.end(), sources_.begin(), sources_.end());
    return words;
}

int BuildKernelCommand::execute() {
    std::error_code unknown;
    for (const std::string& source : sources_) {
        if (!fs::is_regular_file(source, unknown)) {
            throw setup::UserFault({source}, "there is no such file", "files of C++");
        }
    }
    if (!fs::exists(running::header_folder() / "firmware/kernels/own_kernel.h", unknown)) {
        throw setup::UserFault(
            "the headers of Weir are not installed; install them with: "
            "apt-get install weir-dev");
    }
    const std::string library =
        library_.empty() ? fs::path(sources_.front()).replace_extension(".so").string() : library_;
    NewFile file(library, "--output");
    if (run_tool(command_line(file.unfinished_path()), {}, "g++") != 0) {
        throw running::RunFailure(running::kBadInput,
                                  library + " is not made: the compiler has refused the kernel");
    }
    std::string kernels;
    for (const auto& entry : kinds::kernels_of_library(file.unfinished_path(), {library})) {
        kernels +=
            fmt::format("{}{} ({})", kernels.empty() ? "" : ", ", entry.name, entry.sentence);
    }
    file.finish();
    std::cout << fmt::format("{}: {}\n", library, kernels);
    return running::kSuccess;
}

}  // namespace weir::experiments::commands
