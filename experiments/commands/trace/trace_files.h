#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments::commands {

/// All trace.weir files below a run's folder, sorted. Throws setup::UserFault if there is none.
std::vector<std::filesystem::path> traces_in(const std::filesystem::path& folder);

/// The given file, or the only trace in the given folder. Throws setup::UserFault with a list if
/// the folder has several traces.
std::filesystem::path the_trace_of(const std::filesystem::path& run);

}  // namespace weir::experiments::commands
