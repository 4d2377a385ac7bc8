#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace weir::experiments::setup {

/// Parameters and metrics of earlier versions; CHANGELOG.md says why they were removed.
inline constexpr std::array<std::string_view, 9> kRetiredNames{
    "busy_replies_per_read",        "cycles_per_point",        "drain_after_tail_cycles",
    "exchange_message_cycles",      "limitless.relief_cycles", "limitless.watchdog_cycles",
    "mean_distance_to_others_hops", "messages_per_operation",  "network.bulk_advance",
};

/// Addition to a message about an unknown name; empty if no earlier version had it.
inline std::string_view retired_note(std::string_view name) {
    return std::ranges::find(kRetiredNames, name) == kRetiredNames.end()
               ? ""
               : ", which Weir no longer has (CHANGELOG.md)";
}

}  // namespace weir::experiments::setup
