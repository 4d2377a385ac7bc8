#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/setup/user_fault.h"
#include "experiments/validation/claim_value.h"

namespace weir::experiments::validation {

enum class ClaimStatus { kReproduced, kDiffers, kNotTestable };

/// Kind of evidence: the meaning of an agreement between a row's two numbers.
enum class Evidence {
    kPredicted,   ///< no input of the machine comes from the number
    kBound,       ///< a bound or a band: any value on the right side agrees
    kCalibrated,  ///< a constant of the machine was fixed by the number
    kGiven,       ///< the number, or another one of its table, is an input
    kFormula,     ///< no machine runs: a model's formula is compared with the paper's
};

/// Origin of a published number that is predicted: a measurement on a real machine, on the authors'
/// simulator, or a value of their model.
enum class PublishedOf { kHardware, kSimulator, kModel };

/// A published number, or a bound, and the expected outcome of Weir's comparison.
struct Claim {
    std::string name;
    std::string what;
    std::string source;
    ClaimStatus status = ClaimStatus::kReproduced;
    std::string because;               ///< why the number differs or can't be tested
    std::optional<Evidence> evidence;  ///< set by settle_evidence(); empty if not testable
    std::optional<PublishedOf> of;
    std::optional<int> listed;  ///< number in the list of rows that are always counted
    /// Why the published record cannot decide a listed row; empty for a decidable row.
    std::string closed;
    bool prints_no_number = false;  ///< a closed row whose paper prints no number
    /// Mechanism that the machine must lack, since the published value is outside the row's band.
    std::string missing;
    std::string although;  ///< why a row with an input from its table is still predicted
    /// True if the models' errors for the row's run are split by assumption.
    bool is_explained = false;
    /// Other values of these inputs, as in --set, with which the number must hardly change.
    std::vector<std::string> without;
    std::optional<double> published;
    /// True for a listed row that is predicted and not closed.
    [[nodiscard]] bool is_decidable() const {
        return listed && evidence == Evidence::kPredicted && closed.empty();
    }
    /// Computation of the published value, if the file has one.
    std::optional<ClaimValue> published_from;
    std::optional<double> at_least;  ///< published lower bound; at_most is the upper one
    std::optional<double> at_most;
    std::string published_text;       ///< text of a claim that can't be tested and has no number
    std::optional<double> tolerance;  ///< largest accepted |ours - published| / |published|
    std::optional<double> within;     ///< largest accepted |ours - published|
    std::optional<ClaimValue> ours;
    setup::Place place;
};

struct ClaimsFile {
    std::string title;
    std::vector<std::filesystem::path> hypotheses;  ///< paths from the working folder
    std::vector<Claim> claims;
};

/// Reads the file's claims; empty for a TOML file without [claim.NAME] tables:
///
///     title = "The papers' numbers, recomputed"
///     hypotheses = ["hypotheses/alewife.toml"]       # optional: files of hypotheses.h
///
///     [claim.sync-remap]
///     what = "synchronous remap, cycles per iteration"
///     source = "LoGPC Table 4"
///     kind = "predicted"                 # or "calibrated", "given"; optional (evidence.h)
///     of = "hardware"                    # or "simulator", "model": source of the number
///     listed = 7                         # optional: number in the list of 30 rows
///     closed = "..."                     # optional, if listed: why it cannot be decided
///     prints_no_number = true            # optional, if closed: the paper prints no number
///     missing = "..."                    # if outside its band: mechanism that the machine lacks
///     although = "..."                   # optional: why it is predicted in spite of an input
///     without.controller.load_cycles = 0 # with although: other values of such inputs
///     explain = true                     # optional: split the models' errors by assumption
///     published = 486                    # or at_least, at_most, or both; or a relation
///     tolerance = 0.03                   # fraction of the value; or within, a distance
///     ours.experiment = "logpc/sync-remap.toml"      # beside this file
///     ours.point = "W = 0"               # if the experiment has several points
///     ours.set.run.seeds = [1]           # optional: overrides
///     ours.metric = "cycles_per_iteration"
///     status = "differs"                 # or "reproduced", "not testable"
///     because = "..."                    # reason of the two other statuses
///
/// `ours` may also be an output of a model,
///
///     ours.model = "logp-broadcast"
///     ours.inputs = { processors = 8, latency_cycles = 6, overhead_cycles = 2, gap_cycles = 4 }
///     ours.output = "finish_cycles"      # or ours.table, ours.column and ours.row, from 0
///
/// or a relation: sum, difference, product, ratio, percent_of, percent_above, largest or smallest
/// of a list of such values and numbers. An experiment in such a list may have points = ["a", "b"],
/// for one value each.
///
/// Throws UserFault for a file that is not TOML, and for unknown entries in a file of claims.
[[nodiscard]] std::optional<ClaimsFile> read_claims(const std::filesystem::path& file);

/// Name of the status: "reproduced", "differs", "not testable".
[[nodiscard]] const std::string& name_of(ClaimStatus status);
/// Name of the kind: "predicted", "bound", "calibrated", "given", "formula".
[[nodiscard]] const std::string& name_of(Evidence kind);
/// Name of the origin: "hardware", "simulator", "model".
[[nodiscard]] const std::string& name_of(PublishedOf of);

/// Claims that match any of the patterns: a part of the name, text, source or computation, with
/// wildcards * and ?. All claims if there are no patterns. Throws UserFault if a pattern matches
/// none.
[[nodiscard]] std::vector<Claim> chosen_claims(const ClaimsFile& file,
                                               const std::vector<std::string>& patterns);

}  // namespace weir::experiments::validation
