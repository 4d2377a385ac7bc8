#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weir::hw {

/// A part's twin: the same part in synthesizable SystemVerilog, with its sizes. It stands beside
/// the part's C++.
struct Twin {
    std::string module = {};
    std::vector<std::string> sources = {};  ///< paths from the top of the checkout
    std::vector<std::pair<std::string, std::int64_t>> parameters = {};
};

}  // namespace weir::hw
