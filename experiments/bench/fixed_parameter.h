#pragma once

#include <stdexcept>

#include "hw/parameter.h"

namespace weir::experiments::bench {

/// Gives a parameter the value that a benchmark has it at. Throws std::logic_error where that is
/// out of range: a fault of the benchmark's.
inline void fix(hw::ParameterBase& parameter, const hw::ParameterValue& value) {
    if (!parameter.set(value)) {
        throw std::logic_error("a benchmark's parameter is out of range: " + parameter.name());
    }
}
/// The same of the group's parameter of that name, which is there.
inline void fix(hw::ParameterGroup& group, const char* name, const hw::ParameterValue& value) {
    fix(*group.find(name), value);
}

}  // namespace weir::experiments::bench
