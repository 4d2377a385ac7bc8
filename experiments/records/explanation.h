#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/records/result.h"

namespace weir::experiments::records {

/// Part of a prediction's error that one assumption of the model causes.
struct ExplainedPart {
    std::string assumption;      ///< name of the assumption, for example "network_contention"
    std::string label;           ///< the same for readers, for example "contention in the network"
    std::string counterfactual;  ///< model or machine with which the part was computed
    /// Cycles by which the assumption raises the prediction above the measured time.
    double cycles = 0.0;
    bool is_named = false;  ///< the part is large enough to call the assumption broken
};

/// Error of one prediction, split by the assumptions of the model. The parts and
/// unexplained_cycles sum to predicted_cycles - measured_cycles.
struct Explanation {
    std::string model;
    std::string metric;
    double predicted_cycles = 0.0;
    double measured_cycles = 0.0;
    std::vector<ExplainedPart> parts;
    double unexplained_cycles = 0.0;
    /// Number of idealised machines that were run.
    std::int64_t idealised_machines = 0;
    std::string not_split;  ///< reason why the error is not split; empty if it is

    [[nodiscard]] double error_cycles() const { return predicted_cycles - measured_cycles; }
};

/// Least part, in cycles, that one decimal shows.
inline constexpr double kShownCycles = 0.05;
/// Parts of at least kShownCycles.
[[nodiscard]] std::vector<ExplainedPart> shown_parts(const Explanation& explanation);
/// Sentence with the error of a prediction and its parts: "lopc is 46.6 cycles (10.6 %) above the
/// machine, of which ...".
[[nodiscard]] std::string explanation_sentence(const Explanation& explanation);

/// Explanations as JSON, by the names of their members. Results have them as a point's particular.
[[nodiscard]] nlohmann::ordered_json explanations_to_json(
    const std::vector<Explanation>& explanations);
/// Adds explanations to a point's particulars; no entry without explanations.
void add_explanations(const std::vector<Explanation>& explanations, PointResult& point);
/// Explanations of a point's result. Throws nlohmann::json::exception for an invalid entry.
[[nodiscard]] std::vector<Explanation> explanations_of(const PointResult& point);

/// Explanations of one point of a run.
struct ExplainedPoint {
    std::string label;
    std::vector<Explanation> explanations;
};

/// Explanations of a run, and the idealised machines behind them.
struct ExplainedRun {
    std::string title;
    std::string file;    ///< experiment of the run, as the user named it
    std::string folder;  ///< folder of the idealised machines, in that of the run
    std::vector<ExplainedPoint> points;
    std::int64_t machines_run = 0;   ///< idealised machines that were run for this explanation
    std::int64_t machines_kept = 0;  ///< idealised machines of earlier explanations
};

}  // namespace weir::experiments::records
