#include "experiments/programs/c_library.h"

#include <utility>

#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/run_tool.h"

namespace weir::experiments::programs {

LibraryRecipe c_library_recipe(const std::string& compiler, const std::string& compiler_version,
                               std::vector<std::string> flags) {
    return {.name = "C library",
            .package = "newlib-source",
            .archive = "newlib-",
            .sources = "/usr/src/newlib",
            .processor_time = "a minute",
            .folder = running::cache_folder(
                "c-library", "the program asks for the C library, which is built there"),
            .script = running::data_folder() / "firmware" / "sparcle" / "library" / "build.sh",
            .compiler = compiler,
            .compiler_version = compiler_version,
            .flags = std::move(flags)};
}

}  // namespace weir::experiments::programs
