#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/records/figure_choice.h"
#include "hw/parameter.h"

namespace weir::experiments::records {

/// Which points the axes span.
enum class SweepDesign {
    kCrossed,     ///< every combination of their values
    kOneAtATime,  ///< the file's own values, and each axis's in turn while the others keep those
};

/// "crossed", "one-at-a-time"
[[nodiscard]] const char* design_name(SweepDesign design);

/// A parameter that axes set, and its column in the database: "network.hop_cycles", "hop_cycles".
struct SweptName {
    std::string key;
    std::string column;
    std::size_t axis = 1;   ///< that sets it, from 1, in the file's order
    std::string axis_name;  ///< as the file names it, or its columns: "entry_cycles, exit_cycles"

    bool operator==(const SweptName&) const = default;
};

/// What a point costs: the sum of the prices that its study gives.
inline constexpr const char* kCost = "cost";

/// A run as its database has it.
struct StoredRun {
    std::int64_t run_id = 0;
    std::uint64_t seed = 0;
    std::string status;
    int exit_status = 0;  ///< of a killed one, a fault's
    bool is_killed = false;
    std::string message;
    std::string digest;
};

struct StoredPoint {
    std::string digest;
    std::optional<std::int64_t> number;
    std::string label;
    std::string main_metric;
    std::optional<std::size_t> varied_axis;  ///< from 1; none where no axis alone is varied
    std::string configuration;               ///< JSON
    std::vector<std::string> values;         ///< as texts, of SweepResult::names
    std::vector<hw::ParameterValue> swept;   ///< the same values
    std::vector<StoredRun> runs;             ///< by seed
    /// What it costs: a number for each of SweepResult::costs; none where its configuration lacks a
    /// key that a price names.
    std::vector<double> costs;
};

/// A sweep's points with how their runs ended, and what pages show of their metrics.
struct SweepResult {
    std::string title;
    std::string description;
    std::string file;  ///< of the study, as it was named
    std::string text;  ///< that file's
    std::string weir_version;
    std::string digest;  ///< of all results
    SweepDesign design = SweepDesign::kCrossed;
    std::vector<SweptName> names;
    std::vector<StoredPoint> points;
    std::vector<FigureChoice> figures;  ///< that the study asks for; none: as the axes suggest
    /// By name, as `weir sweep show --metric` takes it, and run.
    std::map<std::string, std::map<std::int64_t, double>> metrics;
    std::map<std::string, std::vector<std::string>> models;  ///< by the metric that they predict
    std::size_t planned_runs = 0;                            ///< of the whole study; 0: not known
    /// Where a search made the runs, what it found: "the least cycles is at point 3 (...)".
    std::string searched = {};
    /// Prices: a name and what the study says, "cost.network" and "copies * flit_bytes"; "cost",
    /// the sum, comes last. Empty where points have none.
    std::vector<std::pair<std::string, std::string>> costs = {};
};

/// "queue_bytes = 64, hop_cycles = 1": the label first, if there is one. `values` are texts of
/// `names`.
[[nodiscard]] std::string point_description(const std::string& label, SweepDesign design,
                                            std::optional<std::size_t> varied_axis,
                                            const std::vector<SweptName>& names,
                                            const std::vector<std::string>& values);
[[nodiscard]] std::string description_of(const StoredPoint& point, SweepDesign design,
                                         const std::vector<SweptName>& names);

}  // namespace weir::experiments::records
