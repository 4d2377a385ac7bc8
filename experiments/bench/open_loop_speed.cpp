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

struct Scenario {
    std::int64_t extent = 8;
    double load = 0.1;  ///< flits per node and cycle
    bool has_virtual_channels = false;

    [[nodiscard]] double nodes() const { return static_cast<double>(extent * extent); }
    /// Expected flit-hops per cycle: a packet passes a router more than it has hops.
    [[nodiscard]] double flit_hops_a_cycle() const {
        return nodes() * load * (2.0 * static_cast<double>(extent) / 3.0 + 1.0);
    }
};

std::string experiment_of(const Scenario& scenario, std::int64_t cycles) {
    std::string text = fmt::format(
        "[workload]\nkernel = \"open-loop\"\n"
        "[traffic]\npattern = \"uniform\"\nload = {}\npacket_flits = {}\n"
        "warm_up_cycles = 1000\nmeasurement_cycles = {}\n"
        "[run]\nseeds = [1]\n[network]\ndimensions = [{}, {}]\n",
        scenario.load, kPacketFlits, cycles, scenario.extent, scenario.extent);
    if (!scenario.has_virtual_channels) {
        return text + fmt::format("buffer_flits = {}\ninjection_cycles = 1\nejection_cycles = 1\n",
                                  kPacketFlits);
    }
    for (const auto& [key, value] : kPipelinedRouter) {
        text += fmt::format("{} = {}\n", key, value);
    }
    return text;
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

Run run(const Scenario& scenario, std::int64_t cycles, bool flit_by_flit) {
    const setup::TemporaryFolder folder("weir-bench");
    const std::string file = (folder.path() / "open-loop.toml").string();
    records::write_run_file(file, experiment_of(scenario, cycles));
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
double speed_of_runs(const Scenario& scenario, bool flit_by_flit) {
    const double flit_hops =
        flit_by_flit || scenario.has_virtual_channels ? kFlitHopsOfFlits : kFlitHopsOfWorms;
    const auto cycles =
        static_cast<std::int64_t>(std::ceil(flit_hops / scenario.flit_hops_a_cycle()));
    const Run shorter = run(scenario, cycles, flit_by_flit);
    const Run longer = run(scenario, 2 * cycles, flit_by_flit);
    return (longer.flit_hops - shorter.flit_hops) / (longer.seconds - shorter.seconds);
}

Json measured_runs(const Scenario& scenario, const Effort& effort) {
    std::vector<double> speeds;
    std::vector<double> over_flits;
    std::vector<double> over_booksim;
    const BooksimMesh mesh{
        .extent = scenario.extent,
        .load = scenario.load,
        .packet_flits = kPacketFlits,
        .virtual_channels = scenario.has_virtual_channels ? kVirtualChannels : 1};
    for (int i = 0; i < effort.repetitions; ++i) {
        speeds.push_back(speed_of_runs(scenario, false));
        over_flits.push_back(speeds.back() / speed_of_runs(scenario, true));
        if (!effort.booksim.empty()) {
            over_booksim.push_back(speeds.back() / booksim_speed(effort.booksim, mesh));
        }
    }
    Json found{{"flit_hops_per_second", median(speeds)},
               {"speed_over_flit_by_flit", median(over_flits)}};
    if (!over_booksim.empty()) {
        found["speed_over_booksim"] = median(over_booksim);
    }
    return found;
}

constexpr std::array<std::size_t, 4> kWidths{32, 12, 14, 10};

Benchmark benchmark_of(const Scenario& scenario) {
    const std::string size = fmt::format("{0}x{0}", scenario.extent);
    const char* const what =
        scenario.has_virtual_channels ? "virtual channels" : "mesh by the worm";
    return {.name = fmt::format("open-loop-{}{}-{}",
                                scenario.has_virtual_channels ? "virtual-channels-" : "", size,
                                scenario.load),
            .heading =
                setup::text_line(kWidths, {"weir run, open loop", "flit-hops", "speed", "speed"}) +
                setup::text_line(kWidths,
                                 {"  flits/node/cycle", "a second", "/flit by flit", "/BookSim"}),
            .measure = [scenario, size, what](const Effort& effort) -> Found {
                const Json found = measured_runs(scenario, effort);
                return {found,
                        setup::text_line(
                            kWidths,
                            {fmt::format("  {}, {}, {}", size, scenario.load, what),
                             in_millions(found["flit_hops_per_second"]),
                             fmt::format("{:.1f}", found["speed_over_flit_by_flit"].get<double>()),
                             found.contains("speed_over_booksim")
                                 ? fmt::format("{:.1f}", found["speed_over_booksim"].get<double>())
                                 : ""})};
            }};
}

}  // namespace

std::vector<Benchmark> open_loop_benchmarks() {
    std::vector<Benchmark> all;
    for (const bool has_virtual_channels : {false, true}) {
        for (const auto& [extent, load] : std::vector<std::pair<std::int64_t, double>>{
                 {8, 0.02}, {8, 0.1}, {8, 0.3}, {32, 0.1}, {64, 0.025}}) {
            all.push_back(benchmark_of({extent, load, has_virtual_channels}));
        }
    }
    return all;
}

}  // namespace weir::experiments::bench
