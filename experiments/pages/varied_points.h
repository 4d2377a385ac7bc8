#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/parameter.h"

namespace weir::experiments::pages {

/// Point of a figure: its label and the values that tell it apart.
struct VariedPoint {
    std::string label;
    /// Keys and values; the same keys at all points.
    std::vector<std::pair<std::string, hw::ParameterValue>> values;
};

/// Points that differ in one number alone, in ascending order of that number.
struct PointSeries {
    std::string name;  ///< "input_queue_bytes = 64"; empty if there is only one series
    /// Value of the number, and index of the point.
    std::vector<std::pair<double, std::size_t>> points;
};

/// Points over a number, as curves.
struct PointCurves {
    std::string key;  ///< "network.hop_cycles"
    bool is_logarithmic = false;
    std::vector<PointSeries> series;
};

/// Keys in which points differ. Keys that always change together are represented by the first of
/// them.
[[nodiscard]] std::vector<std::string> independent_keys(const std::vector<VariedPoint>& points);

/// Curves over the number with the most values, with a curve for each combination of the other
/// keys. Returns no curves without a number of at least three values. The argument wanted selects
/// another key for the horizontal axis.
[[nodiscard]] std::optional<PointCurves> curves_of(const std::vector<VariedPoint>& points,
                                                   const std::string& wanted = {});

/// Key whose values make the metric differ most; empty if no key varies. The measure of a key is
/// the variance between the means of its values. Logarithms are used if the greatest value is over
/// four times the least. Keys that always change together count once, and labels only if nothing
/// else differs. The metric's values are in the order of the points.
[[nodiscard]] std::string strongest_key(const std::vector<VariedPoint>& points,
                                        const std::vector<std::optional<double>>& values);

/// Strongest numeric key with at least three values, for a horizontal axis; empty without such a
/// key.
[[nodiscard]] std::string strongest_number(const std::vector<VariedPoint>& points,
                                           const std::vector<std::optional<double>>& values);

/// Points over the values of any key, in the order of their first points: positions 0, 1, 2, … with
/// their texts.
struct CategoryCurves {
    std::vector<std::string> categories;
    PointCurves curves;
};
[[nodiscard]] CategoryCurves category_curves_of(const std::vector<VariedPoint>& points,
                                                const std::string& key);

/// The curves in groups of at most `most`, by the values of a key in which they differ; else one
/// group.
[[nodiscard]] std::vector<PointCurves> split_curves(const std::vector<VariedPoint>& points,
                                                    const PointCurves& curves, std::size_t most);

/// True if the values of an axis are spaced by factors rather than by differences.
[[nodiscard]] bool grows_by_factors(std::vector<double> values);

}  // namespace weir::experiments::pages
