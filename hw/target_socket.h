#pragma once

#include <tlm.h>

#include <string>
#include <systemc>
#include <tuple>

namespace weir::hw {

/// A target socket for TLM-2.0's non-blocking transport and for debug accesses. The sockets of
/// tlm_utils have a thread each, for blocking transport: three stacks per node, more than a system
/// may give to thousands of nodes. This socket has none, and refuses blocking transport
/// (sc_core::sc_report). An owner with several sockets is called with a number of type `Tag` that
/// tells them apart.
template <class Owner, sc_core::sc_port_policy policy, class... Tag>
class BasicTargetSocket final
    : public tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, policy>,
      private tlm::tlm_fw_transport_if<> {
  public:
    using Transport = tlm::tlm_sync_enum (Owner::*)(Tag..., tlm::tlm_generic_payload&,
                                                    tlm::tlm_phase&, sc_core::sc_time&);
    using Debug = unsigned (Owner::*)(Tag..., tlm::tlm_generic_payload&);

    explicit BasicTargetSocket(const char* name)
        : tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, policy>(name) {
        this->bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    }

    /// Same interface as in tlm_utils; call it before the simulation starts.
    void register_nb_transport_fw(Owner* owner, Transport transport, Tag... tag) {
        owner_ = owner;
        transport_ = transport;
        tag_ = std::tuple(tag...);
    }
    /// Sets the callback of debug accesses; owner and tag are those given for the transport.
    /// Without a callback, debug accesses move no bytes.
    void register_transport_dbg(Owner* /*owner*/, Debug debug, Tag... /*tag*/) { debug_ = debug; }

  private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        return std::apply(
            [&](Tag... tag) { return (owner_->*transport_)(tag..., payload, phase, delay); }, tag_);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
        return debug_ == nullptr
                   ? 0
                   : std::apply([&](Tag... tag) { return (owner_->*debug_)(tag..., payload); },
                                tag_);
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) override {
        payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
        SC_REPORT_ERROR("/weir/target_socket", (std::string(this->name()) +
                                                " accepts only non-blocking transport; a SystemC "
                                                "process of your own uses a ProcessPort")
                                                   .c_str());
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& /*payload*/, tlm::tlm_dmi& /*dmi*/) override {
        return false;
    }

    Owner* owner_ = nullptr;
    Transport transport_ = nullptr;
    Debug debug_ = nullptr;
    std::tuple<Tag...> tag_;
};

template <class Owner, class... Tag>
using TargetSocket = BasicTargetSocket<Owner, sc_core::SC_ONE_OR_MORE_BOUND, Tag...>;
/// A target socket that may stay unbound.
template <class Owner, class... Tag>
using OptionalTargetSocket = BasicTargetSocket<Owner, sc_core::SC_ZERO_OR_MORE_BOUND, Tag...>;

}  // namespace weir::hw
