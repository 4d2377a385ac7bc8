#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/validation/claims_file.h"

namespace weir::experiments::validation {

/// A paper with rows in claims.toml and a folder of experiments.
struct Paper {
    const char* name;    ///< name of the paper and of its folder
    const char* source;  ///< beginning of the `source` of its claims
    const char* title;
};
[[nodiscard]] std::span<const Paper> papers();
/// Paper of that name. Throws setup::UserFault for an unknown or empty name.
[[nodiscard]] const Paper& find_paper(const std::string& name);

/// Claims of the paper that match `only`: parts of a name, text or source. All its claims if `only`
/// is empty.
[[nodiscard]] std::vector<Claim> claims_of(const Paper& paper,
                                           const std::vector<std::string>& only);
/// Table for the paper's README.md, with newly computed values of these claims.
[[nodiscard]] std::string computed_table(const Paper& paper, const std::vector<Claim>& claims,
                                         const running::RunOptions& options);

/// Page with all experiments of a paper, its claims first.
struct PaperPage {
    records::Document document;
    int status = 0;           ///< exit status of the first failed run, or success
    bool any_missed = false;  ///< true if any claim or tolerance fails
};
/// Makes the page. Runs the experiments without results in the folder, or all if `again`.
[[nodiscard]] PaperPage paper_page(const Paper& paper, const std::filesystem::path& folder,
                                   const running::RunOptions& options, bool again);

}  // namespace weir::experiments::validation
