#pragma once

#include "experiments/records/document.h"
#include "experiments/records/search_result.h"
#include "experiments/records/sweep_result.h"

namespace weir::experiments::pages {

/// A search as a page: the best point, what the last round says of the others in it, the rounds,
/// and the Pareto front where points have prices. `sweep` is what the search's database holds.
[[nodiscard]] records::Document search_document(const records::SearchResult& search,
                                                const records::SweepResult& sweep);

/// What `--dry-run` says: the rounds, before anything has run.
[[nodiscard]] records::Document planned_search_document(const records::SearchResult& search);

}  // namespace weir::experiments::pages
