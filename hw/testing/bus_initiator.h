#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <systemc>
#include <vector>

#include "hw/access_tag.h"
#include "hw/clock/clock_domain.h"
#include "hw/controller/message_controller.h"

namespace weir::hw::testing {

/// An access of a scripted core, and its result.
struct BusAccess {
    tlm::tlm_command command;
    std::uint64_t address;
    std::uint64_t data = 0;  ///< stored or loaded data
    unsigned bytes = 4;
    Cycles not_before{0};
    AccessTag* tag = nullptr;  ///< further properties of the access; must outlive it

    Cycles issued = kNever;
    Cycles answered = kNever;  ///< cycle of the call's return, or of a later BEGIN_RESP
    Cycles end = kNever;       ///< cycle of the answer plus its delay
    bool at_once = false;      ///< answered by the call's return, not later
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;

    [[nodiscard]] std::int64_t cost() const { return (end - issued).count(); }
    [[nodiscard]] bool ok() const { return status == tlm::TLM_OK_RESPONSE; }
};

/// An ideal core that executes a script of accesses one after the other. Each access is issued when
/// the previous one has ended, but not before the cycle that the script gives.
class BusInitiator final : public sc_core::sc_module, public ClockedPart {
  public:
    BusInitiator(const sc_core::sc_module_name& name, ClockDomain& domain)
        : sc_module(name), ClockedPart(domain) {
        bus_socket.register_nb_transport_bw(this, &BusInitiator::nb_transport_bw);
    }
    // Removes the last access's tag, which may no longer exist, from the payload.
    ~BusInitiator() override { payload_.set_extension<AccessTag>(nullptr); }

    tlm_utils::simple_initiator_socket<BusInitiator> bus_socket{"bus_socket"};

    // Adds an access to the script. Its address is stable, so that the test can read the result
    // afterwards.
    const BusAccess& store(std::uint64_t address, std::uint64_t data,
                           Cycles not_before = Cycles(0)) {
        return append({tlm::TLM_WRITE_COMMAND, address, data, 4, not_before});
    }
    const BusAccess& load(std::uint64_t address, Cycles not_before = Cycles(0)) {
        return append({tlm::TLM_READ_COMMAND, address, 0, 4, not_before});
    }
    const BusAccess& append(const BusAccess& access) {
        accesses_.push_back(access);
        wake_at(std::max(access.not_before, domain().now() + Cycles(1)));
        return accesses_.back();
    }

    /// Withdraws the pending access, as a core does that takes an interrupt.
    void withdraw() {
        tlm::tlm_phase phase = WITHDRAW_REQUEST;
        sc_core::sc_time delay;
        bus_socket->nb_transport_fw(payload_, phase, delay);
    }

    /// A debug access (transport_dbg), which takes no time; returns the number of bytes moved.
    unsigned debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                   unsigned bytes) {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(data);
        payload.set_data_length(bytes);
        return bus_socket->transport_dbg(payload);
    }

    void tick(Cycles now) override {
        if (next_ == accesses_.size() || unanswered_) {
            return;
        }
        BusAccess& access = accesses_[next_];
        if (now < access.not_before || now < free_from_) {
            wake_at(std::max(access.not_before, free_from_));
            return;
        }
        issue(access, now);
    }

    [[nodiscard]] const std::deque<BusAccess>& accesses() const { return accesses_; }
    [[nodiscard]] bool waits() const { return unanswered_; }

  private:
    void issue(BusAccess& access, Cycles now) {
        access.issued = now;
        payload_.set_command(access.command);
        payload_.set_address(access.address);
        payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&access.data));
        payload_.set_data_length(access.bytes);
        payload_.set_streaming_width(access.bytes);
        payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        payload_.set_extension(access.tag);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        unanswered_ = true;
        if (bus_socket->nb_transport_fw(payload_, phase, delay) == tlm::TLM_COMPLETED) {
            access.at_once = true;
            answer(delay);
        }
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& /*payload*/,
                                       [[maybe_unused]] tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        sc_assert(phase == tlm::BEGIN_RESP);
        answer(delay);
        return tlm::TLM_COMPLETED;
    }
    void answer(const sc_core::sc_time& delay) {
        BusAccess& access = accesses_[next_++];
        access.answered = domain().now();
        access.end = access.answered + domain().to_cycles(delay);
        access.status = payload_.get_response_status();
        unanswered_ = false;
        free_from_ = access.end;
        if (next_ < accesses_.size()) {
            wake_at(std::max(free_from_, domain().now() + Cycles(1)));
        }
    }

    std::deque<BusAccess> accesses_;
    std::size_t next_ = 0;
    bool unanswered_ = false;
    Cycles free_from_{0};
    tlm::tlm_generic_payload payload_;
};

}  // namespace weir::hw::testing
