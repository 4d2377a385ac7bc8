#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/analyses/explanations/explained_terms.h"
#include "experiments/analyses/explanations/trace_facts.h"
#include "hw/parameter.h"

namespace weir::experiments::analyses {

/// Setting of a machine in which a mechanism is idealised.
struct IdealSetting {
    std::string key;  ///< parameter, as for --set
    hw::ParameterValue value;
    /// Value of a machine with the mechanism; without one, any other value.
    std::optional<hw::ParameterValue> from = {};
    /// Messages for whose programs the setting idealises the mechanism.
    enum class Messages : std::uint8_t { kAll, kWithBodies, kWithoutBodies };
    Messages messages = Messages::kAll;
};

/// Assumption of models that may be broken, with the counterfactuals that give its part of a
/// prediction's error. At least one of `correct` and `settings` is present. Each assumption has a
/// file in assumptions/ and a line in its registry.cpp.
struct Assumption {
    std::string name;
    std::string label;  ///< for readers, as the name of a part
    /// Assumptions that are corrected before this one in each order: its correction includes
    /// theirs.
    std::vector<std::string> after;

    /// Replaces the assumption in a model by the trace's values; null: no model states it.
    void (*correct)(ExplainedTerms& terms, const TraceFacts& facts) = nullptr;
    std::string correction;  ///< value in the corrected model, for readers

    /// Settings that idealise the mechanism in the machine, with the same program; empty: none do.
    std::vector<IdealSetting> settings;
    std::string idealisation;  ///< the idealised machine, for readers
    /// Value of a run that may break the assumption; without one, any run.
    std::optional<IdealSetting> only_with = {};
};

/// All assumptions; each one stands behind those of its member `after`.
[[nodiscard]] const std::vector<Assumption>& assumptions();

/// True if the first assumption is corrected before the second one in each order.
[[nodiscard]] bool comes_before(const Assumption& first, const Assumption& second);

}  // namespace weir::experiments::analyses
