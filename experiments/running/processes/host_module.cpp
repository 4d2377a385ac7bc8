#include "experiments/running/processes/host_module.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

// The program's run path leads to the module. Its library is loaded first, with symbols for all.
const void* functions_of(const HostModule& module, const std::string& wanted_by) {
    if (*module.library == '\0') {
        throw setup::UserFault({wanted_by},
                               "this weir was built without " + std::string(module.file),
                               fmt::format("a build with {} installed", module.headers));
    }
    if (dlopen(module.library, RTLD_NOW | RTLD_GLOBAL) == nullptr) {
        throw setup::UserFault({wanted_by}, fmt::format("{} cannot be loaded", module.library),
                               fmt::format("a host with it: apt-get install {}", module.package));
    }
    void* const loaded = dlopen(module.file, RTLD_LAZY | RTLD_LOCAL);
    void* const found = loaded == nullptr ? nullptr : dlsym(loaded, module.functions);
    if (found == nullptr) {
        throw setup::UserFault({wanted_by},
                               fmt::format("{} cannot be loaded: {}", module.file, dlerror()),
                               "an installation of weir with all its files");
    }
    return reinterpret_cast<const void* (*)()>(found)();
}

}  // namespace weir::experiments::running
