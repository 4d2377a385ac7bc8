#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments::programs {

/// Objects of a part of the runtime, all compiled with the same flags.
struct RuntimeRequest {
    std::string compiler;
    std::string compiler_version;
    std::vector<std::string> flags;
    std::vector<std::filesystem::path> sources;
};

/// The objects, in the order of the sources. They are kept in a cache folder, and compiled again
/// after a change of the compiler, the flags, or a file that a source includes. Without a cache
/// folder they are compiled into `unkept`. Throws running::RunFailure where the compiler reports an
/// error.
[[nodiscard]] std::vector<std::string> runtime_objects(const RuntimeRequest& request,
                                                       const std::filesystem::path& unkept);

}  // namespace weir::experiments::programs
