#pragma once

#include <sstream>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "hw/parameter.h"

namespace weir::hw::testing {

/// A value as experiment files have it, but for the quotes of a text.
inline std::string text_of_value(const ParameterValue& value) {
    std::ostringstream text;
    text << std::boolalpha;
    std::visit(
        [&text]<class Value>(const Value& held) {
            if constexpr (std::is_same_v<Value, std::vector<std::int64_t>>) {
                for (const std::int64_t& entry : held) {
                    text << (&entry == held.data() ? "" : " ") << entry;
                }
            } else if constexpr (requires { text << held; }) {
                text << held;
            }
        },
        value);
    return text.str();
}

/// What a part does where nobody says otherwise, what it can be told, and with what that has an
/// effect: a line for each parameter,
/// "thrashlock = true; true or false; with core.contexts >= 2".
inline std::vector<std::string> parameter_lines(const ParameterGroup& group) {
    std::vector<std::string> lines;
    for (const ParameterBase* parameter : group.parameters()) {
        const Condition& effect = parameter->effective_when();
        lines.push_back(parameter->name() + " = " + text_of_value(parameter->default_as_variant()) +
                        "; " + parameter->accepted() +
                        (effect.is_always() ? "" : "; with " + effect.text()) +
                        (effect.changes_results() ? "" : "; no result depends on it"));
    }
    return lines;
}

}  // namespace weir::hw::testing
