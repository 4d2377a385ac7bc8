#include "hw/message_controller.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace weir::hw {

namespace {

std::uint32_t data_word(const tlm::tlm_generic_payload& payload) {
    std::uint32_t word = 0;
    std::memcpy(&word, payload.get_data_ptr(), sizeof word);
    return word;
}

void set_data_word(tlm::tlm_generic_payload& payload, std::uint32_t word) {
    std::memcpy(payload.get_data_ptr(), &word, sizeof word);
}

}  // namespace

MessageController::MessageController(const sc_core::sc_module_name& name, ClockDomain& domain,
                                     const Parameters& parameters, NodeId node,
                                     std::int32_t node_count, MessagePool& messages,
                                     TraceSink* queue_level_trace)
    : Controller(name, domain, parameters, node, node_count, messages),
      output_queue_(node, QueueKind::kOutput, parameters.output_queue_bytes.value(),
                    queue_level_trace),
      input_queue_(node, QueueKind::kInput, parameters.input_queue_bytes.value(),
                   queue_level_trace) {}

void MessageController::header_arrived(Message& message, Cycles now) {
    message.times.header_arrival = now;
    message.times.notify = now + notify_cycles();
    wake_at(message.times.notify - Cycles(1));
}

void MessageController::tick(Cycles now) {
    retry_waiting(now);
    commit_due(now);
    drive_interrupt(now);
}

tlm::tlm_sync_enum MessageController::nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                                      tlm::tlm_phase& phase,
                                                      sc_core::sc_time& delay) {
    const Cycles now = domain().now();
    if (phase == WITHDRAW_REQUEST) {
        for (WaitingAccess& access : waiting_) {
            if (access.port == port) {
                access.withdrawn_from = now + Cycles(1);
                wake_at(now + Cycles(1));
            }
        }
        return tlm::TLM_ACCEPTED;
    }
    sc_assert(phase == tlm::BEGIN_REQ);
    const auto address = static_cast<std::uint32_t>(payload.get_address());
    WaitingAccess access{port, AccessKind::kWindowLoad, &payload, now};
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (payload.get_data_length() != WEIR_WORD_BYTES || address % WEIR_WORD_BYTES != 0) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    const std::optional<Cycles> cost = payload.is_write()
                                           ? write(access, address, data_word(payload), now)
                                           : read(access, address, now);
    if (payload.is_response_error()) {
        return tlm::TLM_COMPLETED;
    }
    if (cost.has_value()) {
        delay = domain().to_time(*cost);
        return tlm::TLM_COMPLETED;
    }
    waiting_.push_back(access);
    std::sort(waiting_.begin(), waiting_.end(), [](const auto& a, const auto& b) {
        return std::tie(a.issued, a.port) < std::tie(b.issued, b.port);
    });
    wait_for_change(access.kind, now);
    wake_at(now + Cycles(1));
    return tlm::TLM_ACCEPTED;
}

std::optional<Cycles> MessageController::write(WaitingAccess& access, std::uint32_t address,
                                               std::uint32_t value, Cycles now) {
    if (in_words(address, WEIR_OUTPUT_DESCRIPTOR)) {
        note_compose(access.port, now);
        descriptor(access.port).store(word_index(address, WEIR_OUTPUT_DESCRIPTOR), value);
        return store_cycles();
    }
    if (address == WEIR_LAUNCH) {
        if (!descriptor(access.port).holds_message(value, node_count())) {
            fail(*access.payload);
            return {};
        }
        access.kind = AccessKind::kLaunch;
        return both_ports() ? std::nullopt : try_launch(access, now);
    }
    if (address == WEIR_DISPOSE) {
        if (!input_queue_.has_message(now)) {
            fail(*access.payload);
            return {};
        }
        access.kind = AccessKind::kDispose;
        return try_dispose(now);
    }
    access.payload->set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return {};
}

