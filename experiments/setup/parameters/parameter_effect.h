#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/effect.h"
#include "hw/fault.h"
#include "hw/parameter.h"

namespace weir::experiments::setup {

/// Values of a setup's parameters, by key, and the facts that hold for it.
class SetupCircumstances final : public hw::Circumstances {
  public:
    SetupCircumstances(std::span<hw::ParameterGroup* const> groups, std::vector<hw::Fact> facts)
        : groups_(groups.begin(), groups.end()), facts_(std::move(facts)) {}

    [[nodiscard]] std::optional<hw::ParameterValue> value_of(std::string_view key) const override;
    [[nodiscard]] bool is_so(hw::Fact fact) const override;
    [[nodiscard]] const std::vector<hw::ParameterGroup*>& groups() const { return groups_; }

  private:
    std::vector<hw::ParameterGroup*> groups_;
    std::vector<hw::Fact> facts_;
};

/// Condition under which a parameter has an effect: its group's and its own together.
[[nodiscard]] hw::Condition effect_of(const hw::ParameterGroup& group,
                                      const hw::ParameterBase& parameter);

/// Fault of the first parameter that is given and has no effect; empty if all have one. `setup`:
/// name of what the groups configure, "this machine".
[[nodiscard]] std::optional<hw::Fault> parameter_without_effect(
    const SetupCircumstances& circumstances, std::string_view setup);

}  // namespace weir::experiments::setup
