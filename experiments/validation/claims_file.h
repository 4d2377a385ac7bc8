#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/setup/user_fault.h"
#include "experiments/validation/claim_value.h"

namespace weir::experiments::validation {

enum class ClaimStatus { kReproduced, kDiffers, kNotTestable };

/// What it says of the machine that a row's two numbers agree.
enum class Evidence {
    kPredicted,   ///< the machine was given nothing of it
    kBound,       ///< a bound or a band: any value on its side agrees
    kCalibrated,  ///< a constant of the machine was fixed by it
    kGiven,       ///< it, or another number of its table, is an input
    kFormula,     ///< no machine ran: a formula beside itself
};

/// What a number that is predicted is of, as it was published: measured on a real machine or on its
/// authors' simulator, or what their model says.
enum class PublishedOf { kHardware, kSimulator, kModel };

/// One published number, or a bound of one, and what is said of how Weir compares.
struct Claim {
    std::string name;
    std::string what;
    std::string source;
    ClaimStatus status = ClaimStatus::kReproduced;
    std::string because;               ///< why it differs or can't be tested
    std::optional<Evidence> evidence;  ///< settled by settle_evidence(); none if not testable
    std::optional<PublishedOf> of;
    std::optional<int> listed;  ///< its number among those that are always counted
    std::string although;       ///< why it is predicted, with a number of its table as an input
    std::optional<double> published;
    std::optional<ClaimValue> published_from;  ///< printed numbers and a model that say it
    std::optional<double> at_least;            ///< published as a bound, or two
    std::optional<double> at_most;
    std::string published_text;       ///< of a claim that can't be tested, where it is no number
    std::optional<double> tolerance;  ///< largest accepted |ours - published| / |published|
    std::optional<double> within;     ///< largest accepted |ours - published|
    std::optional<ClaimValue> ours;
    setup::Place place;
};

struct ClaimsFile {
    std::string title;
    std::vector<std::filesystem::path> hypotheses;  ///< files, from the working folder
    std::vector<Claim> claims;
};

/// The file's claims; nothing for a TOML file without [claim.NAME] tables:
///
///     title = "What the papers say, recomputed"
///     hypotheses = ["hypotheses/alewife.toml"]       # optional: hypotheses.h, beside this file
///
///     [claim.sync-remap]
///     what = "synchronous remap, cycles an iteration"
///     source = "LoGPC Table 4"
///     kind = "predicted"                 # or "calibrated", "given"; else it is found out
///     of = "hardware"                    # or "simulator", "model": what was published of
///     listed = 7                         # optional: one of those that are always counted
///     although = "..."                   # optional: why it is predicted all the same
///     published = 486                    # or at_least, at_most, or both; or a relation of models
///     tolerance = 0.03                   # a fraction of it; or within, a distance
///     ours.experiment = "logpc/sync-remap.toml"      # beside this file
///     ours.point = "W = 0"               # where it has several
///     ours.set.run.seeds = [1]           # optional: overrides
///     ours.metric = "cycles_per_iteration"
///     status = "differs"                 # or "reproduced", "not testable"
///     because = "..."                    # of these two others
///
/// `ours` is also an answer of a model,
///
///     ours.model = "logp-broadcast"
///     ours.inputs = { processors = 8, latency_cycles = 6, overhead_cycles = 2, gap_cycles = 4 }
///     ours.output = "finish_cycles"      # or ours.table, ours.column and ours.row, from 0
///
/// or a relation: sum, difference, product, ratio, percent_of, percent_above, largest or smallest
/// of a list of such values and numbers. An experiment in such a list may say points = ["a", "b"]
/// for a value of each.
///
/// Throws UserFault for what is no TOML file and for whatever is not understood in one with claims.
[[nodiscard]] std::optional<ClaimsFile> read_claims(const std::filesystem::path& file);

/// "reproduced", "differs", "not testable".
[[nodiscard]] const std::string& name_of(ClaimStatus status);
/// "predicted", "bound", "calibrated", "given", "formula".
[[nodiscard]] const std::string& name_of(Evidence kind);
/// "hardware", "simulator", "model".
[[nodiscard]] const std::string& name_of(PublishedOf of);

/// Those a pattern fits: a part of the name, the text, the source or what the row is computed by; *
/// and ? are wild. Without patterns all. Throws UserFault where one fits none.
[[nodiscard]] std::vector<Claim> chosen_claims(const ClaimsFile& file,
                                               const std::vector<std::string>& patterns);

}  // namespace weir::experiments::validation
