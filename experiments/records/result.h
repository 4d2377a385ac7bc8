#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/measured.h"
#include "experiments/records/prediction.h"
#include "experiments/records/simulation_result.h"
#include "experiments/setup/files/experiment_content.h"
#include "hw/parameter.h"

namespace weir::experiments::records {

/// A mean over seeds with the half width of its 95 % confidence interval (Student's t); with a
/// single seed only where that run itself says how sure it is (SteadyInterval).
struct Estimate {
    std::string name;
    double mean = 0.0;
    std::optional<double> half_width;
};

/// What is proved of a network of routers, for end points that take in what arrives.
struct RoutingFacts {
    std::string topology;
    int virtual_channels = 1;
    bool deadlock_free = true;
    std::int64_t dependencies = 0;  ///< of channels; of adaptive routing those that order escapes
    /// Handlers that send, which the proof does not cover; none where the overflow trap drains what
    /// arrives.
    std::vector<std::string> sending_handlers;
    bool is_plain_mesh = true;  ///< like Alewife's: nothing to say of it on a page
};

/// Seeds of a kernel that solves a problem of one size, run until they are precise.
struct Replications {
    std::string metric;
    double relative_precision = 0.0;
    bool is_precise = false;  ///< or run.most_seeds were not enough
};

/// One point of an experiment, or a variant of one: all its seeds together.
struct PointResult {
    std::string label;
    std::string against;  ///< the label of the point it is measured against, or empty
    std::vector<std::pair<std::string, hw::ParameterValue>> configuration;
    std::vector<std::uint64_t> seeds;
    std::vector<std::int64_t> cycles;  ///< by seed
    double wall_seconds = 0.0;         ///< of all seeds together
    std::int64_t messages = 0;         ///< the same, sent
    double processor_seconds = 0.0;    ///< the same, of the host's processors
    double machine_seconds = 0.0;      ///< of these, for the machines' cycles and their traces
    std::vector<Estimate> measured;
    std::vector<SteadyInterval> intervals;  ///< by seed, where runs were to say how sure they are
    std::optional<Replications> replications;  ///< where there were to be enough seeds
    Metrics round_trip;                        ///< mean over seeds
    std::string network_model;                 ///< network.model
    std::optional<RoutingFacts> routing;       ///< where it has routers
    std::vector<Prediction> predictions;
    /// How far models are off, in per cent of the measured, run by run.
    std::vector<Estimate> compared;
    std::vector<setup::Published> published;
    /// What only its kind or its program leaves: of the first seed, or of all together.
    Particulars particulars = Particulars::object();
};

/// A run that gives no result: how it ended, and why.
struct RunEnding {
    std::string point;  ///< label of its point or variant
    std::uint64_t seed = 0;
    std::string how;            ///< "deadlock", "wrong answer", "killed by signal 9 (Killed)"
    int exit_status = 0;        ///< of a `weir run` of this run alone
    std::int64_t cycles = 0;    ///< simulated until then; 0 where nothing says how many
    std::int64_t messages = 0;  ///< the same, sent
    std::string explanation;    ///< the message to the user, in full
    std::string folder;         ///< of the run, inside its experiment's
    /// Measured until then, or of a run with a wrong answer: no result.
    Metrics partial = {};
    std::vector<std::pair<std::string, hw::ParameterValue>> configuration = {};
};

/// How the run in that folder, named so, ended badly; an ending without a name where it did well.
[[nodiscard]] RunEnding ending_of(const SimulationResult& run, const std::string& folder);

struct SensitivityResult {
    std::string what;
    std::vector<PointResult> variants;  ///< none where they were not asked for
};

struct ExperimentResult {
    std::string file;
    std::string title;
    std::string description;
    std::string kernel;
    /// What its page leads with, which was measured; empty where it is about no single number.
    std::string leading_metric;
    std::int64_t warmup_cycles = 0;
    double wall_seconds = 0.0;
    std::string folder;
    std::size_t runs_left = 0;       ///< that had not ended when a signal ended all
    std::vector<RunEnding> endings;  ///< of runs that give no result, in the order of the file
    std::vector<PointResult> points;
    std::vector<SensitivityResult> sensitivity;
    /// What only its kind says of all points together.
    Particulars particulars = Particulars::object();
};

/// Experiments that one file puts together.
struct StudyResult {
    std::string file;
    std::string title;
    std::string description;
    std::string folder;
    double wall_seconds = 0.0;
    std::vector<ExperimentResult> parts;
};

/// What can be set beside a published value: a measured mean, or how far a model is off.
[[nodiscard]] std::optional<Estimate> find_comparable(const PointResult& point,
                                                      std::string_view name);
[[nodiscard]] const Estimate* find_estimate(const PointResult& point, std::string_view name);

/// All means of what was measured.
[[nodiscard]] Metrics means(const PointResult& point);
/// An entry of a point's particulars; an empty list where it has none.
[[nodiscard]] const Particulars& particular(const PointResult& point, const std::string& name);

/// The object that `weir run --json` prints; `weir list --schema` describes it.
nlohmann::ordered_json to_json(const ExperimentResult& result);
nlohmann::ordered_json to_json(const StudyResult& result);

/// The result that to_json() made this object of, as far as that holds it.
[[nodiscard]] ExperimentResult experiment_result_from(const nlohmann::ordered_json& json);
[[nodiscard]] StudyResult study_result_from(const nlohmann::ordered_json& json);

/// Adds to a schema's definitions the entries that results are written and read by.
void add_result_entries(nlohmann::ordered_json& definitions);

/// Names and values, as results hold them.
[[nodiscard]] nlohmann::ordered_json metrics_to_json(const Metrics& metrics);
[[nodiscard]] Metrics metrics_from(const nlohmann::ordered_json& json);

}  // namespace weir::experiments::records
