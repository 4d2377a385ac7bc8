#pragma once

#include <cstdint>

/// Instructions that 32 Sparcle cores of a machine with caches execute, each in its cycles, against
/// one integer unit alone that executes the same program in plain memory and without time.
namespace weir::experiments::bench {

struct SparcleSpeed {
    double instructions = 0.0;        ///< of the machine's cores in a repetition
    double seconds = 0.0;             ///< that a repetition took
    double plain_instructions = 0.0;  ///< of the unit alone
    double plain_seconds = 0.0;
};

/// Medians of so many repetitions.
[[nodiscard]] SparcleSpeed measure_sparcle(int repetitions);
/// That such cores execute, in all, of a process's only machine; what the program works on lies in
/// private memory, or in shared memory at its own node, and in the caches.
[[nodiscard]] double instructions_a_second(bool shares_memory);

}  // namespace weir::experiments::bench
