#pragma once

#include <optional>

#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::pages {

/// How many runs give no result, how they ended and why: what the page begins with. Nothing where
/// all runs gave one.
[[nodiscard]] std::optional<records::Finding> endings_finding(
    const records::ExperimentResult& result);

/// A table of the runs without a result, and of each the explanation in full, what its program
/// printed, and what was counted or measured until then. Without blocks where all runs gave a
/// result.
[[nodiscard]] records::Section endings_section(const records::ExperimentResult& result);

/// The result with a point for each configuration of which no run gave a result, where none did:
/// without a measured value, for what a page says of machines and parameters.
[[nodiscard]] records::ExperimentResult with_configurations(records::ExperimentResult result);

}  // namespace weir::experiments::pages
