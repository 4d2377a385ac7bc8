#include "experiments/kinds/kernel/kernel_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <map>
#include <string>
#include <system_error>

namespace weir::experiments::kinds {

namespace {

namespace fs = std::filesystem;
using firmware::KernelEntry;
using setup::UserFault;

using TellInterface = const char* (*)();
using TellKernels = void (*)(std::vector<KernelEntry>* entries);

constexpr const char* kAccepted = "a library made by weir build-kernel";

template <class Function>
Function function_of(void* library, const char* name, const fs::path& file,
                     const setup::Place& asked_at) {
    void* const found = dlsym(library, name);
    if (found == nullptr) {
        throw UserFault(asked_at, file.string() + " has no kernels", kAccepted);
    }
    return reinterpret_cast<Function>(found);
}

std::vector<KernelEntry> loaded(const fs::path& file, const setup::Place& asked_at) {
    std::error_code unknown;
    if (!fs::is_regular_file(file, unknown)) {
        throw UserFault(asked_at, "there is no library " + file.string(), kAccepted);
    }
    // As an absolute path, since dlopen searches the system's folders for a name without a folder.
    void* const library = dlopen(fs::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        throw UserFault(asked_at, fmt::format("{} cannot be loaded: {}", file.string(), dlerror()),
                        kAccepted);
    }
    const std::string interface =
        function_of<TellInterface>(library, "weir_kernel_interface", file, asked_at)();
    if (interface != kernel_interface()) {
        throw UserFault(asked_at,
                        fmt::format("{} was made for another version of Weir ({}; this is {})",
                                    file.string(), interface, kernel_interface()),
                        "the library, rebuilt by weir build-kernel");
    }
    std::vector<KernelEntry> kernels;
    function_of<TellKernels>(library, "weir_kernels", file, asked_at)(&kernels);
    return kernels;
}

}  // namespace

const std::vector<KernelEntry>& kernels_of_library(const fs::path& file,
                                                   const setup::Place& asked_at) {
    static std::map<fs::path, std::vector<KernelEntry>> libraries;
    std::error_code unknown;
    const fs::path whole = fs::weakly_canonical(file, unknown);
    const auto known = libraries.find(whole);
    return known != libraries.end()
               ? known->second
               : libraries.emplace(whole, loaded(file, asked_at)).first->second;
}

}  // namespace weir::experiments::kinds
