#pragma once

#include <nlohmann/json_fwd.hpp>

namespace weir::experiments::kinds {

/// JSON schema of experiment files (draft 7). The outline
/// (experiments/setup/files/experiment_outline.json) has the placeholders TABLE, SWEPT_TABLE,
/// METRIC, MODEL and INPUT, which all tables of parameters, metrics, models and their inputs
/// replace.
[[nodiscard]] nlohmann::ordered_json experiment_schema(nlohmann::ordered_json outline);

}  // namespace weir::experiments::kinds
