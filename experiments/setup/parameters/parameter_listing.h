#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hw/parameter.h"

namespace weir::experiments::setup {

/// Tables of the groups, each once, in the groups' order.
[[nodiscard]] std::vector<std::string> tables_of(std::span<hw::ParameterGroup* const> groups);

struct FittingParameters {
    const hw::ParameterGroup* group;
    std::vector<const hw::ParameterBase*> parameters;  ///< parameters of `group`, at least one
};

/// Parameters that match a pattern. A table's name means all of this table. Any other pattern
/// matches a part of "table.key", with wildcards * and ?. An empty pattern means all. Throws
/// UserFault if the pattern matches nothing.
[[nodiscard]] std::vector<FittingParameters> fitting_parameters(
    std::span<hw::ParameterGroup* const> groups, std::string_view pattern);

/// Text of `weir params [pattern]`, 80 columns wide. Each parameter is shown with its key, default,
/// sentence, accepted values, unit, condition of its effect and source, under the sentence of its
/// table. With an empty pattern, a table with the same keys as an earlier one shows only the
/// defaults that differ. Throws as fitting_parameters() does.
[[nodiscard]] std::string parameter_listing(std::span<hw::ParameterGroup* const> groups,
                                            std::string_view pattern = {});

}  // namespace weir::experiments::setup
