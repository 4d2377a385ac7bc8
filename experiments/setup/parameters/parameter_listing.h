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
    std::vector<const hw::ParameterBase*> parameters;  ///< of it; at least one
};

/// A pattern that is a table's name means that table; any other means the parameters with the
/// pattern somewhere in "table.key", where * stands for any letters and ? for one. An empty pattern
/// means all. Throws UserFault when a pattern fits nothing.
[[nodiscard]] std::vector<FittingParameters> fitting_parameters(
    std::span<hw::ParameterGroup* const> groups, std::string_view pattern);

/// The text of `weir params [pattern]`, 80 columns wide: of each parameter its key and default, the
/// sentence that explains it, what it accepts, in which unit, when it has an effect, and where the
/// default comes from; under the sentence of its table. With an empty pattern a table with the keys
/// of the one before it shows the defaults that differ. Throws as fitting_parameters() does.
[[nodiscard]] std::string parameter_listing(std::span<hw::ParameterGroup* const> groups,
                                            std::string_view pattern = {});

}  // namespace weir::experiments::setup
