#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::experiments::bench {

/// What is measured: the network alone under uniform random traffic, or a machine that runs the
/// synchronous remap. Time is measured for whole windows of simulated cycles.
struct Scenario {
    enum class Kind : std::uint8_t { kNetwork, kRemap };

    std::string name;  ///< "network-8x8-0.1", as a pattern on the command line finds it
    std::string text;  ///< "8x8, 0.1 flits/node/cycle"
    Kind kind = Kind::kNetwork;
    std::vector<std::int64_t> dimensions;
    double load = 0.0;  ///< of the network alone, in flits a node and cycle
    std::int64_t window_cycles = 0;
    /// Of each dimension: only nodes whose coordinates are below send, to each other; 0: all.
    std::int64_t busy_corner = 0;
    /// The scenario that a router's cost is set beside, earlier in the order; empty: none.
    std::string reference;
};

/// All of them, in the order they are shown.
///
/// The bisection of a k x k mesh carries k flits a cycle each way, and a quarter of uniform traffic
/// crosses it each way: its capacity is 4/k flits a node and cycle.
[[nodiscard]] const std::vector<Scenario>& all_scenarios();

/// What a window took and held, in the mean.
struct Speed {
    double seconds = 0.0;
    double flit_hops = 0.0;
    double active_router_cycles = 0.0;  ///< cycles of routers that held or awaited a flit
};

struct ScenarioResult {
    Speed weir;
    Speed plain_loop;
    bool same_deliveries = false;  ///< both delivered the same messages in the same cycles
    std::int64_t messages = 0;     ///< that were compared
};

/// Measures the emulator and the plain loop, in this process, which must not have simulated before:
/// so many repetitions of each, taking turns, and of their times the median.
[[nodiscard]] ScenarioResult measure(const Scenario& scenario, int repetitions);

/// Simulates so many cycles with the emulator and nothing else, for a tool that counts
/// instructions; returns the flit-hops done. In a process that has not simulated before.
[[nodiscard]] std::int64_t simulate(const Scenario& scenario, std::int64_t cycles);

/// The active router-cycles of so many cycles of a scenario of the network alone; the plain loop
/// counts them, which does the same.
[[nodiscard]] std::int64_t active_router_cycles(const Scenario& scenario, std::int64_t cycles);

/// A machine that has not begun: what its nodes cost.
struct RestingMachine {
    double seconds = 0.0;         ///< to build it and load its programs
    double bytes_per_node = 0.0;  ///< allocated for it
};
/// In a process that has not simulated before.
[[nodiscard]] RestingMachine build_machine(const std::vector<std::int64_t>& dimensions);

/// What is kept of a run.
enum class Gathered : std::uint8_t {
    kNothing,
    kTrace,    ///< the log of its cycle trace
    kFigures,  ///< the log, and what is measured of it
};

/// Processor seconds for the synchronous remap on 32 nodes, 1,000 iterations of each; in a process
/// that has not simulated before.
[[nodiscard]] double remap_seconds(Gathered gathered);

}  // namespace weir::experiments::bench