std::optional<Cycles> MessageController::read(WaitingAccess& access, std::uint32_t address,
                                              Cycles now) {
    if (in_words(address, WEIR_INPUT_WINDOW)) {
        const auto index = static_cast<std::int32_t>(word_index(address, WEIR_INPUT_WINDOW));
        if (!input_queue_.has_message(now) ||
            index >= messages()[input_queue_.front()].word_count) {
            fail(*access.payload);
            return {};
        }
        access.kind = AccessKind::kWindowLoad;
        return try_window_load(access, now);
    }
    if (in_words(address, WEIR_OUTPUT_DESCRIPTOR)) {
        set_data_word(*access.payload,
                      descriptor(access.port).word(word_index(address, WEIR_OUTPUT_DESCRIPTOR)));
    } else if (address == WEIR_COMPOSED_WORDS) {
        set_data_word(*access.payload, descriptor(access.port).composed_words());
    } else if (address == WEIR_MESSAGE_WAITING) {
        set_data_word(*access.payload, interrupt_line_.raised(now) ? 1 : 0);
    } else {
        access.payload->set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return {};
    }
    return load_cost(access.port, now);
}

std::optional<Cycles> MessageController::try_access(const WaitingAccess& access, Cycles now) {
    switch (access.kind) {
        case AccessKind::kLaunch:
            return try_launch(access, now);
        case AccessKind::kDispose:
            return try_dispose(now);
        case AccessKind::kWindowLoad:
            return try_window_load(access, now);
    }
    return {};
}

// The cycle from which a launch decided now counts: that of its request if it was only put off
// until the requests of all ports were known.
Cycles MessageController::start_of(const WaitingAccess& access, Cycles now) const {
    return both_ports() && now == access.issued + Cycles(1) ? access.issued : now;
}

std::optional<Cycles> MessageController::try_launch(const WaitingAccess& access, Cycles now) {
    const Cycles start = start_of(access, now);
    const std::uint32_t words = data_word(*access.payload);
    const Bytes bytes(std::int64_t{words} * WEIR_WORD_BYTES);
    if (output_queue_.room(now) - launched_bytes_ < bytes) {
        return {};
    }
    const MessageSlot slot = begin_trip(access.port, words, start + launch_cycles());
    messages()[slot].launch_blocked = start - access.issued;
    commits_.push_back({start + launch_cycles() - Cycles(1), AccessKind::kLaunch, slot});
    launched_bytes_ += bytes;
    if (commits_.back().cycle > now) {
        wake_at(commits_.back().cycle);
    }

    statistics_.messages_launched += 1;
    statistics_.bytes_launched += bytes.count();
    return start + launch_cycles() - now;
}

bool MessageController::head_is_whole(Cycles now) const {
    return input_queue_.available(now) >= messages()[input_queue_.front()].bytes;
}

std::optional<Cycles> MessageController::try_dispose(Cycles now) {
    if (!head_is_whole(now)) {
        return {};
    }
    commits_.push_back({now + Cycles(1), AccessKind::kDispose, input_queue_.front()});
    wake_at(now + Cycles(1));
    return store_cycles();
}

std::optional<Cycles> MessageController::try_window_load(const WaitingAccess& access, Cycles now) {
    const std::size_t index =
        word_index(static_cast<std::uint32_t>(access.payload->get_address()), WEIR_INPUT_WINDOW);
    if (input_queue_.available(now) <
        Bytes(static_cast<std::int64_t>(index + 1) * WEIR_WORD_BYTES)) {
        return {};
    }
    set_data_word(*access.payload, messages()[input_queue_.front()].words[index]);
    return load_cost(access.port, now);
}

void MessageController::commit_due(Cycles now) {
    std::size_t kept = 0;
    for (const Commit& commit : commits_) {
        if (commit.cycle > now) {
            commits_[kept++] = commit;
            continue;
        }
        if (commit.kind == AccessKind::kLaunch) {
            output_queue_.begin_message(commit.message, now);
            output_queue_.push(messages()[commit.message].bytes, now);
            launched_bytes_ -= messages()[commit.message].bytes;
        } else {
            Message& message = messages()[commit.message];
            message.times.dispose = now + Cycles(1);
            input_queue_.pop(message.bytes, now);
            input_queue_.end_message(now);
            statistics_.messages_disposed += 1;
        }
    }
    commits_.resize(kept);
}

