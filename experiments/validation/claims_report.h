#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/metrics.h"
#include "experiments/validation/claims_file.h"

namespace weir::experiments::validation {

/// Between which values a number lies under what is left open (hypotheses.h).
struct Band {
    double low = 0.0;
    double high = 0.0;
    int hypotheses = 0;  ///< that are admissible and change it
};

/// A claim with what was computed beside it.
struct CheckedClaim {
    Claim claim;
    std::optional<double> ours = {};  ///< nothing where it is not testable
    std::optional<Band> band = {};
    /// What each model says of it, where the machine measured it.
    records::Metrics models = {};

    /// How far ours is outside what is accepted; 0 inside.
    [[nodiscard]] double excess() const;
    /// What the computation says.
    [[nodiscard]] ClaimStatus status() const;
    /// Whether the file says so too.
    [[nodiscard]] bool holds() const { return status() == claim.status; }
    /// How far ours is from what is published, as a share of it; where 0 is published, the
    /// difference itself, per cents as such. A bound counts as off by a tenth inside, and as
    /// endlessly far off outside.
    [[nodiscard]] double off() const;
    /// Whether the band has the published value, or a value within the published bounds.
    [[nodiscard]] bool is_inside_band() const;
};

/// How many of some rows are how near.
struct Nearness {
    int rows = 0;
    int within_3_percent = 0;
    int within_5_percent = 0;
    int within_10_percent = 0;
};
/// Of rows that are predicted of hardware: all, or those that are `listed`.
[[nodiscard]] Nearness nearness_of(const std::vector<CheckedClaim>& claims, bool listed_alone);

/// Four digits, no fewer than the number's whole ones, and four decimals at most.
[[nodiscard]] std::string shown_number(double value);
/// "486", ">= 2" or "1..2"; empty where it is no number.
[[nodiscard]] std::string published_text(const Claim& claim);
/// "+1.2 %", or a distance where the claim accepts one; empty where there is nothing to say.
[[nodiscard]] std::string difference_text(const CheckedClaim& checked);

/// The claims as a table of 80 columns. What was measured on hardware and is predicted comes first,
/// with its bands and how many are near; then the other kinds of evidence, a part each. Those of a
/// source stand together, reasons below their rows.
[[nodiscard]] std::string claims_page(const std::string& title,
                                      const std::vector<CheckedClaim>& claims);

/// How many there are of each kind and status, and which are not what the file says.
[[nodiscard]] std::string claims_summary(const std::vector<CheckedClaim>& claims);

/// [{"name", "what", "source", "kind", "of", "listed", "although", "published" or "at_least" and
///   "at_most", "tolerance" or "within", "ours", "band": {"low", "high", "hypotheses", "inside"},
///   "computed_by": [text], "status", "declared", "holds", "because"}]
/// "ours" is absent where nothing is to be computed, "status" what the computation says.
[[nodiscard]] nlohmann::ordered_json claims_document(const std::vector<CheckedClaim>& claims);

/// {"listed" and "hardware": {"rows", "within_3_percent", "within_5_percent", "within_10_percent"}}
[[nodiscard]] nlohmann::ordered_json counted_document(const std::vector<CheckedClaim>& claims);

}  // namespace weir::experiments::validation
