#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>

#include "experiments/setup/text/wrapped_text.h"

namespace weir::experiments::pages {

/// Expects lines of at most 80 columns without trailing blanks.
inline void expect_fits_the_page(const std::string& page) {
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(setup::width_of(line), setup::kPageColumns) << line;
        EXPECT_FALSE(line.ends_with(' ')) << '"' << line << '"';
    }
}

inline std::size_t lines_of(const std::string& page) {
    return std::count(page.begin(), page.end(), '\n');
}

}  // namespace weir::experiments::pages
