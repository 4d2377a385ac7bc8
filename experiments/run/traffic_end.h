#pragma once

#include <cstddef>
#include <string>

#include "experiments/run/setup.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/routing/routing.h"
#include "network/traffic/open_loop.h"
#include "nodes/machine.h"

namespace weir::experiments::run {

/// How a run of traffic ends, as one of a machine does; a saturated network is no failure.
[[nodiscard]] nodes::RunEnd run_end_of(network::TrafficEnd end);

/// What is left when traffic ends before its time.
struct TrafficLeft {
    hw::Cycles now{0};
    std::size_t packets_in_network = 0;
    hw::WaitReport waits;
};
/// Who waits for whom; empty when all came to its end.
[[nodiscard]] std::string explain_traffic_end(network::TrafficEnd end, const TrafficLeft& left,
                                              const network::Routing& routing, const Setup& setup);

}  // namespace weir::experiments::run
