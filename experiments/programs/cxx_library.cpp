#include "experiments/programs/cxx_library.h"

#include <fmt/format.h>

#include <utility>

#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/run_tool.h"

namespace weir::experiments::programs {

namespace fs = std::filesystem;

LibraryRecipe cxx_library_recipe(const CrossCompiler& compiler, std::vector<std::string> flags) {
    const std::string major = compiler.major_version();
    return {.name = "C++ library",
            .package = fmt::format("gcc-{}-source", major),
            .archive = fmt::format("gcc-{}.", major),
            .sources = fmt::format("/usr/src/gcc-{}", major),
            .processor_time = "two minutes",
            .folder = running::cache_folder(
                "cxx-library", "the program asks for the C++ library, which is built there"),
            .script = running::data_folder() / "firmware" / "sparcle" / "library" / "build_cxx.sh",
            .compiler = compiler.program(),
            .compiler_version = compiler.version(),
            .flags = std::move(flags)};
}

std::vector<std::string> cxx_header_flags(const fs::path& library) {
    const fs::path headers = library / "include";
    return {"-isystem", headers.string(),
            "-isystem", (headers / "sparc-elf").string(),
            "-isystem", (headers / "backward").string()};
}

std::vector<std::string> cxx_archives(const fs::path& library) {
    return {(library / "lib" / "libstdc++.a").string(), (library / "lib" / "libgcc_eh.a").string()};
}

}  // namespace weir::experiments::programs
