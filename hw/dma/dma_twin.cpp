#include "hw/dma/dma_twin.h"

#include <bit>
#include <string>

#include "hw/dma/memory_port.h"

namespace weir::hw {

namespace {

// The twins count the cycles until a burst's end in 16 bits.
constexpr std::int64_t kMostBurstCycles = 65'535;
// Longest burst: 9 bits of bytes.
constexpr Bytes kLongestBurst{511};

}  // namespace

std::variant<Twin, Fault> memory_port_twin(const MemoryPortParameters& keys,
                                           std::int64_t requesters) {
    const Cycles beats =
        memory_burst_cycles(kLongestBurst, keys.beat_bytes.value(), keys.beat_cycles.value());
    const std::int64_t longest =
        (keys.access_cycles.value() + keys.bursts_in_flight.value() * beats).count();
    if (longest > kMostBurstCycles) {
        return Fault{"memory_port.access_cycles",
                     "bursts that end after up to " + std::to_string(longest) + " cycles",
                     "at most " + std::to_string(kMostBurstCycles)};
    }
    return Twin{"memory_port",
                {"hw/dma/memory_port.sv"},
                {{"PORTS", requesters},
                 {"BEAT_BYTES", keys.beat_bytes.value().count()},
                 {"BEAT_CYCLES", keys.beat_cycles.value().count()},
                 {"ACCESS_CYCLES", keys.access_cycles.value().count()},
                 {"ROW_BYTES", keys.row_bytes.value().count()},
                 {"ROW_ACCESS_CYCLES", keys.row_access_cycles.value().count()},
                 {"BURSTS_IN_FLIGHT", keys.bursts_in_flight.value()}}};
}

std::variant<Twin, Fault> dma_engine_twin(DmaKind kind, const DmaParameters& keys,
                                          const ControllerParameters& controller) {
    const std::int64_t burst = keys.burst_bytes.value().count();
    if (!std::has_single_bit(static_cast<std::uint64_t>(burst))) {
        return Fault{"dma.burst_bytes", std::to_string(burst), "a power of two"};
    }
    const bool receives = kind == DmaKind::kReceive;
    const Cycles setup = keys.setup_cycles.value();
    const Cycles start = receives ? setup : controller.launch_cycles.value() + setup;
    const Bytes queue =
        receives ? controller.input_queue_bytes.value() : controller.output_queue_bytes.value();
    return Twin{"dma_engine",
                {"hw/dma/dma_engine.sv"},
                {{"RECEIVES", receives ? 1 : 0},
                 {"BURST_BYTES", burst},
                 {"TURNAROUND_CYCLES", keys.turnaround_cycles.value().count()},
                 {"START_CYCLES", start.count()},
                 {"QUEUE_BYTES", queue.count()}}};
}

}  // namespace weir::hw
