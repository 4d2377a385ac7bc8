#pragma once

#include <filesystem>
#include <functional>

#include "experiments/random_machines/settings.h"

namespace weir::experiments::random_machines {

/// A smaller experiment for which `is_like` still holds, as it does for this one: settings go back
/// to their defaults one by one, numbers are halved, lists lose entries, until none of these steps
/// leaves it so, or so many seconds have gone. The folder is for experiments' files.
[[nodiscard]] Settings shrunk(const Settings& settings, const std::filesystem::path& folder,
                              const std::function<bool(const Settings&)>& is_like,
                              double most_seconds = 60.0);

}  // namespace weir::experiments::random_machines
