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

/// The key whose values make the metric differ most: the greatest variance between the means of its
/// values, of logarithms where the greatest value is over four times the least. Keys that always
/// change together count once, and labels only where nothing else differs. `values` are those of
/// the points, in their order. Empty where no value differs.
[[nodiscard]] std::string strongest_key(const std::vector<VariedPoint>& points,
                                        const std::vector<std::optional<double>>& values);

/// The number among the keys that is to stand on an axis: the strongest one that has three values
/// at least. Empty where there is none.
[[nodiscard]] std::string strongest_number(const std::vector<VariedPoint>& points,
                                           const std::vector<std::optional<double>>& values);

/// The points over the values of any key, in the order of their first points: places 0, 1, 2, …
/// with their texts.
struct CategoryCurves {
    std::vector<std::string> categories;
    PointCurves curves;
};
[[nodiscard]] CategoryCurves category_curves_of(const std::vector<VariedPoint>& points,
                                                const std::string& key);

/// The curves in groups of `most` at most, by the values of a key in which they differ, or one
/// group.
[[nodiscard]] std::vector<PointCurves> split_curves(const std::vector<VariedPoint>& points,
                                                    const PointCurves& curves, std::size_t most);

/// Whether the values, all of one axis, are spaced by factors rather than by differences.
[[nodiscard]] bool grows_by_factors(std::vector<double> values);

}  // namespace weir::experiments::pages
