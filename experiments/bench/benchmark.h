#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/bench/effort.h"

namespace weir::experiments::bench {

using Json = nlohmann::ordered_json;

/// Result of a benchmark: as JSON, and as text with line ends for a reader.
struct Found {
    Json json;
    std::string text;
};

/// Work whose host instructions are counted, in a process that does nothing else.
struct CountedWork {
    /// Amount of work, in cycles or accesses. Long enough that start effects, such as first routes
    /// through a network, do not matter.
    std::int64_t length = 0;
    /// Does the work and returns its number of units: flit-hops, accesses or instructions.
    std::function<double(std::int64_t length)> simulate;
    /// Result for a number of host instructions per unit of work. The function is null for work
    /// that is only the reference of another benchmark.
    std::function<Found(double instructions)> found;
};

/// Benchmark of `weir bench`.
struct Benchmark {
    std::string name;  ///< name that patterns on the command line match
    /// Table heading, printed above the first of consecutive benchmarks with equal headings.
    std::string heading = {};
    std::string instructions_heading = {};
    /// Measures the speed, and that of a reference in the same run. The function is null for a
    /// benchmark that is not timed.
    std::function<Found(const Effort&)> measure = nullptr;
    std::optional<CountedWork> counted = std::nullopt;
};

/// Label that precedes the number of units in the output of `weir bench --simulate`.
inline constexpr const char* kUnitsLabel = "units:";

/// Runs `work` in a process of its own, since SystemC simulates only once per process, and returns
/// its result.
[[nodiscard]] Json in_own_process(const std::function<Json()>& work);

/// Host instructions per unit of the benchmark's work, counted by valgrind. The difference of two
/// lengths excludes the program's start and end. Throws setup::UserFault if valgrind is not
/// installed.
[[nodiscard]] double instructions_a_unit(const std::string& name, const CountedWork& work);

/// Standard output of a shell command. Sets `status` to the command's status in the form of wait().
[[nodiscard]] std::string output_of(const std::string& command, int& status);
struct TimedOutput {
    std::string output;
    double seconds = 0.0;  ///< processor time of the command and its child processes
    int status = 0;        ///< in the form of wait()
};
/// Standard output of a shell command, with its processor time.
[[nodiscard]] TimedOutput timed_output_of(const std::string& command);
/// Quotes a word for the shell.
[[nodiscard]] std::string quoted(const std::string& word);

[[nodiscard]] double median(std::vector<double> values);
/// Formats 3.35e6 as "3.35 M".
[[nodiscard]] std::string in_millions(double value);

// Benchmarks by topic. Each function is defined in the file of its topic, such as
// network_speed.cpp.

/// A network alone under uniform random traffic of 8-flit packets.
/// - Mesh whose worms are emulated as a whole, compared with the plain loop, which must deliver the
///   same packets in the same cycles.
/// - Virtual channel routers with the pipeline and credits of BookSim's default, compared with the
///   plain loop on the same traffic. The loop has no virtual channels.
///
/// The cost of a router is compared with that of the 8 x 8 mesh at the same share of bisection. The
/// bisection of a k x k mesh carries k flits per cycle in each direction. A quarter of uniform
/// traffic crosses it in each direction, so its capacity is 4/k flits per node and cycle.
[[nodiscard]] std::vector<Benchmark> network_benchmarks();

/// Calls of `weir run` with an open-loop experiment: uniform traffic of 8-flit packets. Networks
/// are a plain mesh, and others of virtual channel routers with BookSim's default pipeline. These
/// are a mesh with dimension-order or adaptive routing, a torus and a fat tree.
/// Processor time is the difference between two runs, so that start and end do not count. The
/// reference is the same run with network.flit_by_flit = true.
[[nodiscard]] std::vector<Benchmark> open_loop_benchmarks();

/// Calls of `weir run` and `weir trace` on the synchronous remap, and of `weir run` on a message of
/// 8 kB. Processor time is divided by the machine's own, without start, files and report.
/// - All of a run, on 32 and on 16,384 nodes.
/// - Digest of the run's trace, and conversion of the trace into a database.
/// - A small run of a sweep, and the start of the program, in milliseconds.
/// - The long message, compared with the same flit by flit.
[[nodiscard]] std::vector<Benchmark> command_benchmarks();

/// A machine of behavioural cores that runs the synchronous remap.
/// - Speed, compared with the plain loop of its network, which replays the machine's launches.
/// - Time to build the machine, and its memory at rest.
/// - Time to write its trace, compared with writing the same rows as plain structures.
[[nodiscard]] std::vector<Benchmark> remap_benchmarks();

/// One machine on several cores of the host: the synchronous remap on 4,096 nodes, in one tile and
/// in two. A model estimates the speed-up of more cores.
[[nodiscard]] std::vector<Benchmark> tile_benchmarks();

/// Timed accesses through two levels of cache, with a TLM call for each. The reference is the plain
/// functional cache of CacheHierarchy's differential test, on the same addresses. The levels are a
/// Pentium III's: 16 kB and 256 kB, in front of 1 MB. Half of the accesses are to a range that fits
/// the first level.
[[nodiscard]] std::vector<Benchmark> cache_benchmarks();

/// Instruction rate of 32 Sparcle cores.
/// - With and without caches, compared with one integer unit that executes the same program in
///   plain memory without time.
/// - With data in the own node's shared memory, compared with data in private memory.
[[nodiscard]] std::vector<Benchmark> sparcle_benchmarks();

/// Coherence protocol: 32 nodes read lines of all homes at random, and store to lines that no other
/// node uses. A node stores to more lines than its cache holds. A step is the reaction of a home or
/// a cache to a packet, by the protocol's tables. The reference makes the same accesses by the same
/// tables on arrays, one at a time, without time, network or data. Machine and reference must have
/// the same number of misses.
[[nodiscard]] std::vector<Benchmark> protocol_benchmarks();

/// LoPC's models.
/// - A thousand points of the homogeneous model, W from 0 to 4995 cycles, compared with fixed-point
///   iteration of its equations in R.
/// - The general model of 1,024 nodes with a dense V, compared with two products of V with a
///   vector, which each of its iterations needs.
[[nodiscard]] std::vector<Benchmark> model_benchmarks();

}  // namespace weir::experiments::bench
