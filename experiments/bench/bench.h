#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "experiments/bench/benchmark.h"

namespace weir::experiments::bench {

struct BenchOptions {
    std::string pattern;  ///< part of a benchmark's name; * and ? are wild
    Effort effort;
    bool json = false;          ///< one JSON object instead of tables
    bool instructions = false;  ///< count instructions with valgrind instead of measuring time
};

/// Measures every benchmark that matches, each in a process of its own, and writes what it finds, a
/// line as each is done. Throws setup::UserFault where nothing matches, or where a program that is
/// needed is absent; std::runtime_error where emulator and reference did not do the same.
void run_bench(const BenchOptions& options, std::ostream& out);

/// What is counted under valgrind: does work of that length, and writes its units.
void simulate(const std::string& benchmark, std::int64_t length, std::ostream& out);

}  // namespace weir::experiments::bench
