#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "experiments/bench/benchmark.h"
#include "experiments/bench/booksim.h"
#include "experiments/bench/pipelined_router.h"
#include "experiments/records/run_file.h"
#include "experiments/setup/files/temporary_folder.h"
#include "experiments/setup/text/text_table.h"

namespace weir::experiments::bench {

namespace {

constexpr std::int64_t kPacketFlits = 8;
constexpr std::int64_t kVirtualChannels = 2;
// Flit-hops of the shorter of two runs; the difference to a run of twice the length is timed.
constexpr double kFlitHopsOfWorms = 20e6;
constexpr double kFlitHopsOfFlits = 4e6;

/// A network as Weir and BookSim have it.
struct Network {
    std::string name;        ///< part of the benchmark's name
    std::string text;        ///< for a reader
    std::string keys;        ///< keys of the table [network]
    BooksimNetwork booksim;  ///< also the load and the length of routes
    bool by_worms = false;   ///< emulated worm by worm
};

std::string router_keys() {
    std::string keys;
    for (const auto& [key, value] : kPipelinedRouter) {
        keys += fmt::format("{} = {}\n", key, value);
    }
    return keys;
}

Network plain_mesh(std::int64_t extent, double load) {
    return {.name = fmt::format("{0}x{0}-{1}", extent, load),
            .text = fmt::format("{0}x{0}, {1}, mesh by the worm", extent, load),
            .keys = fmt::format("dimensions = [{0}, {0}]\nbuffer_flits = {1}\n"
                                "injection_cycles = 1\nejection_cycles = 1\n",
                                extent, kPacketFlits),
            .booksim = booksim_mesh(extent, load, kPacketFlits, 1),
            .by_worms = true};
}

Network virtual_channels(std::int64_t extent, double load) {
    return {.name = fmt::format("virtual-channels-{0}x{0}-{1}", extent, load),
            .text = fmt::format("{0}x{0}, {1}, virtual channels", extent, load),
            .keys = fmt::format("dimensions = [{0}, {0}]\n{1}", extent, router_keys()),
            .booksim = booksim_mesh(extent, load, kPacketFlits, kVirtualChannels)};
}

Network other_network(const char* name, const std::string& keys, const std::string& options,
                      double routers) {
    constexpr double kLoad = 0.1;
    return {.name = fmt::format("{}-{}", name, kLoad),
            .text = fmt::format("{}, {}", name, kLoad),
            .keys = keys + router_keys(),
            .booksim = {.options = options + " num_vcs = 2;",
                        .nodes = 64.0,
                        .routers = routers,
                        .load = kLoad,
                        .packet_flits = kPacketFlits}};
}

std::vector<Network> all_networks() {
    std::vector<Network> all;
    const std::vector<std::pair<std::int64_t, double>> points{
        {8, 0.02}, {8, 0.1}, {8, 0.3}, {32, 0.1}, {64, 0.025}};
    for (const auto& network : {plain_mesh, virtual_channels}) {
        for (const auto& [extent, load] : points) {
            all.push_back(network(extent, load));
        }
    }
    all.push_back(other_network("torus-8x8", "topology = \"torus\"\ndimensions = [8, 8]\n",
                                "topology = torus; k = 8; n = 2; routing_function = dim_order;",
                                5.0));
    all.push_back(
        other_network("adaptive-8x8", "routing = \"minimal_adaptive\"\ndimensions = [8, 8]\n",
                      "topology = mesh; k = 8; n = 2; routing_function = min_adapt;", 19.0 / 3.0));
    all.push_back(other_network("fat-tree-64",
                                "topology = \"fat_tree\"\ndimensions = [64]\narity = 4\n",
                                "topology = fattree; k = 4; n = 3; routing_function = nca;", 4.6));
    return all;
}

std::string experiment_of(const Network& network, std::int64_t cycles) {
    return fmt::format(
        "[workload]\nkernel = \"open-loop\"\n"
        "[traffic]\npattern = \"uniform\"\nload = {}\npacket_flits = {}\n"
        "warm_up_cycles = 1000\nmeasurement_cycles = {}\n"
        "[run]\nseeds = [1]\n[network]\n{}",
        network.booksim.load, kPacketFlits, cycles, network.keys);
}

/// One call of `weir run`.
struct Run {
    double seconds = 0.0;  ///< processor time
    double flit_hops = 0.0;
};

/// Flits that the routers of a run forwarded.
double flit_hops_of(const std::filesystem::path& results) {
    const Json parts =
        Json::parse(records::text_of_file(results / "point-01-seed-1" / "statistics.json"));
    double flit_hops = 0.0;
    for (const auto& part : parts) {
        flit_hops += part.at("flits_forwarded").get<double>();
    }
    return flit_hops;
}

Run run(const Network& network, std::int64_t cycles, bool flit_by_flit) {
    const setup::TemporaryFolder folder("weir-bench");
    const std::string file = (folder.path() / "open-loop.toml").string();
    records::write_run_file(file, experiment_of(network, cycles));
    const std::filesystem::path results = folder.path() / "results";
    const TimedOutput timed = timed_output_of(
        fmt::format("{} run {} -j1 --out {} --set network.flit_by_flit={}",
                    quoted(std::filesystem::read_symlink("/proc/self/exe").string()), quoted(file),
                    quoted(results.string()), flit_by_flit));
    if (timed.status != 0) {
        throw std::runtime_error("weir run failed: " + timed.output);
    }
    return {timed.seconds, flit_hops_of(results)};
}

/// Flit-hops per second of processor time, from the difference between two runs.
double speed_of_runs(const Network& network, bool flit_by_flit) {
    const double flit_hops =
        network.by_worms && !flit_by_flit ? kFlitHopsOfWorms : kFlitHopsOfFlits;
    const BooksimNetwork& booksim = network.booksim;
    const auto cycles = static_cast<std::int64_t>(
        std::ceil(flit_hops / (booksim.nodes * booksim.load * booksim.routers)));
    const Run shorter = run(network, cycles, flit_by_flit);
    const Run longer = run(network, 2 * cycles, flit_by_flit);
    return (longer.flit_hops - shorter.flit_hops) / (longer.seconds - shorter.seconds);
}

Json measured_runs(const Network& network, const Effort& effort) {
    std::vector<double> speeds;
    std::vector<double> over_flits;
    std::vector<double> over_booksim;
    for (int i = 0; i < effort.repetitions; ++i) {
        speeds.push_back(speed_of_runs(network, false));
        over_flits.push_back(speeds.back() / speed_of_runs(network, true));
        if (!effort.booksim.empty()) {
            over_booksim.push_back(speeds.back() / booksim_speed(effort.booksim, network.booksim));
        }
    }
    Json found{{"flit_hops_per_second", median(speeds)},
               {"speed_over_flit_by_flit", median(over_flits)}};
    if (!over_booksim.empty()) {
        found["speed_over_booksim"] = median(over_booksim);
    }
    return found;
}

constexpr std::array<std::size_t, 4> kColumnWidths{32, 12, 14, 10};

Benchmark benchmark_of(const Network& network) {
    return {.name = "open-loop-" + network.name,
            .heading = setup::text_line(kColumnWidths,
                                        {"weir run, open loop", "flit-hops", "speed", "speed"}) +
                       setup::text_line(kColumnWidths, {"  flits/node/cycle", "a second",
                                                        "/flit by flit", "/BookSim"}),
            .measure = [network](const Effort& effort) -> Found {
                const Json found = measured_runs(network, effort);
                return {found,
                        setup::text_line(
                            kColumnWidths,
                            {"  " + network.text, in_millions(found["flit_hops_per_second"]),
                             fmt::format("{:.1f}", found["speed_over_flit_by_flit"].get<double>()),
                             found.contains("speed_over_booksim")
                                 ? fmt::format("{:.1f}", found["speed_over_booksim"].get<double>())
                                 : ""})};
            }};
}

}  // namespace

std::vector<Benchmark> open_loop_benchmarks() {
    std::vector<Benchmark> all;
    for (const Network& network : all_networks()) {
        all.push_back(benchmark_of(network));
    }
    return all;
}

}  // namespace weir::experiments::bench
