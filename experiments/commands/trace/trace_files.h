#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments::commands {

/// All trace.weir files below a run's folder, sorted. Throws setup::UserFault if there is none.
std::vector<std::filesystem::path> traces_in(const std::filesystem::path& folder);

/// `run` itself if it is a file, else the only trace in that folder. Throws setup::UserFault with a
/// list if there are several.
std::filesystem::path the_trace_of(const std::filesystem::path& run);

}  // namespace weir::experiments::commands
