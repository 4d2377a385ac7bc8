#pragma once

#include <filesystem>

#include "experiments/report/document.h"

namespace weir::experiments::report {

/// What a sweep's database holds: how its runs ended, a table of its points and figures. Throws
/// config::UserFault where it is no sweep's database of this version, or nothing has ended.
[[nodiscard]] Document sweep_document(const std::filesystem::path& database);

}  // namespace weir::experiments::report
