#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/explanation.h"
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
    /// Value with the inputs of the claim's `without`; empty if it has none.
    std::optional<double> without_inputs = {};
    /// Each model's prediction of the number, if a run of the machine measured it.
    records::Metrics models = {};
    /// Errors of these predictions by assumption, if the claim asks for them.
    std::vector<records::Explanation> explanations = {};

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
    /// True if the row does not agree, its band does not contain the published value, and the file
    /// names no missing mechanism.
    [[nodiscard]] bool lacks_cause() const;
    /// True if other values of the row's inputs change it by more than a tenth of the published
    /// value, so that it is no prediction.
    [[nodiscard]] bool depends_on_inputs() const;
    /// True if nothing about the row is wrong in the file.
    [[nodiscard]] bool is_sound() const {
        return holds() && !lacks_cause() && !depends_on_inputs();
    }
};

/// Sets of rows that are counted.
enum class CountedRows : std::uint8_t {
    kListed,     ///< all listed rows
    kPredicted,  ///< listed rows that are predicted and whose paper prints a number
    kDecidable,  ///< those that are not closed
    kHardware,   ///< all rows of real machines, listed or not
};

/// Number of rows, of those within 3, 5 and 10 %, and of those inside and outside their band.
/// Closed rows are counted in `rows` and `closed` alone: closing a row never adds an agreement.
struct Nearness {
    int rows = 0;
    int within_3_percent = 0;
    int within_5_percent = 0;
    int within_10_percent = 0;
    int inside_band = 0;  ///< rows that agree, or whose band contains the published value
    int outside_band = 0;
    int closed = 0;
};
[[nodiscard]] Nearness nearness_of(const std::vector<CheckedClaim>& claims, CountedRows counted);

/// Number with four significant digits, all its integer digits, and at most four decimals.
[[nodiscard]] std::string shown_number(double value);
/// Published value as "486", ">= 2" or "1..2"; empty if it is no number.
[[nodiscard]] std::string published_text(const Claim& claim);
/// Difference as "+1.2 %", or as a distance for a claim with `within`; empty if there is none.
[[nodiscard]] std::string difference_text(const CheckedClaim& checked);

/// The claims as a table of 80 columns. The counts of near rows come first, then closed rows with
/// their reasons, then rows predicted of hardware with their bands. A part for each other kind of
/// evidence follows. Rows of one source are together, and reasons are below their rows.
[[nodiscard]] std::string claims_page(const std::string& title,
                                      const std::vector<CheckedClaim>& claims);

/// Number of claims of each kind and status, and the claims about which the file is wrong.
[[nodiscard]] std::string claims_summary(const std::vector<CheckedClaim>& claims);

/// JSON list of the claims:
///    [{"name", "what", "source", "kind", "of", "listed", "closed", "prints_no_number", "missing",
///    "although", "without_inputs", "published" or "at_least" and "at_most", "tolerance" or
///    "within", "ours", "band": {"low", "high", "hypotheses", "inside"}, "computed_by": [text],
///    "status", "declared", "holds", "because"}]
/// "ours" is absent if nothing is computed. "status" is the computed status, "declared" the file's.
[[nodiscard]] nlohmann::ordered_json claims_document(const std::vector<CheckedClaim>& claims);

/// JSON counts of rows:
///    {"listed", "predicted", "decidable" and "hardware": {"rows", "within_3_percent",
///    "within_5_percent", "within_10_percent", "inside_band", "outside_band", "closed"}}
[[nodiscard]] nlohmann::ordered_json counted_document(const std::vector<CheckedClaim>& claims);

}  // namespace weir::experiments::validation
