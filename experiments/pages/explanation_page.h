#pragma once

#include <nlohmann/json_fwd.hpp>

#include "experiments/records/document.h"
#include "experiments/records/explanation.h"
#include "experiments/records/result.h"

namespace weir::experiments::pages {

/// Page of `weir explain`: each prediction's error in one sentence, and its parts.
[[nodiscard]] records::Document explanation_document(const records::ExplainedRun& run);

/// The same as JSON, by the names of the members; explanations are as in a run's result.
[[nodiscard]] nlohmann::ordered_json explanation_json(const records::ExplainedRun& run);

/// Section of a run's page with the parts that need no further run. It has no blocks if no
/// prediction was explained.
[[nodiscard]] records::Section explanation_section(const records::ExperimentResult& result);

}  // namespace weir::experiments::pages
