#pragma once

#include <cstdint>
#include <string>

namespace weir::experiments::trace {

/// Length of a cycle in drawings.
struct TimeScale {
    std::int64_t cycle_picoseconds = 1'000'000;
    std::string source = "no clock is known";  ///< origin of the cycle's length, as text

    /// Sentence about the scale, for example "1 cycle = 0.05 us (clock.processor_mhz = 20)".
    [[nodiscard]] std::string text() const;
};

}  // namespace weir::experiments::trace
