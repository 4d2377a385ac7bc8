#include <fmt/format.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "experiments/analyses/kernel_analysis.h"
#include "experiments/analyses/measure.h"
#include "experiments/bench/benchmark.h"
#include "experiments/bench/emulated_remap.h"
#include "experiments/bench/plain_network.h"
#include "experiments/bench/windows.h"
#include "experiments/setup/files/temporary_folder.h"
#include "experiments/setup/text/text_table.h"
#include "experiments/trace/log/read_log.h"
#include "experiments/trace/log/trace_store.h"
#include "hw/tracing/trace_probe.h"

namespace weir::experiments::bench {

namespace {

using Dimensions = std::vector<std::int64_t>;

constexpr std::int64_t kRemapNodeCycles = std::int64_t{1} << 21;
// Lower bound of a node's cycles for an iteration of the remap.
constexpr std::int64_t kLeastIterationCycles = 316;
constexpr std::int64_t kTracedIterations = 3000;
constexpr std::int32_t kTracedNodes = 32;

std::int64_t nodes_of(const Dimensions& dimensions) {
    return std::accumulate(dimensions.begin(), dimensions.end(), std::int64_t{1},
                           std::multiplies<>());
}

/// A delivered message in the trace.
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

/// Deliveries of the remap, recorded in a process of its own: this process runs the remap without a
/// recorder.
std::vector<Delivery> record_remap(const Dimensions& dimensions, std::int64_t cycles) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
    if (!file) {
        throw std::runtime_error("cannot create a temporary file");
    }
    const pid_t child = fork();
    if (child == 0) {
        Recorder recorder;
        EmulatedRemap remap(dimensions, iterations_for(cycles), &recorder);
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
    std::vector<Delivery> deliveries(std::ftell(file.get()) / sizeof(Delivery));
    std::rewind(file.get());
    if (std::fread(deliveries.data(), sizeof(Delivery), deliveries.size(), file.get()) !=
        deliveries.size()) {
        throw std::runtime_error("the recorded remap could not be read");
    }
    return deliveries;
}

// --- Beside the plain loop of its network -------------------------------------------------------

Json measured_remap(const Dimensions& dimensions, std::int64_t window_cycles, int repetitions) {
    const std::int64_t cycles = (1 + repetitions) * window_cycles;
    const std::vector<Delivery> recorded = record_remap(dimensions, cycles);
    const NetworkOf parameters(dimensions);
    std::vector<std::vector<Departure>> departures(nodes_of(dimensions));
    // Messages in flight at the end are not recorded. Messages that are not recorded cannot affect
    // deliveries a window earlier.
    const std::int64_t compared = cycles - window_cycles;
    DeliveryLog expected;
    std::int64_t messages = 0;
    for (const Delivery& message : recorded) {
        expected.add(message.source, message.sequence, message.tail_arrival);
        messages += message.tail_arrival < compared ? 1 : 0;
        // The launch ends in the cycle in which the network sees the message.
        departures[message.source].push_back(
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
    EmulatedRemap emulated(dimensions, iterations_for(cycles), nullptr);
    const Subject subject{
        [&emulated](std::int64_t last) { emulated.run_through(last); },
        [&emulated] { return emulated.flit_hops(); },
        [&plain] { return plain.deliveries().count(); }};  // equal to the emulated deliveries
    const PairOfSpeeds speeds = time_windows(subject, plain, window_cycles, repetitions);
    if (!plain.deliveries().same_until(compared, expected)) {
        throw std::runtime_error("deliveries of the remap differ between emulator and plain loop");
    }
    return {{"weir", speeds.weir.json(window_cycles)},
            {"plain_loop", speeds.plain_loop.json(window_cycles)},
            {"time_over_plain_loop", speeds.weir.seconds / speeds.plain_loop.seconds},
            {"messages_compared", messages},
            {"same_deliveries", true}};
}

constexpr std::array<std::size_t, 6> kRemapWidths{22, 10, 10, 10, 13, 8};
constexpr std::array<std::size_t, 2> kInstructionsOfRemap{32, 12};

Found beside_plain_loop(const Dimensions& dimensions, std::int64_t window_cycles,
                        const Effort& effort) {
    const Json found = in_own_process(
        [&] { return measured_remap(dimensions, window_cycles, effort.repetitions); });
    const Json& weir = found["weir"];
    return {found,
            setup::text_line(
                kRemapWidths,
                {fmt::format("  {} nodes", nodes_of(dimensions)),
                 in_millions(weir["cycles_per_second"]), in_millions(weir["flit_hops_per_second"]),
                 in_millions(weir["messages_per_second"]),
                 fmt::format("{:.1f}", weir["ns_per_active_router_cycle"].get<double>()),
                 fmt::format("{:.2f}", found["time_over_plain_loop"].get<double>())})};
}

Benchmark remap_benchmark(const Dimensions& dimensions) {
    const std::int64_t nodes = nodes_of(dimensions);
    const std::int64_t window = kRemapNodeCycles / nodes;
    return {.name = fmt::format("remap-{}", nodes),
            .heading = setup::text_line(kRemapWidths, {"Synchronous remap", "cycles", "flit-hops",
                                                       "messages", "ns an active", "time"}) +
                       setup::text_line(kRemapWidths, {"", "a second", "a second", "a second",
                                                       "router-cycle", "/ plain"}),
            .instructions_heading = "Synchronous remap                 instructions a flit-hop\n",
            .measure =
                [dimensions, window](const Effort& effort) {
                    return beside_plain_loop(dimensions, window, effort);
                },
            .counted = CountedWork{
                .length = cycles_counted(window),
                .simulate =
                    [dimensions](std::int64_t cycles) {
                        EmulatedRemap emulated(dimensions, iterations_for(cycles), nullptr);
                        emulated.run_through(cycles - 1);
                        return static_cast<double>(emulated.flit_hops());
                    },
                .found = [nodes](double instructions) -> Found {
                    return {{{"instructions_per_flit_hop", instructions}},
                            setup::text_line(kInstructionsOfRemap,
                                             {fmt::format("  {} nodes", nodes),
                                              fmt::format("{:.1f}", instructions)})};
                }}};
}

// --- Before it begins ---------------------------------------------------------------------------

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Seconds to build the machine and load its programs, and bytes allocated per node.
Json built(const Dimensions& dimensions) {
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

Found start(const Effort& effort) {
    std::vector<double> seconds;
    double bytes = 0.0;
    for (int i = 0; i < effort.repetitions; ++i) {
        const Json once = in_own_process([] { return built({32, 32}); });
        seconds.push_back(once[0]);
        bytes = once[1];
    }
    return {{{"seconds", median(seconds)}, {"bytes_per_node", bytes}},
            fmt::format("A machine of 1,024 nodes: built in {:.3f} s, {:.1f} kB a node at rest\n",
                        median(seconds), bytes / 1000.0)};
}

// --- Its trace ----------------------------------------------------------------------------------

/// Writes trace records as plain structures, in the host's memory layout.
class PlainRows final : public hw::TraceSink {
  public:
    explicit PlainRows(const std::string& file) : file_(std::fopen(file.c_str(), "wb")) {
        if (file_ == nullptr) {
            throw std::runtime_error("cannot create a temporary file");
        }
    }
    ~PlainRows() override { std::fclose(file_); }

    void message(const hw::Message& message) override { write(message); }
    void core_interval(hw::NodeId node, hw::CoreState state, hw::Cycles begin, hw::Cycles end,
                       hw::MessageId message) override {
        struct Row {
            hw::NodeId node;
            hw::CoreState state;
            hw::Cycles begin;
            hw::Cycles end;
            hw::MessageId message;
        };
        write(Row{node, state, begin, end, message});
    }
    void queue_level(hw::NodeId node, hw::QueueKind queue, hw::Cycles cycle, hw::Bytes bytes,
                     std::int64_t messages) override {
        struct Row {
            hw::NodeId node;
            hw::QueueKind queue;
            hw::Cycles cycle;
            hw::Bytes bytes;
            std::int64_t messages;
        };
        write(Row{node, queue, cycle, bytes, messages});
    }
    void dma_transfer(const hw::DmaTransfer& transfer) override { write(transfer); }
    void stall(const hw::Stall& stall) override { write(stall); }
    void mark(hw::NodeId node, std::string_view name, hw::Cycles cycle,
              std::int64_t value) override {
        struct Row {
            hw::NodeId node;
            hw::Cycles cycle;
            std::int64_t value;
        };
        write(Row{node, cycle, value});
        std::fwrite(name.data(), 1, name.size(), file_);
    }

    [[nodiscard]] std::int64_t rows() const { return rows_; }

  private:
    template <class Row>
    void write(const Row& row) {
        static_assert(std::is_trivially_copyable_v<Row>);
        std::fwrite(&row, sizeof row, 1, file_);
        ++rows_;
    }

    std::FILE* file_;
    std::int64_t rows_ = 0;
};

enum class Gathered : std::uint8_t {
    kNothing,
    kPlainRows,
    kTrace,    ///< log of the cycle trace
    kFigures,  ///< log, and the metrics measured from it
};

/// Processor seconds of the run, and the number of rows for kPlainRows.
Json traced(Gathered gathered) {
    const setup::TemporaryFolder folder("weir-bench");
    const auto file = folder.path() / trace::kTraceFile;
    const std::clock_t begin = std::clock();
    std::unique_ptr<trace::TraceStore> store;
    std::unique_ptr<PlainRows> plain;
    hw::TraceSink* sink = nullptr;
    if (gathered == Gathered::kPlainRows) {
        plain = std::make_unique<PlainRows>(file.string());
        sink = plain.get();
    } else if (gathered != Gathered::kNothing) {
        store = std::make_unique<trace::TraceStore>(file, kTracedNodes, trace::CycleWindow{});
        sink = store.get();
    }
    EmulatedRemap remap({8, 4}, kTracedIterations, sink);
    remap.run_to_the_end();
    if (store) {
        store->finish();
    }
    if (gathered == Gathered::kFigures) {
        const trace::Trace trace = trace::read_log(file);
        const records::Measured measured = analyses::measure({.trace = trace,
                                                              .kernel = remap.kernel(),
                                                              .machine = remap.configuration(),
                                                              .node_count = kTracedNodes},
                                                             analyses::analysis_of("remap"));
        if (measured.metrics.empty()) {
            throw std::logic_error("the benchmark's remap has no metrics");
        }
    }
    const std::int64_t rows = plain ? plain->rows() : 0;
    plain.reset();
    return {static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, rows};
}

Found trace_beside_machine(const Effort& effort) {
    std::array<std::vector<double>, 4> seconds;
    double rows = 0.0;
    for (int i = 0; i < effort.repetitions; ++i) {
        for (std::size_t gathered = 0; gathered < seconds.size(); ++gathered) {
            const Json run =
                in_own_process([=] { return traced(static_cast<Gathered>(gathered)); });
            seconds[static_cast<std::size_t>(gathered)].push_back(run[0]);
            rows = std::max(rows, run[1].get<double>());
        }
    }
    const auto of = [&seconds](Gathered gathered) {
        return median(seconds[static_cast<std::size_t>(gathered)]);
    };
    const double alone = of(Gathered::kNothing);
    const double with_trace = of(Gathered::kTrace) / alone;
    const double with_figures = of(Gathered::kFigures) / alone;
    const double rows_a_second = rows / (of(Gathered::kTrace) - alone);
    const double plain_rows_a_second = rows / (of(Gathered::kPlainRows) - alone);
    return {{{"trace_over_machine", with_trace},
             {"figures_over_machine", with_figures},
             {"rows_per_second", rows_a_second},
             {"plain_rows_per_second", plain_rows_a_second}},
            fmt::format("The remap on 32 nodes: {:.2f} times the processor time with its trace, "
                        "{:.2f} times\n  with trace and metrics; {} trace rows per second, "
                        "{:.2f} times\n  the rate of plain structures\n",
                        with_trace, with_figures, in_millions(rows_a_second),
                        rows_a_second / plain_rows_a_second)};
}

}  // namespace

std::vector<Benchmark> remap_benchmarks() {
    std::vector<Benchmark> all;
    for (const Dimensions& dimensions : {Dimensions{8, 4}, {16, 16}, {32, 32}}) {
        all.push_back(remap_benchmark(dimensions));
    }
    all.push_back({.name = "start-1024", .measure = start});
    all.push_back({.name = "trace-32", .measure = trace_beside_machine});
    return all;
}

}  // namespace weir::experiments::bench
