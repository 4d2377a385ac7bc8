#pragma once

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>

namespace weir::experiments::commands {

inline std::size_t lines_of(const std::string& page) {
    return std::count(page.begin(), page.end(), '\n');
}

/// In bytes, without the newline.
inline std::size_t widest_line(const std::string& page) {
    std::istringstream lines(page);
    std::size_t widest = 0;
    for (std::string line; std::getline(lines, line);) {
        widest = std::max(widest, line.size());
    }
    return widest;
}

}  // namespace weir::experiments::commands
