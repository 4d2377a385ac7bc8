#include "nodes/twin_parts.h"

#include <algorithm>

#include "hw/controller/message_controller_twin.h"
#include "hw/dma/dma_twin.h"
#include "hw/queues/byte_queue_twin.h"
#include "network/fabric/interface_twin.h"
#include "network/network_plan.h"
#include "network/router/router_twin.h"

namespace weir::nodes {

namespace {

// Users of a node's memory port: two DMA engines, the caches and the coherence controller.
std::int64_t memory_port_requesters(const MachineConfiguration& machine) {
    return 2 + (machine.memory.caches.value() > 0 ? 1 : 0) + (machine.shares_memory ? 1 : 0);
}

TwinPart without_twin(const char* kind, const char* name, std::int64_t count,
                      const char* reason = "not described in SystemVerilog") {
    return {kind, name, count, hw::Fault{"", reason}};
}

std::int64_t router_count(const network::NetworkParameters& network) {
    return network.model.value() == network::NetworkModel::kWormhole
               ? static_cast<std::int64_t>(network::make_topology(network).switch_count())
               : 0;
}

}  // namespace

TwinPart router_parts(const network::NetworkParameters& network) {
    const std::variant<hw::Twin, hw::Fault> router = network::router_twin(network);
    const auto* const twin = std::get_if<hw::Twin>(&router);
    std::string name = twin == nullptr ? "router" : twin->module;
    std::replace(name.begin(), name.end(), '_', ' ');
    return {"router", name, router_count(network), router};
}

std::vector<TwinPart> twin_parts(const MachineConfiguration& machine) {
    if (machine.network.model.value() != network::NetworkModel::kWormhole) {
        return {router_parts(machine.network)};  // ideal controllers have no parts
    }
    const std::int64_t nodes = machine.node_count();
    const hw::Bytes flit = machine.network.flit_bytes.value();
    const hw::Bytes burst = machine.dma.burst_bytes.value();
    const hw::Bytes output = machine.controller.output_queue_bytes.value();
    const hw::Bytes input = machine.controller.input_queue_bytes.value();
    std::vector<TwinPart> parts{without_twin("core", "core", nodes)};
    if (machine.memory.caches.value() > 0) {
        parts.push_back(without_twin("caches", "caches", nodes));
    }
    if (machine.shares_memory) {
        parts.push_back(without_twin(
            "coherence", "coherence controller", nodes,
            "described only as the directory entry of a line (memory/coherence/directory.sv)"));
    }
    const std::vector<TwinPart> in_twins{
        {"controller", "message controller", nodes,
         hw::message_controller_twin(machine.controller, machine.dma,
                                     {.node_count = static_cast<std::int32_t>(nodes),
                                      .memory_bytes = machine.memory.bytes.value(),
                                      .has_protocol_processor = machine.core.receive_mode.value() ==
                                                                ReceiveMode::kProtocolProcessor,
                                      .shares_memory = machine.shares_memory})},
        {"dma", "DMA engine, sending", nodes,
         hw::dma_engine_twin(hw::DmaKind::kSend, machine.dma, machine.controller)},
        {"dma", "DMA engine, receiving", nodes,
         hw::dma_engine_twin(hw::DmaKind::kReceive, machine.dma, machine.controller)},
        {"memory_port", "memory port", nodes,
         hw::memory_port_twin(machine.memory_port, memory_port_requesters(machine))},
        {"queue", "output queue", nodes,
         hw::byte_queue_twin(output, hw::output_queue_ports(flit, burst))},
        {"queue", "input queue", nodes,
         hw::byte_queue_twin(input, hw::input_queue_ports(flit, burst))},
        {"interface", "network interface", nodes,
         network::interface_twin(machine.network, std::max(output, input))},
        router_parts(machine.network)};
    parts.insert(parts.end(), in_twins.begin(), in_twins.end());
    return parts;
}

}  // namespace weir::nodes
