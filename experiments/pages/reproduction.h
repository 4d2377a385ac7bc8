#pragma once

#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::pages {

/// Commands and files that repeat each run of the result, the version of the program, and the
/// digest of each trace that `weir trace digest` prints. Traces that are absent or large have none.
[[nodiscard]] records::Section reproduction_section(const records::ExperimentResult& result);

/// Sources of the published values, as BibTeX; the section has no blocks if none is known.
[[nodiscard]] records::Section citations_section(const records::ExperimentResult& result);

/// BibTeX entry of a source such as "LoGPC Table 4"; empty if it is unknown.
[[nodiscard]] std::string bibtex_of(const std::string& source);

}  // namespace weir::experiments::pages
