#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "experiments/bench/effort.h"

namespace weir::experiments::bench {

struct BenchOptions {
    std::string pattern;  ///< part of a benchmark's name; may contain the wildcards * and ?
    Effort effort;
    bool json = false;          ///< one JSON object instead of tables
    bool instructions = false;  ///< count instructions with valgrind instead of measuring time
};

/// Measures every matching benchmark in a process of its own. Writes each result as soon as it is
/// known. Throws setup::UserFault if no benchmark matches, or if a required program is absent.
/// Throws std::runtime_error if the emulator and its reference gave different results.
void run_bench(const BenchOptions& options, std::ostream& out);

/// Does `length` of the benchmark's counted work and writes the number of its units. Run by
/// valgrind for instruction counts.
void simulate(const std::string& benchmark, std::int64_t length, std::ostream& out);

}  // namespace weir::experiments::bench
