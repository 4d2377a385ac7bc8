#pragma once

#include <nlohmann/json.hpp>

namespace weir::experiments::kinds {

/// The JSON schema of results (draft 7): an outline (experiments/records/result_outline.json) with
/// every metric that some kind measures, and every model, where it says METRIC and MODEL, and with
/// the names that workload.kernel can have.
[[nodiscard]] nlohmann::ordered_json result_schema(nlohmann::ordered_json outline);

}  // namespace weir::experiments::kinds
