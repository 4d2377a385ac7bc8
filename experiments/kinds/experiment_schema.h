#pragma once

#include <nlohmann/json.hpp>

namespace weir::experiments::kinds {

/// The JSON schema of experiment files (draft 7): an outline
/// (experiments/setup/files/experiment_outline.json) with every table of parameters, metric, model
/// and input of a model where it says TABLE, SWEPT_TABLE, METRIC, MODEL and INPUT.
[[nodiscard]] nlohmann::ordered_json experiment_schema(nlohmann::ordered_json outline);

}  // namespace weir::experiments::kinds
