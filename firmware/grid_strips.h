#pragma once

#include <cstdint>
#include <string>

#include "firmware/kernel.h"

namespace weir::firmware {

/// Number of rows in each node's strip of a square grid with `grid` rows. Throws InputFault if
/// `nodes` does not divide `grid`.
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
