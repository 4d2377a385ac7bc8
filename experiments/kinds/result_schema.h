#pragma once

#include <nlohmann/json_fwd.hpp>

namespace weir::experiments::kinds {

/// JSON schema of results (draft 7). The outline (experiments/records/result_outline.json) has the
/// placeholders METRIC and MODEL, which the metrics and models of all kinds replace. The names that
/// workload.kernel accepts are added.
[[nodiscard]] nlohmann::ordered_json result_schema(nlohmann::ordered_json outline);

}  // namespace weir::experiments::kinds
