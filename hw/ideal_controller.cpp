#include "hw/ideal_controller.h"

#include <algorithm>
#include <cstring>

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

tlm::tlm_sync_enum IdealController::nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                                    tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
    if (phase == WITHDRAW_REQUEST) {
        gate_->withdraw(node(), port);
        return tlm::TLM_ACCEPTED;
    }
    const auto address = static_cast<std::uint32_t>(payload.get_address());
    if (payload.get_data_length() != WEIR_WORD_BYTES || address % WEIR_WORD_BYTES != 0) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    const Cycles now = domain().now();
    std::uint32_t word = 0;
    std::memcpy(&word, payload.get_data_ptr(), sizeof word);
    refuse(payload, "it has no such register, or there is no message");
    const std::optional<Cycles> cost =
        payload.is_write() ? write(port, payload, word, now) : read(port, address, word, now);
    if (cost) {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        std::memcpy(payload.get_data_ptr(), &word, sizeof word);
        delay = domain().to_time(*cost);
    }
    return waiting_[static_cast<std::size_t>(port)] ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
}

std::optional<Cycles> IdealController::write(int port, tlm::tlm_generic_payload& payload,
                                             std::uint32_t value, Cycles now) {
    const auto address = static_cast<std::uint32_t>(payload.get_address());
    if (in_words(address, WEIR_OUTPUT_DESCRIPTOR)) {
        note_compose(port, now);
        descriptor(port).store(word_index(address, WEIR_OUTPUT_DESCRIPTOR), value);
        return store_cycles();
    }
    if (address == WEIR_LAUNCH) {
        const LaunchRequest request(value);
        const std::optional<std::string> fault =
            request.has_body() ? "a body needs network.model = \"wormhole\""
                               : descriptor(port).fault(request, node_count(), Bytes(0));
        if (fault) {
            refuse(payload, *fault);
            return std::nullopt;
        }
        if (gate_ != nullptr) {
            waiting_[static_cast<std::size_t>(port)] = WaitingLaunch{&payload, now};
            gate_->request({node(), port, descriptor(port).destination()}, *this);
            return std::nullopt;
        }
        launch(port, request, Cycles(0), now);
        return launch_cycles();
    }
    if (address == WEIR_DISPOSE && interrupt_raised(now)) {
        dispose(now);
        return store_cycles();
    }
    return std::nullopt;
}

std::optional<Cycles> IdealController::read(int port, std::uint32_t address, std::uint32_t& value,
                                            Cycles now) {
    if (in_words(address, WEIR_INPUT_WINDOW) && interrupt_raised(now)) {
        const Message& message = messages()[head_message()];
        const std::uint32_t index = word_index(address, WEIR_INPUT_WINDOW);
        if (index >= static_cast<std::uint32_t>(message.word_count)) {
            return std::nullopt;
        }
        value = message.words[index];
    } else if (in_words(address, WEIR_OUTPUT_DESCRIPTOR)) {
        value = descriptor(port).word(word_index(address, WEIR_OUTPUT_DESCRIPTOR));
    } else if (address == WEIR_COMPOSED_WORDS) {
        value = descriptor(port).composed_words();
    } else if (address == WEIR_MESSAGE_WAITING) {
        value = interrupt_raised(now) ? 1 : 0;
    } else if (address == WEIR_OUTPUT_ROOM) {
        value = std::numeric_limits<std::int32_t>::max();
    } else {
        return std::nullopt;
    }
    return load_cost(port, now);
}

void IdealController::launch_granted(int port, MessageId holder, Cycles now) {
    const WaitingLaunch waiting = *waiting_[static_cast<std::size_t>(port)];
    const MessageId launched_before = last_launched_;
    std::uint32_t word = 0;
    std::memcpy(&word, waiting.payload->get_data_ptr(), sizeof word);
    launch(port, LaunchRequest(word), now - waiting.issued, now);
    note_blocked(waiting.issued, now, last_launched_, holder.valid() ? holder : launched_before);
    waiting.payload->set_response_status(tlm::TLM_OK_RESPONSE);
    answer(port, launch_cycles());
}

void IdealController::launch_withdrawn(int port, Cycles now) {
    const WaitingLaunch waiting = *waiting_[static_cast<std::size_t>(port)];
    statistics_.withdrawn_launches += 1;
    note_blocked(waiting.issued, now, {}, last_launched_);
    waiting.payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    answer(port, Cycles(1));
}

void IdealController::answer(int port, Cycles delay) {
    std::optional<WaitingLaunch>& waiting = waiting_[static_cast<std::size_t>(port)];
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

void IdealController::launch(int port, const LaunchRequest& request, Cycles blocked, Cycles now) {
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

void IdealController::dispose(Cycles now) {
    messages()[head_message()].times.dispose = now;
    arrived_.erase(arrived_.begin());
    statistics_.messages_disposed += 1;
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

unsigned IdealController::transport_dbg(int /*port*/, tlm::tlm_generic_payload& /*payload*/) {
    return 0;
}

}  // namespace weir::hw
