#pragma once

#include <optional>
#include <string>

#include "experiments/random_machines/settings.h"
#include "hw/random_stream.h"

namespace weir::experiments::random_machines {

/// What is drawn of a parameter, where that is less than it accepts.
struct DrawLimit {
    std::string pattern;  ///< of its key (experiments/setup/parameters/name_pattern.h)
    std::optional<std::int64_t> least;
    std::optional<std::int64_t> most;  ///< both nothing: never drawn
    std::string reason;
    bool is_power_of_two = false;  ///< else it is refused, which is tried now and then
};

/// The most nodes of a drawn machine.
inline constexpr std::int64_t kMostNodes = 64;

/// The limit of a parameter: the first of the table that fits it, else the one of its unit.
[[nodiscard]] DrawLimit limit_of(const OpenSetup::Place& place);

/// Whether a draw may give it. Not those that no result depends on: a trial throws these switches.
[[nodiscard]] bool is_drawn(const OpenSetup::Place& place);
/// Whether every draw gives it: sizes of programs and memories, whose defaults take the host long.
[[nodiscard]] bool is_always_drawn(const OpenSetup::Place& place);

/// One of its values: names and flags evenly; numbers mostly near the least one, each power of two
/// below the limit about as often as the next.
[[nodiscard]] hw::ParameterValue draw_value(const OpenSetup::Place& place,
                                            hw::RandomStream& stream);

}  // namespace weir::experiments::random_machines
