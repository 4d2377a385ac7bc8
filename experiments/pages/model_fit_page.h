#pragma once

#include <nlohmann/json_fwd.hpp>

#include "experiments/records/document.h"
#include "experiments/records/model_fit.h"

namespace weir::experiments::pages {

/// Page of a model fitted to traces or tables of transfers. It has a sentence on the quality of the
/// fit, parameters with 95 % intervals, warnings, and residuals over size, distance and load. l of
/// memory logP has tables and figures by size and stride.
[[nodiscard]] records::Document model_fit_document(const records::ModelFit& fit);

/// The same as JSON. Names of numbers end with their unit; absent numbers are null.
[[nodiscard]] nlohmann::ordered_json model_fit_json(const records::ModelFit& fit);

}  // namespace weir::experiments::pages