void MessageController::retry_waiting(Cycles now) {
    if (waiting_.empty()) {
        return;
    }
    std::vector<WaitingAccess> looked_at;
    looked_at.swap(waiting_);
    for (const WaitingAccess& access : looked_at) {
        if (access.issued >= now) {
            waiting_.push_back(access);
            continue;
        }
        Cycles delay(1);
        if (const std::optional<Cycles> cost = try_access(access, now)) {
            delay = *cost;
        } else if (access.withdrawn_from <= now) {
            access.payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            statistics_.withdrawn_launches += access.kind == AccessKind::kLaunch ? 1 : 0;
        } else {
            waiting_.push_back(access);
            wait_for_change(access.kind, now);
            continue;
        }
        const Cycles blocked = start_of(access, now) - access.issued;
        if (access.kind == AccessKind::kLaunch && blocked > Cycles(0)) {
            statistics_.blocked_launches += 1;
            statistics_.launch_blocked_cycles += blocked.count();
        }
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time time = domain().to_time(delay);
        bus_socket[access.port]->nb_transport_bw(*access.payload, phase, time);
    }
}

void MessageController::wait_for_change(AccessKind kind, Cycles now) {
    if (kind == AccessKind::kLaunch) {
        output_queue_.expect_room(*this, Bytes(1), now);
    } else {
        input_queue_.expect_bytes(*this, Bytes(1), now);
    }
}

void MessageController::drive_interrupt(Cycles now) {
    const bool level = input_queue_.has_message(now) &&
                       messages()[input_queue_.front()].times.notify <= now + Cycles(1);
    if (level != interrupt_line_.driven()) {
        interrupt_line_.drive(level, now);
    }
}

void MessageController::fail(tlm::tlm_generic_payload& payload) {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
}

unsigned MessageController::transport_dbg(int port, tlm::tlm_generic_payload& payload) {
    const auto address = static_cast<std::uint32_t>(payload.get_address());
    if (payload.is_write() || payload.get_data_length() != WEIR_WORD_BYTES) {
        return 0;
    }
    if (in_words(address, WEIR_OUTPUT_DESCRIPTOR)) {
        set_data_word(payload, descriptor(port).word(word_index(address, WEIR_OUTPUT_DESCRIPTOR)));
    } else if (address == WEIR_COMPOSED_WORDS) {
        set_data_word(payload, descriptor(port).composed_words());
    } else if (address == WEIR_MESSAGE_WAITING) {
        set_data_word(payload, interrupt_line_.driven() ? 1 : 0);
    } else {
        return 0;
    }
    return WEIR_WORD_BYTES;
}

void MessageController::add_to(ConservationAccount& account) const {
    account.bytes_launched += statistics_.bytes_launched.value();
    account.messages_launched += statistics_.messages_launched.value();
    account.messages_disposed += statistics_.messages_disposed.value();
    account.bytes_in_output_queues += bytes_to_send().count();
    account.bytes_into_input_queues += input_queue_.bytes_pushed();
}

void MessageController::end_of_run(Cycles now) {
    statistics_.output_queue_byte_cycles += output_queue_.byte_level().area(now);
    statistics_.output_queue_message_cycles += output_queue_.message_level().area(now);
    statistics_.output_queue_peak_bytes.raise_to(output_queue_.byte_level().peak());
    statistics_.input_queue_byte_cycles += input_queue_.byte_level().area(now);
    statistics_.input_queue_message_cycles += input_queue_.message_level().area(now);
    statistics_.input_queue_peak_bytes.raise_to(input_queue_.byte_level().peak());
}

void MessageController::report_waits(WaitReport& report, const std::string& network_interface,
                                     const std::string& core) const {
    for (const WaitingAccess& access : waiting_) {
        if (access.kind == AccessKind::kLaunch) {
            report.push_back({core, name(), "its launch waits for room in the output queue"});
            report.push_back({name(), network_interface,
                              "the output queue holds " +
                                  std::to_string(output_queue_.held().count()) + " of " +
                                  std::to_string(output_queue_.capacity().count()) + " bytes"});
        } else {
            report.push_back({core, name(), "it waits for the rest of the message it handles"});
        }
    }
    if (!input_queue_.messages().empty()) {
        report.push_back({name() + std::string(".input"), core,
                          "the input queue holds " + std::to_string(input_queue_.held().count()) +
                              " of " + std::to_string(input_queue_.capacity().count()) +
                              " bytes until a handler disposes of its head"});
    }
}

}  // namespace weir::hw
