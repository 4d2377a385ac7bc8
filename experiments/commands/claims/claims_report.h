#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/commands/claims/claims_file.h"
#include "experiments/records/metrics.h"

namespace weir::experiments::commands {

/// A claim with what was computed beside it.
struct CheckedClaim {
    Claim claim;
    std::optional<double> ours;  ///< nothing where it is not testable
    /// What each model says of it, where the machine measured it.
    records::Metrics models = {};

    /// How far ours is outside what is accepted; 0 inside.
    [[nodiscard]] double excess() const;
    /// What the computation says.
    [[nodiscard]] ClaimStatus status() const;
    /// Whether the file says so too.
    [[nodiscard]] bool holds() const { return status() == claim.status; }
};

/// Four digits, no fewer than the number's whole ones, and four decimals at most.
[[nodiscard]] std::string shown_number(double value);
/// "486", ">= 2" or "1..2"; empty where it is no number.
[[nodiscard]] std::string published_text(const Claim& claim);
/// "+1.2 %", or a distance where the claim accepts one; empty where there is nothing to say.
[[nodiscard]] std::string difference_text(const CheckedClaim& checked);

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
