#include <fmt/format.h>

#include <array>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "experiments/bench/benchmark.h"
#include "experiments/bench/emulated_remap.h"
#include "experiments/setup/text/text_table.h"
#include "hw/clock/clock_tiles.h"

namespace weir::experiments::bench {

namespace {

// 4,096 nodes for 1,500 cycles, after 1,500 cycles to warm up.
const std::vector<std::int64_t> kMeshOfTiles{64, 64};
constexpr std::int64_t kWindowCycles = 1500;
constexpr std::int64_t kIterations = 100;  // more iterations than fit into the measured cycles

// Numbers of cores for the model; the host may have fewer.
constexpr std::array<std::size_t, 4> kCores{1, 2, 8, 32};

double seconds_of(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Seconds for a window of the remap, with a thread for each tile.
double measured_seconds(std::size_t tiles) {
    const Json seconds = in_own_process([&] {
        EmulatedRemap remap(kMeshOfTiles, kIterations, nullptr, tiles);
        remap.run_through(kWindowCycles);
        return Json(seconds_of([&] { remap.run_through(2 * kWindowCycles); }));
    });
    return seconds;
}

/// Seconds for a barrier of two threads.
double measured_meeting_seconds() {
    constexpr int kMeetings = 200'000;
    hw::SpinBarrier barrier(2);
    const auto meet = [&barrier] {
        for (int i = 0; i < kMeetings; ++i) {
            barrier.wait();
        }
    };
    return seconds_of([&meet] {
               std::thread other(meet);
               meet();
               other.join();
           }) /
           kMeetings;
}

/// Modelled seconds for a window, if the host has as many cores as the machine has tiles. One
/// thread ticks the tiles in turn; a cycle takes as long as its slowest tile. A barrier per cycle
/// is added, whose time is proportional to the number of threads.
double modelled_seconds(std::size_t tiles, double meeting_seconds) {
    const Json work = in_own_process([&]() -> Json {
        EmulatedRemap remap(kMeshOfTiles, kIterations, nullptr, tiles);
        hw::ClockTiles& clock = remap.machine().clock();
        clock.tick_in_turn();
        remap.run_through(kWindowCycles);
        const hw::ClockTiles::Work before = clock.work();
        const double seconds = seconds_of([&] { remap.run_through(2 * kWindowCycles); });
        if (tiles == 1) {
            return {seconds, 0};
        }
        const hw::ClockTiles::Work after = clock.work();
        return {after.longest_seconds - before.longest_seconds, after.cycles - before.cycles};
    });
    const auto cores = static_cast<double>(tiles);
    const double meeting = tiles == 1 ? 0.0 : meeting_seconds * cores / 2.0;
    return work[0].get<double>() + work[1].get<double>() * meeting;
}

Found found_at(std::size_t cores, double seconds_of_one, double modelled, double measured) {
    const double by_model = seconds_of_one / modelled;
    Json json{{"cores", cores}, {"modelled_speed_up", by_model}};
    std::string speed_up;
    if (measured > 0.0) {
        json["seconds"] = measured;
        json["speed_up"] = seconds_of_one / measured;
        speed_up = fmt::format("{:.2f}", seconds_of_one / measured);
    }
    constexpr std::array<std::size_t, 3> kWidths{10, 33, 14};
    return {json, setup::text_line(kWidths, {fmt::format("  {:>2} cores", cores), speed_up,
                                             fmt::format("{:.2f}", by_model)})};
}

Found remap_in_tiles(const Effort& effort) {
    std::array<std::vector<double>, 2> measured;
    std::array<std::vector<double>, kCores.size()> modelled;
    for (int i = 0; i < effort.repetitions; ++i) {
        measured[0].push_back(measured_seconds(1));
        measured[1].push_back(measured_seconds(2));
        const double meeting = measured_meeting_seconds();
        for (std::size_t cores = 0; cores < kCores.size(); ++cores) {
            modelled[cores].push_back(modelled_seconds(kCores[cores], meeting));
        }
    }
    const double of_one = median(measured[0]);
    Found found{{{"machine_nodes", 4096}, {"cycles", kWindowCycles}, {"cores", Json::array()}}, {}};
    for (std::size_t cores = 0; cores < kCores.size(); ++cores) {
        const double seconds = cores < measured.size() ? median(measured[cores]) : 0.0;
        const Found one = found_at(kCores[cores], of_one, median(modelled[cores]), seconds);
        found.json["cores"].push_back(one.json);
        found.text += one.text;
    }
    return found;
}

}  // namespace

std::vector<Benchmark> tile_benchmarks() {
    return {{.name = "tiles-4096",
             .heading = "The remap on 4,096 nodes,       times as fast     times by a\n"
                        "  in as many tiles as cores        as on one          model\n",
             .measure = remap_in_tiles}};
}

}  // namespace weir::experiments::bench
