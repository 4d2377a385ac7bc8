#include "memory/node_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace weir::memory {

MemoryParameters::MemoryParameters()
    : ParameterGroup("memory", "The memory of a node, its access times and its caches") {}
MemoryParameters::~MemoryParameters() = default;

NodeMemory::NodeMemory(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                       const Parameters& parameters, bool has_protocol_processor,
                       hw::Bytes shared_bytes)
    : sc_module(name),
      domain_(domain),
      bytes_(static_cast<std::uint64_t>((parameters.bytes.value() + shared_bytes).count())),
      load_cycles_(parameters.load_cycles.value()),
      store_cycles_(parameters.store_cycles.value()),
      double_cycles_(parameters.double_cycles.value()) {
    bus_socket.register_nb_transport_fw(this, &NodeMemory::nb_transport_fw);
    bus_socket.register_transport_dbg(this, &NodeMemory::transport_dbg);
    if (has_protocol_processor) {
        handler_bus_socket =
            std::make_unique<hw::OptionalTargetSocket<NodeMemory>>("handler_bus_socket");
        handler_bus_socket->register_nb_transport_fw(this, &NodeMemory::nb_transport_fw);
        handler_bus_socket->register_transport_dbg(this, &NodeMemory::transport_dbg);
    }
    dram_socket.register_nb_transport_fw(this, &NodeMemory::move_burst);
    dram_socket.register_transport_dbg(this, &NodeMemory::transport_dbg);
}

tlm::tlm_sync_enum NodeMemory::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& /*phase*/, sc_core::sc_time& delay) {
    const unsigned length = payload.get_data_length();
    if (!std::has_single_bit(length) || length > 8 || payload.get_address() % length != 0) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    if (!move(payload)) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    const hw::Cycles word = payload.is_write() ? store_cycles_ : load_cycles_;
    delay = domain_.to_time(length == 8 ? word + double_cycles_ : word);
    return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum NodeMemory::move_burst(tlm::tlm_generic_payload& payload,
                                          tlm::tlm_phase& /*phase*/, sc_core::sc_time& /*delay*/) {
    payload.set_response_status(move(payload) ? tlm::TLM_OK_RESPONSE
                                              : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
}

unsigned NodeMemory::transport_dbg(tlm::tlm_generic_payload& payload) {
    return move(payload) ? payload.get_data_length() : 0;
}

bool NodeMemory::move(tlm::tlm_generic_payload& payload) {
    std::uint64_t address = payload.get_address();
    std::size_t left = payload.get_data_length();
    if (address > bytes_ || left > bytes_ - address) {
        return false;
    }
    std::uint8_t* data = payload.get_data_ptr();
    while (left > 0) {
        const std::size_t page_index = address / kPageBytes;
        const std::size_t offset = address % kPageBytes;
        const std::size_t length = std::min(left, kPageBytes - offset);
        if (payload.is_write()) {
            std::memcpy(allocated_page(page_index).data() + offset, data, length);
        } else if (page_index < pages_.size() && pages_[page_index]) {
            std::memcpy(data, pages_[page_index]->data() + offset, length);
        } else {
            std::memset(data, 0, length);
        }
        address += length;
        data += length;
        left -= length;
    }
    return true;
}

NodeMemory::Page& NodeMemory::allocated_page(std::size_t index) {
    if (index >= pages_.size()) {
        pages_.resize(index + 1);
    }
    if (!pages_[index]) {
        pages_[index] = std::make_unique<Page>();
        ++pages_allocated_;
    }
    return *pages_[index];
}

HitPort::Hit NodeMemory::hit(Side /*side*/, std::uint64_t address, unsigned bytes, bool is_store,
                             hw::Cycles /*at*/) {
    if (address >= bytes_ || bytes > bytes_ - address) {
        return {};
    }
    const std::size_t index = address / kPageBytes;
    const bool is_allocated = index < pages_.size() && pages_[index] != nullptr;
    if (!is_allocated && !is_store) {
        return {};  // no hit: the load uses the bus, which reads zeros
    }
    return {allocated_page(index).data() + address % kPageBytes};
}

}  // namespace weir::memory
