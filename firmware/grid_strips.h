#pragma once

#include <cstdint>
#include <string>

#include "firmware/kernel.h"

namespace weir::firmware {

/// Rows of each node's strip of a grid of so many. Throws InputFault where they don't divide.
inline std::int64_t rows_of_each_node(std::int64_t grid, std::int32_t nodes) {
    if (grid % nodes != 0) {
        throw InputFault("workload.grid",
                         "found " + std::to_string(grid) + ", whose rows don't divide among " +
                             std::to_string(nodes) + " nodes",
                         "a multiple of " + std::to_string(nodes));
    }
    return grid / nodes;
}

}  // namespace weir::firmware
