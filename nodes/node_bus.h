#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <systemc>

#include "hw/controller_registers.h"

namespace weir::nodes {

/// The bus of a node: hands each access to the message controller or to memory, by its address.
/// It takes no time of its own.
class NodeBus final : public sc_core::sc_module {
  public:
    explicit NodeBus(const sc_core::sc_module_name& name) : sc_module(name) {
        core_socket.register_nb_transport_fw(this, &NodeBus::nb_transport_fw);
        core_socket.register_transport_dbg(this, &NodeBus::transport_dbg);
        controller_socket.register_nb_transport_bw(this, &NodeBus::nb_transport_bw);
        memory_socket.register_nb_transport_bw(this, &NodeBus::nb_transport_bw);
    }

    tlm_utils::simple_target_socket<NodeBus> core_socket{"core_socket"};
    tlm_utils::simple_initiator_socket<NodeBus> controller_socket{"controller_socket"};
    tlm_utils::simple_initiator_socket<NodeBus> memory_socket{"memory_socket"};

  private:
    static bool is_controller(const tlm::tlm_generic_payload& payload) {
        const auto offset = payload.get_address() - WEIR_CONTROLLER_BASE;
        return payload.get_address() >= WEIR_CONTROLLER_BASE && offset < WEIR_CONTROLLER_BYTES;
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        return is_controller(payload) ? controller_socket->nb_transport_fw(payload, phase, delay)
                                      : memory_socket->nb_transport_fw(payload, phase, delay);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
        return is_controller(payload) ? controller_socket->transport_dbg(payload)
                                      : memory_socket->transport_dbg(payload);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        return core_socket->nb_transport_bw(payload, phase, delay);
    }
};

}  // namespace weir::nodes
