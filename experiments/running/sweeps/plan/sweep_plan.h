#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/kinds/setup.h"
#include "experiments/running/sweeps/plan/point_cost.h"
#include "experiments/running/sweeps/plan/search_goal.h"
#include "experiments/running/sweeps/plan/swept_axes.h"
#include "experiments/setup/files/experiment_file.h"
#include "hw/parameter.h"

namespace weir::experiments::running {

using records::SweptName;

/// One configuration, to be run with each of its seeds.
struct PlannedPoint {
    std::size_t number;  ///< from 1, in the file's order
    setup::SelectedRun run;
    std::string label;  ///< of its [[point]]; empty where the file has none
    setup::Layer overrides;
    std::vector<hw::ParameterValue> values;  ///< of SweepPlan::names
    /// Of a sweep that varies its axes one at a time: which one this point varies, from 1; none in
    /// the point that they are varied around.
    std::optional<std::size_t> varied_axis;
    /// A hash of its configuration, seeds apart, and of what the files that it names hold.
    std::string digest;
    std::vector<std::uint64_t> seeds;
    std::optional<double> cost = {};  ///< the sum of SweepPlan::prices
    bool meets_constraints = true;    ///< of SweepPlan::search
};

/// Every point of a sweep, checked.
struct SweepPlan {
    setup::ExperimentFile file;
    std::filesystem::path path;
    std::string text;  ///< of the file
    SweepDesign design = SweepDesign::kCrossed;
    std::vector<SweptName> names;
    std::vector<PlannedPoint> points;
    std::vector<FigureChoice> figures;  ///< that reports of it show; none: as the axes suggest
    std::vector<Price> prices;          ///< what a point costs; none: nothing is said of it
    std::optional<SearchGoal> search;   ///< what weir search looks for

    [[nodiscard]] setup::ExperimentFile file_of(const PlannedPoint& point) const {
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
/// the same are one. Prices and constraints are computed for each. Throws setup::UserFault.
[[nodiscard]] SweepPlan make_plan(const std::filesystem::path& file,
                                  const std::filesystem::path& presets,
                                  std::span<const std::string> set_options);

/// The same of a file that has been read from `path`.
[[nodiscard]] SweepPlan make_plan(setup::ExperimentFile file, const std::filesystem::path& path,
                                  std::span<const std::string> set_options);

/// All parameters of a point as a JSON object, seeds apart.
[[nodiscard]] std::string configuration_json(kinds::Setup& setup);

}  // namespace weir::experiments::running
