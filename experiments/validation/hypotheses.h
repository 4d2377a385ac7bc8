#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/validation/claims_report.h"

namespace weir::experiments::validation {

/// Something that papers leave open of a machine, as keys of its experiments; or several at once.
struct Hypothesis {
    std::string name;
    std::string what;
    std::string source;  ///< why it may be so
    /// What it changes: as after --set, and of which points, * and ? being wild; all if there is
    /// none.
    struct Change {
        std::vector<std::string> settings;
        std::vector<std::string> points;
    };
    std::vector<Change> changes;
    setup::Place place;
};

/// What is open of one machine, and all that was measured of it.
struct HypothesesFile {
    std::string file;
    std::string title;
    std::vector<std::string> rows;   ///< claims' names: the machine's figures
    std::vector<std::string> keeps;  ///< those that a hypothesis must leave as they are
    std::vector<Hypothesis> hypotheses;
};

/// The file:
///
///     title = "What LoGPC leaves open of Alewife"
///     rows = ["logpc-t4-sync", "logpc-t4-async"]     # names of claims
///     keeps = ["logpc-t1-*"]                         # names; * and ? are wild
///
///     [[hypothesis]]
///     name = "no exit"
///     what = "all of an interrupt's cost comes before the handler's reply"
///     source = "LoGPC Table 1 has the sum alone"
///     set = { firmware.entry_cycles = 102, firmware.exit_cycles = 0 }
///     points = ["span *"]                            # optional: only these points; wild
///
///     [[combination]]                                # optional: several at once
///     of = ["no exit", "loop"]
///
/// Throws UserFault.
[[nodiscard]] HypothesesFile read_hypotheses(const std::filesystem::path& file);

/// Whether one of the patterns, in which * and ? are wild, is the name.
[[nodiscard]] bool fits_name(const std::string& name, const std::vector<std::string>& patterns);

/// The machine's figures under each hypothesis, as rows of claims.
///
/// A hypothesis changes every experiment that takes its keys; the rest stays as it is. It is
/// admissible where it turns none of the rows that it has to keep. Nothing is chosen among the
/// admissible ones: they say between which values a figure lies as far as is known.
class HypothesisStudy {
  public:
    /// Rows that are not among `claims` are left out. Throws UserFault for a row of no claim in
    /// `all`, and for a hypothesis that no experiment of its rows takes, or whose points are
    /// none's.
    HypothesisStudy(HypothesesFile file, const std::vector<Claim>& all,
                    const std::vector<Claim>& claims, const running::RunOptions& options);

    /// Whether it is a row that a hypothesis must leave as it is.
    [[nodiscard]] bool keeps_row(const std::string& name) const;
    /// What has to be computed besides the claims themselves.
    [[nodiscard]] const std::vector<Claim>& varied() const { return varied_; }

    /// With the claims and then varied(), both computed: bands for those rows of `claims` that the
    /// study has.
    void conclude(std::vector<CheckedClaim>& claims, const std::vector<CheckedClaim>& varied);

    /// After conclude(): hypotheses by figures.
    [[nodiscard]] records::Section section() const;
    /// {"file", "title", "hypotheses": [{"name", "what", "source", "changes": [{"set",
    ///   "points"}], "admissible", "turns", "values": {ROW: number}}]}
    [[nodiscard]] nlohmann::ordered_json document() const;

  private:
    /// A row under a hypothesis.
    struct Cell {
        std::size_t row = 0;     ///< of the claims
        std::size_t varied = 0;  ///< of varied_
    };
    /// What became of a hypothesis.
    struct Outcome {
        std::vector<Cell> cells;
        std::map<std::string, double> values;    ///< of rows that it changes, by their names
        std::vector<std::string> without_value;  ///< of rows that its runs do not give
        std::vector<std::string> turns;          ///< rows to keep that it does not
    };
    [[nodiscard]] bool has_row(const std::string& name) const;

    HypothesesFile file_;
    std::vector<Claim> varied_;
    std::vector<Outcome> outcomes_;  ///< of file_.hypotheses
    std::vector<CheckedClaim> rows_;
};

}  // namespace weir::experiments::validation
