#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace weir::experiments::kinds {

/// What `weir params --json` prints: an array with an object for each parameter that fits
/// (setup::fitting_parameters). One of [workload] says whose it is, in "kernel".
[[nodiscard]] nlohmann::ordered_json parameter_document(std::string_view pattern);

}  // namespace weir::experiments::kinds
