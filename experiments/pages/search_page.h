#pragma once

#include <nlohmann/json_fwd.hpp>

#include "experiments/records/document.h"
#include "experiments/records/search_result.h"
#include "experiments/records/sweep_result.h"

namespace weir::experiments::pages {

/// Page of a search: the best point, the last round's other points compared with it, the rounds,
/// and the Pareto front if points have prices. The argument sweep is the content of the search's
/// database.
[[nodiscard]] records::Document search_document(const records::SearchResult& search,
                                                const records::SweepResult& sweep);

/// Result of a search as JSON: budget, rounds, and the points of the last round, the best first.
[[nodiscard]] nlohmann::ordered_json search_json(const records::SearchResult& search);

/// Output of `--dry-run`: the rounds, before any point has run.
[[nodiscard]] records::Document planned_search_document(const records::SearchResult& search);

}  // namespace weir::experiments::pages
