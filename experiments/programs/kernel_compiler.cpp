#include "experiments/programs/kernel_compiler.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "experiments/kinds/kernel/kernel_library.h"
#include "experiments/records/run_file.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/run_tool.h"
#include "experiments/setup/files/temporary_folder.h"
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

namespace {

// Adds the section that describes the kernels.
void describe(const std::string& file, const std::string& description) {
    const setup::TemporaryFolder scratch("weir-kernels");
    const fs::path section = scratch.path() / "section";
    records::write_run_file(section, description);
    const std::string name = kinds::KernelLibrary::kSection;
    const int status = running::run_tool(
        {"objcopy", "--remove-section=" + name, "--add-section=" + name + "=" + section.string(),
         "--set-section-flags=" + name + "=readonly", file},
        {}, "binutils");
    if (status != 0) {
        throw running::RunFailure(running::kBadInput,
                                  "objcopy can't add the section " + name + " to the library");
    }
}

}  // namespace

CompiledKernels compile_kernels(const KernelRequest& request, const std::string& file,
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
    const auto kernels = kinds::loaded_kernels(records::text_of_file(file), library, {library});
    CompiledKernels compiled;
    for (const auto& entry : kernels) {
        compiled.list +=
            fmt::format("{}{} ({})", compiled.list.empty() ? "" : ", ", entry.name, entry.sentence);
    }
    describe(file, kinds::library_description(kernels));
    compiled.content = records::text_of_file(file);
    return compiled;
}

}  // namespace weir::experiments::programs
