#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "experiments/running/processes/dry_run.h"

namespace weir::experiments::commands {

/// For a terminal of 80 columns: an experiment, or the parts of a study and their time together.
[[nodiscard]] std::string dry_run_page(std::span<const running::DryRun> parts);
[[nodiscard]] nlohmann::ordered_json to_json(const running::DryRun& dry_run);

}  // namespace weir::experiments::commands
