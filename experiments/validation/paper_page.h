#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/validation/claims_file.h"

namespace weir::experiments::validation {

/// A paper whose numbers claims.toml has, and whose experiments have a folder.
struct Paper {
    const char* name;    ///< and its folder's
    const char* source;  ///< as claims begin theirs
    const char* title;
};
[[nodiscard]] std::span<const Paper> papers();
/// Throws setup::UserFault for another name, and for none.
[[nodiscard]] const Paper& find_paper(const std::string& name);

/// The paper's claims in the rows that `only` names: parts of a name, text or source; all where it
/// is empty.
[[nodiscard]] std::vector<Claim> claims_of(const Paper& paper,
                                           const std::vector<std::string>& only);
/// The findings of these claims, computed now, as the paper's README.md has them.
[[nodiscard]] std::string computed_table(const Paper& paper, const std::vector<Claim>& claims,
                                         const running::RunOptions& options);

/// All experiments of a paper on one page, with its claims first.
struct PaperPage {
    records::Document document;
    int status = 0;           ///< of the first run that failed, or success
    bool any_missed = false;  ///< a claim is not as its file says, or a tolerance is missed
};
/// Runs what is not in the folder yet, or everything.
[[nodiscard]] PaperPage paper_page(const Paper& paper, const std::filesystem::path& folder,
                                   const running::RunOptions& options, bool again);

}  // namespace weir::experiments::validation
