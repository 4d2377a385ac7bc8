#include "experiments/bench/scenario.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <stdexcept>

#include "experiments/analyses/kernel_analysis.h"
#include "experiments/analyses/measure.h"
#include "experiments/bench/emulated_network.h"
#include "experiments/bench/emulated_remap.h"
#include "experiments/bench/plain_network.h"
#include "experiments/bench/timed_pair.h"
#include "experiments/setup/files/temporary_folder.h"
#include "experiments/trace/log/read_log.h"
#include "experiments/trace/log/trace_store.h"

namespace weir::experiments::bench {

namespace {

constexpr std::int32_t kPacketFlits = 8;
constexpr std::uint64_t kSeed = 1;
// A window simulates so many cycles of a node, whatever the size of the network.
constexpr std::int64_t kWindowNodeCycles = std::int64_t{1} << 22;
constexpr std::int64_t kCorner = 8;
constexpr std::int64_t kRemapNodeCycles = std::int64_t{1} << 21;
// A node of the remap takes more cycles for an iteration than this.
constexpr std::int64_t kLeastIterationCycles = 316;
constexpr std::int64_t kWarmUpWindows = 1;

std::int64_t node_count(const Scenario& scenario) {
    std::int64_t count = 1;
    for (const std::int64_t extent : scenario.dimensions) {
        count *= extent;
    }
    return count;
}

/// The network of the Alewife preset, as large as the scenario says.
struct NetworkOf : network::NetworkParameters {
    explicit NetworkOf(const Scenario& scenario) {
        if (!dimensions.set(scenario.dimensions)) {
            throw std::logic_error("the benchmark's dimensions are not accepted");
        }
    }
};

PlainNetworkTiming timing_of(const network::NetworkParameters& parameters) {
    return {.injection_cycles = parameters.injection_cycles.value().count(),
            .ejection_cycles = parameters.ejection_cycles.value().count(),
            .hop_cycles = parameters.hop_cycles.value().count(),
            .buffer_flits = static_cast<std::int32_t>(parameters.buffer_flits.value().count())};
}

Scenario network_scenario(std::int64_t extent, double load, const std::string& load_name,
                          const std::string& load_text) {
    return {.name = fmt::format("network-{0}x{0}-{1}", extent, load_name),
            .text = fmt::format("{0}x{0}, {1}", extent, load_text),
            .kind = Scenario::Kind::kNetwork,
            .dimensions = {extent, extent},
            .load = load,
            .window_cycles = kWindowNodeCycles / (extent * extent),
            .busy_corner = 0,
            .reference = {}};
}

// As much traffic as on 8 x 8, and as long, beside routers that have none.
Scenario corner_scenario(double load) {
    Scenario scenario =
        network_scenario(32, load, fmt::format("corner-{}", load),
                         fmt::format("{} in a corner of {}x{}", load, kCorner, kCorner));
    scenario.window_cycles = kWindowNodeCycles / (kCorner * kCorner);
    scenario.busy_corner = kCorner;
    scenario.reference = fmt::format("network-{0}x{0}-{1}", kCorner, load);
    return scenario;
}

std::unique_ptr<Traffic> traffic_of(const Scenario& scenario) {
    const auto corner = static_cast<std::int32_t>(scenario.busy_corner);
    const auto nodes =
        corner != 0 ? corner * corner : static_cast<std::int32_t>(node_count(scenario));
    auto uniform = std::make_unique<UniformTraffic>(nodes, scenario.load, kPacketFlits, kSeed);
    if (corner == 0) {
        return uniform;
    }
    return std::make_unique<CornerTraffic>(static_cast<std::int32_t>(scenario.dimensions[0]),
                                           corner, std::move(uniform));
}

/// What is timed: something that can go on to a cycle.
struct Subject {
    std::function<void(std::int64_t)> run_through;
    std::function<std::int64_t()> flit_hops;
};

/// Goes on by a window each time it is called.
std::function<void()> windows_of(const Subject& subject, std::int64_t window_cycles) {
    return [&subject, window_cycles, reached = std::int64_t{0}]() mutable {
        reached += window_cycles;
        subject.run_through(reached - 1);
    };
}

/// A message as the trace of a machine has it.
struct Delivery {
    std::int32_t source;
    std::int32_t destination;
    std::int64_t sequence;
    std::int64_t launch;
    std::int64_t tail_arrival;
    std::int64_t bytes;
};

class Recorder final : public hw::TraceSink {
  public:
    void message(const hw::Message& message) override {
        deliveries.push_back({message.source.index(), message.destination.index(),
                              message.id.sequence, message.times.launch.count(),
                              message.times.tail_arrival.count(), message.bytes.count()});
    }
    void core_interval(hw::NodeId /*node*/, hw::CoreState /*state*/, hw::Cycles /*begin*/,
                       hw::Cycles /*end*/, hw::MessageId /*message*/) override {}
    void queue_level(hw::NodeId /*node*/, hw::QueueKind /*queue*/, hw::Cycles /*cycle*/,
                     hw::Bytes /*bytes*/, std::int64_t /*messages*/) override {}
    void dma_transfer(const hw::DmaTransfer& /*transfer*/) override {}
    void stall(const hw::Stall& /*stall*/) override {}
    void mark(hw::NodeId /*node*/, std::string_view /*name*/, hw::Cycles /*cycle*/,
              std::int64_t /*value*/) override {}

