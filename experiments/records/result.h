#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/measured.h"
#include "experiments/records/prediction.h"
#include "experiments/records/simulation_result.h"
#include "experiments/setup/files/experiment_content.h"
#include "hw/parameter.h"

namespace weir::experiments::records {

/// Mean over seeds with the half width of its 95 % confidence interval (Student's t). With a single
/// seed the half width is that of the run itself (SteadyInterval), if it has one.
struct Estimate {
    std::string name;
    double mean = 0.0;
    std::optional<double> half_width;
};

/// Proven properties of a network of routers, for nodes that accept every arriving message.
struct RoutingFacts {
    std::string topology;
    int virtual_channels = 1;
    bool deadlock_free = true;
    /// Number of edges in the channel-dependency graph; for adaptive routing only those between
    /// escape channels.
    std::int64_t dependencies = 0;
    /// Sending handlers, which the proof does not cover. The list is empty if the overflow trap
    /// drains arriving messages.
    std::vector<std::string> sending_handlers;
    bool is_plain_mesh = true;  ///< a plain mesh as Alewife's, which pages do not describe
};

/// Precision by replications (more seeds), for kernels that solve a problem of fixed size.
struct Replications {
    std::string metric;
    double relative_precision = 0.0;
    bool is_precise = false;  ///< false: run.most_seeds seeds did not give the requested precision
};

/// One point of an experiment, or a variant of a point, with all its seeds.
struct PointResult {
    std::string label;
    std::string against;  ///< label of the point that this one is compared with, or empty
    std::vector<std::pair<std::string, hw::ParameterValue>> configuration;
    std::vector<std::uint64_t> seeds;
    std::vector<std::int64_t> cycles;  ///< simulated cycles, by seed
    double wall_seconds = 0.0;         ///< wall time on the host, sum over all seeds
    std::int64_t messages = 0;         ///< messages sent, sum over all seeds
    double processor_seconds = 0.0;    ///< processor seconds of the host, sum over all seeds
    /// Part of processor_seconds, for simulating the machines and writing their traces.
    double machine_seconds = 0.0;
    std::vector<Estimate> measured;
    /// Precision of each run, by seed; empty unless requested.
    std::vector<SteadyInterval> intervals;
    /// Present if precision by replications was requested.
    std::optional<Replications> replications;
    /// Mean cycles of a round trip's parts, over all seeds.
    Metrics round_trip;
    std::string network_model;            ///< network.model
    std::optional<RoutingFacts> routing;  ///< present if the network consists of routers
    std::vector<Prediction> predictions;
    /// Deviation of each model from the measured value in per cent, run by run.
    std::vector<Estimate> compared;
    std::vector<setup::Published> published;
    /// Entries that only this kind of experiment or program has, from the first seed or from all
    /// seeds.
    HeldJson particulars;
};

/// Run without a result: how it ended, and why.
struct RunEnding {
    std::string point;  ///< label of its point or variant
    std::uint64_t seed = 0;
    /// Name of the ending, for example "deadlock", "wrong answer" or "killed by signal 9 (Killed)".
    std::string how;
    int exit_status = 0;        ///< exit status of a `weir run` of this run alone
    std::int64_t cycles = 0;    ///< simulated cycles; 0 if unknown
    std::int64_t messages = 0;  ///< messages sent; 0 if unknown
    std::string explanation;    ///< full message to the user
    std::string folder;         ///< folder of the run, relative to its experiment's
    /// Metrics until the end, or of a run with a wrong answer. These metrics are not a result.
    Metrics partial = {};
    std::vector<std::pair<std::string, hw::ParameterValue>> configuration = {};
};

/// Ending of the run in `folder`; its text is empty if the run ended well.
[[nodiscard]] RunEnding ending_of(const SimulationResult& run, const std::string& folder);

struct SensitivityResult {
    std::string what;
    /// Points with a varied parameter; empty if no sensitivity was requested.
    std::vector<PointResult> variants;
};

struct ExperimentResult {
    std::string file;
    std::string title;
    std::string description;
    std::string kernel;
    /// Measured metric that the page leads with; empty if the experiment has no single main metric.
    std::string leading_metric;
    std::int64_t warmup_cycles = 0;
    double wall_seconds = 0.0;
    std::string folder;
    /// Runs that had not ended when a signal interrupted the experiment.
    std::size_t runs_left = 0;
    std::vector<RunEnding> endings;  ///< runs without a result, in the order of the file
    std::vector<PointResult> points;
    std::vector<SensitivityResult> sensitivity;
    /// Entries of the kind of experiment, for all points together.
    HeldJson particulars;
};

/// Results of several experiments that a study file lists.
struct StudyResult {
    std::string file;
    std::string title;
    std::string description;
    std::string folder;
    double wall_seconds = 0.0;
    std::vector<ExperimentResult> parts;
};

/// Value to compare with a published value: a measured mean, or a model's deviation.
[[nodiscard]] std::optional<Estimate> find_comparable(const PointResult& point,
                                                      std::string_view name);
[[nodiscard]] const Estimate* find_estimate(const PointResult& point, std::string_view name);

/// Means of all measured metrics.
[[nodiscard]] Metrics means(const PointResult& point);
/// Entry of a point's particulars; an empty list if the point lacks this entry.
[[nodiscard]] const Particulars& particular(const PointResult& point, const std::string& name);

/// Object that `weir run --json` prints; `weir list --schema` describes it.
nlohmann::ordered_json to_json(const ExperimentResult& result);
nlohmann::ordered_json to_json(const StudyResult& result);

/// Text of the JSON of a result's file, with a line end.
[[nodiscard]] std::string json_text_of(const ExperimentResult& result);
[[nodiscard]] std::string json_text_of(const StudyResult& result);

/// Result from a JSON object of to_json(), without facts that the JSON leaves out.
[[nodiscard]] ExperimentResult experiment_result_from(const nlohmann::ordered_json& json);
[[nodiscard]] StudyResult study_result_from(const nlohmann::ordered_json& json);

/// Adds the declared entries of results to a schema's definitions.
void add_result_entries(nlohmann::ordered_json& definitions);

/// Metrics as a JSON object of names and values, as results have it.
[[nodiscard]] nlohmann::ordered_json metrics_to_json(const Metrics& metrics);
[[nodiscard]] Metrics metrics_from(const nlohmann::ordered_json& json);

}  // namespace weir::experiments::records
