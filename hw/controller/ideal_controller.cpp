#include "hw/controller/ideal_controller.h"

#include <algorithm>
#include <limits>

namespace weir::hw {

IdealController::IdealController(const sc_core::sc_module_name& name, ClockDomain& domain,
                                 const ControllerParameters& parameters, NodeId node,
                                 std::int32_t node_count, MessagePool& messages, TraceSink* trace,
                                 Deliver deliver, LaunchGate* gate)
    : Controller(name, domain, parameters, node, node_count, messages, trace),
      deliver_(std::move(deliver)),
      gate_(gate) {}

void IdealController::arrive(MessageSlot slot, Cycles arrival) {
    Message& message = messages()[slot];
    MessageTimes& times = message.times;
    times.first_arrival = std::min(times.first_arrival, arrival);
    times.header_arrival = arrival;
    times.tail_arrival = arrival;
    times.notify = std::max(domain().now() + Cycles(1), arrival + notify_cycles());
    statistics_.messages_delivered += 1;
    statistics_.bytes_delivered += message.bytes.count();
    arrived_.emplace(message.times.notify, message.id, slot);
    core_->wake_at(message.times.notify);
}

std::optional<Cycles> IdealController::read_window(const RegisterAccess& access) {
    if (!interrupt_raised(access.now)) {
        return refuse_register(access);
    }
    const Message& message = messages()[head_message()];
    if (access.word >= static_cast<std::uint32_t>(message.word_count)) {
        return refuse_register(access);
    }
    return loaded(access, message.words[access.word]);
}

std::optional<Cycles> IdealController::launch(const RegisterAccess& access) {
    const int port = access.port;
    const LaunchRequest request(access.data());
    const std::optional<std::string> fault =
        request.has_body() ? "a body needs network.model = \"wormhole\""
                           : descriptor(port).fault(request, node_count(), DmaMemory());
    if (fault) {
        return refuse(access.payload, *fault);
    }
    if (gate_ != nullptr) {
        waiting_[port] = WaitingLaunch{&access.payload, access.now};
        gate_->request({node(), port, descriptor(port).destination()}, *this);
        return std::nullopt;
    }
    begin_launch(port, request, Cycles(0), access.now);
    return launch_cycles();
}

std::optional<Cycles> IdealController::dispose(const RegisterAccess& access) {
    if (!interrupt_raised(access.now)) {
        return refuse_register(access);
    }
    messages()[head_message()].times.dispose = access.now;
    arrived_.erase(arrived_.begin());
    statistics_.messages_disposed += 1;
    return store_cycles();
}

std::optional<Cycles> IdealController::read_output_room(const RegisterAccess& access) {
    return loaded(access, std::numeric_limits<std::int32_t>::max());
}

std::optional<Cycles> IdealController::refuse_register(const RegisterAccess& access) {
    return refuse(access.payload, "there is no such register, or no message has arrived");
}

void IdealController::launch_granted(int port, MessageId holder, Cycles now) {
    const WaitingLaunch waiting = *waiting_[port];
    const MessageId launched_before = last_launched_;
    begin_launch(port, LaunchRequest(data_word(*waiting.payload)), now - waiting.issued, now);
    note_blocked(waiting.issued, now, last_launched_, holder.valid() ? holder : launched_before);
    waiting.payload->set_response_status(tlm::TLM_OK_RESPONSE);
    answer(port, launch_cycles());
}

void IdealController::launch_withdrawn(int port, Cycles now) {
    const WaitingLaunch waiting = *waiting_[port];
    statistics_.withdrawn_launches += 1;
    note_blocked(waiting.issued, now, {}, last_launched_);
    waiting.payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    answer(port, Cycles(1));
}

void IdealController::answer(int port, Cycles delay) {
    std::optional<WaitingLaunch>& waiting = waiting_[port];
    tlm::tlm_generic_payload& payload = *waiting->payload;
    waiting.reset();
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time time = domain().to_time(delay);
    bus_socket[port]->nb_transport_bw(payload, phase, time);
}

void IdealController::note_blocked(Cycles since, Cycles until, MessageId launched,
                                   MessageId holder) {
    if (until <= since) {
        return;
    }
    statistics_.blocked_launches += 1;
    statistics_.launch_blocked_cycles += (until - since).count();
    if (trace_sink() != nullptr) {
        trace_sink()->stall({node(), StallPlace::kLaunch, since, until, launched, holder});
    }
}

void IdealController::end_of_run(Cycles now) {
    for (const std::optional<WaitingLaunch>& waiting : waiting_) {
        if (waiting) {
            note_blocked(waiting->issued, now, {}, last_launched_);
        }
    }
}

void IdealController::begin_launch(int port, const LaunchRequest& request, Cycles blocked,
                                   Cycles now) {
    const MessageSlot slot = begin_trip(port, request, now + launch_cycles());
    Message& message = messages()[slot];
    message.launch_blocked = blocked;
    message.times.network_entry = message.times.launch;
    message.times.tail_entry = message.times.launch;
    last_launched_ = message.id;
    statistics_.messages_launched += 1;
    statistics_.bytes_launched += message.bytes.count();
    deliver_(slot);
}

bool IdealController::handler_ended(MessageSlot message, Cycles /*now*/) {
    if (messages()[message].times.dispose == kNever) {
        return false;
    }
    end_trip(message);
    return true;
}

void IdealController::add_to(ConservationAccount& account) const {
    Controller::add_to(account);
    account.bytes_launched += statistics_.bytes_launched.value();
    account.bytes_injected += statistics_.bytes_launched.value();
    account.messages_launched += statistics_.messages_launched.value();
    account.messages_disposed += statistics_.messages_disposed.value();
    account.bytes_ejected += statistics_.bytes_delivered.value();
    account.bytes_into_input_queues += statistics_.bytes_delivered.value();
}

}  // namespace weir::hw
