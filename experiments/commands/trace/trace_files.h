#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::experiments::commands {

/// Every trace.weir in a run's folder, sorted. Throws setup::UserFault when there is none.
std::vector<std::filesystem::path> traces_in(const std::filesystem::path& folder);

/// The trace that `run` is, or the only one in the folder that it is. Throws setup::UserFault that
/// lists them when there are several.
std::filesystem::path the_trace_of(const std::filesystem::path& run);

}  // namespace weir::experiments::commands
