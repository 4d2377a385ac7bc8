#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "experiments/bench/benchmark.h"
#include "experiments/bench/booksim.h"
#include "experiments/bench/emulated_network.h"
#include "experiments/bench/fixed_parameter.h"
#include "experiments/bench/pipelined_router.h"
#include "experiments/bench/plain_network.h"
#include "experiments/bench/windows.h"
#include "experiments/setup/text/text_table.h"

namespace weir::experiments::bench {

namespace {

constexpr std::int32_t kPacketFlits = 8;
constexpr std::uint64_t kSeed = 1;
// Cycles of a window times the nodes of the network, the same for all sizes.
constexpr std::int64_t kWindowNodeCycles = std::int64_t{1} << 22;
constexpr std::int64_t kCorner = 8;
constexpr std::int64_t kVirtualChannels = 2;

struct Scenario {
    std::string name;  ///< key, for example "network-8x8-0.1"
    std::string text;  ///< label, for example "8x8, 0.1"
    std::int64_t extent = 0;
    double load = 0.0;  ///< flits per node and cycle
    bool has_virtual_channels = false;
    std::int64_t window_cycles = 0;
    /// Extent of the corner whose nodes alone send, to each other; 0: all nodes send.
    std::int64_t busy_corner = 0;
    /// Earlier scenario to compare the cost of a router with; empty: none.
    std::string reference = {};
};

/// A scenario's network. With virtual channels it has the router of
/// experiments/networks/referee.toml with its default pipeline.
struct ScenarioNetwork : NetworkOf {
    explicit ScenarioNetwork(const Scenario& scenario)
        : NetworkOf({scenario.extent, scenario.extent}) {
        if (!scenario.has_virtual_channels) {
            return;
        }
        for (const auto& [key, value] : kPipelinedRouter) {
            fix(*this, key, value);
        }
    }
};

std::unique_ptr<Traffic> traffic_of(const Scenario& scenario) {
    const auto corner = static_cast<std::int32_t>(scenario.busy_corner);
    const auto extent = static_cast<std::int32_t>(scenario.extent);
    const std::int32_t busy = corner != 0 ? corner : extent;
    auto uniform =
        std::make_unique<UniformTraffic>(busy * busy, scenario.load, kPacketFlits, kSeed);
    if (corner == 0) {
        return uniform;
    }
    return std::make_unique<CornerTraffic>(extent, corner, std::move(uniform));
}

/// A scenario's network and the plain loop, each with its own copy of the traffic.
struct Pair {
    explicit Pair(const Scenario& scenario)
        : parameters(scenario),
          for_weir(traffic_of(scenario)),
          for_plain(traffic_of(scenario)),
          emulated("bench", parameters, *for_weir),
          plain(network::Mesh(parameters.extents()), timing_of(parameters), *for_plain) {}

    ScenarioNetwork parameters;
    std::unique_ptr<Traffic> for_weir;
    std::unique_ptr<Traffic> for_plain;
    EmulatedNetwork emulated;
    PlainNetwork plain;
    Subject subject{[this](std::int64_t last) { emulated.run_through(last); },
                    [this] { return emulated.flit_hops(); },
                    [this] { return emulated.deliveries().count(); }};
};

Json measured_network(const Scenario& scenario, const Effort& effort) {
    Pair pair(scenario);
    PairOfSpeeds speeds =
        time_windows(pair.subject, pair.plain, scenario.window_cycles, effort.repetitions);
    if (scenario.has_virtual_channels) {
        // The plain loop counts active cycles of routers without virtual channels.
        speeds.weir.active_router_cycles = 0.0;
    }
    Json found{{"weir", speeds.weir.json(scenario.window_cycles)},
               {"plain_loop", speeds.plain_loop.json(scenario.window_cycles)},
               {"time_over_plain_loop", speeds.weir.seconds / speeds.plain_loop.seconds}};
    const std::int64_t end = (1 + effort.repetitions) * scenario.window_cycles;
    if (!scenario.has_virtual_channels) {
        // A sink notes a message in the cycle after its tail, so the last deliveries are not yet
        // noted.
        if (!pair.emulated.deliveries().same_until(end - 1, pair.plain.deliveries())) {
            throw std::runtime_error(scenario.name +
                                     ": deliveries of emulator and plain loop differ");
        }
        found["messages_compared"] = pair.plain.deliveries().count();
        found["same_deliveries"] = true;
    }
    if (!effort.booksim.empty() && scenario.busy_corner == 0) {
        const BesideBooksim beside = time_beside_booksim(
            windows_of(pair.subject, scenario.window_cycles, end),
            [&pair] { return static_cast<double>(pair.emulated.flit_hops()); }, effort,
            booksim_mesh(scenario.extent, scenario.load, kPacketFlits,
                         scenario.has_virtual_channels ? kVirtualChannels : 1));
        found["booksim"] = {{"flit_hops_per_second", beside.booksim},
                            {"weir_in_turn", beside.weir}};
        found["speed_over_booksim"] = beside.ratio;
    }
    return found;
}

/// Cost of an active router-cycle, compared with that of other scenarios of this run.
class Costs {
  public:
    void compare(const Scenario& scenario, const char* key, const Json& source, Json& found) {
        if (!source.contains(key)) {
            return;
        }
        const double cost = source[key];
        costs_[scenario.name] = cost;
        const auto reference = costs_.find(scenario.reference);
        if (reference != costs_.end()) {
            found["reference"] = scenario.reference;
            found["active_router_cycle_over_reference"] = cost / reference->second;
        }
    }

