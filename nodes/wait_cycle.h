#pragma once

#include <string>

#include "hw/wait_report.h"
#include "network/routing/routing.h"

namespace weir::nodes {

/// Puts a wait report into words: the cycle of parts that wait for one another if there is one,
/// otherwise all that wait. One line a part.
std::string explain(const hw::WaitReport& report);

/// The same of a network with this routing, and what the cycle has to do with its deadlock proof
/// (network::prove): names the proof's own cycle, from its first channel on, where all of its
/// channels wait for one another; otherwise one of channel dependencies alone, if the routing can
/// deadlock and there is one; otherwise one that end points close, and which of its steps are
/// theirs.
std::string explain(const hw::WaitReport& report, const network::Routing& routing);

}  // namespace weir::nodes
