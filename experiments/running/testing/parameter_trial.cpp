#include "experiments/running/testing/parameter_trial.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <variant>

#include "experiments/kinds/setup.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/parameters/parameter_effect.h"

namespace weir::experiments::running {

namespace {

using hw::ParameterValue;

// Neighbours of a value, then round numbers of all magnitudes, from scores to addresses and times.

std::vector<std::int64_t> other_numbers(std::int64_t value) {
    return {2 * value, value + 1, value + 8, value / 2, value - 1, 2,
            -10,       10,        64,        1000,      8200,      50'000};
}

std::vector<double> other_numbers(double value) {
    return {2.0 * value, value + 1.0, value + 0.25, value / 2.0, 10.0, 50'000.0};
}

std::vector<std::vector<std::int64_t>> other_lists(const std::vector<std::int64_t>& list) {
    std::vector<std::vector<std::int64_t>> others{{list.rbegin(), list.rend()}, list};
    others.back().push_back(1);
    for (const std::int64_t added : {1, 8}) {
        others.push_back(list);
        for (std::int64_t& entry : others.back()) {
            entry += added;
        }
    }
    others.push_back({1, 9});
    return others;
}

template <class Value>
void add(const std::vector<Value>& more, std::vector<ParameterValue>& values) {
    values.insert(values.end(), more.begin(), more.end());
}

/// Setup, and the settings that changed it from the experiment's.
class ChangedSetup {
  public:
    ChangedSetup(const setup::ExperimentFile& file, const StringsToTry& strings)
        : setup_(kinds::make_setup(file, setup::SelectedRun(0))),
          groups_(setup_->groups()),
          strings_(strings) {}

    struct Found {
        const hw::ParameterGroup* group;
        hw::ParameterBase* parameter;
        [[nodiscard]] std::string key() const { return group->table() + "." + parameter->name(); }
        [[nodiscard]] hw::Condition effect() const { return setup::effect_of(*group, *parameter); }
    };
    [[nodiscard]] std::optional<Found> find(const std::string& key) const {
        for (const hw::ParameterGroup* group : groups_) {
            for (hw::ParameterBase* parameter : group->parameters()) {
                const Found found{group, parameter};
                if (found.key() == key) {
                    return found;
                }
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] const std::string& kernel() const { return setup_->kernel_name; }
    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] Settings settings_with(const Found& found, const ParameterValue& value) const {
        Settings settings = settings_;
        settings.push_back(found.key() + "=" + setup::toml_text(value));
        return settings;
    }
    [[nodiscard]] bool holds(const hw::Condition& condition) const {
        return condition.holds(setup::SetupCircumstances(groups_, setup_->kind->facts()));
    }
    /// Changes the setup so that a parameter has an effect, if settings can do that.
    void make_effective(const Found& found) {
        satisfy(found.effect());
        for (hw::ParameterBase* other : found.group->parameters()) {
            set_until(found.effect(), {found.group, other}, other_values(*other, strings_));
        }
    }
    [[nodiscard]] bool has_effect_in_another_table(const Found& found) const {
        return !holds(found.parameter->effective_when()) &&
               std::any_of(groups_.begin(), groups_.end(), [&](const hw::ParameterGroup* group) {
                   const hw::ParameterBase* other = group->find(found.parameter->name());
                   return group != found.group && other != nullptr &&
                          other->sentence() == found.parameter->sentence() &&
                          holds(other->effective_when());
               });
    }

  private:
    /// Sets the parameters that the condition compares, and those that these need to have an
    /// effect.
    void satisfy(const hw::Condition& condition) {
        if (holds(condition)) {
            return;
        }
        for (const hw::Condition::Comparison& comparison : condition.wanted()) {
            if (const std::optional<Found> compared = find(comparison.key)) {
                set_until(comparison, *compared, comparison.values);
                set_until(comparison, *compared, other_values(*compared->parameter, strings_));
                satisfy(compared->effect());
            }
        }
    }
    /// Sets the first of the values with which the condition holds, unless it holds already.
    void set_until(const hw::Condition& condition, const Found& found,
                   const std::vector<ParameterValue>& values) {
        const ParameterValue given = found.parameter->value_as_variant();
        for (const ParameterValue& value : values) {
            if (!holds(condition) && found.parameter->set(value) && holds(condition)) {
                settings_ = settings_with(found, value);
                return;
            }
        }
        static_cast<void>(found.parameter->set(given));
    }

    std::unique_ptr<kinds::Setup> setup_;
    std::vector<hw::ParameterGroup*> groups_;
    const StringsToTry& strings_;
    Settings settings_;
};

/// Values that a parameter and the checks of its table accept.
std::vector<ParameterValue> accepted_ones(const std::vector<ParameterValue>& values,
                                          const hw::ParameterGroup& group,
                                          hw::ParameterBase& parameter) {
    const ParameterValue given = parameter.value_as_variant();
    std::vector<ParameterValue> accepted;
    for (const ParameterValue& value : values) {
        if (parameter.set(value) && !group.check()) {
            accepted.push_back(value);
        }
    }
    static_cast<void>(parameter.set(given));
    return accepted;
}

}  // namespace

std::vector<ParameterValue> other_values(const hw::ParameterBase& parameter,
                                         const StringsToTry& strings) {
    using Type = hw::AcceptedValues::Type;
    const hw::AcceptedValues accepted = parameter.accepted_values();
    std::vector<ParameterValue> others;
    add(accepted.names, others);
    std::visit(
        [&](const auto& value) {
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, bool>) {
                others.emplace_back(!value);
            } else if constexpr (std::is_same_v<Value, std::vector<std::int64_t>>) {
                add(other_lists(value), others);
            } else if constexpr (std::is_same_v<Value, std::string>) {
                add(accepted.type == Type::kText       ? strings.texts
                    : accepted.type == Type::kFilePath ? strings.files
                                                       : std::vector<std::string>{},
                    others);
            } else {
                add(other_numbers(value), others);
            }
        },
        parameter.value_as_variant());
    if (accepted.least) {
        others.push_back(*accepted.least);
    }
    std::erase(others, parameter.value_as_variant());
    return others;
}

ParameterTrial trial_of(const setup::ExperimentFile& file, const ListedParameter& parameter,
                        const StringsToTry& strings) {
    using Effect = ParameterTrial::Effect;
    ChangedSetup setup(file, strings);
    const std::optional<ChangedSetup::Found> found = setup.find(parameter.key());
    const bool is_of_kernel = parameter.kernel.empty() || parameter.kernel == setup.kernel();
    if (!found || !is_of_kernel) {
        return {};
    }
    setup.make_effective(*found);
    if (!setup.holds(found->effect())) {
        const bool is_elsewhere = setup.has_effect_in_another_table(*found);
        return {.effect = is_elsewhere ? Effect::kInAnotherTable : Effect::kNone};
    }
    ParameterTrial trial{
        found->effect().changes_results() ? Effect::kOnResults : Effect::kOnSpeedAlone,
        setup.settings(),
        {}};
    for (const ParameterValue& value : accepted_ones(other_values(*found->parameter, strings),
                                                     *found->group, *found->parameter)) {
        trial.others.push_back(setup.settings_with(*found, value));
    }
    return trial;
}

}  // namespace weir::experiments::running
