#pragma once

#include <optional>
#include <string>

#include "experiments/random_machines/settings.h"
#include "hw/random_stream.h"

namespace weir::experiments::random_machines {

/// Limit of the values drawn for a parameter, inside its accepted range.
struct DrawLimit {
    std::string pattern;  ///< pattern of the key (experiments/setup/parameters/name_pattern.h)
    std::optional<std::int64_t> least;
    std::optional<std::int64_t> most;  ///< without both limits, the parameter is never drawn
    std::string reason;
    bool is_power_of_two = false;  ///< other values are refused, and rarely drawn
};

/// Largest number of nodes of a drawn machine.
inline constexpr std::int64_t kMostNodes = 64;

/// Limit of a parameter: the first of the table whose pattern matches, else the limit of its unit.
[[nodiscard]] DrawLimit limit_of(const OpenSetup::Place& place);

/// True if a draw may set the parameter. False for switches on which no result depends: a trial
/// changes them.
[[nodiscard]] bool is_drawn(const OpenSetup::Place& place);
/// True if every draw sets the parameter: sizes of programs and memories, whose defaults would take
/// the host too long.
[[nodiscard]] bool is_always_drawn(const OpenSetup::Place& place);

/// Draws one of the parameter's values. Names and flags are drawn uniformly. Numbers are mostly
/// near the least value, with all powers of two below the limit about equally likely.
[[nodiscard]] hw::ParameterValue draw_value(const OpenSetup::Place& place,
                                            hw::RandomStream& stream);

}  // namespace weir::experiments::random_machines
