#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace weir::experiments::bench {

using Json = nlohmann::ordered_json;

/// What was found: to be kept, and as a person reads it, with its line ends.
struct Found {
    Json json;
    std::string text;
};

/// With what all benchmarks are measured.
struct Effort {
    int repetitions = 5;  ///< of each; the median is shown
    std::string booksim;  ///< a BookSim 2 that is set beside networks; empty: none
};

/// What is counted in instructions of the host, in a process that does nothing else: so much work.
struct CountedWork {
    /// Its measure: cycles, accesses. Long enough that what comes first, as packets that cross a
    /// network for the first time, is over.
    std::int64_t length = 0;
    /// Does it and returns how many units it had: flit-hops, accesses, instructions.
    std::function<double(std::int64_t length)> simulate;
    /// Says it, of the host's instructions a unit; null: it is but a reference of another one.
    std::function<Found(double instructions)> found;
};

/// One thing that `weir bench` measures.
struct Benchmark {
    std::string name;  ///< as a pattern on the command line finds it
    /// Above the first of those behind one another that have the same.
    std::string heading = {};
    std::string instructions_heading = {};
    /// Its speed, beside a reference's in the same run; null: it is not timed.
    std::function<Found(const Effort&)> measure = nullptr;
    std::optional<CountedWork> counted = std::nullopt;
};

/// What `weir bench --simulate` says before the number of units.
inline constexpr const char* kUnitsLabel = "units:";

/// What `work` answers in a process of its own, since a process can simulate once.
[[nodiscard]] Json in_own_process(const std::function<Json()>& work);

/// The host's instructions for a unit of the benchmark's work, by valgrind; from two lengths, so
/// that what the program does before and after does not count. Throws setup::UserFault where there
/// is no valgrind.
[[nodiscard]] double instructions_a_unit(const std::string& name, const CountedWork& work);

/// What the shell's `command` wrote; `status`: as wait() gives it.
[[nodiscard]] std::string output_of(const std::string& command, int& status);
/// As one word for the shell.
[[nodiscard]] std::string quoted(const std::string& word);

[[nodiscard]] double median(std::vector<double> values);
/// "3.35 M"
[[nodiscard]] std::string in_millions(double value);

}  // namespace weir::experiments::bench
