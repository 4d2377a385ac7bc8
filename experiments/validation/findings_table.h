#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/validation/claims_report.h"

namespace weir::experiments::validation {

/// The claims as a Markdown table, one row each. Columns: published quantity, source, published
/// value, machine's value, models' predictions, error, evidence, status, and cause. The error is
/// that of the machine's value or else of the first prediction. Rows that differ, are closed or are
/// not testable have a cause.
[[nodiscard]] std::string findings_table(const std::vector<CheckedClaim>& claims);

/// Table on a paper's page, between the line "<!-- weir paper NAME --markdown -->" and the next
/// comment. Throws UserFault for a page without them.
[[nodiscard]] std::string table_on_page(const std::filesystem::path& page,
                                        const std::string& paper);

/// Differences between the page's table and the computed one, one sentence each. If `all_rows` is
/// false, the computed table may lack some of the page's rows.
[[nodiscard]] std::vector<std::string> differences(const std::string& on_page,
                                                   const std::string& computed, bool all_rows);

}  // namespace weir::experiments::validation
