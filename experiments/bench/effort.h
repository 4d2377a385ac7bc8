#pragma once

#include <string>

namespace weir::experiments::bench {

/// Options for all benchmarks.
struct Effort {
    int repetitions = 5;  ///< repetitions of each measurement; the median is reported
    std::string booksim;  ///< path of a BookSim 2 to compare networks with; empty: none
};

}  // namespace weir::experiments::bench
