#include "experiments/programs/kernel_compiler.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "experiments/kinds/kernel/kernel_library.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/run_tool.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::programs {

namespace fs = std::filesystem;

std::string KernelRequest::default_library() const {
    return fs::path(sources.front()).replace_extension(".so").string();
}

void KernelRequest::check() const {
    std::error_code unknown;
    for (const std::string& source : sources) {
        if (!fs::is_regular_file(source, unknown)) {
            throw setup::UserFault({source}, "there is no such file", "files of C++");
        }
    }
    if (!fs::exists(running::header_folder() / "firmware/kernels/own_kernel.h", unknown)) {
        throw setup::UserFault(
            "the headers of Weir are not installed; install them with: "
            "apt-get install weir-dev");
    }
}

std::string compile_kernels(const KernelRequest& request, const std::string& file,
                            const std::string& library) {
    std::vector<std::string> words{"g++",     "-std=c++20", "-O2",    "-fPIC",
                                   "-shared", "-Wall",      "-Wextra"};
    words.push_back(fmt::format("-DWEIR_KERNEL_INTERFACE=\"{}\"", kinds::kernel_interface()));
    words.insert(words.end(), {"-isystem", running::header_folder().string()});
    words.insert(words.end(), request.flags.begin(), request.flags.end());
    words.insert(words.end(), {"-o", file});
    words.insert(words.end(), request.sources.begin(), request.sources.end());
    if (running::run_tool(std::move(words), {}, "g++") != 0) {
        throw running::RunFailure(running::kBadInput,
                                  library + " is not made: the compiler has refused the kernel");
    }
    std::string kernels;
    for (const auto& entry : kinds::kernels_of_library(file, {library})) {
        kernels +=
            fmt::format("{}{} ({})", kernels.empty() ? "" : ", ", entry.name, entry.sentence);
    }
    return kernels;
}

}  // namespace weir::experiments::programs
