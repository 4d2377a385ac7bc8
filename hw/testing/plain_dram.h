#pragma once

#include <tlm.h>

#include <cstdint>
#include <cstring>
#include <systemc>
#include <vector>

#include "hw/target_socket.h"

namespace weir::hw::testing {

/// An ideal DRAM behind a memory port, which moves bytes at once.
class PlainDram final : public sc_core::sc_module {
  public:
    PlainDram(const sc_core::sc_module_name& name, std::size_t size)
        : sc_module(name), bytes(size) {
        socket.register_nb_transport_fw(this, &PlainDram::nb_transport_fw);
    }

    TargetSocket<PlainDram> socket{"socket"};
    std::vector<std::uint8_t> bytes;

  private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& /*phase*/,
                                       sc_core::sc_time& /*delay*/) {
        const std::size_t address = payload.get_address();
        const std::size_t length = payload.get_data_length();
        if (address > bytes.size() || length > bytes.size() - address) {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return tlm::TLM_COMPLETED;
        }
        std::uint8_t* in_memory = bytes.data() + address;
        if (payload.is_write()) {
            std::memcpy(in_memory, payload.get_data_ptr(), length);
        } else {
            std::memcpy(payload.get_data_ptr(), in_memory, length);
        }
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
};

}  // namespace weir::hw::testing
