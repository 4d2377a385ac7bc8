#pragma once

#include <cstdint>

#include "experiments/models/lopc/lopc_shared_memory.h"

/// Event-driven simulation of the machine that lopc-shared-memory approximates, for tests.
///
/// Each node has a directory, a processor and an outgoing channel, each first come first served,
/// and a thread that the processor's traps interrupt. The network has no contention; homes and
/// traps are random.
namespace weir::experiments::models {

struct SharedMemoryMeasured {
    double response_cycles = 0.0;         ///< number of threads over throughput, as in the model
    double thread_response_cycles = 0.0;  ///< mean duration of the measured round trips
    double hardware_response_cycles = 0.0;
    double trapped_response_cycles = 0.0;
};

/// Simulates constant service times with S_o above 0. `turns` is the mean number of round trips of
/// each thread; the first tenth is not measured.
SharedMemoryMeasured run_shared_memory_abstract_machine(const LopcSharedMemoryInputs& machine,
                                                        int turns, bool exponential_work,
                                                        std::uint64_t seed = 1);

}  // namespace weir::experiments::models
