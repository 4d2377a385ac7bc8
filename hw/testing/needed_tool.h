#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace weir::hw::testing {

/// True if the shell finds the program `tool`.
inline bool is_installed(const std::string& tool) {
    return std::system(("command -v " + tool + " >/dev/null").c_str()) == 0;
}

}  // namespace weir::hw::testing

/// Skips the test if a program is missing that has the name of its Debian package.
#define WEIR_NEEDS_TOOL(tool)                                                          \
    if (!::weir::hw::testing::is_installed(tool)) {                                    \
        GTEST_SKIP() << (tool) << " is not installed; Debian's package is " << (tool); \
    }                                                                                  \
    static_assert(true)
