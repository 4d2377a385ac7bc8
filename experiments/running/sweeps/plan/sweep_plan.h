#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/kinds/kind.h"
#include "experiments/running/prices/machine_price.h"
#include "experiments/running/sweeps/plan/point_cost.h"
#include "experiments/running/sweeps/plan/search_goal.h"
#include "experiments/running/sweeps/plan/swept_axes.h"
#include "experiments/setup/files/experiment_file.h"
#include "hw/parameter.h"

namespace weir::experiments::kinds {
struct Setup;
}

namespace weir::experiments::running {

using records::SweptName;

/// Configuration to be run with each of its seeds.
struct PlannedPoint {
    std::size_t number;  ///< number of the point, from 1, in the file's order
    setup::SelectedRun run;
    std::string label;  ///< label of its [[point]]; empty without [[point]]s
    setup::Layer overrides;
    std::vector<hw::ParameterValue> values;  ///< values of SweepPlan::names
    /// In a sweep that varies one axis at a time: the axis that this point varies, from 1. The
    /// common point of all axes has none.
    std::optional<std::size_t> varied_axis;
    /// Hash of its configuration without seeds, and of the contents of the files that it names.
    std::string digest;
    std::vector<std::uint64_t> seeds;
    std::optional<double> cost = {};  ///< sum of SweepPlan::prices
    bool meets_constraints = true;    ///< true if it meets the constraints of SweepPlan::search
    /// Prices in gates that the point's cost uses: "price.router" and its NAND2 equivalents.
    std::vector<std::pair<std::string, hw::ParameterValue>> gate_prices = {};
};

/// Checked points of a sweep.
struct SweepPlan {
    setup::ExperimentFile file;
    std::filesystem::path path;
    std::string text;  ///< text of the file
    SweepDesign design = SweepDesign::kCrossed;
    std::vector<SweptName> names;
    std::vector<PlannedPoint> points;
    std::vector<FigureChoice> figures;  ///< figures of reports; empty: figures follow from the axes
    std::vector<Price> prices;          ///< prices of a point; empty: points have no cost
    std::optional<SearchGoal> search;   ///< goal of weir search
    std::vector<kinds::Want> wants;     ///< accesses of its runs that are not permitted

    [[nodiscard]] setup::ExperimentFile file_of(const PlannedPoint& point) const {
        return file.with(point.overrides);
    }
    /// Text of a point's values, for example "queue_bytes = 64, hop_cycles = 1". For a point that
    /// varies one axis, only that axis's keys.
    [[nodiscard]] std::string description_of(const PlannedPoint& point) const;
    [[nodiscard]] std::size_t runs() const;
    /// Hash of all points and seeds, in their order.
    [[nodiscard]] std::string digest() const;
};

/// Reads the file and checks every point without running it. [[point]]s form an axis, which varies
/// slowest; [[sensitivity]] is ignored. Points that are equal after rounding become one. Computes
/// prices and constraints of each point. Throws setup::UserFault for the first fault of the file or
/// of a point.
[[nodiscard]] SweepPlan make_plan(const std::filesystem::path& file,
                                  const std::filesystem::path& presets,
                                  std::span<const std::string> set_options,
                                  const setup::Permissions& permissions = {},
                                  GatePrices prices = GatePrices::kSynthesized);

/// Plan of a file that has been read from `path`.
[[nodiscard]] SweepPlan make_plan(setup::ExperimentFile file, const std::filesystem::path& path,
                                  std::span<const std::string> set_options,
                                  GatePrices prices = GatePrices::kSynthesized);

/// Plan of a file that has been read from `path`, with these axes in place of its own.
[[nodiscard]] SweepPlan make_plan(setup::ExperimentFile file, const std::filesystem::path& path,
                                  std::span<const std::string> set_options, const SweptAxes& axes,
                                  GatePrices prices = GatePrices::kSynthesized);

/// All parameters of a point without seeds, as a JSON object.
[[nodiscard]] std::string configuration_json(kinds::Setup& setup);

}  // namespace weir::experiments::running
