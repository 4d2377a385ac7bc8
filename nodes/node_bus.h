#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <systemc>

#include "hw/barrier/barrier_registers.h"
#include "hw/controller/controller_registers.h"
#include "hw/target_socket.h"

namespace weir::nodes {

/// The bus of a node: hands each access to the message controller, the hardware barrier or memory,
/// by its address. It takes no time of its own. There is a way in for the core, and one for the
/// handlers of a protocol processor if there is one, and for each its own way to a port of the
/// controller and to memory; the barrier, if there is one, is the core's.
class NodeBus final : public sc_core::sc_module {
  public:
    using Target = hw::TargetSocket<NodeBus, int>;
    using Initiator = tlm_utils::simple_initiator_socket_tagged<NodeBus>;

    NodeBus(const sc_core::sc_module_name& name, bool has_protocol_processor, bool has_barrier)
        : sc_module(name) {
        core_socket.register_nb_transport_fw(this, &NodeBus::nb_transport_fw, kCore);
        core_socket.register_transport_dbg(this, &NodeBus::transport_dbg, kCore);
        core_port_socket.register_nb_transport_bw(this, &NodeBus::nb_transport_bw, kCore);
        memory_socket.register_nb_transport_bw(this, &NodeBus::nb_transport_bw, kCore);
        if (has_barrier) {
            barrier_socket = std::make_unique<Initiator>("barrier_socket");
            barrier_socket->register_nb_transport_bw(this, &NodeBus::nb_transport_bw, kCore);
        }
        if (has_protocol_processor) {
            handler_socket = std::make_unique<Target>("handler_socket");
            handler_socket->register_nb_transport_fw(this, &NodeBus::nb_transport_fw, kHandler);
            handler_socket->register_transport_dbg(this, &NodeBus::transport_dbg, kHandler);
            handler_port_socket = std::make_unique<Initiator>("handler_port_socket");
            handler_port_socket->register_nb_transport_bw(this, &NodeBus::nb_transport_bw,
                                                          kHandler);
            handler_memory_socket = std::make_unique<Initiator>("handler_memory_socket");
            handler_memory_socket->register_nb_transport_bw(this, &NodeBus::nb_transport_bw,
                                                            kHandler);
        }
    }

    Target core_socket{"core_socket"};
    std::unique_ptr<Target> handler_socket;
    Initiator core_port_socket{"core_port_socket"};
    std::unique_ptr<Initiator> handler_port_socket;
    Initiator memory_socket{"memory_socket"};
    std::unique_ptr<Initiator> handler_memory_socket;
    std::unique_ptr<Initiator> barrier_socket;

  private:
    static constexpr int kCore = 0;
    static constexpr int kHandler = 1;

    // Where the access goes.
    auto& way_to(int way, const tlm::tlm_generic_payload& payload) {
        const auto offset = payload.get_address() - WEIR_CONTROLLER_BASE;
        if (barrier_socket && way == kCore && WEIR_IS_BARRIER_REGISTER(payload.get_address())) {
            return *barrier_socket;
        }
        if (payload.get_address() < WEIR_CONTROLLER_BASE || offset >= WEIR_CONTROLLER_BYTES) {
            return way == kCore ? memory_socket : *handler_memory_socket;
        }
        return way == kCore ? core_port_socket : *handler_port_socket;
    }
    tlm::tlm_sync_enum nb_transport_fw(int way, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        return way_to(way, payload)->nb_transport_fw(payload, phase, delay);
    }
    unsigned transport_dbg(int way, tlm::tlm_generic_payload& payload) {
        return way_to(way, payload)->transport_dbg(payload);
    }
    tlm::tlm_sync_enum nb_transport_bw(int way, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        return (way == kCore ? core_socket : *handler_socket)
            ->nb_transport_bw(payload, phase, delay);
    }
};

}  // namespace weir::nodes
