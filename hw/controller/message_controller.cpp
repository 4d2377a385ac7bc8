#include "hw/controller/message_controller.h"

#include <algorithm>
#include <tuple>

namespace weir::hw {

MessageController::MessageController(const sc_core::sc_module_name& name, ClockDomain& domain,
                                     const Parameters& parameters,
                                     const DmaParameters& dma_parameters, NodeId node,
                                     std::int32_t node_count, MessagePool& messages, Traces traces)
    : Controller(name, domain, parameters, node, node_count, messages, traces.events),
      dma_setup_cycles_(dma_parameters.setup_cycles.value()),
      has_overflow_trap_(parameters.overflow_trap.value()),
      overflow_timeout_(parameters.overflow_timeout_cycles.value()),
      output_queue_(node, QueueKind::kOutput, parameters.output_queue_bytes.value(),
                    traces.queue_levels),
      input_queue_(node, QueueKind::kInput, parameters.input_queue_bytes.value(),
                   traces.queue_levels),
      send_dma_("send_dma", domain, dma_parameters, node, memory_, messages, output_queue_,
                traces.events),
      receive_dma_("receive_dma", domain, dma_parameters, node, memory_, messages, input_queue_,
                   traces.events) {
    send_dma_.set_listener(*this);
    receive_dma_.set_listener(*this);
}

void MessageController::connect_memory(MemoryPort& port, Bytes memory_bytes) {
    send_dma_.memory_socket.bind(port.requester_socket);
    receive_dma_.memory_socket.bind(port.requester_socket);
    memory_ = DmaMemory(memory_bytes);
}

void MessageController::header_arrived(Message& message, Cycles now) {
    message.times.header_arrival = now;
    if (message.is_of_protocol()) {
        wake_at(now + Cycles(1));
        return;
    }
    message.times.notify = now + notify_cycles();
    wake_at(message.times.notify - Cycles(1));
}

void MessageController::network_stopped(Cycles since, Cycles now) {
    if (probe() != nullptr) {
        probe()->network_stopped(since != kNever);
    }
    if (!has_overflow_trap_) {
        return;
    }
    network_stopped_since_.write(since, now);
    wake_at(since == kNever ? now + Cycles(1) : since + overflow_timeout_);
}

Cycles MessageController::settled_until(Cycles now) {
    const auto changes = [now](const InterruptLine& line) {
        return line.driven() != line.raised(now);
    };
    const bool engines_are_idle = send_dma_.accepts_work(now) && receive_dma_.accepts_work(now) &&
                                  interrupts_wanted_ == 0 && acknowledged_at_ == kNever;
    if (!engines_are_idle || !waiting_.empty() || head_.disposed != kNever ||
        changes(interrupt_line_) || changes(dma_interrupt_line_) || changes(overflow_line_) ||
        changes(saved_messages_line_) || overflow_line_.driven()) {
        return now + Cycles(1);
    }
    Cycles until = now + notify_cycles();  // a header may arrive in this very cycle
    if (!interrupt_line_.driven() && input_queue_.has_message(now)) {
        until = std::min(until, messages()[input_queue_.front()].times.notify);
    }
    if (has_overflow_trap_) {
        const Cycles since = std::min(network_stopped_since_.latest(), now);
        until = std::min(until, since + overflow_timeout_);
    }
    return std::max(until, now + Cycles(1));
}

MessageSlot MessageController::take_saved_message() {
    sc_assert(!saved_messages_.empty());
    const MessageSlot message = saved_messages_.front();
    saved_messages_.pop_front();
    return message;
}

void MessageController::tick(Cycles now) {
    if (protocol_ != nullptr) {
        receive_packet(now);
        send_packet(now);
    }
    if (!waiting_.empty()) {
        retry_waiting(now);
    }
    if (!commits_.empty()) {
        commit_due(now);
    }
    end_head(now);
    if (interrupts_wanted_ != 0 || acknowledged_at_ != kNever) {
        note_ended_engines(now);
    }
    drive_interrupts(now);
    drive_overflow_trap(now);
}

// The packet at the head of the input queue, if it is complete.
void MessageController::receive_packet(Cycles now) {
    if (!input_queue_.has_message(now)) {
        return;
    }
    const MessageSlot slot = input_queue_.front();
    const Bytes bytes = messages()[slot].bytes;
    if (!messages()[slot].is_of_protocol()) {
        return;
    }
    if (input_queue_.available(now) < bytes) {
        input_queue_.expect_bytes(*this, bytes, now);
        return;
    }
    if (protocol_->may_receive()) {
        protocol_->receive(take_packet(now));
    }
}

ProtocolPacket MessageController::take_packet(Cycles now) {
    const MessageSlot slot = input_queue_.front();
    input_queue_.pop(messages()[slot].bytes, now);
    input_queue_.end_message(now);
    statistics_.messages_disposed += 1;
    wake_at(now + Cycles(1));
    return end_packet(slot);
}

std::optional<ProtocolPacket> MessageController::packet_at_head(Cycles now) {
    if (!input_queue_.has_message(now)) {
        return std::nullopt;
    }
    const MessageSlot slot = input_queue_.front();
    const Message& message = messages()[slot];
    const bool is_whole = input_queue_.available(now) >= message.bytes;
    return message.is_of_protocol() && is_whole ? std::optional(packet_of(slot)) : std::nullopt;
}

void MessageController::discard_packet(Cycles now) { take_packet(now); }

void MessageController::send_packet(Cycles now) {
    const ProtocolPacket* packet = protocol_->to_send();
    if (packet == nullptr) {
        return;
    }
    const Bytes bytes = packet->bytes();
    if (output_room(now) < bytes) {
        if (send_dma_.accepts_work(now)) {
            output_queue_.expect_room(*this, bytes, now);
        }
        return;
    }
    const MessageSlot slot = begin_packet(*packet, now + Cycles(1));
    output_queue_.begin_message(slot, now);
    output_queue_.push(bytes, now);
    statistics_.messages_launched += 1;
    statistics_.protocol_packets += 1;
    statistics_.bytes_launched += bytes.count();
    protocol_->sent();
    wake_at(now + Cycles(1));
}

// True when the message at the head is one that registers show: no packet of the protocol.
bool MessageController::has_message_for_programs(Cycles now) {
    return input_queue_.has_message(now) && !messages()[input_queue_.front()].is_of_protocol();
}

void MessageController::withdraw(int port, Cycles now) {
    for (WaitingAccess& access : waiting_) {
        if (access.port == port) {
            access.withdrawn_from = now + Cycles(1);
            wake_at(now + Cycles(1));
        }
    }
}

std::optional<Cycles> MessageController::do_or_wait(AccessKind kind, const RegisterAccess& access) {
    const WaitingAccess begun{access.port, kind, &access.payload, access.now};
    const bool is_put_off = kind == AccessKind::kLaunch && decides_later();
    const std::optional<Cycles> cost = is_put_off ? std::nullopt : try_access(begun, access.now);
    if (!cost) {
        waiting_.push_back(begun);
        std::sort(waiting_.begin(), waiting_.end(), [](const auto& a, const auto& b) {
            return std::tie(a.issued, a.port) < std::tie(b.issued, b.port);
        });
        wait_for_change(begun, access.now);
        wake_at(access.now + Cycles(1));
    }
    return cost;
}

// Handlers of the registers.

std::optional<Cycles> MessageController::read_window(const RegisterAccess& access) {
    if (!has_message_for_programs(access.now) ||
        static_cast<std::int32_t>(access.word) >= messages()[input_queue_.front()].word_count) {
        return refuse(access.payload, "there is no such word of a message");
    }
    return do_or_wait(AccessKind::kWindowLoad, access);
}

std::optional<Cycles> MessageController::launch(const RegisterAccess& access) {
    if (const auto fault =
            descriptor(access.port).fault(LaunchRequest(access.data()), node_count(), memory_)) {
        return refuse(access.payload, *fault);
    }
    return do_or_wait(AccessKind::kLaunch, access);
}

std::optional<Cycles> MessageController::dispose(const RegisterAccess& access) {
    if (!has_message_for_programs(access.now) || head_.disposed != kNever) {
        return refuse(access.payload, "there is no message to dispose of");
    }
    if (messages()[input_queue_.front()].body_bytes > Bytes(0) && !head_.is_stored) {
        return refuse(access.payload,
                      "the message has a body, which must be stored first (receive_body)");
    }
    return do_or_wait(AccessKind::kDispose, access);
}

std::optional<Cycles> MessageController::store_body(const RegisterAccess& access, bool interrupt) {
    const Cycles now = access.now;
    const bool has_body =
        has_message_for_programs(now) && messages()[input_queue_.front()].body_bytes > Bytes(0);
    if (!has_body || head_.is_stored) {
        return refuse(access.payload, !has_body ? "there is no message with a body to store"
                                                : "the message's body has been stored already");
    }
    const MessageSlot message = input_queue_.front();
    const auto bytes = static_cast<std::uint32_t>(messages()[message].body_bytes.count());
    const std::uint32_t to_address = access.data();
    if (const auto fault = memory_.fault(to_address, Bytes(bytes))) {
        return refuse(access.payload, *fault);
    }
    head_.is_stored = true;
    note_ended_engines(now);
    interrupts_wanted_ |= interrupt ? WEIR_DMA_RECEIVED : 0;
    receive_dma_.start(message, to_address, now + dma_setup_cycles_);
    return dma_setup_cycles_;
}

std::optional<Cycles> MessageController::read_body_bytes(const RegisterAccess& access) {
    if (!has_message_for_programs(access.now)) {
        return refuse(access.payload, "there is no message");
    }
    const Bytes body = messages()[input_queue_.front()].body_bytes;
    return loaded(access, static_cast<std::uint32_t>(body.count()));
}

std::optional<Cycles> MessageController::await_send_idle(const RegisterAccess& access) {
    return do_or_wait(AccessKind::kSendIdle, access);
}

std::optional<Cycles> MessageController::await_receive_idle(const RegisterAccess& access) {
    return do_or_wait(AccessKind::kReceiveIdle, access);
}

std::optional<Cycles> MessageController::read_dma_status(const RegisterAccess& access) {
    return loaded(access, dma_status(access.now));
}

std::optional<Cycles> MessageController::clear_dma_status(const RegisterAccess& access) {
    acknowledged_ = access.data() & WEIR_DMA_ENDED;
    acknowledged_at_ = access.now;
    wake_at(access.now + Cycles(1));
    return store_cycles();
}

std::optional<Cycles> MessageController::store_saved_messages(const RegisterAccess& access) {
    saved_messages_line_.drive(access.data() != 0, access.now);
    return store_cycles();
}

std::optional<Cycles> MessageController::read_output_room(const RegisterAccess& access) {
    return loaded(access, static_cast<std::uint32_t>(output_room(access.now).count()));
}

std::optional<Cycles> MessageController::try_access(const WaitingAccess& access, Cycles now) {
    switch (access.kind) {
        case AccessKind::kLaunch:
            return try_launch(access, now);
        case AccessKind::kDispose:
            return try_dispose(now);
        case AccessKind::kWindowLoad:
            return try_window_load(access, now);
        case AccessKind::kSendIdle:
            return try_idle(access, send_dma_, now);
        case AccessKind::kReceiveIdle:
            return try_idle(access, receive_dma_, now);
    }
    return {};
}

// The cycle from which a launch decided now counts. It is the cycle of the request, if the decision
// was delayed only to wait for the requests of all ports.
Cycles MessageController::start_of(const WaitingAccess& access, Cycles now) const {
    return decides_later() && now == access.issued + Cycles(1) ? access.issued : now;
}

Bytes MessageController::output_room(Cycles now) const {
    return send_dma_.accepts_work(now) ? output_queue_.room(now) - launched_bytes_ : Bytes(0);
}

std::optional<Cycles> MessageController::try_launch(const WaitingAccess& access, Cycles now) {
    const Cycles start = start_of(access, now);
    const LaunchRequest request(data_word(*access.payload));
    const bool is_behind_packet = protocol_ != nullptr && protocol_->to_send() != nullptr;
    if (is_behind_packet || output_room(now) < request.operand_bytes()) {
        return {};
    }
    const Cycles launch =
        start + launch_cycles() + (request.has_body() ? dma_setup_cycles_ : Cycles(0));
    const std::vector<DmaEngine::Piece> pieces = descriptor(access.port).pieces(request);
    const MessageSlot slot = begin_trip(access.port, request, launch);
    messages()[slot].launch_blocked = start - access.issued;
    last_launched_ = messages()[slot].id;
    commits_.push_back({launch - Cycles(1), slot});
    launched_bytes_ += request.operand_bytes();
    if (commits_.back().cycle > now) {
        wake_at(commits_.back().cycle);
    }
    if (request.has_body()) {
        note_ended_engines(now);  // the body before this one may have ended in this cycle
        interrupts_wanted_ |= request.interrupts ? WEIR_DMA_SENT : 0;
        send_dma_.start(slot, pieces, launch);
    }
    statistics_.messages_launched += 1;
    statistics_.bytes_launched += messages()[slot].bytes.count();
    return launch - now;
}

bool MessageController::head_is_whole(Cycles now) const {
    return input_queue_.available(now) >= messages()[input_queue_.front()].bytes;
}

std::optional<Cycles> MessageController::try_dispose(Cycles now) {
    if (!head_.is_stored && !head_is_whole(now)) {
        return {};
    }
    head_.disposed = now;
    wake_at(now + Cycles(1));
    return store_cycles();
}

std::optional<Cycles> MessageController::try_window_load(const WaitingAccess& access, Cycles now) {
    const std::size_t index =
        word_index(static_cast<std::uint32_t>(access.payload->get_address()), WEIR_INPUT_WINDOW);
    // An engine that stores the body takes the words out of the queue, while the window still shows
    // them.
    if (!head_.is_stored && input_queue_.available(now) < needed_bytes(access)) {
        return {};
    }
    set_data_word(*access.payload, messages()[input_queue_.front()].words[index]);
    return load_cost(access.port, now);
}

std::optional<Cycles> MessageController::try_idle(const WaitingAccess& access,
                                                  const DmaEngine& engine, Cycles now) {
    if (!engine.idle(now)) {
        return {};
    }
    set_data_word(*access.payload, 1);
    return load_cost(access.port, now);
}

std::uint32_t MessageController::dma_status(Cycles now) const {
    return ended_.read(now) | (send_dma_.idle(now) ? 0 : WEIR_DMA_SENDING) |
           (receive_dma_.idle(now) ? 0 : WEIR_DMA_RECEIVING);
}

void MessageController::commit_due(Cycles now) {
    std::size_t kept = 0;
    for (const Commit& commit : commits_) {
        if (commit.cycle > now) {
            commits_[kept++] = commit;
            continue;
        }
        const Message& message = messages()[commit.message];
        const Bytes operands = message.bytes - message.body_bytes;
        output_queue_.begin_message(commit.message, now);
        output_queue_.push(operands, now);
        launched_bytes_ -= operands;
    }
    commits_.resize(kept);
}

// Removes the head of the input queue when it has been disposed of and its body is in memory.
void MessageController::end_head(Cycles now) {
    if (head_.disposed >= now || (head_.is_stored && !receive_dma_.accepts_work(now))) {
        return;
    }
    const MessageSlot slot = input_queue_.front();
    Message& message = messages()[slot];
    message.times.dispose = now + Cycles(1);
    if (!head_.is_stored) {
        input_queue_.pop(message.bytes, now);
    }
    input_queue_.end_message(now);
    if (protocol_ != nullptr) {
        wake_at(now + Cycles(1));
    }
    statistics_.messages_disposed += 1;
    if (head_.is_handled) {
        end_trip(slot);
    } else if (has_overflow_trap_ && message.times.handler_begin == kNever) {
        saved_messages_.push_back(slot);
        statistics_.messages_saved += 1;
        statistics_.bytes_saved += message.bytes.count();
        statistics_.saved_peak_messages.raise_to(static_cast<std::int64_t>(saved_messages_.size()));
    }
    head_ = {};
}

bool MessageController::handler_ended(MessageSlot message, Cycles /*now*/) {
    if (messages()[message].times.dispose != kNever) {
        end_trip(message);
        return true;
    }
    head_.is_handled = true;
    return head_.disposed != kNever;
}

void MessageController::retry_waiting(Cycles now) {
    std::vector<WaitingAccess> looked_at;
    looked_at.swap(waiting_);
    for (WaitingAccess& access : looked_at) {
        if (access.issued >= now) {
            waiting_.push_back(access);
            continue;
        }
        if (!access.holder.valid()) {
            access.holder = last_launched_;
        }
        Cycles delay(1);
        if (const std::optional<Cycles> cost = try_access(access, now)) {
            // The core learns of it in the next cycle, since it may have been ticked in this one.
            delay = std::max(*cost, delay);
        } else if (access.withdrawn_from <= now) {
            access.payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            statistics_.withdrawn_launches += access.kind == AccessKind::kLaunch ? 1 : 0;
        } else {
            waiting_.push_back(access);
            wait_for_change(access, now);
            continue;
        }
        const bool is_withdrawn = access.payload->is_response_error();
        note_blocked(access, start_of(access, now), is_withdrawn ? MessageId{} : last_launched_);
        if (probe() != nullptr) {
            probe()->answered(access.port, *access.payload, delay);
        }
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time time = domain().to_time(delay);
        bus_socket[access.port]->nb_transport_bw(*access.payload, phase, time);
    }
}

// Traces the wait of a launch, when it ends or at the end of the run.
void MessageController::note_blocked(const WaitingAccess& access, Cycles until,
                                     MessageId launched) {
    if (access.kind != AccessKind::kLaunch || until <= access.issued) {
        return;
    }
    statistics_.blocked_launches += 1;
    statistics_.launch_blocked_cycles += (until - access.issued).count();
    if (trace_sink() != nullptr) {
        trace_sink()->stall(
            {node(), StallPlace::kLaunch, access.issued, until, launched, access.holder});
    }
}

void MessageController::wait_for_change(const WaitingAccess& access, Cycles now) {
    switch (access.kind) {
        case AccessKind::kLaunch:
            // While the engine works, it is the part that waits for room, and the queue wakes only
            // one. The engine's end wakes this part.
            if (send_dma_.accepts_work(now)) {
                output_queue_.expect_room(*this, needed_bytes(access), now);
            }
            break;
        case AccessKind::kDispose:
        case AccessKind::kWindowLoad:
            input_queue_.expect_bytes(*this, needed_bytes(access), now);
            break;
        case AccessKind::kSendIdle:
        case AccessKind::kReceiveIdle:
            break;  // an engine that ends wakes this part
    }
}

Bytes MessageController::needed_bytes(const WaitingAccess& access) const {
    switch (access.kind) {
        case AccessKind::kLaunch:
            return LaunchRequest(data_word(*access.payload)).operand_bytes();
        case AccessKind::kWindowLoad: {
            const auto address = static_cast<std::uint32_t>(access.payload->get_address());
            return Bytes((std::int64_t{word_index(address, WEIR_INPUT_WINDOW)} + 1) *
                         WEIR_WORD_BYTES);
        }
        default:
            return messages()[input_queue_.front()].bytes;
    }
}

void MessageController::note_ended_engines(Cycles now) {
    std::uint32_t ended = ended_.latest();
    if (acknowledged_at_ < now) {
        ended &= ~acknowledged_;
        acknowledged_at_ = kNever;
    }
    const std::uint32_t idle = (send_dma_.accepts_work(now) ? WEIR_DMA_SENT : 0) |
                               (receive_dma_.accepts_work(now) ? WEIR_DMA_RECEIVED : 0);
    ended |= interrupts_wanted_ & idle;
    interrupts_wanted_ &= ~idle;
    if (ended != ended_.latest()) {
        ended_.write(ended, now);
    }
}

void MessageController::drive_interrupts(Cycles now) {
    const bool level = has_message_for_programs(now) && head_.disposed >= now &&
                       messages()[input_queue_.front()].times.notify <= now + Cycles(1);
    if (level != interrupt_line_.driven()) {
        interrupt_line_.drive(level, now);
    }
    const bool has_ended = ended_.latest() != 0;
    if (has_ended != dma_interrupt_line_.driven()) {
        dma_interrupt_line_.drive(has_ended, now);
    }
}

void MessageController::drive_overflow_trap(Cycles now) {
    const Cycles since = network_stopped_since_.read(now);
    const bool level = since != kNever && since + overflow_timeout_ <= now;
    if (level != overflow_line_.driven()) {
        overflow_line_.drive(level, now);
    }
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

void MessageController::add_statistics(std::vector<PartStatistics>& statistics) const {
    statistics.push_back({name(), &statistics_});
    statistics.push_back({send_dma_.name(), &send_dma_.statistics()});
    statistics.push_back({receive_dma_.name(), &receive_dma_.statistics()});
}

void MessageController::add_to(ConservationAccount& account) const {
    Controller::add_to(account);
    account.messages_in_overflow_buffers += static_cast<std::int64_t>(saved_messages_.size());
    for (std::size_t i = 0; i < saved_messages_.size(); ++i) {
        account.bytes_in_overflow_buffers += messages()[saved_messages_[i]].bytes.count();
    }
    account.bytes_launched += statistics_.bytes_launched.value();
    account.messages_launched += statistics_.messages_launched.value();
    account.messages_disposed += statistics_.messages_disposed.value();
    account.bytes_in_output_queues += bytes_to_send().count();
    account.bytes_into_input_queues += input_queue_.bytes_pushed();
}

void MessageController::end_of_run(Cycles now) {
    for (const WaitingAccess& access : waiting_) {
        note_blocked(access, now, {});
    }
    send_dma_.end_of_run(now);
    receive_dma_.end_of_run(now);
    statistics_.output_queue_byte_cycles += output_queue_.byte_level().area(now);
    statistics_.output_queue_message_cycles += output_queue_.message_level().area(now);
    statistics_.output_queue_peak_bytes.raise_to(output_queue_.byte_level().peak());
    statistics_.input_queue_byte_cycles += input_queue_.byte_level().area(now);
    statistics_.input_queue_message_cycles += input_queue_.message_level().area(now);
    statistics_.input_queue_peak_bytes.raise_to(input_queue_.byte_level().peak());
}

std::string MessageController::program_at(int port) const {
    if (!from_handler(port)) {
        return {};
    }
    const MessageId handled = trace_context().handled;
    return handled.valid() ? "in the handler of " + described(handled) + ", " : "in a handler, ";
}

std::string MessageController::part_behind(std::uint32_t address) const {
    switch (address) {
        case WEIR_SEND_DMA_IDLE:
            return send_dma_.name();
        case WEIR_RECEIVE_DMA_IDLE:
            return receive_dma_.name();
        default:
            return name();
    }
}

void MessageController::report_waits(WaitReport& report, const std::string& network_interface,
                                     const std::string& core) const {
    const Cycles now = domain().now() + Cycles(1);
    for (const WaitingAccess& access : waiting_) {
        const std::string where = program_at(access.port);
        if (access.kind == AccessKind::kSendIdle ||
            (access.kind == AccessKind::kLaunch && !send_dma_.idle(now))) {
            report.push_back({core, send_dma_.name(),
                              access.kind == AccessKind::kLaunch
                                  ? where + "its launch waits until another message's body has gone"
                                  : where + "it waits until the body it sends has gone"});
        } else if (access.kind == AccessKind::kLaunch) {
            const std::uint32_t header = descriptor(access.port).word(0);
            report.push_back({core, name(),
                              where + "with a message for node " +
                                  std::to_string(WEIR_HEADER_DESTINATION(header)) +
                                  ", its launch waits for room in the output queue"});
            report.push_back({name(), network_interface,
                              "the output queue holds " +
                                  std::to_string(output_queue_.held().count()) + " of " +
                                  std::to_string(output_queue_.capacity().count()) + " bytes"});
        } else if (access.kind == AccessKind::kReceiveIdle) {
            report.push_back(
                {core, receive_dma_.name(), where + "it waits for the body it stores"});
        } else {
            report.push_back(
                {core, name(), where + "it waits for the rest of the message it handles"});
        }
    }
    send_dma_.report_waits(report, network_interface, now);
    receive_dma_.report_waits(report, now);
    if (!input_queue_.messages().empty()) {
        const Message& head = messages()[input_queue_.front()];
        const std::string ends = head.is_of_protocol()
                                     ? "the home takes its head, a packet of the coherence protocol"
                                     : "a handler disposes of its head";
        report.push_back({name() + std::string(".input"),
                          head.is_of_protocol() ? name() + std::string(".output") : core,
                          "with " + described(head.id) + " at its head, the input queue holds " +
                              std::to_string(input_queue_.held().count()) + " of " +
                              std::to_string(input_queue_.capacity().count()) + " bytes until " +
                              ends});
    }
    if (protocol_ != nullptr && protocol_->to_send() != nullptr) {
        report.push_back({name() + std::string(".output"), network_interface,
                          "a packet of the coherence protocol waits for room in the output queue, "
                          "which holds " +
                              std::to_string(output_queue_.held().count()) + " of " +
                              std::to_string(output_queue_.capacity().count()) + " bytes"});
    }
}

}  // namespace weir::hw
