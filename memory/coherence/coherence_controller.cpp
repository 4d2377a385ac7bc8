#include "memory/coherence/coherence_controller.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "hw/text_streams.h"

namespace weir::memory {

namespace {

std::int32_t pointers_of_line(const CoherenceParameters& parameters, std::int32_t node_count) {
    switch (parameters.protocol.value()) {
        case Protocol::kFullMap:
        case Protocol::kForwarding:
            return node_count;
        case Protocol::kSoftware:
            return 0;
        default:
            return static_cast<std::int32_t>(parameters.pointers.value());
    }
}

// True if the event takes this node's copy, or shares it with another node.
bool is_taken(CacheEvent event) {
    return event == CacheEvent::kInvalidate || event == CacheEvent::kInvalidateFor ||
           event == CacheEvent::kForwardRead || event == CacheEvent::kForwardWrite;
}
bool is_to_home(Packet packet) { return is_to_memory(packet) || packet == Packet::kFetch; }
bool is_answer_to_fetch(Packet packet) {
    return packet == Packet::kFetched || packet == Packet::kFetchBusy;
}
bool is_forwarded(Packet packet) {
    return packet == Packet::kForwardRead || packet == Packet::kForwardWrite;
}

}  // namespace

CoherenceController::CoherenceController(const sc_core::sc_module_name& name,
                                         CacheHierarchy& caches,
                                         const CoherenceParameters& parameters,
                                         const Surroundings& surroundings)
    : sc_module(name),
      caches_(caches),
      node_(surroundings.node),
      private_bytes_(static_cast<std::uint64_t>(surroundings.memory.bytes.value().count())),
      map_(parameters.home.value(), parameters.shared_bytes.value(), surroundings.node_count),
      directory_(surroundings.node, parameters.protocol.value(),
                 pointers_of_line(parameters, surroundings.node_count)),
      is_all_in_software_(parameters.protocol.value() == Protocol::kSoftware),
      load_cycles_(surroundings.memory.load_cycles.value()),
      store_cycles_(surroundings.memory.store_cycles.value()),
      double_cycles_(surroundings.memory.double_cycles.value()),
      miss_cycles_(surroundings.miss_cycles),
      directory_cycles_(parameters.directory_cycles.value()),
      invalidate_cycles_(parameters.invalidate_cycles.value()),
      cache_cycles_(parameters.cache_cycles.value()),
      busy_cycles_(parameters.busy_cycles.value()),
      busy_spread_cycles_(parameters.busy_spread_cycles.value()),
      pauses_(surroundings.seed, surroundings.node, "pauses after BUSY"),
      switches_contexts_(surroundings.contexts > 1),
      thrashlock_(parameters.thrashlock.value()),
      trap_turns_(parameters.trap_turns.value()),
      has_fetch_and_op_(parameters.fetch_and_op.value()),
      is_big_endian_(surroundings.is_big_endian),
      golden_(surroundings.golden),
      observers_(surroundings.observers),
      buffers_(parameters.transaction_buffers.value()),
      transactions_(buffers_),
      histories_(surroundings.contexts),
      node_count_(surroundings.node_count) {
    port_socket.register_nb_transport_bw(this, &CoherenceController::burst_granted);
    fetch_payload_.set_extension(&fetch_tag_);
}

CoherenceController::~CoherenceController() { fetch_payload_.clear_extension(&fetch_tag_); }

// Packets.

void CoherenceController::receive(const hw::ProtocolPacket& packet) {
    Arrived arrived{.packet = static_cast<Packet>(packet.operation),
                    .line = packet.address,
                    .from = packet.node,
                    .operand = packet.operand};
    std::memcpy(arrived.contents.bytes.data(), packet.line.data(), kLineBytes);
    arrived.contents.empty_words = packet.empty_words;
    inbox_ = arrived;
    if (observers_.transactions != nullptr && is_to_memory(arrived.packet)) {
        observers_.transactions->arrives(arrived.packet, arrived.line, arrived.from,
                                         domain().now());
    }
    domain().after_ticks(caches_);
}

void CoherenceController::sent() {
    const hw::ProtocolPacket& packet = outbox_.front().packet;
    if (static_cast<Packet>(packet.operation) == Packet::kReplaceModified) {
        left_.push_back(packet.address);  // the line's buffer is free after the ticks
    }
    outbox_.pop_front();
    domain().after_ticks(caches_);
}

void CoherenceController::has_gone_home(std::uint64_t line) {
    free(*first_used([line](const Transaction& one) { return one.goes_home && one.line == line; }));
    while (transactions_.size() > buffers_ && !transactions_.back().is_used) {
        transactions_.pop_back();
    }
}

void CoherenceController::send(const Directory::Sent& sent, std::uint64_t line,
                               const Contents& contents, hw::Cycles now) {
    const Packet packet = sent.packet;
    if (watch_) [[unlikely]] {
        note_sent(sent, line);
    }
    if (observers_.transactions != nullptr) {
        observers_.transactions->sends(packet, line, requester_of(sent, line), now);
    }
    if (sent.to == node_) {
        const Arrived arrived{.packet = packet,
                              .line = line,
                              .from = node_,
                              .contents = contents,
                              .operand = sent.operand};
        if (is_to_home(packet)) {
            local_.push_back(arrived);
            if (observers_.transactions != nullptr) {
                observers_.transactions->arrives(packet, line, node_, now);
            }
            wake_at(now + hw::Cycles(1), now);
        } else if (is_answer_to_fetch(packet)) {
            fetch_returns(arrived, now);
        } else {
            cache_receives(arrived, now);
        }
        return;
    }
    hw::ProtocolPacket on_wire{.node = sent.to,
                               .operation = static_cast<std::uint32_t>(packet),
                               .address = static_cast<std::uint32_t>(line),
                               .has_line = carries_line(packet),
                               .has_word = carries_word(packet),
                               .operand = sent.operand};
    if (on_wire.has_line || on_wire.has_word) {
        std::memcpy(on_wire.line.data(), contents.bytes.data(), kLineBytes);
        on_wire.empty_words = contents.empty_words;
    }
    outbox_.push_back({on_wire, now});
    messages_->wake_at(now + hw::Cycles(1));
}

// Counts progress for starvation detection.
void CoherenceController::note_sent(const Directory::Sent& sent, std::uint64_t line) {
    const bool serves = sent.packet == Packet::kReadData || sent.packet == Packet::kWriteData ||
                        sent.packet == Packet::kModifyGrant || sent.packet == Packet::kFetched;
    if (ProgressWatch::Line* watched = serves ? watch_->find(line) : nullptr) {
        watched->served[sent.to] += 1;
    }
}

void CoherenceController::note_refusal(Transaction& transaction) {
    transaction.refusals += 1;
    statistics_.most_refusals.raise_to(transaction.refusals);
    if (ProgressWatch::Line* watched = watch_ ? watch_->find(transaction.line) : nullptr) {
        watched->refused += 1;
    }
}

// Returns the node that began the packet's transaction.
hw::NodeId CoherenceController::requester_of(const Directory::Sent& sent, std::uint64_t line) {
    if (is_to_memory(sent.packet)) {
        return node_;
    }
    if (sent.packet == Packet::kInvalidateFor || is_forwarded(sent.packet)) {
        return hw::NodeId(*sent.operand);
    }
    return sent.packet == Packet::kInvalidate ? directory_.entry(line).requester : sent.to;
}

void CoherenceController::cache_receives(const Arrived& arrived, hw::Cycles now) {
    if (is_taken(event_of(arrived.packet)) && puts_off(arrived)) {
        return;
    }
    for (std::optional<Access>& access : accesses_) {
        if (access && access->line == arrived.line) {
            access->waits_for_packet = false;
        }
    }
    Transaction* const transaction = transaction_of(arrived.line);
    const CacheState state =
        transaction != nullptr ? transaction->state : state_in_cache(arrived.line);
    const CacheEvent event = event_of(arrived.packet, count_acknowledgements(arrived, transaction));
    const CacheTransition& row = transition(state, event);
    if (row.kind == CacheTransition::Kind::kImpossible) {
        refuse(arrived, "its cache, in " + std::string(name_of(state)), now);
    }
    Contents contents{};
    if (is_taken(event)) {
        contents = give_up(arrived.line, state, row.next);
    }
    if (transaction != nullptr) {
        transaction->state = row.next;
        if (row.next == CacheState::kInvalid) {
            free(*transaction);
        }
        if (carries_line(arrived.packet) && has_copy(row.next)) {
            take_up(*transaction, arrived);
        }
        note_answer(*transaction, state, now);
        if (event == CacheEvent::kBusy) {
            statistics_.busy_replies += 1;
            note_refusal(*transaction);
        }
    }
    note_copy(arrived.line, row.next);
    if (row.answers) {
        const hw::NodeId requester(*arrived.operand);
        if (is_forwarded(arrived.packet) && carries_line(*row.answers) &&
            observers_.transactions != nullptr) {
            observers_.transactions->owner_answers(arrived.line, requester, now);
        }
        send({*row.answers, requester}, arrived.line, contents, now);
    }
    if (row.sends) {
        send_home(*row.sends, arrived.line, contents, now);
    }
}

// Counts an acknowledgement, or takes their number from a grant. Returns the number of
// acknowledgements still to come.
std::int32_t CoherenceController::count_acknowledgements(const Arrived& arrived,
                                                         Transaction* transaction) {
    if (transaction == nullptr) {
        return 0;
    }
    if (arrived.packet == Packet::kWriteData || arrived.packet == Packet::kModifyGrant) {
        transaction->to_come += arrived.operand.value_or(0);
    }
    transaction->to_come -= arrived.packet == Packet::kCopyGone ? 1 : 0;
    return transaction->to_come;
}

// Returns the contents of the copy, which is taken or is no longer the only one.
CoherenceController::Contents CoherenceController::give_up(std::uint64_t line, CacheState before,
                                                           CacheState after) {
    const bool is_lost = has_copy(before) && !has_copy(after);
    statistics_.copies_lost += is_lost ? 1 : 0;
    if (observers_.misses != nullptr && is_lost) {
        observers_.misses->loses(node_, line);
    }
    if (const Transaction* transaction = transaction_of(line)) {
        const bool is_unused = is_lost && !is_open(before);
        statistics_.unused_lines += is_unused ? 1 : 0;
        if (ProgressWatch::Line* watched = watch_ && is_unused ? watch_->find(line) : nullptr) {
            watched->lost += 1;
        }
        return transaction->contents;
    }
    CacheArray::Line* const place = cached(line);
    if (place == nullptr) {
        return {};
    }
    if (before_line_goes_) {
        before_line_goes_(domain().now());
    }
    const Contents contents = contents_of(*place);
    if (is_lost) {
        caches_.first_level().clear(*place);
    } else {
        place->dirty = false;
    }
    return contents;
}

void CoherenceController::take_up(Transaction& transaction, const Arrived& arrived) {
    transaction.contents = arrived.contents;
    if (observers_.misses != nullptr) {
        observers_.misses->fills(node_, arrived.line);
    }
}

// Reports that all of the awaited answer has arrived, or that the node must ask again.
void CoherenceController::note_answer(Transaction& transaction, CacheState before, hw::Cycles now) {
    if (is_open(before) && !is_open(transaction.state)) {
        if (observers_.transactions != nullptr) {
            observers_.transactions->fills(transaction.line, node_, now);
        }
        if (!transaction.is_prefetch) {
            statistics_.miss_cycles += (now - transaction.begun).count();
        }
    } else if (is_to_ask_again(transaction.state) && !is_to_ask_again(before)) {
        ask_later(transaction, pause_after_busy(), now);
    }
}

// Schedules the request to the home. Without delay it is sent in this cycle, even if others were
// already sent.
void CoherenceController::ask_later(Transaction& transaction, hw::Cycles delay, hw::Cycles now) {
    transaction.ask_at = now + delay;
    next_ask_ = std::min(next_ask_, transaction.ask_at);
    asks_in_this_cycle_ = asks_in_this_cycle_ || delay == hw::Cycles(0);
    wake_at(transaction.ask_at, now);
}

hw::Cycles CoherenceController::pause_after_busy() {
    const auto spread = static_cast<std::uint64_t>(busy_spread_cycles_.count());
    return busy_cycles_ + hw::Cycles(static_cast<std::int64_t>(pauses_.below(spread + 1)));
}

// Sends the requests whose delay is over: after a miss, or after a BUSY.
void CoherenceController::ask_homes(hw::Cycles now) {
    if (now < next_ask_) {
        return;
    }
    next_ask_ = hw::kNever;
    for_used([this, now](Transaction& transaction) {
        const bool is_to_fetch = transaction.fetch && !transaction.fetch->is_asked;
        const bool is_to_ask = !transaction.goes_home && is_to_ask_again(transaction.state);
        if (!is_to_fetch && !is_to_ask) {
            return;
        }
        if (transaction.ask_at > now) {
            next_ask_ = std::min(next_ask_, transaction.ask_at);
            return;
        }
        if (is_to_fetch) {
            ask_home_to_fetch(transaction, now);
            return;
        }
        const CacheTransition& row = transition(transaction.state, CacheEvent::kAskAgain);
        transaction.state = row.next;
        note_copy(transaction.line, row.next);
        send_home(*row.sends, transaction.line, {}, now);
    });
}

// The home, and packets for the cache.

void CoherenceController::serve(hw::Cycles now) {
    while ((!service_ || go_on_with_service(now)) && take_next(now)) {
    }
}

// Takes the next packet that this home serves; returns false if it cannot take one now.
bool CoherenceController::take_next(hw::Cycles now) {
    if (now < free_from_) {
        if (!local_.empty() || inbox_ || !sent_by_software_.empty()) {
            wake_at(free_from_, now);
        }
        return false;
    }
    if (!sent_by_software_.empty() && outbox_.empty()) {
        begin_service_of_software(now);
        return true;
    }
    if (!local_.empty() && outbox_.empty()) {
        const Arrived arrived = local_.front();
        local_.pop_front();
        if (arrived.packet == Packet::kReplaceModified) {
            has_gone_home(arrived.line);
        }
        home_receives(arrived, now);
        return true;
    }
    if (!inbox_ || (is_to_home(inbox_->packet) && !outbox_.empty())) {
        return false;
    }
    const Arrived arrived = *inbox_;
    inbox_.reset();
    messages_->wake_at(now + hw::Cycles(1));
    if (is_to_home(arrived.packet)) {
        home_receives(arrived, now);
    } else {
        free_from_ = now + cache_cycles_;
        if (is_answer_to_fetch(arrived.packet)) {
            fetch_returns(arrived, now);
        } else {
            cache_receives(arrived, now);
        }
    }
    return true;
}

void CoherenceController::home_receives(const Arrived& arrived, hw::Cycles now) {
    if (arrived.packet == Packet::kFetch) {
        take_fetch(arrived, now);
    } else {
        begin_service(arrived, now);
    }
}

void CoherenceController::begin_service(const Arrived& arrived, hw::Cycles now) {
    DirectoryEntry& entry = directory_.entry(arrived.line);
    const HomeState before = entry.state;
    coverage_.home[before] |= 1U << static_cast<unsigned>(arrived.packet);
    served_.push_back({now, arrived.line, arrived.packet, arrived.from, before});
    if (served_.size() > kServedKept) {
        served_.pop_front();
    }
    const hw::NodeId requester = is_request(arrived.packet) ? arrived.from : entry.requester;
    const Directory::Outcome* outcome =
        directory_.receive(arrived.line, entry, arrived.packet, arrived.from);
    if (outcome == nullptr) {
        refuse(arrived, "its home, in " + std::string(name_of(before)), now);
    }
    note_service(arrived, requester, *outcome, now);
    note_entry(arrived.line);
    statistics_.requests_served += is_request(arrived.packet) ? 1 : 0;
    if (outcome->traps) {
        statistics_.traps += 1;
        trapped_.push_back(arrived);
        if (watch_) {
            watch_->trap(arrived.from, arrived.line);
        }
    }
    answers_ = outcome->sent;
    occupy({.arrived = arrived, .next_at = now + directory_cycles_, .line_at = now, .since = now},
           entry, outcome->stores_line, now);
}

void CoherenceController::begin_service_of_software(hw::Cycles now) {
    const ToSend one = sent_by_software_.front();
    sent_by_software_.pop_front();
    answers_.assign(1, one.sent);
    occupy({.arrived = {.line = one.line, .from = node_},
            .next_at = now,
            .line_at = now,
            .since = now},
           directory_.entry(one.line), false, now);
}

// Begins to serve the packet, and requests the access to memory that it needs. `entry` is that of
// the packet's line.
void CoherenceController::occupy(const Service& service, DirectoryEntry& entry, bool stores_line,
                                 hw::Cycles now) {
    service_.emplace(service);
    const bool sends_line =
        std::any_of(answers_.begin(), answers_.end(),
                    [](const Directory::Sent& one) { return carries_line(one.packet); });
    if (stores_line) {
        entry.empty_words = service.arrived.contents.empty_words;
        ask_port(tlm::TLM_WRITE_COMMAND, service.arrived.line);
    } else if (sends_line) {
        service_->arrived.contents.empty_words = entry.empty_words;
        service_->line_at = hw::kNever;
        ask_port(tlm::TLM_READ_COMMAND, service.arrived.line);
    }
    wake_at(service_->next_at, now);
}

// Continues to serve the packet. Returns whether the service is finished.
bool CoherenceController::go_on_with_service(hw::Cycles now) {
    Service& service = *service_;
    while (service.next < answers_.size()) {
        const Directory::Sent& one = answers_[service.next];
        const hw::Cycles from =
            carries_line(one.packet) ? std::max(service.next_at, service.line_at) : service.next_at;
        if (now < from) {
            wake_at(from, now);
            return false;
        }
        send(one, service.arrived.line, service.arrived.contents, now);
        if (one.packet == Packet::kInvalidate || one.packet == Packet::kInvalidateFor) {
            statistics_.invalidations_sent += 1;
            service.next_at = now + invalidate_cycles_;
        }
        statistics_.forwarded_requests += is_forwarded(one.packet) ? 1 : 0;
        ++service.next;
    }
    if (service.is_at_port || now < service.next_at) {
        wake_at(service.next_at, now);
        return false;
    }
    statistics_.home_busy_cycles += (now - service.since).count();
    service_.reset();
    return true;
}

void CoherenceController::ask_port(tlm::tlm_command command, std::uint64_t line) {
    service_->is_at_port = true;
    is_burst_to_move_ = true;
    burst_.set_command(command);
    burst_.set_address(private_bytes_ + map_.offset_of(line));
    burst_.set_data_ptr(service_->arrived.contents.bytes.data());
    burst_.set_data_length(kLineBytes);
    burst_.set_streaming_width(kLineBytes);
    burst_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    port_socket->nb_transport_fw(burst_, phase, delay);
}

tlm::tlm_sync_enum CoherenceController::burst_granted(tlm::tlm_generic_payload& payload,
                                                      tlm::tlm_phase& /*phase*/,
                                                      sc_core::sc_time& delay) {
    const hw::Cycles now = domain().now();
    const hw::Cycles end = now + domain().to_cycles(delay);
    service_->is_at_port = false;
    if (payload.is_read()) {
        service_->line_at = end;
    }
    service_->next_at = std::max(service_->next_at, payload.is_write() ? end : hw::Cycles(0));
    caches_.wake_at(end);
    return tlm::TLM_COMPLETED;
}

void CoherenceController::end_of_cycle(hw::Cycles now) {
    try {
        for (const std::uint64_t line : left_) {
            has_gone_home(line);
        }
        left_.clear();
        do {
            asks_in_this_cycle_ = false;
            ask_homes(now);
            serve(now);
            go_on_with_fetches(now);
            for (int port = 0; port < kPorts; ++port) {
                try_access(port, now);
            }
        } while (asks_in_this_cycle_);
        take_up_put_off(now);
        if (std::exchange(takes_packet_, false)) {
            if (const auto packet = messages_->packet_at_head(now)) {
                saved_.push_back(*packet);
            }
            messages_->discard_packet(now);
        }
        messages_->drive_coherence_trap(raises_trap(), now);
    } catch (...) {
        stop_with_fault();
    }
}

// Stops the run with the exception that is being handled.
void CoherenceController::stop_with_fault() {
    fault_ = std::current_exception();
    domain().stop();
}

// Nothing is woken for the current cycle, whose later steps still follow.
void CoherenceController::wake_at(hw::Cycles cycle, hw::Cycles now) {
    if (cycle > now && cycle < hw::kNever) {
        caches_.wake_at(cycle);
    }
}

void CoherenceController::visit_line(std::uint64_t line,
                                     const std::function<void(LinePlace, std::uint8_t*)>& visit) {
    if (CacheArray::Line* const copy = cached(line)) {
        if (before_line_goes_) {
            before_line_goes_(domain().now());  // the core may have run ahead of this cycle
        }
        visit(copy->dirty ? LinePlace::kOnlyCopy : LinePlace::kCopy,
              caches_.first_level().data(*copy));
    }
    for_used([&](Transaction& transaction) {
        if (transaction.fetch || transaction.line != line) {
            return;
        }
        const bool is_only = transaction.goes_home || transaction.state == CacheState::kReadWrite ||
                             transaction.state == CacheState::kGranted;
        if (is_only || has_copy(transaction.state)) {
            visit(is_only ? LinePlace::kOnlyCopy : LinePlace::kCopy,
                  transaction.contents.bytes.data());
        }
    });
    const auto visit_packet = [&](Packet packet, std::uint64_t its_line, std::uint8_t* bytes) {
        if (its_line == line && carries_line(packet)) {
            visit(place_of(packet), bytes);
        }
    };
    const auto visit_words = [&](hw::ProtocolPacket& packet) {
        visit_packet(static_cast<Packet>(packet.operation), packet.address,
                     reinterpret_cast<std::uint8_t*>(packet.line.data()));
    };
    for (Posted& posted : outbox_) {
        visit_words(posted.packet);
    }
    for (hw::ProtocolPacket& packet : saved_) {
        visit_words(packet);
    }
    for (Arrived& packet : local_) {
        visit_packet(packet.packet, packet.line, packet.contents.bytes.data());
    }
    if (inbox_) {
        visit_packet(inbox_->packet, inbox_->line, inbox_->contents.bytes.data());
    }
    if (service_ && service_->arrived.line == line) {
        visit(is_burst_to_move_ && burst_.is_write() ? LinePlace::kToMemory : LinePlace::kCopy,
              service_->arrived.contents.bytes.data());
    }
}

bool CoherenceController::has_saved(std::uint64_t line) const {
    return std::ranges::any_of(saved_, [line](const hw::ProtocolPacket& packet) {
        return packet.address == line && carries_line(static_cast<Packet>(packet.operation));
    });
}

std::optional<hw::Cycles> CoherenceController::asked_since(std::uint64_t line) const {
    const Transaction* const asked = first_used([line](const Transaction& transaction) {
        return transaction.line == line &&
               (transaction.fetch ? !transaction.fetch->is_back
                                  : !transaction.goes_home && is_open(transaction.state));
    });
    return asked != nullptr ? std::optional(asked->begun) : std::nullopt;
}

void CoherenceController::refuse(const Arrived& arrived, const std::string& state,
                                 hw::Cycles now) const {
    hw::TextWriter text;
    text << "coherence protocol: node " << node_ << ", cycle " << now << ", line 0x" << std::hex
         << arrived.line << std::dec << ": " << name_of(arrived.packet) << " of node "
         << arrived.from << " arrived in " << state << ", a state without a row for this packet";
    for (const Served& served : served_) {
        if (served.line == arrived.line) {
            text << "; cycle " << served.cycle << ": " << name_of(served.packet) << " of node "
                 << served.from << " in " << name_of(served.state);
        }
    }
    throw ProtocolError(text.str());
}

}  // namespace weir::memory
