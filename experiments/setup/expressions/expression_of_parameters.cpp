#include "experiments/setup/expressions/expression_of_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "experiments/setup/parameters/parameter_value.h"
#include "experiments/setup/text/shown_text.h"
#include "hw/refusal.h"

namespace weir::experiments::setup {

namespace {

// A parameter's value as a number; a truth value is 1 or 0.
std::optional<double> as_number(const hw::ParameterValue& value) {
    if (const auto* truth = std::get_if<bool>(&value)) {
        return *truth ? 1.0 : 0.0;
    }
    return number_of(value);
}

UserFault unknown_key(const std::string& name, const NamedValues& values, const Place& place) {
    std::vector<std::string> known;
    for (const auto& [key, value] : values.values) {
        known.push_back(name.find('.') == std::string::npos ? short_key(key) : key);
    }
    return {place, fmt::format("no key \"{}\" has an effect here", hw::shortened(name)),
            "a key that `weir params` lists, table.key or the key alone",
            nearest_name(name, known)};
}

// The key with exactly this name, else all keys whose last part is the name. If a sweep's axes set
// some of these keys, only the keys that they set.
std::vector<std::string> keys_named(const std::string& name, const NamedValues& values) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : values.values) {
        if (key == name) {
            return {key};
        }
        if (short_key(key) == name) {
            keys.push_back(key);
        }
    }
    std::vector<std::string> swept;
    std::copy_if(
        keys.begin(), keys.end(), std::back_inserter(swept), [&values](const std::string& key) {
            return std::find(values.swept.begin(), values.swept.end(), key) != values.swept.end();
        });
    return swept.empty() ? keys : swept;
}

}  // namespace

double number_named(const std::string& name, const NamedValues& values, const Place& place) {
    const std::vector<std::string> keys = keys_named(name, values);
    if (keys.empty()) {
        throw unknown_key(name, values, place);
    }
    if (keys.size() > 1) {
        throw UserFault(place, fmt::format("several keys are called \"{}\"", name),
                        quoted_list(keys));
    }
    const auto found =
        std::find_if(values.values.begin(), values.values.end(),
                     [&keys](const auto& each) { return each.first == keys.front(); });
    if (const std::optional<double> number = as_number(found->second)) {
        return *number;
    }
    throw UserFault(place,
                    fmt::format("{} is {}, which is not a number", keys.front(),
                                hw::shortened(value_text(found->second))),
                    "a key whose value is a number");
}

// The fault's place is the whole expression, so the suggestion is the whole text with the nearest
// name in place of the unknown one.
double value_of(const Expression& expression, const NamedValues& values) {
    return expression.value([&](const std::string& name) {
        try {
            return number_named(name, values, expression.place());
        } catch (const UserFault& fault) {
            hw::Fault told = fault.fault();
            if (told.nearest) {
                told.nearest = expression.text_with(*told.nearest, name);
            }
            throw UserFault(expression.place(), told);
        }
    });
}

}  // namespace weir::experiments::setup
