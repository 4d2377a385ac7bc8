#include "experiments/pages/varied_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
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

// Values of some keys at a point, as one text.
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

// True if the values of `keys` determine the value of the other key at all points.
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
    // Least ratio of the largest to the smallest gap of values spaced by factors: 1, 2, 4, 8 reach
    // it, 100, 200, 400 do not.
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
    // A later key may determine an earlier one and vary more.
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

namespace {

bool is_label(const std::string& key) { return key == "label" || key == "kernel"; }

// Variance between the means of a key's values.
double effect_of(const std::vector<VariedPoint>& points,
                 const std::vector<std::optional<double>>& values, const std::string& key) {
    std::map<std::string, std::pair<double, double>> groups;  // sum and number of values
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (values[i]) {
            auto& [of_value, number] = groups[text_at(points[i], key)];
            of_value += *values[i];
            number += 1.0;
            sum += *values[i];
            count += 1.0;
        }
    }
    double effect = 0.0;
    for (const auto& [text, group] : groups) {
        const double difference = group.first / group.second - sum / count;
        effect += group.second * difference * difference;
    }
    return effect;
}

std::vector<std::optional<double>> comparable(std::vector<std::optional<double>> values) {
    constexpr double kManyTimes = 4.0;
    double least = std::numeric_limits<double>::infinity();
    double most = 0.0;
    for (const std::optional<double>& value : values) {
        least = std::min(least, value.value_or(least));
        most = std::max(most, value.value_or(most));
    }
    if (least > 0.0 && most > kManyTimes * least) {
        for (std::optional<double>& value : values) {
            value = value ? std::optional(std::log(*value)) : std::nullopt;
        }
    }
    return values;
}

template <class Accepts>
std::string strongest(const std::vector<VariedPoint>& points,
                      const std::vector<std::optional<double>>& values, const Accepts& accepts) {
    const std::vector<std::optional<double>> compared = comparable(values);
    std::string best;
    double most = 0.0;
    for (const std::string& key : independent_keys(points)) {
        const double effect = effect_of(points, compared, key);
        if (accepts(key) && effect > most) {
            best = key;
            most = effect;
        }
    }
    return best;
}

// Keys that tell the curves apart, with `key` on the axis.
std::vector<std::string> series_keys(const std::vector<VariedPoint>& points,
                                     const std::string& key) {
    std::vector<std::string> others;
    for (const std::string& other : differing_keys(points)) {
        std::vector<std::string> known = others;
        known.push_back(key);
        if (other != key && !determine(points, known, other)) {
            others.push_back(other);
        }
    }
    return others;
}

template <class Place>
std::vector<PointSeries> series_of(const std::vector<VariedPoint>& points, const std::string& key,
                                   const Place& place) {
    const std::vector<std::string> others = series_keys(points, key);
    std::vector<PointSeries> all;
    std::map<std::string, std::size_t> by_combination;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto [found, is_new] =
            by_combination.emplace(combination(points[i], others), all.size());
        if (is_new) {
            all.push_back({series_name(points[i], others), {}});
        }
        all[found->second].points.emplace_back(place(points[i]), i);
    }
    for (PointSeries& series : all) {
        std::stable_sort(series.points.begin(), series.points.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
    }
    return all;
}

}  // namespace

std::string strongest_key(const std::vector<VariedPoint>& points,
                          const std::vector<std::optional<double>>& values) {
    const std::string best =
        strongest(points, values, [](const std::string& key) { return !is_label(key); });
    return best.empty() ? strongest(points, values, [](const std::string&) { return true; }) : best;
}

std::string strongest_number(const std::vector<VariedPoint>& points,
                             const std::vector<std::optional<double>>& values) {
    return strongest(points, values, [&points](const std::string& key) {
        return is_number_of_all(points, key) && distinct_values(points, key) >= kLeastValues;
    });
}

CategoryCurves category_curves_of(const std::vector<VariedPoint>& points, const std::string& key) {
    CategoryCurves found;
    found.curves.key = key;
    found.curves.series = series_of(points, key, [&](const VariedPoint& point) {
        const std::string text = text_at(point, key);
        const auto at = std::find(found.categories.begin(), found.categories.end(), text);
        const auto place = static_cast<double>(at - found.categories.begin());
        if (at == found.categories.end()) {
            found.categories.push_back(text);
        }
        return place;
    });
    return found;
}

std::optional<PointCurves> curves_of(const std::vector<VariedPoint>& points,
                                     const std::string& wanted) {
    PointCurves curves;
    curves.key = wanted.empty() ? number_with_most_values(points, differing_keys(points)) : wanted;
    if (curves.key.empty() || !is_number_of_all(points, curves.key)) {
        return std::nullopt;
    }
    std::vector<double> values;
    curves.series = series_of(points, curves.key, [&](const VariedPoint& point) {
        values.push_back(*setup::number_of(*value_of(point, curves.key)));
        return values.back();
    });
    curves.is_logarithmic = grows_by_factors(std::move(values));
    return curves;
}

std::vector<PointCurves> split_curves(const std::vector<VariedPoint>& points,
                                      const PointCurves& curves, std::size_t most) {
    if (curves.series.size() <= most) {
        return {curves};
    }
    // The key with fewest values that leaves at most `most` curves in each group.
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
