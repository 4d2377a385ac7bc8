#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "experiments/models/lopc/lopc_general.h"

/// The machine that LoPC's equations approximate, run event by event: the tests' second way.
///
/// Nodes with one thread and one FIFO of handlers, which are atomic and interrupt the thread (or
/// run beside it); a network without contention; random destinations. LoPC (1997), sections 2 and
/// 4.4, describes it so.
namespace weir::experiments::models {

struct LopcAbstractMachine {
    LopcVisits visits;                ///< each row 0, or chances that add to 1: one visit a request
    std::vector<double> work_cycles;  ///< one for each thread, or one for all
    std::function<double(std::size_t from, std::size_t to)> trip_cycles;
    double handler_cycles = 0.0;
    double send_overhead_cycles = 0.0;  ///< of the thread and of request handlers
    bool exponential_work = false;      ///< else constant
    bool exponential_handlers = false;  ///< else constant
    bool protocol_processor = false;
    int turns = 0;  ///< of each thread on average, a tenth of them before measuring
    std::uint64_t seed = 1;
};

/// Means over all turns.
struct LopcMeasured {
    double response_cycles = 0.0;
    double thread_response_cycles = 0.0;
    double request_response_cycles = 0.0;
    double reply_response_cycles = 0.0;
    double requests_per_cycle = 0.0;
};

LopcMeasured run_lopc_abstract_machine(const LopcAbstractMachine& machine);

}  // namespace weir::experiments::models
