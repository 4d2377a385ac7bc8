#include "nodes/core.h"

#include <algorithm>
#include <array>

#include "hw/access_tag.h"
#include "hw/barrier/barrier_registers.h"
#include "hw/controller/controller_registers.h"
#include "hw/per_enumerator.h"
#include "hw/text_streams.h"
#include "memory/coherence/address_map.h"
#include "memory/coherence/coherence_registers.h"

namespace weir::nodes {

CoreParameters::CoreParameters() : ParameterGroup("core", "The processor of a node") {}
CoreParameters::~CoreParameters() = default;

Core::Core(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
           const Parameters& parameters, const Surroundings& surroundings)
    : sc_module(name),
      ClockedPart(domain),
      node_(surroundings.node),
      node_count_(surroundings.node_count),
      controller_(surroundings.controller),
      messages_(surroundings.messages),
      trace_(surroundings.trace),
      memory_bytes_(surroundings.memory_bytes),
      shares_memory_(surroundings.shares_memory),
      mode_(parameters.receive_mode.value()),
      trap_turns_(surroundings.has_trap_turns && mode_ != ReceiveMode::kProtocolProcessor) {
    bus_socket.register_nb_transport_bw(this, &Core::nb_transport_bw);
    controller_.set_core(*this);
    if (mode_ == ReceiveMode::kProtocolProcessor) {
        handler_bus_socket =
            std::make_unique<tlm_utils::simple_initiator_socket<Core>>("handler_bus_socket");
        handler_bus_socket->register_nb_transport_bw(this, &Core::nb_transport_bw);
        controller_.decide_launches_later();
    }
}

tlm::tlm_sync_enum Core::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                         [[maybe_unused]] tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) {
    sc_assert(phase == tlm::BEGIN_RESP);
    answered(payload, domain().to_cycles(delay));
    return tlm::TLM_COMPLETED;
}

void Core::enter(hw::CoreState state, hw::Cycles now, hw::MessageId message) {
    if (state == state_ && message == state_message_) {
        return;
    }
    if (now > state_since_) {
        const hw::PerEnumerator<hw::CoreState, hw::Counter*, hw::kCoreStates> counters{
            &statistics_.compute_cycles,    &statistics_.send_cycles,
            &statistics_.blocked_cycles,    &statistics_.dma_cycles,
            &statistics_.wait_cycles,       &statistics_.handler_cycles,
            &statistics_.trap_cycles,       &statistics_.done_cycles,
            &statistics_.switch_cycles,     &statistics_.memory_wait_cycles,
            &statistics_.synchronize_cycles};
        *counters[state_] += (now - state_since_).count();
        if (trace_ != nullptr) {
            trace_->core_interval(node_, state_, state_since_, now, state_message_);
        }
    }
    state_ = state;
    state_since_ = now;
    state_message_ = message;
}

hw::Cycles Core::spent_in(hw::CoreState state, const hw::Counter& before, hw::Cycles now) const {
    const hw::Cycles present = state_ == state ? now - state_since_ : hw::Cycles(0);
    return hw::Cycles(before.value()) + std::max(present, hw::Cycles(0));
}

void Core::note_step(StepClock& clock, hw::Cycles at) const {
    clock.last = at;
    clock.handled = spent_in_handlers(at);
    clock.trapped = spent_in_traps(at);
    clock.excused = hw::Cycles(0);
}

void Core::note_end_of_turn(StepClock& clock, hw::Cycles now) const {
    clock.has_turn = false;
    clock.left = now;
    clock.above = spent_in_handlers(now) + spent_in_traps(now);
}

void Core::note_turn(StepClock& clock, hw::Cycles now) const {
    clock.excused += turn_of_others(clock, now);
    clock.has_turn = true;
}

// Returns the cycles that other threads of the core have run since the thread's last turn. Short
// turns count 0: the thread's wait includes them.
hw::Cycles Core::turn_of_others(const StepClock& clock, hw::Cycles now) const {
    if (clock.has_turn) {
        return hw::Cycles(0);
    }
    const hw::Cycles above = spent_in_handlers(now) + spent_in_traps(now) - clock.above;
    const hw::Cycles others = now - clock.left - above;
    return others > longest_turn_ ? others : hw::Cycles(0);
}

Core::Stall Core::stall_of(const StepClock& clock, hw::Cycles now) const {
    const hw::Cycles handled = spent_in_handlers(now) - clock.handled;
    return {.since = clock.last,
            .waited = now - clock.last - handled - clock.excused - turn_of_others(clock, now),
            .trapped = spent_in_traps(now) - clock.trapped};
}

void Core::leave_state(hw::Cycles now) {
    const hw::CoreState last = state_;
    enter(last == hw::CoreState::kDone ? hw::CoreState::kWait : hw::CoreState::kDone, now);
}

std::string Core::refusal_of(const tlm::tlm_generic_payload& payload) const {
    const auto address = static_cast<std::uint32_t>(payload.get_address());
    const auto* tag = payload.get_extension<hw::AccessTag>();
    const bool prefetches = tag != nullptr && tag->prefetches;
    const bool is_done_at_home = tag != nullptr && tag->fetch;
    const std::uint32_t length = payload.get_data_length();
    hw::TextWriter text;
    text << (prefetches           ? "a prefetch of"
             : is_done_at_home    ? "a fetch-and-op on"
             : payload.is_write() ? "a store to"
                                  : "a load from")
         << " address 0x" << std::hex << address << " is answered with "
         << payload.get_response_string() << std::dec;
    if (WEIR_IS_BARRIER_REGISTER(address)) {
        text << ": a barrier needs network.barrier = true, and a node must wait for its release "
                "before it arrives again";
    } else if (address >= WEIR_COHERENCE_BASE) {
        text << ": only the coherence trap of a node that shares memory may use it, as "
                "memory/coherence/coherence_registers.h says";
    } else if (address >= WEIR_CONTROLLER_BASE) {
        text << ": " << controller_.refusal();
    } else if (address >= memory::kSharedBase) {
        text << (!shares_memory_ ? ": the nodes of this machine share no memory"
                 : is_done_at_home
                     ? ": fetch-and-op at homes needs coherence.fetch_and_op, a study option"
                     : ": the address is beyond the end of shared memory, or the access is no load "
                       "or store");
    } else if (prefetches || is_done_at_home) {
        text << ": the address is in the node's own memory, and only words of shared memory are "
                "accepted";
    } else if (address % length != 0) {
        text << ": the address is no multiple of " << length;
    } else {
        text << ": the node has " << memory_bytes_ << " bytes of memory";
    }
    return text.str();
}

}  // namespace weir::nodes
