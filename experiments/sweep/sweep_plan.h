#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/config/experiment_file.h"
#include "experiments/run/setup.h"
#include "experiments/sweep/swept_axes.h"
#include "hw/parameter.h"

namespace weir::experiments::sweep {

/// A parameter that axes set, and its column in the database: "network.hop_cycles", "hop_cycles".
struct SweptName {
    std::string key;
    std::string column;
    std::size_t axis = 1;   ///< that sets it, from 1, in the file's order
    std::string axis_name;  ///< as the file names it, or its columns: "entry_cycles, exit_cycles"

    bool operator==(const SweptName&) const = default;
};

/// One configuration, to be run with each of its seeds.
struct PlannedPoint {
    std::size_t number;  ///< from 1, in the file's order
    config::SelectedRun run;
    std::string label;  ///< of its [[point]]; empty where the file has none
    config::Layer overrides;
    std::vector<hw::ParameterValue> values;  ///< of SweepPlan::names
    /// Of a sweep that varies its axes one at a time: which one this point varies, from 1; none in
    /// the point that they are varied around.
    std::optional<std::size_t> varied_axis;
    /// A hash of its configuration, seeds apart, and of what the files that it names hold.
    std::string digest;
    std::vector<std::uint64_t> seeds;
};

/// Every point of a sweep, checked.
struct SweepPlan {
    config::ExperimentFile file;
    std::filesystem::path path;
    std::string text;  ///< of the file
    SweepDesign design = SweepDesign::kCrossed;
    std::vector<SweptName> names;
    std::vector<PlannedPoint> points;

    [[nodiscard]] config::ExperimentFile file_of(const PlannedPoint& point) const {
        return file.with(point.overrides);
    }
    /// "queue_bytes = 64, hop_cycles = 1"; of one that varies an axis alone, that axis's keys.
    [[nodiscard]] std::string description_of(const PlannedPoint& point) const;
    [[nodiscard]] std::size_t runs() const;
    /// A hash of all points and seeds, in their order.
    [[nodiscard]] std::string digest() const;
};

/// Reads the file and checks every point as far as that goes without running it. [[point]]s are an
/// axis of their own, which varies slowest; [[sensitivity]] is left out. Points that rounding makes
/// the same are one. Throws config::UserFault.
[[nodiscard]] SweepPlan make_plan(const std::filesystem::path& file,
                                  const std::filesystem::path& presets,
                                  std::span<const std::string> set_options);

/// All parameters of a point as a JSON object, seeds apart.
[[nodiscard]] std::string configuration_json(run::Setup& setup);

/// As a cell of a table has it: a text without quotes.
[[nodiscard]] std::string value_text(const hw::ParameterValue& value);

/// "queue_bytes = 64, hop_cycles = 1": the label first, if there is one. `values` are texts of
/// `names`.
[[nodiscard]] std::string point_description(const std::string& label, SweepDesign design,
                                            std::optional<std::size_t> varied_axis,
                                            const std::vector<SweptName>& names,
                                            const std::vector<std::string>& values);

}  // namespace weir::experiments::sweep
