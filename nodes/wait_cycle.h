#pragma once

#include <string>

#include "hw/wait_report.h"

namespace weir::nodes {

/// Puts a wait report into words: the cycle of parts that wait for one another if there is one,
/// otherwise all that wait. One line a part.
std::string explain(const hw::WaitReport& report);

}  // namespace weir::nodes
