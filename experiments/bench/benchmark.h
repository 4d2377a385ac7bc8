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

// The benchmarks, each in the file of its name: network_speed.cpp.

/// The network alone under uniform random traffic of 8-flit packets: meshes by the worm beside the
/// plain loop, which has to deliver the same in the same cycles; and virtual channel routers with
/// the pipeline and the credits of BookSim's default, beside the plain loop on the same traffic,
/// which has no virtual channels. A router's cost is set beside that of the 8 x 8 mesh with the
/// same share of its bisection.
///
/// The bisection of a k x k mesh carries k flits a cycle each way, and a quarter of uniform traffic
/// crosses it each way: its capacity is 4/k flits a node and cycle.
[[nodiscard]] std::vector<Benchmark> network_benchmarks();

/// A machine of behavioural cores that runs the synchronous remap: beside the plain loop of its
/// network, fed with what the machine has launched; what such a machine takes before it begins; and
/// what its trace takes, beside the same rows as they lie in the host's memory.
[[nodiscard]] std::vector<Benchmark> remap_benchmarks();

/// One machine on several cores of the host: the synchronous remap on 4,096 nodes in one tile and
/// in two, and what more cores would do.
[[nodiscard]] std::vector<Benchmark> tile_benchmarks();

/// Timed accesses through two levels of cache, a TLM call each, against the plain functional caches
/// of CacheHierarchy's differential test on the same addresses: a Pentium III's 16 and 256 kB in
/// front of 1 MB, half of the accesses in a place that the first level holds.
[[nodiscard]] std::vector<Benchmark> cache_benchmarks();

/// Instructions that 32 Sparcle cores execute, each in its cycles: with caches, against one integer
/// unit alone that executes the same program in plain memory and without time; without caches,
/// against the same; and with what they work on in shared memory at their own node, against the
/// same in private memory.
[[nodiscard]] std::vector<Benchmark> sparcle_benchmarks();

/// The coherence protocol: 32 nodes read lines of all homes at random, and store to lines that no
/// other node uses, far more of them than a cache holds. A step is what a home or a cache does when
/// a packet comes, by the protocol's tables. Beside it stand the same accesses by the same tables
/// on arrays, one at a time and without time, network or data. The misses have to be as many.
[[nodiscard]] std::vector<Benchmark> protocol_benchmarks();

/// A thousand points of LoPC's homogeneous model, W from 0 to 4995, against a loop that puts R into
/// the right side of its equations until it stays; and LoPC's general model of 1,024 nodes with a
/// dense V, against the two products of V with a vector that each of its iterations needs, and
/// nothing else.
[[nodiscard]] std::vector<Benchmark> model_benchmarks();

}  // namespace weir::experiments::bench
