#pragma once

#include <filesystem>
#include <functional>

#include "experiments/random_machines/settings.h"

namespace weir::experiments::random_machines {

/// A smaller experiment for which `is_like` still holds, as it does for `settings`. One by one,
/// settings return to their defaults, numbers are halved, and lists lose entries. The search ends
/// when no step keeps `is_like` true, or when the time is over. The experiments' files are written
/// to `folder`.
[[nodiscard]] Settings shrunk(const Settings& settings, const std::filesystem::path& folder,
                              const std::function<bool(const Settings&)>& is_like,
                              double most_seconds = 60.0);

}  // namespace weir::experiments::random_machines
