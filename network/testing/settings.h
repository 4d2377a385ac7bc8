#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hw/parameter.h"

/// Parameters of a test's network.
namespace weir::network::testing {

using List = std::vector<std::int64_t>;
using Setting = std::pair<std::string, hw::ParameterValue>;
using Settings = std::vector<Setting>;

/// Makes a std::string, a type of ParameterValue.
inline std::string text(const char* words) { return words; }

/// Sets parameters, which must exist and accept their values. Conflicts between parameters are
/// reported by check() only.
inline void set_all(hw::ParameterGroup& group, const Settings& settings) {
    for (const auto& [name, value] : settings) {
        hw::ParameterBase* parameter = group.find(name);
        ASSERT_NE(parameter, nullptr) << name;
        ASSERT_TRUE(parameter->set(value)) << name << ": " << parameter->accepted();
    }
}

}  // namespace weir::network::testing
