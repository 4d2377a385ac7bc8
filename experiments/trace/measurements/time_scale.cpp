#include "experiments/trace/measurements/time_scale.h"

#include <fmt/format.h>

namespace weir::experiments::trace {

std::string TimeScale::text() const {
    return fmt::format("1 cycle = {:g} us ({})", static_cast<double>(cycle_picoseconds) / 1e6,
                       source);
}

}  // namespace weir::experiments::trace