  private:
    std::map<std::string, double> costs_;
};

std::string number_or_blank(const Json& from, const char* key, const std::string& format) {
    return from.contains(key) ? fmt::format(fmt::runtime(format), from[key].get<double>()) : "";
}

constexpr std::array<std::size_t, 7> kNetworkWidths{22, 10, 10, 13, 8, 8, 9};
constexpr std::array<std::size_t, 4> kInstructionsOfNetwork{32, 12, 13, 9};

std::string row(const std::string& text, const Json& found) {
    const Json& weir = found["weir"];
    return setup::text_line(kNetworkWidths,
                            {"  " + text, in_millions(weir["flit_hops_per_second"]),
                             in_millions(weir["messages_per_second"]),
                             number_or_blank(weir, "ns_per_active_router_cycle", "{:.1f}"),
                             number_or_blank(found, "time_over_plain_loop", "{:.2f}"),
                             number_or_blank(found, "active_router_cycle_over_reference", "{:.2f}"),
                             number_or_blank(found, "speed_over_booksim", "{:.1f}")});
}

std::string heading(const char* what) {
    return setup::text_line(kNetworkWidths, {what, "flit-hops", "worms", "ns an active", "time",
                                             "router", "speed"}) +
           setup::text_line(kNetworkWidths, {"  flits/node/cycle", "a second", "a second",
                                             "router-cycle", "/ plain", "/ 8x8", "/BookSim"});
}

std::string instructions_heading(const char* what) {
    return setup::text_line(kInstructionsOfNetwork, {what, "instructions", "an active"}) +
           setup::text_line(kInstructionsOfNetwork,
                            {"  flits/node/cycle", "a flit-hop", "router-cycle", "/ 8x8"});
}

std::string instructions_row(const std::string& text, const Json& found) {
    return setup::text_line(
        kInstructionsOfNetwork,
        {"  " + text, number_or_blank(found, "instructions_per_flit_hop", "{:.1f}"),
         number_or_blank(found, "instructions_per_active_router_cycle", "{:.1f}"),
         number_or_blank(found, "active_router_cycle_over_reference", "{:.2f}")});
}

double simulated(const Scenario& scenario, std::int64_t cycles) {
    const auto traffic = traffic_of(scenario);
    const ScenarioNetwork parameters(scenario);
    EmulatedNetwork emulated("bench", parameters, *traffic);
    emulated.run_through(cycles - 1);
    return static_cast<double>(emulated.flit_hops());
}

/// Flit-hops per active router-cycle, from the difference between two lengths of the plain loop.
double flit_hops_an_active_cycle(const Scenario& scenario, std::int64_t cycles) {
    const auto traffic = traffic_of(scenario);
    const ScenarioNetwork parameters(scenario);
    PlainNetwork plain(network::Mesh(parameters.extents()), timing_of(parameters), *traffic);
    plain.run_through(cycles - 1);
    const std::int64_t hops = plain.flit_hops();
    const std::int64_t active = plain.active_router_cycles();
    plain.run_through(2 * cycles - 1);
    return static_cast<double>(plain.flit_hops() - hops) /
           static_cast<double>(plain.active_router_cycles() - active);
}

Benchmark benchmark_of(const Scenario& scenario, const std::shared_ptr<Costs>& costs) {
    const char* const what =
        scenario.has_virtual_channels ? "Virtual channels" : "Mesh by the worm";
    const std::int64_t length = cycles_counted(scenario.window_cycles);
    return {.name = scenario.name,
            .heading = heading(what),
            .instructions_heading = instructions_heading(what),
            .measure = [scenario, costs](const Effort& effort) -> Found {
                Json found = in_own_process([&] { return measured_network(scenario, effort); });
                costs->compare(scenario, "ns_per_active_router_cycle", found["weir"], found);
                return {found, row(scenario.text, found)};
            },
            .counted = CountedWork{
                .length = length,
                .simulate = [scenario](std::int64_t cycles) { return simulated(scenario, cycles); },
                .found = [scenario, costs, length](double instructions) -> Found {
                    Json found{{"instructions_per_flit_hop", instructions}};
                    if (!scenario.has_virtual_channels) {
                        found["instructions_per_active_router_cycle"] =
                            instructions * flit_hops_an_active_cycle(scenario, length);
                    }
                    costs->compare(scenario, "instructions_per_active_router_cycle", Json(found),
                                   found);
                    return {found, instructions_row(scenario.text, found)};
                }}};
}

Scenario network_scenario(std::int64_t extent, double load, const std::string& load_name,
                          const std::string& load_text) {
    return {.name = fmt::format("network-{0}x{0}-{1}", extent, load_name),
            .text = fmt::format("{0}x{0}, {1}", extent, load_text),
            .extent = extent,
            .load = load,
            .window_cycles = kWindowNodeCycles / (extent * extent)};
}

// The same traffic as on 8 x 8, for the same cycles, in the corner of a mesh of idle routers.
Scenario corner_scenario(double load) {
    Scenario scenario =
        network_scenario(32, load, fmt::format("corner-{}", load), fmt::format("{}", load));
    scenario.text = fmt::format("corner of 32x32, {}", load);
    scenario.window_cycles = kWindowNodeCycles / (kCorner * kCorner);
    scenario.busy_corner = kCorner;
    scenario.reference = fmt::format("network-{0}x{0}-{1}", kCorner, load);
    return scenario;
}

Scenario virtual_channel_scenario(std::int64_t extent, double load) {
    Scenario scenario =
        network_scenario(extent, load, fmt::format("{}", load), fmt::format("{}", load));
    scenario.name = fmt::format("virtual-channels-{0}x{0}-{1}", extent, load);
    scenario.has_virtual_channels = true;
    scenario.window_cycles /= 4;
    return scenario;
}

}  // namespace

std::vector<Benchmark> network_benchmarks() {
    std::vector<Scenario> scenarios;
    for (const double load : {0.02, 0.1, 0.3}) {
        scenarios.push_back(
            network_scenario(8, load, fmt::format("{}", load), fmt::format("{}", load)));
    }
    scenarios.push_back(corner_scenario(0.1));
    for (const std::int64_t extent : {8, 16, 32, 64}) {
        for (const double share : {0.04, 0.2, 0.4}) {
            Scenario& scenario = scenarios.emplace_back(network_scenario(
                extent, share * 4.0 / static_cast<double>(extent),
                fmt::format("bisection-{}", share), fmt::format("{} of cut", share)));
            if (extent > 8) {
                scenario.reference = fmt::format("network-8x8-bisection-{}", share);
            }
        }
    }
    for (const auto& [extent, load] : std::vector<std::pair<std::int64_t, double>>{
             {8, 0.02}, {8, 0.1}, {8, 0.3}, {32, 0.02}, {32, 0.1}, {64, 0.025}}) {
        scenarios.push_back(virtual_channel_scenario(extent, load));
    }
    const auto costs = std::make_shared<Costs>();
    std::vector<Benchmark> all;
    all.reserve(scenarios.size());
    for (const Scenario& scenario : scenarios) {
        all.push_back(benchmark_of(scenario, costs));
    }
    return all;
}

}  // namespace weir::experiments::bench
