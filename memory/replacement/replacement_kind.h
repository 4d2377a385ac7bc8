#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace weir::memory {

/// Reason why a replacement policy does not support a number of ways, and the accepted numbers.
struct WaysFault {
    std::string what;
    std::string accepted;
};

/// Properties of a replacement policy for experiment files and their checks; see
/// replacement_policy.h.
struct ReplacementKind {
    std::string name;
    std::string sentence;  ///< the line that is replaced, as text
    std::optional<WaysFault> (*fault_of_ways)(std::size_t ways);
    std::size_t place;  ///< index in the list of policies (replacement_policies.h)
};

/// All policies; the first is the default.
[[nodiscard]] const std::vector<ReplacementKind>& replacement_kinds();

}  // namespace weir::memory
