#include "hw/clock/process_port.h"

#include "hw/controller/controller.h"
#include "hw/text_streams.h"

namespace weir::hw {

ProcessPort::ProcessPort(const sc_core::sc_module_name& name, ClockDomain& domain)
    : sc_module(name), ClockedPart(domain) {
    bus_socket.register_nb_transport_bw(this, &ProcessPort::nb_transport_bw);
    payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&word_));
    payload_.set_data_length(sizeof word_);
    payload_.set_streaming_width(sizeof word_);
}

void ProcessPort::store(std::uint64_t address, std::uint32_t word) {
    access(tlm::TLM_WRITE_COMMAND, address, word);
}

std::uint32_t ProcessPort::load(std::uint64_t address) {
    return access(tlm::TLM_READ_COMMAND, address, 0);
}

void ProcessPort::wait_for_interrupt(Controller& controller) {
    begin_use();
    controller.set_core(*this);
    awaited_ = &controller;
    domain().wake_from_process(*this);
    sc_core::wait(done_);
    is_in_use_ = false;
}

std::uint32_t ProcessPort::access(tlm::tlm_command command, std::uint64_t address,
                                  std::uint32_t word) {
    begin_use();
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    word_ = word;
    is_asked_for_ = true;
    domain().wake_from_process(*this);
    sc_core::wait(done_);
    is_in_use_ = false;
    if (payload_.is_response_error()) {
        hw::TextWriter text;
        text << "a " << (payload_.is_write() ? "store to" : "load from") << " 0x" << std::hex
             << address << " is refused: " << payload_.get_response_string();
        SC_REPORT_ERROR(name(), text.str().c_str());
    }
    return word_;
}

void ProcessPort::begin_use() {
    if (is_in_use_) {
        SC_REPORT_ERROR(name(), "two processes use it at a time; accepted: a port for each");
    }
    is_in_use_ = true;
}

void ProcessPort::tick(Cycles now) {
    if (awaited_ != nullptr && awaited_->interrupt_raised(now)) {
        awaited_ = nullptr;
        done_.notify(sc_core::SC_ZERO_TIME);
    }
    if (!is_asked_for_) {
        return;
    }
    is_asked_for_ = false;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    if (bus_socket->nb_transport_fw(payload_, phase, delay) == tlm::TLM_COMPLETED) {
        done_.notify(delay);
    }
}

tlm::tlm_sync_enum ProcessPort::nb_transport_bw(tlm::tlm_generic_payload& /*payload*/,
                                                [[maybe_unused]] tlm::tlm_phase& phase,
                                                sc_core::sc_time& delay) {
    sc_assert(phase == tlm::BEGIN_RESP);
    done_.notify(delay);
    return tlm::TLM_COMPLETED;
}

}  // namespace weir::hw
