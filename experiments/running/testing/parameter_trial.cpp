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

// Other values, of which a run hardly takes longer. The first that are accepted will do.

std::vector<std::int64_t> other_numbers(std::int64_t value) {
    return {2 * value, value + 1, value + 8, value / 2, value - 1};
}

std::vector<double> other_numbers(double value) {
    return {2.0 * value, value + 1.0, value + 0.25, value / 2.0};
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
    return others;
}

template <class Value>
void add(const std::vector<Value>& more, std::vector<ParameterValue>& values) {
    values.insert(values.end(), more.begin(), more.end());
}

std::vector<ParameterValue> other_values(const hw::ParameterBase& parameter) {
    std::vector<ParameterValue> others;
    add(parameter.accepted_values().names, others);
    std::visit(
        [&others](const auto& value) {
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, bool>) {
                others.emplace_back(!value);
            } else if constexpr (std::is_same_v<Value, std::vector<std::int64_t>>) {
                add(other_lists(value), others);
            } else if constexpr (!std::is_same_v<Value, std::string>) {
                add(other_numbers(value), others);
            }
        },
        parameter.value_as_variant());
    if (const auto& least = parameter.accepted_values().least) {
        others.push_back(*least);
    }
    std::erase(others, parameter.value_as_variant());
    return others;
}

/// A setup, and the settings that have made it from the experiment's.
class ChangedSetup {
  public:
    explicit ChangedSetup(const setup::ExperimentFile& file)
        : setup_(kinds::make_setup(file, setup::SelectedRun(0))), groups_(setup_->groups()) {}

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
    /// Changes it so that a parameter has an effect, if settings can do so.
    void make_effective(const Found& found) {
        satisfy(found.effect());
        for (hw::ParameterBase* other : found.group->parameters()) {
            set_until(found.effect(), {found.group, other}, other_values(*other));
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
    /// What the condition compares, and what that needs in turn.
    void satisfy(const hw::Condition& condition) {
        if (holds(condition)) {
            return;
        }
        for (const hw::Condition::Comparison& comparison : condition.wanted()) {
            if (const std::optional<Found> compared = find(comparison.key)) {
                set_until(comparison, *compared, comparison.values);
                set_until(comparison, *compared, other_values(*compared->parameter));
                satisfy(compared->effect());
            }
        }
    }
    /// The first of the values with which the condition holds, if it does not yet.
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
    Settings settings_;
};

}  // namespace

ParameterTrial trial_of(const setup::ExperimentFile& file, const ListedParameter& parameter) {
    using Effect = ParameterTrial::Effect;
    ChangedSetup setup(file);
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
    for (const ParameterValue& value : other_values(*found->parameter)) {
        trial.others.push_back(setup.settings_with(*found, value));
    }
    return trial;
}

}  // namespace weir::experiments::running
