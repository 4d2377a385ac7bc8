#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/figure_choice.h"
#include "hw/parameter.h"

namespace weir::experiments::records {

/// Set of points that the axes span.
enum class SweepDesign {
    kCrossed,  ///< all combinations of the axes' values
    /// One point with the file's own values; then each axis takes its values while the other axes
    /// keep the file's.
    kOneAtATime,
};

/// Name of a design: "crossed" or "one-at-a-time".
[[nodiscard]] const char* design_name(SweepDesign design);

/// Parameter that an axis sets, and its column in the database, for example "network.hop_cycles"
/// and "hop_cycles".
struct SweptName {
    std::string key;
    std::string column;
    std::size_t axis = 1;  ///< number of the axis in the file's order, from 1
    /// Name of the axis in the file, or its columns: "entry_cycles, exit_cycles".
    std::string axis_name;

    bool operator==(const SweptName&) const = default;
};

/// Column of a point's cost: the sum of the prices in its study.
inline constexpr const char* kCost = "cost";

/// Run in the sweep's database.
struct StoredRun {
    std::int64_t run_id = 0;
    std::uint64_t seed = 0;
    std::string status;
    int exit_status = 0;  ///< exit status; of a killed run status_of_kill() of its signal
    bool is_killed = false;
    std::string message;
    std::string digest;
};

struct StoredPoint {
    std::string digest;
    std::optional<std::int64_t> number;
    std::string label;
    std::string main_metric;
    /// Number of the axis, from 1, that differs from the file's values; empty unless exactly one
    /// does.
    std::optional<std::size_t> varied_axis;
    std::string configuration;  ///< JSON
    /// Values of the parameters in SweepResult::names, as texts.
    std::vector<std::string> values;
    std::vector<hw::ParameterValue> swept;  ///< values of the parameters in SweepResult::names
    std::vector<StoredRun> runs;            ///< runs of the point, by seed
    /// Prices of the point, one for each of SweepResult::costs. The list is empty if the
    /// configuration lacks a key that a price names.
    std::vector<double> costs;
};

/// Points of a sweep, how their runs ended, and the metrics that pages show.
struct SweepResult {
    std::string title;
    std::string description;
    std::string file;  ///< file of the study, as the user named it
    std::string text;  ///< text of the study's file
    std::string weir_version;
    std::string digest;  ///< digest of all results in the database
    SweepDesign design = SweepDesign::kCrossed;
    std::vector<SweptName> names;
    std::vector<StoredPoint> points;
    /// Figures that the study requests; empty: figures follow from the axes.
    std::vector<FigureChoice> figures;
    /// Values of metrics by name (as `weir sweep show --metric` accepts it) and by number of the
    /// run.
    std::map<std::string, std::map<std::int64_t, double>> metrics;
    /// Names of the models, by the metric that they predict.
    std::map<std::string, std::vector<std::string>> models;
    std::size_t planned_runs = 0;  ///< number of runs of the whole study; 0: unknown
    /// Finding of the search that made the runs, for example "the least cycles is at point 3
    /// (...)". The text is empty for a sweep.
    std::string searched = {};
    /// Prices: name and formula of the study, for example "cost.network" and "copies * flit_bytes".
    /// The sum "cost" comes last. The list is empty if points have no cost.
    std::vector<std::pair<std::string, std::string>> costs = {};
};

/// Description of a point, for example "queue_bytes = 64, hop_cycles = 1", after its label, if it
/// has one. `values` are the values of `names`, as texts.
[[nodiscard]] std::string point_description(const std::string& label, SweepDesign design,
                                            std::optional<std::size_t> varied_axis,
                                            const std::vector<SweptName>& names,
                                            const std::vector<std::string>& values);
[[nodiscard]] std::string description_of(const StoredPoint& point, SweepDesign design,
                                         const std::vector<SweptName>& names);

}  // namespace weir::experiments::records
