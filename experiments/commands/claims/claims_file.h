#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

struct ClaimValue;

/// A metric of one point of an experiment file.
struct MetricOfRun {
    std::string experiment;             ///< as written
    std::filesystem::path file;         ///< the same from the working folder
    std::vector<std::string> settings;  ///< as after --set
    std::string point;                  ///< its label; empty for the only one
    std::string metric;
};

/// An output of an analytic model, or a cell of one of its tables.
struct AnswerOfModel {
    std::string model;
    setup::TomlTable inputs;
    std::string output;  ///< empty for a cell
    std::string table;
    std::string column;
    std::size_t row = 0;  ///< from 0
};

/// One number out of others.
struct Relation {
    enum class Kind {
        kSum,
        kDifference,  ///< A - B
        kProduct,
        kRatio,         ///< A / B
        kPercentOf,     ///< 100 A / B
        kPercentAbove,  ///< 100 (A / B - 1)
        kLargest,
        kSmallest,
    };
    Kind kind = Kind::kSum;
    std::vector<ClaimValue> operands;
};

/// Where a number comes from that is set beside a published one. A plain number can only be an
/// operand: a unit, or a parameter of the machine.
struct ClaimValue {
    std::variant<double, MetricOfRun, AnswerOfModel, Relation> from;
    setup::Place place;
};

enum class ClaimStatus { kReproduced, kDiffers, kNotTestable };

/// One published number, or a bound of one, and what is said of how Weir compares.
struct Claim {
    std::string name;
    std::string what;
    std::string source;
    ClaimStatus status = ClaimStatus::kReproduced;
    std::string because;  ///< why it differs or can't be tested
    std::optional<double> published;
    std::optional<double> at_least;  ///< published as a bound, or two
    std::optional<double> at_most;
    std::string published_text;       ///< of a claim that can't be tested, where it is no number
    std::optional<double> tolerance;  ///< largest accepted |ours - published| / |published|
    std::optional<double> within;     ///< largest accepted |ours - published|
    std::optional<ClaimValue> ours;
    setup::Place place;
};

struct ClaimsFile {
    std::string title;
    std::vector<Claim> claims;
};

/// The file's claims; nothing for a TOML file without [claim.NAME] tables:
///
///     title = "What the papers say, recomputed"
///
///     [claim.sync-remap]
///     what = "synchronous remap, cycles an iteration"
///     source = "LoGPC Table 4"
///     published = 486                    # or at_least, at_most, or both
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

/// What the value is computed by, each once: "experiments/a.toml", "weir model lopc-all-to-any".
[[nodiscard]] std::vector<std::string> sources_of(const ClaimValue& value);

/// Those a pattern fits: a part of the name, the text, the source or what the row is computed by; *
/// and ? are wild. Without patterns all. Throws UserFault where one fits none.
[[nodiscard]] std::vector<Claim> chosen_claims(const ClaimsFile& file,
                                               const std::vector<std::string>& patterns);

}  // namespace weir::experiments::commands
