#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "experiments/models/lopc/lopc_general.h"

/// Event-driven simulation of the machine that LoPC's equations approximate, for tests.
///
/// Each node has one thread and one FIFO of handlers, which are atomic and interrupt the thread (or
/// run in parallel). The network has no contention; destinations are random. Source: LoPC (1997),
/// sections 2 and 4.4.
namespace weir::experiments::models {

struct LopcAbstractMachine {
    /// Each row is all 0, or has probabilities that add to 1: one visit per request.
    LopcVisits visits;
    std::vector<double> work_cycles;  ///< work of each thread, or one value for all threads
    std::function<double(std::size_t from, std::size_t to)> trip_cycles;
    double handler_cycles = 0.0;
    /// Cycles added to the work of threads and to request handlers.
    double send_overhead_cycles = 0.0;
    bool exponential_work = false;  ///< exponentially distributed work; otherwise constant
    /// Exponentially distributed handler times; otherwise constant.
    bool exponential_handlers = false;
    bool protocol_processor = false;
    int turns = 0;  ///< round trips of each thread on average; the first tenth is not measured
    std::uint64_t seed = 1;
};

/// Means over all measured round trips.
struct LopcMeasured {
    double response_cycles = 0.0;
    double thread_response_cycles = 0.0;
    double request_response_cycles = 0.0;
    double reply_response_cycles = 0.0;
    double requests_per_cycle = 0.0;
};

LopcMeasured run_lopc_abstract_machine(const LopcAbstractMachine& machine);

}  // namespace weir::experiments::models
