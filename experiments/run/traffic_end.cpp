#include "experiments/run/traffic_end.h"

#include <fmt/format.h>

#include "nodes/wait_cycle.h"

namespace weir::experiments::run {

using network::TrafficEnd;

nodes::RunEnd run_end_of(TrafficEnd end) {
    switch (end) {
        case TrafficEnd::kDeadlock:
            return nodes::RunEnd::kDeadlock;
        case TrafficEnd::kNoProgress:
            return nodes::RunEnd::kNoProgress;
        case TrafficEnd::kInterrupted:
            return nodes::RunEnd::kInterrupted;
        case TrafficEnd::kDrained:
        case TrafficEnd::kSaturated:
            break;
    }
    return nodes::RunEnd::kFinished;
}

std::string explain_traffic_end(TrafficEnd end, const TrafficLeft& left,
                                const network::Routing& routing, const Setup& setup) {
    const std::string at = fmt::format("cycle {}: ", left.now.count());
    const std::string packets =
        fmt::format("{} packets are in the network; ", left.packets_in_network);
    switch (end) {
        case TrafficEnd::kDeadlock:
            return at + "deadlock, " + packets + nodes::explain(left.waits, routing);
        case TrafficEnd::kNoProgress:
            return at +
                   fmt::format("nothing arrived for run.watchdog_cycles = {} cycles, ",
                               setup.run.watchdog_cycles.value().count()) +
                   packets + nodes::explain(left.waits, routing);
        default:
            return {};
    }
}

}  // namespace weir::experiments::run
