#pragma once

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "hw/message_controller.h"
#include "memory/node_memory.h"
#include "nodes/behavioural_core.h"
#include "nodes/node_bus.h"
#include "nodes/programming/processor.h"

namespace weir::nodes {

/// One node, wired in the order a message travels: the program's core, its bus, memory beside the
/// message controller, the controller's queues to and from the network interface.
class Node final : public sc_core::sc_module {
  public:
    Node(const sc_core::sc_module_name& name, hw::ClockDomain& domain, hw::NodeId node,
         std::int32_t node_count, const hw::MessageController::Parameters& controller_parameters,
         const memory::NodeMemory::Parameters& memory_parameters, hw::MessagePool& messages,
         hw::TraceSink* trace, bool trace_queue_levels)
        : sc_module(name),
          controller("controller", domain, controller_parameters, node, node_count, messages,
                     trace_queue_levels ? trace : nullptr),
          core("core", domain, node, node_count, controller, messages, trace),
          bus("bus"),
          memory("memory", domain, memory_parameters) {
        core.bus_socket.bind(bus.core_socket);
        bus.controller_socket.bind(controller.bus_socket);
        bus.memory_socket.bind(memory.bus_socket);
    }

    hw::MessageController controller;
    BehaviouralCore core;
    NodeBus bus;
    memory::NodeMemory memory;
};

}  // namespace weir::nodes
