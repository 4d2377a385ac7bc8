#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/metrics.h"
#include "experiments/validation/claims_file.h"

namespace weir::experiments::validation {

/// Range of a number under the admissible hypotheses (hypotheses.h).
struct Band {
    double low = 0.0;
    double high = 0.0;
    int hypotheses = 0;  ///< number of admissible hypotheses that change the value
};

/// A claim with its computed values.
struct CheckedClaim {
    Claim claim;
    std::optional<double> ours = {};  ///< empty if not testable
    std::optional<Band> band = {};
    /// Each model's prediction of the number, if a run of the machine measured it.
    records::Metrics models = {};

    /// Distance of `ours` from the accepted range; 0 inside.
    [[nodiscard]] double excess() const;
    /// Status that follows from the computation.
    [[nodiscard]] ClaimStatus status() const;
    /// True if the file has the same status.
    [[nodiscard]] bool holds() const { return status() == claim.status; }
    /// Distance of `ours` from the published value, as a share of that value. If 0 is published,
    /// the result is the difference itself; for percentages, a hundredth of it. A bound gives 0.1
    /// if it holds, and infinity if not.
    [[nodiscard]] double off() const;
    /// True if the band contains the published value or a value within the published bounds.
    [[nodiscard]] bool is_inside_band() const;
};

/// Number of rows, and of those within 3, 5 and 10 %.
struct Nearness {
    int rows = 0;
    int within_3_percent = 0;
    int within_5_percent = 0;
    int within_10_percent = 0;
};
/// Counts rows predicted of hardware: all of them, or only those with `listed`.
[[nodiscard]] Nearness nearness_of(const std::vector<CheckedClaim>& claims, bool listed_alone);

/// Number with four significant digits, all its integer digits, and at most four decimals.
[[nodiscard]] std::string shown_number(double value);
/// Published value as "486", ">= 2" or "1..2"; empty if it is no number.
[[nodiscard]] std::string published_text(const Claim& claim);
/// Difference as "+1.2 %", or as a distance for a claim with `within`; empty if there is none.
[[nodiscard]] std::string difference_text(const CheckedClaim& checked);

/// The claims as a table of 80 columns. Rows predicted of hardware come first, with their bands and
/// the counts of near rows. A part for each other kind of evidence follows. Rows of one source are
/// together, and reasons are below their rows.
[[nodiscard]] std::string claims_page(const std::string& title,
                                      const std::vector<CheckedClaim>& claims);

/// Number of claims of each kind and status, and the claims whose status differs from the file's.
[[nodiscard]] std::string claims_summary(const std::vector<CheckedClaim>& claims);

/// JSON list of the claims:
///    [{"name", "what", "source", "kind", "of", "listed", "although", "published" or "at_least" and
///    "at_most", "tolerance" or "within", "ours", "band": {"low", "high", "hypotheses", "inside"},
///    "computed_by": [text], "status", "declared", "holds", "because"}]
/// "ours" is absent if nothing is computed. "status" is the computed status, "declared" the file's.
[[nodiscard]] nlohmann::ordered_json claims_document(const std::vector<CheckedClaim>& claims);

/// JSON counts of rows predicted of hardware:
///    {"listed" and "hardware": {"rows", "within_3_percent", "within_5_percent",
///    "within_10_percent"}}
[[nodiscard]] nlohmann::ordered_json counted_document(const std::vector<CheckedClaim>& claims);

}  // namespace weir::experiments::validation
