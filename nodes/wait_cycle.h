#pragma once

#include <string>

#include "hw/wait_report.h"
#include "network/routing/routing.h"

namespace weir::nodes {

/// Describes a wait report in text, a line for each waiting part. If some parts wait for one
/// another in a cycle, only these are listed; otherwise all are.
std::string explain(const hw::WaitReport& report);

/// Describes a wait report of a network with this routing, and relates its cycle to the routing's
/// deadlock proof (network::prove). Cycles are looked for in this order:
/// 1. the proof's own cycle, listed from its first channel, if each of its channels waits for the
///    next;
/// 2. a cycle of channel dependencies alone, if the routing can deadlock;
/// 3. a cycle closed by end points (cores and controllers), with the steps that are theirs.
std::string explain(const hw::WaitReport& report, const network::Routing& routing);

}  // namespace weir::nodes
