#include "hw/controller/message_controller_twin.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "hw/dma/dma_twin.h"
#include "hw/queues/byte_queue_twin.h"

namespace weir::hw {

namespace {

// The twin counts the cycles of an access in 16 bits.
constexpr std::int64_t kMostAccessCycles = 65'535;

struct Least {
    const Parameter<Cycles>& key;
    std::int64_t value;
};

std::optional<Fault> uncovered(const ControllerParameters& keys, const DmaParameters& dma,
                               const ControllerSurroundings& surroundings) {
    if (surroundings.has_protocol_processor) {
        return Fault{"core.receive_mode", "a protocol processor", "a core that handles messages"};
    }
    if (surroundings.shares_memory) {
        return Fault{"coherence", "coherent shared memory", "memory that nodes do not share"};
    }
    for (const Least& least : {Least{keys.store_cycles, 2}, Least{keys.launch_cycles, 2},
                               Least{keys.load_cycles, 1}, Least{keys.notify_cycles, 2}}) {
        if (least.key.value().count() < least.value) {
            return Fault{std::string("controller.") + least.key.name(),
                         std::to_string(least.key.value().count()),
                         std::to_string(least.value) + " or more"};
        }
    }
    const std::int64_t longest = (keys.launch_cycles.value() + dma.setup_cycles.value()).count();
    if (longest > kMostAccessCycles) {
        return Fault{"dma.setup_cycles", "a launch of " + std::to_string(longest) + " cycles",
                     "a launch of at most " + std::to_string(kMostAccessCycles) + " cycles"};
    }
    return std::nullopt;
}

}  // namespace

std::variant<Twin, Fault> message_controller_twin(const ControllerParameters& keys,
                                                  const DmaParameters& dma,
                                                  const ControllerSurroundings& surroundings) {
    if (const std::optional<Fault> fault = uncovered(keys, dma, surroundings)) {
        return *fault;
    }
    return Twin{"message_controller",
                {"hw/controller/message_controller.sv"},
                {{"NODES", surroundings.node_count},
                 {"MEMORY_BYTES", surroundings.memory_bytes.count()},
                 {"OUTPUT_QUEUE_BYTES", keys.output_queue_bytes.value().count()},
                 {"INPUT_QUEUE_BYTES", keys.input_queue_bytes.value().count()},
                 {"STORE_CYCLES", keys.store_cycles.value().count()},
                 {"LAUNCH_CYCLES", keys.launch_cycles.value().count()},
                 {"LOAD_CYCLES", keys.load_cycles.value().count()},
                 {"CONSECUTIVE_LOAD_CYCLES", keys.consecutive_load_cycles.value().count()},
                 {"DOUBLE_CYCLES", keys.double_cycles.value().count()},
                 {"NOTIFY_CYCLES", keys.notify_cycles.value().count()},
                 {"OVERFLOW_TRAP", keys.overflow_trap.value() ? 1 : 0},
                 {"OVERFLOW_TIMEOUT_CYCLES", keys.overflow_timeout_cycles.value().count()},
                 {"SETUP_CYCLES", dma.setup_cycles.value().count()}}};
}

std::variant<Twin, Fault> message_node_twin(const ControllerParameters& keys,
                                            const DmaParameters& dma,
                                            const MemoryPortParameters& port,
                                            const ControllerSurroundings& surroundings,
                                            Bytes flit_bytes) {
    constexpr std::int64_t kRequesters = 3;
    const std::int64_t grain = output_queue_ports(flit_bytes, dma.burst_bytes.value()).grain_bytes;
    Twin node{"message_node",
              {"hw/queues/item_ring.sv", "hw/queues/byte_queue.sv"},
              {{"FLIT_BYTES", flit_bytes.count()}, {"GRAIN_BYTES", grain}}};
    // Parameters of the parts that the node sets itself.
    constexpr std::array kOwn{"PORTS", "RECEIVES", "START_CYCLES", "QUEUE_BYTES"};
    for (const auto& part :
         {message_controller_twin(keys, dma, surroundings),
          dma_engine_twin(DmaKind::kSend, dma, keys), memory_port_twin(port, kRequesters)}) {
        if (std::holds_alternative<Fault>(part)) {
            return std::get<Fault>(part);
        }
        const Twin& twin = std::get<Twin>(part);
        node.sources.push_back(twin.sources.front());
        std::copy_if(twin.parameters.begin(), twin.parameters.end(),
                     std::back_inserter(node.parameters), [&kOwn](const auto& parameter) {
                         return std::find(kOwn.begin(), kOwn.end(), parameter.first) == kOwn.end();
                     });
    }
    node.sources.emplace_back("hw/controller/message_node.sv");
    return node;
}

}  // namespace weir::hw
