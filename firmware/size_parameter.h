#pragma once

#include <cstdint>
#include <string>

namespace weir::firmware {

/// Whole-number parameter in [workload] that sets the size of a kernel's problem.
struct SizeParameter {
    std::string name;
    /// The problem's size, such as a number of points, is proportional to this power of the value.
    int power = 1;
    /// Whether the value is the size of each node's part instead of the whole problem.
    bool is_of_node = false;
    /// The value is a multiple of this number times the number of nodes; 0: any whole number.
    std::int64_t multiple_of_nodes = 0;
};

}  // namespace weir::firmware
