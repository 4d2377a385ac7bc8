#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/parameter.h"

namespace weir::experiments::pages {

/// A point as far as figures go: what sets it apart.
struct VariedPoint {
    std::string label;
    std::vector<std::pair<std::string, hw::ParameterValue>> values;  ///< the same keys of all
};

/// Points that differ in one number alone, from its least value on.
struct PointSeries {
    std::string name;  ///< "input_queue_bytes = 64"; empty where it is the only one
    std::vector<std::pair<double, std::size_t>> points;  ///< the number, and which point
};

/// Points over a number.
struct PointCurves {
    std::string key;  ///< "network.hop_cycles"
    bool is_logarithmic = false;
    std::vector<PointSeries> series;
};

/// The keys in which some points differ, and of those that always change together the first.
[[nodiscard]] std::vector<std::string> independent_keys(const std::vector<VariedPoint>& points);

/// The points over the number that has most values among them, three at least, a curve for each
/// combination of what else differs; nothing where there is no such number. `wanted` is the key to
/// take instead.
[[nodiscard]] std::optional<PointCurves> curves_of(const std::vector<VariedPoint>& points,
                                                   const std::string& wanted = {});

/// The curves in groups of `most` at most, by the values of a key in which they differ, or one
/// group.
[[nodiscard]] std::vector<PointCurves> split_curves(const std::vector<VariedPoint>& points,
                                                    const PointCurves& curves, std::size_t most);

/// Whether the values, all of one axis, are spaced by factors rather than by differences.
[[nodiscard]] bool grows_by_factors(std::vector<double> values);

}  // namespace weir::experiments::pages
