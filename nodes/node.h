#pragma once

#include <functional>
#include <memory>
#include <systemc>

#include "hw/controller.h"
#include "memory/node_memory.h"
#include "nodes/behavioural_core.h"
#include "nodes/node_bus.h"

namespace weir::nodes {

/// One node, wired in the order a message travels: the program's core, its bus, memory beside the
/// message controller. What the controller is connected to is the machine's business.
class Node final : public sc_core::sc_module {
  public:
    using MakeController = std::function<std::unique_ptr<hw::Controller>(hw::NodeId)>;

    Node(const sc_core::sc_module_name& name, hw::ClockDomain& domain, hw::NodeId node,
         std::int32_t node_count, const MakeController& make_controller,
         const BehaviouralCore::Parameters& core_parameters,
         const memory::NodeMemory::Parameters& memory_parameters, hw::MessagePool& messages,
         hw::TraceSink* trace)
        : sc_module(name),
          controller_(make_controller(node)),
          core("core", domain, core_parameters, node, node_count, *controller_, messages, trace),
          bus("bus"),
          memory("memory", domain, memory_parameters) {
        core.bus_socket.bind(bus.core_socket);
        core.handler_bus_socket.bind(bus.handler_socket);
        // In this order: the index of a binding is the controller's port.
        bus.core_port_socket.bind(controller_->bus_socket);
        bus.handler_port_socket.bind(controller_->bus_socket);
        bus.memory_socket.bind(memory.bus_socket);
    }

    [[nodiscard]] hw::Controller& controller() { return *controller_; }
    [[nodiscard]] const hw::Controller& controller() const { return *controller_; }

  private:
    std::unique_ptr<hw::Controller> controller_;

  public:
    BehaviouralCore core;
    NodeBus bus;
    memory::NodeMemory memory;
};

}  // namespace weir::nodes
