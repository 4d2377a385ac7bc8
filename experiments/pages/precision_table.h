#pragma once

#include <optional>

#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::pages {

/// Of points whose runs say how sure they are, or were repeated until they were precise: what the
/// intervals are of, and whether they are as narrow as was asked for. Nothing where none does.
[[nodiscard]] std::optional<records::Table> precision_table(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::pages
