#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/commands/claims/claims_file.h"

namespace weir::experiments::commands {

/// A claim with what was computed beside it.
struct CheckedClaim {
    Claim claim;
    std::optional<double> ours;  ///< nothing where it is not testable

    /// How far ours is outside what is accepted; 0 inside.
    [[nodiscard]] double excess() const;
    /// What the computation says.
    [[nodiscard]] ClaimStatus status() const;
    /// Whether the file says so too.
    [[nodiscard]] bool holds() const { return status() == claim.status; }
};

/// The claims as a table of 80 columns, those of a source together, reasons below their rows.
[[nodiscard]] std::string claims_page(const std::string& title,
                                      const std::vector<CheckedClaim>& claims);

/// How many there are of each status, and which are not what the file says.
[[nodiscard]] std::string claims_summary(const std::vector<CheckedClaim>& claims);

/// [{"name", "what", "source", "published" or "at_least" and "at_most", "tolerance" or "within",
///   "ours", "computed_by": [text], "status", "declared", "holds", "because"}]
/// "ours" is absent where nothing is to be computed, "status" what the computation says.
[[nodiscard]] nlohmann::ordered_json claims_document(const std::vector<CheckedClaim>& claims);

}  // namespace weir::experiments::commands
