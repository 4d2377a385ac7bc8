#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace weir::memory {

/// Why a replacement policy can't have sets of so many lines, and which it accepts.
struct WaysFault {
    std::string what;
    std::string accepted;
};

/// What an experiment file and its check have to know of a replacement policy; see
/// replacement_policy.h.
struct ReplacementKind {
    std::string name;
    std::string sentence;  ///< which line makes room
    std::optional<WaysFault> (*fault_of_ways)(std::size_t ways);
    std::size_t place;  ///< in the list of policies, which replacement_policies.h has
};

/// All of them; a level that says nothing has the first.
[[nodiscard]] const std::vector<ReplacementKind>& replacement_kinds();

}  // namespace weir::memory
