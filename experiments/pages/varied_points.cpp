#include "experiments/pages/varied_points.h"

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/parameters/parameter_value.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

constexpr std::size_t kLeastValues = 3;

std::string text_of(const hw::ParameterValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? *text : setup::toml_text(value);
}

const hw::ParameterValue* value_of(const VariedPoint& point, const std::string& key) {
    const auto found = std::find_if(point.values.begin(), point.values.end(),
                                    [&key](const auto& entry) { return entry.first == key; });
    return found == point.values.end() ? nullptr : &found->second;
}

std::string text_at(const VariedPoint& point, const std::string& key) {
    const hw::ParameterValue* value = value_of(point, key);
    return value != nullptr ? text_of(*value) : "–";
}

// The values of some keys at a point, as one text.
std::string combination(const VariedPoint& point, const std::vector<std::string>& keys) {
    std::string text;
    for (const std::string& key : keys) {
        text += text_at(point, key) + "\n";
    }
    return text;
}

std::size_t distinct_values(const std::vector<VariedPoint>& points, const std::string& key) {
    std::set<std::string> values;
    for (const VariedPoint& point : points) {
        values.insert(text_at(point, key));
    }
    return values.size();
}

// Whether a point's values of these keys say what it has of another.
bool determine(const std::vector<VariedPoint>& points, const std::vector<std::string>& keys,
               const std::string& other) {
    std::map<std::string, std::string> by_combination;
    return std::all_of(points.begin(), points.end(), [&](const VariedPoint& point) {
        const std::string value = text_at(point, other);
        return by_combination.emplace(combination(point, keys), value).first->second == value;
    });
}

std::vector<std::string> differing_keys(const std::vector<VariedPoint>& points) {
    std::vector<std::string> keys;
    for (const VariedPoint& point : points) {
        for (const auto& [key, ignored] : point.values) {
            if (std::find(keys.begin(), keys.end(), key) == keys.end() &&
                distinct_values(points, key) > 1) {
                keys.push_back(key);
            }
        }
    }
    return keys;
}

bool is_number_of_all(const std::vector<VariedPoint>& points, const std::string& key) {
    return std::all_of(points.begin(), points.end(), [&key](const VariedPoint& point) {
        const hw::ParameterValue* value = value_of(point, key);
        return value != nullptr && setup::number_of(*value);
    });
}

std::string number_with_most_values(const std::vector<VariedPoint>& points,
                                    const std::vector<std::string>& keys) {
    std::string best;
    std::size_t most = kLeastValues - 1;
    for (const std::string& key : keys) {
        const std::size_t values = distinct_values(points, key);
        if (values > most && is_number_of_all(points, key)) {
            best = key;
            most = values;
        }
    }
    return best;
}

std::string series_name(const VariedPoint& point, const std::vector<std::string>& keys) {
    std::string name;
    for (const std::string& key : keys) {
        name += (name.empty() ? "" : ", ") +
                (key == "label" ? "" : setup::spaced_name(setup::short_key(key)) + " = ") +
                text_at(point, key);
    }
    return name;
}

}  // namespace

bool grows_by_factors(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.size() < kLeastValues || values.front() <= 0.0) {
        return false;
    }
    double least = values[1] - values[0];
    double most = least;
    for (std::size_t i = 1; i < values.size(); ++i) {
        least = std::min(least, values[i] - values[i - 1]);
        most = std::max(most, values[i] - values[i - 1]);
    }
    // 1, 2, 4, 8 are, 100, 200, 400 are not yet.
    constexpr double kUnevenGaps = 3.9;
    return most > kUnevenGaps * least;
}

std::vector<std::string> independent_keys(const std::vector<VariedPoint>& points) {
    std::vector<std::string> kept;
    for (const std::string& key : differing_keys(points)) {
        if (!determine(points, kept, key)) {
            kept.push_back(key);
        }
    }
    // A later key can say what an earlier one does and more.
    for (std::size_t i = 0; i < kept.size();) {
        std::vector<std::string> others = kept;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        const bool is_implied = others.size() > 0 && determine(points, others, kept[i]);
        if (is_implied) {
            kept = others;
        } else {
            ++i;
        }
    }
    return kept;
}

std::optional<PointCurves> curves_of(const std::vector<VariedPoint>& points,
                                     const std::string& wanted) {
    const std::vector<std::string> keys = differing_keys(points);
    PointCurves curves;
    curves.key = wanted.empty() ? number_with_most_values(points, keys) : wanted;
    if (curves.key.empty() || !is_number_of_all(points, curves.key)) {
        return std::nullopt;
    }
    std::vector<std::string> others;
    for (const std::string& key : keys) {
        std::vector<std::string> known = others;
        known.push_back(curves.key);
        if (key != curves.key && !determine(points, known, key)) {
            others.push_back(key);
        }
    }
    std::map<std::string, std::size_t> by_combination;
    std::vector<double> values;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto [found, is_new] =
            by_combination.emplace(combination(points[i], others), curves.series.size());
        if (is_new) {
            curves.series.push_back({series_name(points[i], others), {}});
        }
        const double x = *setup::number_of(*value_of(points[i], curves.key));
        curves.series[found->second].points.emplace_back(x, i);
        values.push_back(x);
    }
    curves.is_logarithmic = grows_by_factors(std::move(values));
    for (PointSeries& series : curves.series) {
        std::stable_sort(series.points.begin(), series.points.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
    }
    return curves;
}

std::vector<PointCurves> split_curves(const std::vector<VariedPoint>& points,
                                      const PointCurves& curves, std::size_t most) {
    if (curves.series.size() <= most) {
        return {curves};
    }
    // The key with fewest values that leaves few enough curves in each group.
    std::vector<VariedPoint> firsts;
    for (const PointSeries& series : curves.series) {
        firsts.push_back(points[series.points.front().second]);
    }
    std::string best;
    std::size_t fewest = curves.series.size();
    for (const std::string& key : independent_keys(firsts)) {
        std::map<std::string, std::size_t> sizes;
        std::size_t largest = 0;
        for (const VariedPoint& point : firsts) {
            largest = std::max(largest, ++sizes[text_at(point, key)]);
        }
        if (key != curves.key && largest <= most && sizes.size() < fewest) {
            best = key;
            fewest = sizes.size();
        }
    }
    std::vector<PointCurves> groups;
    std::map<std::string, std::size_t> group_of;
    for (std::size_t i = 0; i < curves.series.size(); ++i) {
        const std::string group =
            best.empty() ? std::to_string(i / most) : text_at(firsts[i], best);
        const auto [found, is_new] = group_of.emplace(group, groups.size());
        if (is_new) {
            groups.push_back({curves.key, curves.is_logarithmic, {}});
        }
        groups[found->second].series.push_back(curves.series[i]);
    }
    return groups;
}

}  // namespace weir::experiments::pages
