#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/validation/claims_report.h"

namespace weir::experiments::validation {

/// A possible value of something that papers leave open about a machine, as keys of its
/// experiments; or several of these together.
struct Hypothesis {
    std::string name;
    std::string what;
    std::string source;  ///< reason why the hypothesis may be true
    /// Settings as in --set, metrics, and patterns of the points that take them, with wildcards *
    /// and
    /// ?. Without patterns, all points take them.
    struct Change {
        std::vector<std::string> settings;
        std::map<std::string, std::string> metrics;  ///< metric to read, by the one it replaces
        std::vector<std::string> points;
    };
    std::vector<Change> changes;
    setup::Place place;
};

/// Open questions about one machine, and all figures measured on it.
struct HypothesesFile {
    std::string file;
    std::string title;
    std::vector<std::string> rows;   ///< names of the claims with the machine's figures
    std::vector<std::string> keeps;  ///< names or patterns of claims whose outcome must not change
    std::vector<Hypothesis> hypotheses;
};

/// Reads a file of hypotheses:
///
///     title = "Details of Alewife that LoGPC leaves open"
///     rows = ["logpc-t4-sync", "logpc-t4-async"]     # names of claims
///     keeps = ["logpc-t1-*"]                         # names with wildcards * and ?
///
///     [[hypothesis]]
///     name = "no exit"
///     what = "all of an interrupt's cost comes before the handler's reply"
///     source = "LoGPC Table 1 has only the sum"
///     set = { firmware.entry_cycles = 102, firmware.exit_cycles = 0 }
///     points = ["span *"]                            # optional: these points only
///     metrics = { cycles_per_iteration = "whole_run_cycles_per_iteration" }  # optional
///
///     [[combination]]                                # optional: these hypotheses together
///     of = ["no exit", "loop"]
///
/// `metrics` are for a hypothesis about what was measured. A claim's metric on the left is replaced
/// by the one on the right; claims of other metrics stay as they are.
///
/// Throws UserFault for a file that is not TOML, and for unknown, missing or invalid entries.
[[nodiscard]] HypothesesFile read_hypotheses(const std::filesystem::path& file);

/// True if one of the patterns, with wildcards * and ?, matches the name.
[[nodiscard]] bool fits_name(const std::string& name, const std::vector<std::string>& patterns);

/// Figures of the machine under each hypothesis.
///
/// A hypothesis changes every experiment that accepts its keys; the others stay the same. A
/// hypothesis is admissible if it changes the outcome of none of the rows to keep. The admissible
/// hypotheses span a band for each figure; none of them is preferred.
class HypothesisStudy {
  public:
    /// Ignores rows that are not among `claims`. Throws UserFault for a row that no claim in `all`
    /// has. Also throws it for a hypothesis whose keys or points match no experiment of its rows.
    HypothesisStudy(HypothesesFile file, const std::vector<Claim>& all,
                    const std::vector<Claim>& claims, const running::RunOptions& options);

    /// True for a row whose outcome a hypothesis must not change.
    [[nodiscard]] bool keeps_row(const std::string& name) const;
    /// Claims of the rows under the hypotheses, which must be computed in addition to the claims
    /// themselves.
    [[nodiscard]] const std::vector<Claim>& varied() const { return varied_; }

    /// Evaluates the study from the computed claims and the computed varied(): sets the bands of
    /// those `claims` that are rows of the study.
    void conclude(std::vector<CheckedClaim>& claims, const std::vector<CheckedClaim>& varied);

    /// Table of hypotheses by figures, after conclude().
    [[nodiscard]] records::Section section() const;
    /// JSON document of the study:
    ///    {"file", "title", "hypotheses": [{"name", "what", "source", "changes": [{"set",
    ///    "metrics", "points"}], "admissible", "turns", "values": {ROW: number}}]}
    [[nodiscard]] nlohmann::ordered_json document() const;

  private:
    /// A row under one hypothesis.
    struct Cell {
        std::size_t row = 0;     ///< index of the claim
        std::size_t varied = 0;  ///< index of the changed claim in varied_
    };
    /// Results of one hypothesis.
    struct Outcome {
        std::vector<Cell> cells;
        std::map<std::string, double> values;    ///< changed values, by the row's name
        std::vector<std::string> without_value;  ///< rows for which the changed runs give no value
        std::vector<std::string> turns;  ///< rows to keep whose outcome the hypothesis changes
    };
    [[nodiscard]] bool has_row(const std::string& name) const;

    HypothesesFile file_;
    std::vector<Claim> varied_;
    std::vector<Outcome> outcomes_;  ///< results of file_.hypotheses, in their order
    std::vector<CheckedClaim> rows_;
};

}  // namespace weir::experiments::validation
