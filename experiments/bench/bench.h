#pragma once

#include <iosfwd>
#include <string>

namespace weir::experiments::bench {

struct BenchOptions {
    std::string pattern;        ///< part of a scenario's name; * and ? are wild
    int repetitions = 5;        ///< of each scenario
    bool json = false;          ///< one JSON object instead of tables
    bool instructions = false;  ///< count instructions with valgrind instead of measuring time
};

/// Measures every scenario that matches, each in a process of its own, and writes what it finds, a
/// line as each is done. Throws setup::UserFault where nothing matches, or where valgrind is
/// needed and absent; std::runtime_error where emulator and plain loop delivered differently.
void run_bench(const BenchOptions& options, std::ostream& out);

/// What `run_bench` starts under valgrind: simulates `cycles` of one scenario and writes the
/// flit-hops.
void run_bench_under_valgrind(const std::string& scenario, std::int64_t cycles, std::ostream& out);

}  // namespace weir::experiments::bench
