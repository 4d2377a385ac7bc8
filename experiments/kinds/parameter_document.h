#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace weir::experiments::kinds {

/// Output of `weir params --json`: an array with an object for each parameter that fits `pattern`
/// (setup::fitting_parameters). For a parameter of [workload], "kernel" names its kernel.
[[nodiscard]] nlohmann::ordered_json parameter_document(std::string_view pattern);

}  // namespace weir::experiments::kinds