    std::vector<Delivery> deliveries;
};

std::int64_t iterations_for(std::int64_t cycles) { return cycles / kLeastIterationCycles + 1; }

/// Runs the remap in a process of its own, since this one is to run it without a recorder.
std::vector<Delivery> record_remap(const Scenario& scenario, std::int64_t cycles) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
    if (!file) {
        throw std::runtime_error("no room for a temporary file");
    }
    const pid_t child = fork();
    if (child == 0) {
        Recorder recorder;
        EmulatedRemap remap(scenario.dimensions, iterations_for(cycles), &recorder);
        remap.run_through(cycles - 1);
        const std::size_t count = recorder.deliveries.size();
        const bool written =
            std::fwrite(recorder.deliveries.data(), sizeof(Delivery), count, file.get()) == count &&
            std::fflush(file.get()) == 0;
        _exit(written ? 0 : 1);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) {
        throw std::runtime_error("the remap could not be recorded");
    }
    std::fseek(file.get(), 0, SEEK_END);
    std::vector<Delivery> deliveries(static_cast<std::size_t>(std::ftell(file.get())) /
                                     sizeof(Delivery));
    std::rewind(file.get());
    if (std::fread(deliveries.data(), sizeof(Delivery), deliveries.size(), file.get()) !=
        deliveries.size()) {
        throw std::runtime_error("the recorded remap could not be read");
    }
    return deliveries;
}

Speed speed_of(double seconds, std::int64_t flit_hops, std::int64_t active_router_cycles,
               std::int64_t windows) {
    return {seconds, static_cast<double>(flit_hops) / static_cast<double>(windows),
            static_cast<double>(active_router_cycles) / static_cast<double>(windows)};
}

template <class Emulated>
Subject subject_of(Emulated& emulated) {
    return {[&emulated](std::int64_t last) { emulated.run_through(last); },
            [&emulated] { return emulated.flit_hops(); }};
}

ScenarioResult time_both(const Scenario& scenario, int repetitions, const Subject& weir,
                         PlainNetwork& plain) {
    const auto weir_window = windows_of(weir, scenario.window_cycles);
    const Subject loop = subject_of(plain);
    const auto plain_window = windows_of(loop, scenario.window_cycles);
    weir_window();  // warms up
    plain_window();
    const PairOfTimes times = time_pair(weir_window, plain_window, repetitions);
    const std::int64_t windows = kWarmUpWindows + repetitions;
    const std::int64_t active = plain.active_router_cycles();
    ScenarioResult result;
    result.weir = speed_of(times.first_seconds, weir.flit_hops(), active, windows);
    result.plain_loop = speed_of(times.second_seconds, plain.flit_hops(), active, windows);
    return result;
}

ScenarioResult measure_network(const Scenario& scenario, int repetitions) {
    const NetworkOf parameters(scenario);
    const auto for_weir = traffic_of(scenario);
    const auto for_plain = traffic_of(scenario);
    EmulatedNetwork emulated("bench", parameters, *for_weir);
    PlainNetwork plain(network::Mesh(parameters.extents()), timing_of(parameters), *for_plain);
    ScenarioResult result = time_both(scenario, repetitions, subject_of(emulated), plain);
    // A sink notes a message a cycle after its tail, so the last deliveries are not yet noted.
    result.same_deliveries = emulated.deliveries().same_until(
        (kWarmUpWindows + repetitions) * scenario.window_cycles - 1, plain.deliveries());
    result.messages = plain.deliveries().count();
    return result;
}

ScenarioResult measure_remap(const Scenario& scenario, int repetitions) {
    const std::int64_t cycles = (kWarmUpWindows + repetitions) * scenario.window_cycles;
    const std::vector<Delivery> recorded = record_remap(scenario, cycles);
    const NetworkOf parameters(scenario);
    std::vector<std::vector<Departure>> departures(static_cast<std::size_t>(node_count(scenario)));
    // What is on its way at the end is not recorded; a window earlier nothing of it matters yet.
    const std::int64_t compared = cycles - scenario.window_cycles;
    DeliveryLog expected;
    std::int64_t messages = 0;
    for (const Delivery& message : recorded) {
        expected.add(message.source, message.sequence, message.tail_arrival);
        messages += message.tail_arrival < compared ? 1 : 0;
        // The launch ends in the cycle in which the network sees the message.
        departures[static_cast<std::size_t>(message.source)].push_back(
            {message.launch - 1, message.destination,
             static_cast<std::int32_t>(
                 hw::flits_of(hw::Bytes(message.bytes), parameters.flit_bytes.value()).count())});
    }
    for (auto& of_node : departures) {
        std::sort(of_node.begin(), of_node.end(),
                  [](const Departure& a, const Departure& b) { return a.cycle < b.cycle; });
    }
    RecordedTraffic traffic(std::move(departures));
    PlainNetwork plain(network::Mesh(parameters.extents()), timing_of(parameters), traffic);
    EmulatedRemap emulated(scenario.dimensions, iterations_for(cycles), nullptr);
    ScenarioResult result = time_both(scenario, repetitions, subject_of(emulated), plain);
    result.same_deliveries = plain.deliveries().same_until(compared, expected);
    result.messages = messages;
    return result;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

const std::vector<Scenario>& all_scenarios() {
    static const std::vector<Scenario> scenarios = [] {
        std::vector<Scenario> all;
        for (const double load : {0.02, 0.1, 0.3}) {
            all.push_back(network_scenario(8, load, fmt::format("{}", load),
                                           fmt::format("{} flits/node/cycle", load)));
        }
        all.push_back(corner_scenario(0.1));
        for (const std::int64_t extent : {8, 16, 32, 64}) {
            for (const double share : {0.04, 0.2, 0.4}) {
                Scenario& scenario = all.emplace_back(network_scenario(
                    extent, share * 4.0 / static_cast<double>(extent),
                    fmt::format("bisection-{}", share), fmt::format("{} of bisection", share)));
                if (extent > 8) {
                    scenario.reference = fmt::format("network-8x8-bisection-{}", share);
                }
            }
        }
        const std::vector<std::vector<std::int64_t>> machines{{8, 4}, {16, 16}, {32, 32}};
        for (const auto& dimensions : machines) {
            const std::int64_t nodes = dimensions[0] * dimensions[1];
            all.push_back({.name = fmt::format("remap-{}", nodes),
                           .text = fmt::format("synchronous remap, {} nodes", nodes),
                           .kind = Scenario::Kind::kRemap,
                           .dimensions = dimensions,
                           .load = 0.0,
                           .window_cycles = kRemapNodeCycles / nodes,
                           .busy_corner = 0,
                           .reference = {}});
        }
        return all;
    }();
    return scenarios;
}

ScenarioResult measure(const Scenario& scenario, int repetitions) {
    return scenario.kind == Scenario::Kind::kNetwork ? measure_network(scenario, repetitions)
                                                     : measure_remap(scenario, repetitions);
}

std::int64_t simulate(const Scenario& scenario, std::int64_t cycles) {
    if (scenario.kind == Scenario::Kind::kRemap) {
        EmulatedRemap emulated(scenario.dimensions, iterations_for(cycles), nullptr);
        emulated.run_through(cycles - 1);
        return emulated.flit_hops();
    }
    const auto traffic = traffic_of(scenario);
    const NetworkOf parameters(scenario);
    EmulatedNetwork emulated("bench", parameters, *traffic);
    emulated.run_through(cycles - 1);
    return emulated.flit_hops();
}

std::int64_t active_router_cycles(const Scenario& scenario, std::int64_t cycles) {
    const auto traffic = traffic_of(scenario);
    const NetworkOf parameters(scenario);
    PlainNetwork plain(network::Mesh(parameters.extents()), timing_of(parameters), *traffic);
    plain.run_through(cycles - 1);
    return plain.active_router_cycles();
}

RestingMachine build_machine(const std::vector<std::int64_t>& dimensions) {
    const auto allocated = [] {
        const struct mallinfo2 now = mallinfo2();
        return static_cast<double>(now.uordblks) + static_cast<double>(now.hblkhd);
    };
    const double before = allocated();
    const auto begin = std::chrono::steady_clock::now();
    EmulatedRemap remap(dimensions, 1, nullptr);
    const double seconds = seconds_since(begin);
    return {seconds, (allocated() - before) / remap.machine().node_count()};
}

double remap_seconds(Gathered gathered) {
    constexpr std::int64_t kIterations = 1000;
    constexpr std::int32_t kNodes = 32;
    const setup::TemporaryFolder folder("weir-bench");
    const auto file = folder.path() / trace::kTraceFile;
    const std::clock_t begin = std::clock();
    std::unique_ptr<trace::TraceStore> store;
    if (gathered != Gathered::kNothing) {
        store = std::make_unique<trace::TraceStore>(file, kNodes, trace::CycleWindow{});
    }
    EmulatedRemap remap({8, 4}, kIterations, store.get());
    remap.run_to_the_end();
    if (store) {
        store->finish();
    }
    if (gathered == Gathered::kFigures) {
        const trace::Trace trace = trace::read_log(file);
        const records::Measured measured = analyses::measure({.trace = trace,
                                                              .kernel = remap.kernel(),
                                                              .machine = remap.configuration(),
                                                              .node_count = kNodes},
                                                             analyses::analysis_of("remap"));
        if (measured.metrics.empty()) {
            throw std::logic_error("nothing was measured of the benchmark's remap");
        }
    }
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace weir::experiments::bench
