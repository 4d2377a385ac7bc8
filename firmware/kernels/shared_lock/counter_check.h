#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace weir::firmware {

/// Fault in a counter to which all nodes together have added `added` times, or nothing.
inline std::optional<std::string> counter_fault(std::uint32_t counted, std::int64_t added) {
    if (counted != added) {
        return "the counter is " + std::to_string(counted) + ", and the nodes have added " +
               std::to_string(added);
    }
    return std::nullopt;
}

}  // namespace weir::firmware
