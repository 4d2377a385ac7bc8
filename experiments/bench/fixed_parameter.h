#pragma once

#include <stdexcept>

#include "hw/parameter.h"

namespace weir::experiments::bench {

/// Sets a parameter of a benchmark. Throws std::logic_error if the value is out of range, which is
/// a fault of the benchmark.
inline void fix(hw::ParameterBase& parameter, const hw::ParameterValue& value) {
    if (!parameter.set(value)) {
        throw std::logic_error("a benchmark's parameter is out of range: " + parameter.name());
    }
}
/// Sets the parameter `name` of the group, which must exist.
inline void fix(hw::ParameterGroup& group, const char* name, const hw::ParameterValue& value) {
    fix(*group.find(name), value);
}

}  // namespace weir::experiments::bench
