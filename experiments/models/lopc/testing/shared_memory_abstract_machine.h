#pragma once

#include <cstdint>

#include "experiments/models/lopc/lopc_shared_memory.h"

/// The machine that lopc-shared-memory approximates, run event by event: the tests' second way.
///
/// Each node has a directory, a processor and a channel out, each first come first served, and a
/// thread that the processor's traps interrupt. The network has no contention; homes and traps are
/// drawn at random.
namespace weir::experiments::models {

struct SharedMemoryMeasured {
    double response_cycles = 0.0;         ///< threads by throughput, as the model's
    double thread_response_cycles = 0.0;  ///< mean
    double hardware_response_cycles = 0.0;
    double trapped_response_cycles = 0.0;
};

/// Constant service times, and S_o above 0. `turns` is of each thread on average, a tenth of them
/// before measuring.
SharedMemoryMeasured run_shared_memory_abstract_machine(const LopcSharedMemoryInputs& machine,
                                                        int turns, bool exponential_work,
                                                        std::uint64_t seed = 1);

}  // namespace weir::experiments::models
