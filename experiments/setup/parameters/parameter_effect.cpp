#include "experiments/setup/parameters/parameter_effect.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::experiments::setup {

namespace {

/// Owner of the table for messages about a key without effect.
std::string_view owner_of(std::string_view table, std::string_view setup) {
    return table == "run" || table == "workload" ? "this run" : setup;
}

}  // namespace

std::optional<hw::ParameterValue> SetupCircumstances::value_of(std::string_view key) const {
    const std::size_t dot = key.find('.');
    for (const hw::ParameterGroup* group : groups_) {
        if (group->table() != key.substr(0, dot)) {
            continue;
        }
        if (const hw::ParameterBase* parameter = group->find(key.substr(dot + 1))) {
            return parameter->value_as_variant();
        }
    }
    return std::nullopt;
}

bool SetupCircumstances::is_so(hw::Fact fact) const {
    return std::find(facts_.begin(), facts_.end(), fact) != facts_.end();
}

hw::Condition effect_of(const hw::ParameterGroup& group, const hw::ParameterBase& parameter) {
    return group.effective_when() && parameter.effective_when();
}

std::optional<hw::Fault> parameter_without_effect(const SetupCircumstances& circumstances,
                                                  std::string_view setup) {
    for (const hw::ParameterGroup* group : circumstances.groups()) {
        for (const hw::ParameterBase* parameter : group->parameters()) {
            const hw::Condition effect = effect_of(*group, *parameter);
            if (!parameter->is_given() || effect.holds(circumstances)) {
                continue;
            }
            const std::string key = group->table() + "." + parameter->name();
            return hw::Fault{
                key, fmt::format("{} has no effect on {}", key, owner_of(group->table(), setup)),
                fmt::format("{}, or no {}", effect.missing(circumstances), key)};
        }
    }
    return std::nullopt;
}

}  // namespace weir::experiments::setup
