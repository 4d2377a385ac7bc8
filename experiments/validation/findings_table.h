#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/validation/claims_report.h"

namespace weir::experiments::validation {

/// The claims as a table in Markdown, a row each: what was published, what the machine gives, what
/// each model says, how far off the first of both is, and whether that is reproduced.
[[nodiscard]] std::string findings_table(const std::vector<CheckedClaim>& claims);

/// The table on a paper's page, between the line "<!-- weir paper NAME --markdown -->" and the next
/// comment. Throws UserFault for a page without them.
[[nodiscard]] std::string table_on_page(const std::filesystem::path& page,
                                        const std::string& paper);

/// In what the page's table is not the computed one, a sentence each. The computed one may have
/// some of the page's rows alone: `all_rows` says that it has them all.
[[nodiscard]] std::vector<std::string> differences(const std::string& on_page,
                                                   const std::string& computed, bool all_rows);

}  // namespace weir::experiments::validation
