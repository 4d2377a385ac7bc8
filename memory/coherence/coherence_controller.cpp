#include "memory/coherence/coherence_controller.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "hw/text_streams.h"

namespace weir::memory {

namespace {

CacheEvent event_of(const tlm::tlm_generic_payload& payload) {
    return payload.is_write() ? CacheEvent::kStore : CacheEvent::kLoad;
}

bool is_prefetch(const tlm::tlm_generic_payload& payload) {
    const auto* tag = payload.get_extension<hw::AccessTag>();
    return tag != nullptr && tag->prefetches;
}

// Whether it moves the word to its core.
bool loads(const tlm::tlm_generic_payload& payload) {
    const auto* tag = payload.get_extension<hw::AccessTag>();
    return payload.is_read() || (tag != nullptr && (tag->exchanges || tag->only_loads));
}
bool stores(const tlm::tlm_generic_payload& payload) {
    const auto* tag = payload.get_extension<hw::AccessTag>();
    return payload.is_write() && (tag == nullptr || !tag->only_loads);
}

bool is_fetch(const tlm::tlm_generic_payload& payload) {
    const auto* tag = payload.get_extension<hw::AccessTag>();
    return tag != nullptr && tag->fetch.has_value();
}

bool is_refused(const tlm::tlm_generic_payload& payload) {
    const auto* tag = payload.get_extension<hw::AccessTag>();
    return tag != nullptr && tag->full_empty.is_refused();
}

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

std::string shared_address(std::uint64_t address) {
    hw::TextWriter text;
    text << "shared address 0x" << std::hex << address;
    return text.str();
}

// A packet as software sees it: what stands behind the address on the wire is in the first word,
// whose destination it is at.
std::uint32_t first_word(const hw::ProtocolPacket& packet) {
    return packet.operand ? WEIR_PACKET_FIRST_WORD(packet.operation, *packet.operand)
                          : packet.operation;
}
std::uint32_t words_for_software(const hw::ProtocolPacket& packet) {
    return static_cast<std::uint32_t>(packet.words()) - (packet.operand ? 1 : 0);
}

// Whether the event takes the copy, or has it given to another node.
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

// Of a fetch-and-op the bits beside a line's address say which word, and the operation.
constexpr unsigned kWordsOfLine = static_cast<unsigned>(kSharedLineBytes.count()) / WEIR_WORD_BYTES;
std::uint8_t fetch_bits(std::uint64_t address, hw::FetchOperation operation) {
    const auto word = static_cast<unsigned>(address / WEIR_WORD_BYTES) % kWordsOfLine;
    return static_cast<std::uint8_t>(word + kWordsOfLine * static_cast<unsigned>(operation));
}
std::uint64_t word_of_fetch(std::uint8_t bits) {
    return std::uint64_t{bits} % kWordsOfLine * WEIR_WORD_BYTES;
}
hw::FetchOperation operation_of_fetch(std::uint8_t bits) {
    return static_cast<hw::FetchOperation>(bits / kWordsOfLine);
}
static_assert(kWordsOfLine * hw::kFetchOperations <= 1U << hw::ProtocolPacket::kLineWords);

std::uint64_t word_of(std::uint64_t address) { return address / WEIR_WORD_BYTES * WEIR_WORD_BYTES; }

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
      has_fetch_and_op_(parameters.fetch_and_op.value()),
      is_big_endian_(surroundings.is_big_endian),
      golden_(surroundings.golden),
      observers_(surroundings.observers),
      buffers_(static_cast<std::size_t>(parameters.transaction_buffers.value())),
      transactions_(buffers_),
      tried_(static_cast<std::size_t>(surroundings.contexts)) {
    port_socket.register_nb_transport_bw(this, &CoherenceController::burst_granted);
    fetch_payload_.set_extension(&fetch_tag_);
}

CoherenceController::~CoherenceController() { fetch_payload_.clear_extension(&fetch_tag_); }

// The processor's side.

std::int32_t CoherenceController::context_of(const tlm::tlm_generic_payload& payload) {
    const auto* tag = payload.get_extension<hw::AccessTag>();
    return tag == nullptr ? 0 : tag->context;
}

// What the core goes on after, once the line is here.
hw::Cycles CoherenceController::hit_cycles(const tlm::tlm_generic_payload& payload) const {
    if (is_refused(payload)) {
        return hw::Cycles(0);
    }
    const hw::Cycles word = stores(payload) ? store_cycles_ : load_cycles_;
    return payload.get_data_length() == 8 ? word + double_cycles_ : word;
}

CoherenceController::Transaction* CoherenceController::transaction_of(std::uint64_t line) {
    for (Transaction& transaction : transactions_) {
        if (transaction.is_used && !transaction.goes_home && !transaction.fetch &&
            transaction.line == line) {
            return &transaction;
        }
    }
    return nullptr;
}

// One that is free, or that holds a copy to read which nobody has used.
CoherenceController::Transaction* CoherenceController::free_buffer() {
    Transaction* unused = nullptr;
    for (Transaction& transaction : std::span(transactions_).first(buffers_)) {
        if (!transaction.is_used) {
            return &transaction;
        }
        if (!transaction.goes_home && transaction.state == CacheState::kReadOnly) {
            unused = &transaction;
        }
    }
    return unused;
}

// One behind those that a node has.
CoherenceController::Transaction* CoherenceController::spare_buffer() {
    const auto spare =
        std::find_if(transactions_.begin() + static_cast<std::ptrdiff_t>(buffers_),
                     transactions_.end(), [](const Transaction& one) { return !one.is_used; });
    return spare != transactions_.end() ? &*spare : &transactions_.emplace_back();
}

// What was in it leaves unseen.
void CoherenceController::take_buffer(Transaction& buffer, const Transaction& use) {
    if (buffer.is_used) {
        note_copy(buffer.line, CacheState::kInvalid);
    }
    buffer = use;
}

CacheArray::Line* CoherenceController::cached(std::uint64_t address) {
    CacheArray& array = caches_.first_level();
    return array.find(array.block_of(address));
}

CoherenceController::Copy CoherenceController::copy_in(CacheArray::Line& line) {
    return {.bytes = caches_.first_level().data(line), .empty_words = &line.empty_words};
}

CoherenceController::Contents CoherenceController::contents_of(CacheArray::Line& line) {
    Contents contents{.bytes = {}, .empty_words = line.empty_words};
    std::copy_n(caches_.first_level().data(line), kLineBytes, contents.bytes.begin());
    return contents;
}

CacheState CoherenceController::state_of(std::uint64_t address) {
    if (const Transaction* transaction = transaction_of(line_of(address))) {
        return transaction->state;
    }
    const CacheArray::Line* line = cached(address);
    if (line == nullptr) {
        return CacheState::kInvalid;
    }
    return line->dirty ? CacheState::kReadWrite : CacheState::kReadOnly;
}

tlm::tlm_sync_enum CoherenceController::access(int port, tlm::tlm_generic_payload& payload,
                                               const tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
    std::optional<Access>& place = accesses_[static_cast<std::size_t>(port)];
    if (phase != tlm::BEGIN_REQ) {
        if (place) {
            place->is_withdrawn = true;
            domain().after_ticks(caches_);
        }
        return tlm::TLM_ACCEPTED;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (is_register(payload.get_address())) {
        access_register(payload);
        delay = domain().to_time(hit_cycles(payload));
        return tlm::TLM_COMPLETED;
    }
    if (is_fetch(payload) && !has_fetch_and_op_) {
        payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    const bool prefetches = is_prefetch(payload);
    if (!prefetches) {
        (payload.is_write() ? statistics_.stores : statistics_.loads) += 1;
    }
    const std::uint64_t address = payload.get_address();
    const bool may_hit = !prefetches && !is_fetch(payload);
    if (may_hit && transaction_of(line_of(address)) == nullptr) {
        CacheArray::Line* line = cached(address);
        if (line != nullptr && (payload.is_read() || line->dirty)) {
            caches_.first_level().touch(*line, true);
            perform(payload, copy_in(*line));
            tried_of(payload) = {};
            delay = domain().to_time(hit_cycles(payload));
            return tlm::TLM_COMPLETED;
        }
    }
    place = Access{.payload = &payload, .issued = domain().now()};
    domain().after_ticks(caches_);
    return tlm::TLM_ACCEPTED;
}

// What the access of a context that is no thread's has met matters to nobody: it holds its core.
CoherenceController::Tried& CoherenceController::tried_of(const tlm::tlm_generic_payload& payload) {
    const auto context = static_cast<std::size_t>(context_of(payload));
    return context < tried_.size() ? tried_[context] : tried_by_others_;
}

// The access takes place in the copy, or nothing does where its word is in the wrong state.
void CoherenceController::perform(tlm::tlm_generic_payload& payload, Copy copy) {
    if (const auto* tag = payload.get_extension<hw::AccessTag>();
        tag != nullptr && tag->full_empty.is_used) {
        use_bit(payload, *copy.empty_words);
        if (is_refused(payload)) {
            return;
        }
    }
    const bool fetches = is_fetch(payload);
    std::uint8_t* const line = copy.bytes;
    const std::uint64_t address = payload.get_address();
    const std::size_t length = payload.get_data_length();
    std::uint8_t* const held = line + address % kLineBytes;
    std::uint8_t* const data = payload.get_data_ptr();
    if (golden_ != nullptr && loads(payload)) {
        golden_->check_load(node_, domain().now(), address, {held, length});
    }
    std::array<std::uint8_t, WEIR_WORD_BYTES> result{};
    if (fetches) {
        result = fetch_result_of(*payload.get_extension<hw::AccessTag>()->fetch, held, data);
    }
    if (golden_ != nullptr && stores(payload)) {
        golden_->store(address, {fetches ? result.data() : data, length});
    }
    LineBytes before{};
    if (observers_.accesses != nullptr) {
        std::copy_n(line, kLineBytes, before.begin());
    }
    if (fetches) {
        std::memcpy(data, held, length);
        std::copy(result.begin(), result.end(), held);
    } else if (loads(payload) && stores(payload)) {
        std::swap_ranges(data, data + length, held);
    } else if (stores(payload)) {
        std::memcpy(held, data, length);
    } else {
        std::memcpy(data, held, length);
    }
    if (observers_.misses != nullptr) {
        observers_.misses->performs(node_, address, length, payload.is_write());
    }
    if (observers_.accesses != nullptr) {
        note_words(payload, before, line);
    }
}

// The access sees the bit of its first word, and changes it unless the state is the wrong one.
void CoherenceController::use_bit(tlm::tlm_generic_payload& payload, std::uint8_t& empty_words) {
    hw::FullEmptyUse& use = payload.get_extension<hw::AccessTag>()->full_empty;
    const std::uint64_t word = word_of(payload.get_address());
    const auto bit = static_cast<std::uint8_t>(1U << word % kLineBytes / WEIR_WORD_BYTES);
    use.was_full = (empty_words & bit) == 0;
    statistics_.full_empty_accesses += 1;
    if (golden_ != nullptr) {
        golden_->check_bit(node_, domain().now(), word, use.was_full);
    }
    if (use.is_refused()) {
        statistics_.wrong_states += 1;
        if (observers_.accesses != nullptr) {
            note_bit(payload);
        }
        return;
    }
    if (!use.changes_bit()) {
        return;
    }
    const bool is_left_full = use.leaves == hw::FullEmptyUse::Leaves::kFull;
    empty_words = static_cast<std::uint8_t>(is_left_full ? empty_words & ~bit : empty_words | bit);
    if (golden_ != nullptr) {
        golden_->set_bit(word, is_left_full);
    }
}

// What the access has found and left of its word's bit, if it used it.
void CoherenceController::note_bit(const tlm::tlm_generic_payload& payload) {
    const auto* tag = payload.get_extension<hw::AccessTag>();
    if (tag == nullptr || !tag->full_empty.is_used) {
        return;
    }
    const hw::FullEmptyUse& use = tag->full_empty;
    const bool is_changed = use.changes_bit() && !use.is_refused();
    const bool is_left_full = use.leaves == hw::FullEmptyUse::Leaves::kFull;
    note_access(context_of(payload), word_of(payload.get_address()) + 1, use.was_full ? 1 : 0,
                !is_changed    ? hw::SharedAccess::kNothing
                : is_left_full ? 1
                               : 0);
}

void CoherenceController::note_access(std::int64_t context, std::uint64_t address,
                                      std::int64_t loaded, std::int64_t stored) {
    observers_.accesses->shared_access({.node = node_,
                                        .sequence = words_moved_++,
                                        .context = context,
                                        .cycle = domain().now(),
                                        .address = static_cast<std::int64_t>(address),
                                        .loaded = loaded,
                                        .stored = stored});
}

// The words that the access has found and left.
void CoherenceController::note_words(const tlm::tlm_generic_payload& payload,
                                     const LineBytes& before, const std::uint8_t* line) {
    constexpr std::uint64_t kWord = WEIR_WORD_BYTES;
    const std::uint64_t end = payload.get_address() + payload.get_data_length();
    for (std::uint64_t word = word_of(payload.get_address()); word < end; word += kWord) {
        std::uint32_t found = 0;
        std::uint32_t left = 0;
        std::memcpy(&found, before.data() + word % kLineBytes, kWord);
        std::memcpy(&left, line + word % kLineBytes, kWord);
        note_access(context_of(payload), word,
                    loads(payload) ? std::int64_t{found} : hw::SharedAccess::kNothing,
                    stores(payload) ? std::int64_t{left} : hw::SharedAccess::kNothing);
        if (word == word_of(payload.get_address())) {
            note_bit(payload);
        }
    }
}

void CoherenceController::note_begin(const Transaction& buffer, Packet request,
                                     hw::Cycles now) const {
    if (observers_.transactions != nullptr) {
        observers_.transactions->begins({.node = node_,
                                         .begin = now,
                                         .line = static_cast<std::int64_t>(buffer.line),
                                         .home = map_.home_of(buffer.line),
                                         .request = request_of(request),
                                         .is_prefetch = buffer.is_prefetch});
    }
}

void CoherenceController::note_entry(std::uint64_t line) {
    if (observers_.lines != nullptr) {
        observers_.lines->is_at_home(node_, line, directory_.entry(line), domain().now());
    }
}

// A packet's `requester` is who sent it, or who began the transaction that it belongs to.
void CoherenceController::note_service(const Arrived& arrived, hw::NodeId requester,
                                       const Directory::Outcome& outcome, hw::Cycles now) const {
    if (observers_.transactions == nullptr) {
        return;
    }
    observers_.transactions->serves(arrived.packet, arrived.line, requester, now);
    if (outcome.traps) {
        observers_.transactions->traps({.node = node_,
                                        .raised = now,
                                        .line = static_cast<std::int64_t>(arrived.line),
                                        .requester = arrived.from,
                                        .request = request_of(arrived.packet)});
    }
}

const CacheTransition& CoherenceController::transition(CacheState state, CacheEvent event) {
    coverage_.cache[static_cast<std::size_t>(state)] |= 1U << static_cast<unsigned>(event);
    return cache_transition(state, event);
}

// Nobody waits for it.
void CoherenceController::prefetch(const tlm::tlm_generic_payload& payload, hw::Cycles now) {
    const std::uint64_t line = line_of(payload.get_address());
    const CacheTransition& row = transition(state_of(line), event_of(payload));
    Transaction* buffer = transaction_of(line);
    if (buffer == nullptr) {
        const auto buffers = std::span(transactions_).first(buffers_);
        const auto free = std::ranges::find(buffers, false, &Transaction::is_used);
        buffer = free == buffers.end() ? nullptr : &*free;
    }
    if (row.kind != CacheTransition::Kind::kAsks || buffer == nullptr) {
        statistics_.useless_prefetches += 1;
        return;
    }
    statistics_.prefetches += 1;
    begin_transaction(*buffer, line, row, now);
    buffer->is_prefetch = true;
    note_begin(*buffer, *row.sends, now);
}

// Whether it was performed now.
bool CoherenceController::use(Access& access, hw::Cycles now) {
    tlm::tlm_generic_payload& payload = *access.payload;
    const std::uint64_t line = line_of(payload.get_address());
    const CacheState state = state_of(line);
    const CacheTransition& row = transition(state, event_of(payload));
    if (row.kind == CacheTransition::Kind::kAsks) {
        ask(access, state, row, now);
        return false;
    }
    Transaction* transaction = transaction_of(line);
    if (row.kind != CacheTransition::Kind::kDone) {
        if (transaction->is_prefetch) {
            transaction->is_prefetch = false;
            transaction->begun = now;
            statistics_.late_prefetches += 1;
        }
        return false;
    }
    if (transaction == nullptr) {
        perform(payload, copy_in(*cached(line)));
        return true;
    }
    if (is_open(state)) {
        Contents& contents = transaction->contents;
        perform(payload, {.bytes = contents.bytes.data(), .empty_words = &contents.empty_words});
        return true;
    }
    CacheArray::Line* const place = move_to_cache(*transaction, now);
    if (place == nullptr) {
        wake_at(now + hw::Cycles(1), now);
        return false;
    }
    perform(payload, copy_in(*place));
    if (observers_.transactions != nullptr) {
        observers_.transactions->uses(line, node_, now);
    }
    return true;
}

// A line that has come, from its buffer; null: the cache has no place for it in this cycle.
CacheArray::Line* CoherenceController::move_to_cache(Transaction& transaction, hw::Cycles now) {
    const Transaction moved = transaction;
    transaction.is_used = false;  // what leaves the cache for it may need the buffer
    CacheArray::Line* const place = caches_.place_for_shared(moved.line, now);
    if (place == nullptr) {
        transaction.is_used = true;
        return nullptr;
    }
    const LineBytes& bytes = moved.contents.bytes;
    std::copy(bytes.begin(), bytes.end(), caches_.first_level().data(*place));
    place->empty_words = moved.contents.empty_words;
    place->dirty = moved.state == CacheState::kReadWrite;
    return place;
}

// The contexts for which lines have come to be written may wait for this very access to end: such a
// line goes into the cache. What leaves the cache for it may be the line of the access, which looks
// again in the next cycle.
void CoherenceController::empty_a_buffer(hw::Cycles now) {
    for (std::size_t i = 0; i < buffers_; ++i) {
        Transaction& transaction = transactions_[i];
        if (!transaction.goes_home && transaction.state == CacheState::kReadWrite &&
            move_to_cache(transaction, now) != nullptr) {
            return;
        }
    }
}

// The line is not here as the access wants it: its home is to be asked.
void CoherenceController::ask(Access& access, CacheState state, const CacheTransition& row,
                              hw::Cycles now) {
    const std::uint64_t line = line_of(access.payload->get_address());
    Transaction* const unused_copy = transaction_of(line);
    Transaction* buffer = unused_copy != nullptr ? unused_copy : free_buffer();
    if (buffer == nullptr && is_fetch(*access.payload)) {
        buffer = spare_buffer();
    }
    if (buffer == nullptr) {
        empty_a_buffer(now);
        wake_at(now + hw::Cycles(1), now);
        return;
    }
    Tried& tried = tried_of(*access.payload);
    if (thrashlock_ && switches_contexts_ && tried.has_missed && tried.line == line) {
        access.holds_core = true;
        statistics_.held_accesses += 1;
    }
    tried = {.line = line, .has_missed = true};
    (map_.home_of(line) == node_ ? statistics_.local_misses : statistics_.remote_misses) += 1;
    statistics_.upgrades += state == CacheState::kReadOnly ? 1 : 0;
    begin_transaction(*buffer, line, row, now);
    note_begin(*buffer, *row.sends, now);
}

// The home is asked as the row says; a copy that is in the cache, or in this buffer, stays usable.
void CoherenceController::begin_transaction(Transaction& buffer, std::uint64_t line,
                                            const CacheTransition& row, hw::Cycles now) {
    if (!buffer.is_used || buffer.line != line) {
        take_buffer(buffer, {.is_used = true, .line = line});
    }
    buffer.state = to_be_asked(row.next);
    buffer.is_prefetch = false;
    buffer.ask_at = now + miss_cycles_;
    buffer.begun = now;
    if (CacheArray::Line* copy = cached(line)) {
        buffer.contents = contents_of(*copy);
        caches_.first_level().clear(*copy);
    }
    note_copy(line, buffer.state);
    wake_at(buffer.ask_at, now);
}

// Whether the line comes from another node, or has to be taken from one, or waits for software; or
// this home can't go on until the network takes its packets.
bool CoherenceController::waits_for_another(std::uint64_t line) {
    if (map_.home_of(line) != node_ || !outbox_.empty() || state_of(line) == CacheState::kGranted) {
        return true;
    }
    const auto entry = directory_.entries().find(line);
    return entry != directory_.entries().end() && entry->second.state != HomeState::kReadOnly &&
           entry->second.state != HomeState::kTrapOnWrite &&
           entry->second.state != HomeState::kReadWrite;
}

void CoherenceController::try_access(int port, hw::Cycles now) {
    std::optional<Access>& place = accesses_[static_cast<std::size_t>(port)];
    if (!place) {
        return;
    }
    Access& access = *place;
    if (is_fetch(*access.payload)) {
        try_fetch(port, now);
        return;
    }
    if (is_prefetch(*access.payload)) {
        prefetch(*access.payload, now);
        answer(port, hit_cycles(*access.payload));
        return;
    }
    if (use(access, now)) {
        tried_of(*access.payload) = {};
        if (!is_refused(*access.payload)) {
            domain().note_progress(now);
        }
        answer(port, std::max(hit_cycles(*access.payload), hw::Cycles(1)));
        return;
    }
    if (waits_for_another(line_of(access.payload->get_address()))) {
        leave_unfinished(port);
    }
}

// The core may take an interrupt, or go on with another context.
void CoherenceController::leave_unfinished(int port) {
    const Access& access = *accesses_[static_cast<std::size_t>(port)];
    const bool is_of_thread = static_cast<std::size_t>(context_of(*access.payload)) < tried_.size();
    const bool switches = switches_contexts_ && is_of_thread && !access.holds_core;
    if (access.is_withdrawn || switches) {
        access.payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        answer(port, hw::Cycles(1));
    }
}

void CoherenceController::answer(int port, hw::Cycles delay) {
    tlm::tlm_generic_payload& payload = *accesses_[static_cast<std::size_t>(port)]->payload;
    accesses_[static_cast<std::size_t>(port)].reset();
    caches_.answer_shared(port, payload, delay);
}

void CoherenceController::write_back(std::uint64_t address, std::span<const std::uint8_t> bytes,
                                     std::uint8_t empty_words) {
    const CacheTransition& row = transition(CacheState::kReadWrite, CacheEvent::kReplace);
    Transaction* const free = free_buffer();
    Transaction& buffer = free != nullptr ? *free : *spare_buffer();
    take_buffer(buffer, {.is_used = true, .goes_home = true, .line = address});
    note_copy(address, CacheState::kInvalid);
    std::copy(bytes.begin(), bytes.end(), buffer.contents.bytes.begin());
    buffer.contents.empty_words = empty_words;
    statistics_.lines_sent_home += 1;
    send_home(*row.sends, address, buffer.contents, domain().now());
}

// Fetch-and-op.

CoherenceController::Transaction* CoherenceController::fetch_of(std::int32_t context) {
    for (Transaction& transaction : transactions_) {
        if (transaction.is_used && transaction.fetch && transaction.fetch->context == context) {
            return &transaction;
        }
    }
    return nullptr;
}

void CoherenceController::try_fetch(int port, hw::Cycles now) {
    tlm::tlm_generic_payload& payload = *accesses_[static_cast<std::size_t>(port)]->payload;
    Transaction* const fetch = fetch_of(context_of(payload));
    if (fetch == nullptr) {
        begin_fetch(payload, now);
    } else if (fetch->fetch->is_back) {
        std::copy_n(fetch->contents.bytes.begin(), WEIR_WORD_BYTES, payload.get_data_ptr());
        *fetch = {};
        domain().note_progress(now);
        answer(port, std::max(hit_cycles(payload), hw::Cycles(1)));
        return;
    }
    leave_unfinished(port);  // others, and software, may be before it at the home, even at its own
}

void CoherenceController::begin_fetch(const tlm::tlm_generic_payload& payload, hw::Cycles now) {
    Transaction* const buffer = free_buffer();
    if (buffer == nullptr) {
        empty_a_buffer(now);
        wake_at(now + hw::Cycles(1), now);
        return;
    }
    take_buffer(*buffer, {.is_used = true,
                          .line = line_of(payload.get_address()),
                          .ask_at = now + miss_cycles_,
                          .begun = now,
                          .fetch = Fetch{.context = context_of(payload)}});
    std::copy_n(payload.get_data_ptr(), WEIR_WORD_BYTES, buffer->contents.bytes.begin());
    buffer->contents.empty_words =
        fetch_bits(payload.get_address(), *payload.get_extension<hw::AccessTag>()->fetch);
    statistics_.fetches += 1;
    wake_at(buffer->ask_at, now);
}

// The answer names the buffer.
void CoherenceController::ask_home_to_fetch(Transaction& transaction, hw::Cycles now) {
    transaction.fetch->is_asked = true;
    const auto buffer = static_cast<std::uint16_t>(&transaction - transactions_.data());
    send({Packet::kFetch, map_.home_of(transaction.line), buffer}, transaction.line,
         transaction.contents, now);
}

void CoherenceController::fetch_returns(const Arrived& arrived, hw::Cycles now) {
    Transaction& transaction = transactions_.at(*arrived.operand);
    if (arrived.packet == Packet::kFetchBusy) {
        statistics_.fetches_put_off += 1;
        transaction.fetch->is_asked = false;
        transaction.ask_at = now + pause_after_busy();
        wake_at(transaction.ask_at, now);
        return;
    }
    transaction.contents = arrived.contents;
    transaction.fetch->is_back = true;
    statistics_.fetch_cycles += (now - transaction.begun).count();
}

void CoherenceController::take_fetch(const Arrived& arrived, hw::Cycles now) {
    free_from_ = now + directory_cycles_;
    if (fetches_.size() >= buffers_) {
        send({Packet::kFetchBusy, arrived.from, arrived.operand}, arrived.line, {}, now);
        return;
    }
    fetches_.push_back({arrived, free_from_});
    wake_at(free_from_, now);
}

// The first of those that wait is done as an access of the home's own.
void CoherenceController::go_on_with_fetches(hw::Cycles now) {
    std::optional<Access>& place = accesses_[kFetchPort];
    if (fetch_end_ <= now) {
        const Arrived& done = fetches_.front().arrived;
        send({Packet::kFetched, done.from, done.operand}, done.line, done.contents, now);
        fetches_.pop_front();
        fetch_end_ = hw::kNever;
    }
    if (fetches_.empty() || fetch_end_ != hw::kNever || now < fetches_.front().from) {
        return;
    }
    Arrived& first = fetches_.front().arrived;
    if (!place) {
        fetch_tag_.context = static_cast<std::int32_t>(hw::SharedAccess::kFetchUnit);
        fetch_tag_.exchanges = true;
        fetch_tag_.fetch = operation_of_fetch(first.contents.empty_words);
        fetch_payload_.set_command(tlm::TLM_WRITE_COMMAND);
        fetch_payload_.set_address(first.line + word_of_fetch(first.contents.empty_words));
        fetch_payload_.set_data_ptr(first.contents.bytes.data());
        fetch_payload_.set_data_length(WEIR_WORD_BYTES);
        place = Access{.payload = &fetch_payload_, .issued = now};
    }
    if (before_line_goes_) {
        before_line_goes_(now);  // this one, or what makes room for it
    }
    if (use(*place, now)) {
        place.reset();
        statistics_.fetches_done += 1;
        domain().note_progress(now);
        fetch_end_ = now + std::max(hit_cycles(fetch_payload_), hw::Cycles(1));
        wake_at(fetch_end_, now);
    }
}

std::array<std::uint8_t, WEIR_WORD_BYTES> CoherenceController::fetch_result_of(
    hw::FetchOperation operation, const std::uint8_t* word, const std::uint8_t* operand) const {
    const auto number_at = [this](const std::uint8_t* bytes) {
        std::uint32_t number = 0;
        std::memcpy(&number, bytes, sizeof number);
        return is_big_endian_ ? __builtin_bswap32(number) : number;
    };
    const std::uint32_t number = hw::fetch_result(operation, number_at(word), number_at(operand));
    const std::uint32_t stored = is_big_endian_ ? __builtin_bswap32(number) : number;
    std::array<std::uint8_t, WEIR_WORD_BYTES> result{};
    std::memcpy(result.data(), &stored, sizeof stored);
    return result;
}

// Software's side: in the ticks of the core, which nobody else sees before their end.

void CoherenceController::access_register(tlm::tlm_generic_payload& payload) {
    const auto address = static_cast<std::uint32_t>(payload.get_address());
    std::optional<std::uint32_t> word;
    bool is_written = false;
    if (payload.get_data_length() == WEIR_WORD_BYTES) {
        if (payload.is_read()) {
            word = read_free_register(address);
        } else {
            is_written = write_free_register(address, hw::data_word(payload));
        }
        if (payload.is_read() && !word && !shows_packets() && address == WEIR_TRAPPED_LINE) {
            word = 0;
        } else if (payload.is_read() && !word && !trapped_.empty()) {
            word = read_register(address);
        } else if (payload.is_write() && !is_written && !trapped_.empty()) {
            is_written = write_register(address, hw::data_word(payload));
        }
    }
    if (word) {
        hw::set_data_word(payload, *word);
    } else if (!is_written) {
        payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    }
}

// Whether software finds a packet that was handed over.
bool CoherenceController::shows_packets() const {
    return !trapped_.empty() && domain().now() >= traps_from_;
}

bool CoherenceController::raises_trap(hw::Cycles now) const {
    return now >= traps_from_ && (!trapped_.empty() || (packets_saved_ > 0 && !inbox_));
}

// What it does of the registers that need no packet; nothing where it is no such register.
std::optional<std::uint32_t> CoherenceController::read_free_register(std::uint32_t address) const {
    if (address == WEIR_HELD_PACKET) {
        return held_packet();
    }
    if (address == WEIR_MAY_RETURN) {
        return inbox_ ? 0 : 1;
    }
    if (address >= WEIR_PACKET_WORD(0) && address < WEIR_PACKET_WORD(WEIR_MOST_PACKET_WORDS)) {
        const auto packet = messages_->packet_at_head(domain().now());
        const std::size_t index = (address - WEIR_PACKET_WORD(0)) / WEIR_WORD_BYTES;
        if (!packet) {
            return 0;
        }
        return index == 0   ? first_word(*packet)
               : index == 1 ? packet->second_word()
                            : packet->line.at(index - 2);
    }
    return std::nullopt;
}

std::uint32_t CoherenceController::held_packet() const {
    const auto packet = messages_->packet_at_head(domain().now());
    return packet ? (static_cast<std::uint32_t>(packet->node.index()) << 16) |
                        words_for_software(*packet)
                  : 0;
}

// Whether it is such a register.
bool CoherenceController::write_free_register(std::uint32_t address, std::uint32_t value) {
    switch (address) {
        case WEIR_HOLD_PACKETS:
            holds_packets_.write(value != 0, domain().now());
            messages_->wake_at(domain().now() + hw::Cycles(1));
            return true;
        case WEIR_TAKE_PACKET:
            takes_packet_ = true;
            domain().after_ticks(caches_);
            return true;
        case WEIR_PACKETS_SAVED:
            packets_saved_ = value;
            domain().after_ticks(caches_);
            return true;
        case WEIR_RETURN_PACKET:
            return_packet(value);
            return true;
        case WEIR_PUT_OFF_TRAPS:
            traps_from_ = domain().now() + hw::Cycles(value);
            domain().after_ticks(caches_);
            wake_at(traps_from_, domain().now());
            return true;
        default:
            if (address >= WEIR_PACKET_WORD(0) &&
                address < WEIR_PACKET_WORD(WEIR_MOST_PACKET_WORDS)) {
                returned_words_.at((address - WEIR_PACKET_WORD(0)) / WEIR_WORD_BYTES) = value;
                return true;
            }
            return false;
    }
}

void CoherenceController::return_packet(std::uint32_t what) {
    hw::ProtocolPacket packet{.node = hw::NodeId(static_cast<std::int32_t>(what >> 16)),
                              .operation = WEIR_PACKET_OPERATION(returned_words_[0]),
                              .has_line = (what & 0xffffU) > 3,
                              .has_word = (what & 0xffffU) == 3};
    packet.set_second_word(returned_words_[1]);
    if (WEIR_PACKET_HAS_OPERAND(returned_words_[0]) != 0) {
        packet.operand = static_cast<std::uint16_t>(WEIR_PACKET_OPERAND(returned_words_[0]));
    }
    std::copy(returned_words_.begin() + 2, returned_words_.end(), packet.line.begin());
    receive(packet);
}

std::uint32_t CoherenceController::read_register(std::uint32_t address) {
    const Arrived& trapped = trapped_.front();
    const DirectoryEntry& entry = directory_.entry(trapped.line);
    const auto what = static_cast<std::uint32_t>(trapped.packet);  // of those to memory
    switch (address) {
        case WEIR_TRAPPED_LINE:
            if (observers_.transactions != nullptr) {
                observers_.transactions->software_looks(node_, domain().now());
            }
            return static_cast<std::uint32_t>(trapped.line);
        case WEIR_TRAPPED_PACKET:
            return WEIR_COHERENCE_VALUE(what, trapped.from.index()) |
                   (is_all_in_software_ ? WEIR_ALL_IN_SOFTWARE : 0);
        case WEIR_POINTERS:
            return static_cast<std::uint32_t>(entry.pointers.size());
        default: {
            const std::size_t index = (address - WEIR_POINTER(0)) / WEIR_WORD_BYTES;
            return index < entry.pointers.size()
                       ? static_cast<std::uint32_t>(entry.pointers[index].index())
                       : 0;
        }
    }
}

// Whether there is such a register.
bool CoherenceController::write_register(std::uint32_t address, std::uint32_t value) {
    constexpr std::array<Packet, 4> kSent{Packet::kInvalidate, Packet::kReadData,
                                          Packet::kWriteData, Packet::kModifyGrant};
    const std::uint64_t line = trapped_.front().line;
    switch (address) {
        case WEIR_DIRECTORY_STATE:
            return write_state(value);
        case WEIR_SEND_PACKET:
            if (WEIR_COHERENCE_WHAT(value) >= kSent.size()) {
                return false;
            }
            if (observers_.transactions != nullptr) {
                observers_.transactions->software_sends(node_);
            }
            sent_by_software_.push_back(
                {line,
                 {kSent[WEIR_COHERENCE_WHAT(value)],
                  hw::NodeId(static_cast<std::int32_t>(WEIR_COHERENCE_NODE(value)))}});
            domain().after_ticks(caches_);
            return true;
        case WEIR_TRAP_DONE:
            if (observers_.transactions != nullptr) {
                observers_.transactions->software_ends(node_, domain().now());
            }
            trapped_.pop_front();
            domain().after_ticks(caches_);
            return true;
        default:
            return false;
    }
}

// Whether there is such a state.
bool CoherenceController::write_state(std::uint32_t value) {
    constexpr std::array<HomeState, 5> kStates{
        HomeState::kTrapOnWrite, HomeState::kWriteTransaction, HomeState::kReadWrite,
        HomeState::kTrapAlways, HomeState::kSoftwareTransaction};
    if (WEIR_COHERENCE_WHAT(value) >= kStates.size()) {
        return false;
    }
    DirectoryEntry& entry = directory_.entry(trapped_.front().line);
    entry.state = kStates[WEIR_COHERENCE_WHAT(value)];
    entry.acknowledgements = static_cast<std::int32_t>(WEIR_COHERENCE_NODE(value));
    entry.pointers.clear();
    if (entry.state == HomeState::kWriteTransaction || entry.state == HomeState::kReadWrite) {
        entry.pointers.push_back(entry.requester);
    }
    if (entry.state != HomeState::kWriteTransaction &&
        entry.state != HomeState::kSoftwareTransaction) {
        entry.requester = {};
        entry.is_modify = false;
    }
    note_entry(trapped_.front().line);
    return true;
}

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
        left_.push_back(packet.address);  // its buffer is free after the ticks
    }
    outbox_.pop_front();
    domain().after_ticks(caches_);
}

void CoherenceController::has_gone_home(std::uint64_t line) {
    const auto buffer = std::find_if(
        transactions_.begin(), transactions_.end(),
        [&](const Transaction& one) { return one.is_used && one.goes_home && one.line == line; });
    buffer->is_used = false;
    while (transactions_.size() > buffers_ && !transactions_.back().is_used) {
        transactions_.pop_back();
    }
}

void CoherenceController::send(const Directory::Sent& sent, std::uint64_t line,
                               const Contents& contents, hw::Cycles now) {
    const Packet packet = sent.packet;
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

// Who began the transaction that the packet belongs to.
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
    const CacheState state = state_of(arrived.line);
    Transaction* const transaction = transaction_of(arrived.line);
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
        transaction->is_used = row.next != CacheState::kInvalid;
        if (carries_line(arrived.packet) && has_copy(row.next)) {
            take_up(*transaction, arrived);
        }
        note_answer(*transaction, state, now);
        statistics_.busy_replies += event == CacheEvent::kBusy ? 1 : 0;
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

// How many are to come behind this packet, which may be one, or say how many there are.
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

// What the line's copy holds, which is taken, or is no longer the only one.
CoherenceController::Contents CoherenceController::give_up(std::uint64_t line, CacheState before,
                                                           CacheState after) {
    const bool is_lost = has_copy(before) && !has_copy(after);
    statistics_.copies_lost += is_lost ? 1 : 0;
    if (observers_.misses != nullptr && is_lost) {
        observers_.misses->loses(node_, line);
    }
    if (const Transaction* transaction = transaction_of(line)) {
        statistics_.unused_lines += is_lost && !is_open(before) ? 1 : 0;
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

// What a node waits for is there as a whole; or it is to ask again.
void CoherenceController::note_answer(Transaction& transaction, CacheState before, hw::Cycles now) {
    if (is_open(before) && !is_open(transaction.state)) {
        if (observers_.transactions != nullptr) {
            observers_.transactions->fills(transaction.line, node_, now);
        }
        if (!transaction.is_prefetch) {
            statistics_.miss_cycles += (now - transaction.begun).count();
        }
    } else if (is_to_ask_again(transaction.state) && !is_to_ask_again(before)) {
        transaction.ask_at = now + pause_after_busy();
        wake_at(transaction.ask_at, now);
    }
}

hw::Cycles CoherenceController::pause_after_busy() {
    const auto spread = static_cast<std::uint64_t>(busy_spread_cycles_.count());
    return busy_cycles_ + hw::Cycles(static_cast<std::int64_t>(pauses_.below(spread + 1)));
}

// What has been missed for long enough, and what a home was too busy for.
void CoherenceController::ask_homes(hw::Cycles now) {
    for (Transaction& transaction : transactions_) {
        if (transaction.is_used && transaction.fetch && !transaction.fetch->is_asked &&
            transaction.ask_at <= now) {
            ask_home_to_fetch(transaction, now);
        }
        if (!transaction.is_used || transaction.goes_home || !is_to_ask_again(transaction.state) ||
            transaction.ask_at > now) {
            continue;
        }
        const CacheTransition& row = transition(transaction.state, CacheEvent::kAskAgain);
        transaction.state = row.next;
        note_copy(transaction.line, row.next);
        send_home(*row.sends, transaction.line, {}, now);
    }
}

// The home, and what comes for the cache.

void CoherenceController::serve(hw::Cycles now) {
    while ((!service_ || go_on_with_service(now)) && take_next(now)) {
    }
}

// Whether a packet was taken.
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
    const HomeState before = directory_.entry(arrived.line).state;
    coverage_.home[static_cast<std::size_t>(before)] |= 1U << static_cast<unsigned>(arrived.packet);
    served_.push_back({now, arrived.line, arrived.packet, arrived.from, before});
    if (served_.size() > kServedKept) {
        served_.pop_front();
    }
    const hw::NodeId requester =
        is_request(arrived.packet) ? arrived.from : directory_.entry(arrived.line).requester;
    const Directory::Outcome* outcome =
        directory_.receive(arrived.line, arrived.packet, arrived.from);
    if (outcome == nullptr) {
        refuse(arrived, "its home, in " + std::string(name_of(before)), now);
    }
    note_service(arrived, requester, *outcome, now);
    note_entry(arrived.line);
    statistics_.requests_served += is_request(arrived.packet) ? 1 : 0;
    if (outcome->traps) {
        statistics_.traps += 1;
        trapped_.push_back(arrived);
    }
    occupy({.arrived = arrived,
            .sent = outcome->sent,
            .next_at = now + directory_cycles_,
            .line_at = now,
            .since = now},
           outcome->stores_line, now);
}

void CoherenceController::begin_service_of_software(hw::Cycles now) {
    const ToSend one = sent_by_software_.front();
    sent_by_software_.pop_front();
    occupy({.arrived = {.line = one.line, .from = node_},
            .sent = {one.sent},
            .next_at = now,
            .line_at = now,
            .since = now},
           false, now);
}

// The home works on it from now on; what memory has to do for it is asked for.
void CoherenceController::occupy(const Service& service, bool stores_line, hw::Cycles now) {
    service_.emplace(service);
    const bool sends_line =
        std::any_of(service.sent.begin(), service.sent.end(),
                    [](const Directory::Sent& one) { return carries_line(one.packet); });
    if (stores_line) {
        directory_.entry(service.arrived.line).empty_words = service.arrived.contents.empty_words;
        ask_port(tlm::TLM_WRITE_COMMAND, service.arrived.line);
    } else if (sends_line) {
        service_->arrived.contents.empty_words = directory_.entry(service.arrived.line).empty_words;
        service_->line_at = hw::kNever;
        ask_port(tlm::TLM_READ_COMMAND, service.arrived.line);
    }
    wake_at(service_->next_at, now);
}

// Whether it has come to its end.
bool CoherenceController::go_on_with_service(hw::Cycles now) {
    Service& service = *service_;
    while (service.next < service.sent.size()) {
        const Directory::Sent& one = service.sent[service.next];
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
        for (const std::uint64_t line : std::exchange(left_, {})) {
            has_gone_home(line);
        }
        ask_homes(now);
        serve(now);
        go_on_with_fetches(now);
        for (int port = 0; port < kPorts; ++port) {
            try_access(port, now);
        }
        if (std::exchange(takes_packet_, false)) {
            messages_->discard_packet(now);
        }
        messages_->drive_coherence_trap(raises_trap(now), now);
    } catch (...) {
        stop_with_fault();
    }
}

// With the exception that is being handled.
void CoherenceController::stop_with_fault() {
    fault_ = std::current_exception();
    domain().stop();
}

// DMA engines.

std::optional<std::string> CoherenceController::absent(std::uint32_t address,
                                                       hw::Bytes bytes) const {
    const std::uint64_t end = address + static_cast<std::uint64_t>(bytes.count());
    for (std::uint64_t at = address; at < end; at = line_of(at) + kLineBytes) {
        if (!map_.is_shared(at)) {
            return shared_address(at) + " lies beyond shared memory";
        }
        if (map_.home_of(at) != node_) {
            return shared_address(at) + " lies at node " +
                   std::to_string(map_.home_of(at).index()) + "; accepted: addresses at node " +
                   std::to_string(node_.index());
        }
    }
    return std::nullopt;
}

// One that is not the home's own has come from a DMA engine.
void CoherenceController::burst_moves(const tlm::tlm_generic_payload& payload, hw::Cycles now) {
    if (&payload == &burst_ || fault_) {
        return;
    }
    statistics_.dma_bursts += 1;
    std::span<std::uint8_t> bytes(payload.get_data_ptr(), payload.get_data_length());
    std::uint64_t address = map_.address_at(node_, payload.get_address() - private_bytes_);
    try {
        while (!bytes.empty()) {
            const std::size_t to_end = kLineBytes - address % kLineBytes;
            const auto of_line = bytes.first(std::min(bytes.size(), to_end));
            require_in_reach(address, payload.is_write(), now);
            if (payload.is_write()) {
                dma_writes(address, of_line);
            } else {
                dma_reads(address, of_line);
            }
            note_dma(address, of_line, payload.is_write());
            address += of_line.size();
            bytes = bytes.subspan(of_line.size());
        }
    } catch (...) {
        stop_with_fault();
    }
}

// Copies to read that have left their cache unseen count, too: the home does not know.
void CoherenceController::require_in_reach(std::uint64_t address, bool is_write, hw::Cycles now) {
    const auto known = directory_.entries().find(line_of(address));
    if (known == directory_.entries().end()) {
        return;  // nobody has asked for it
    }
    const DirectoryEntry& entry = known->second;
    const bool is_here_alone =
        std::ranges::all_of(entry.pointers, [this](hw::NodeId node) { return node == node_; });
    const bool is_asked_for = is_open(state_of(line_of(address)));  // others' copies may still go
    const bool is_in_reach =
        (entry.state == HomeState::kReadOnly && (is_here_alone || !is_write)) ||
        (entry.state == HomeState::kTrapOnWrite && !is_write) ||
        (entry.state == HomeState::kReadWrite && is_here_alone && !(is_write && is_asked_for));
    if (!is_in_reach) {
        throw DmaFault(
            "node " + std::to_string(node_.index()) + ", cycle " + std::to_string(now.count()),
            std::string(is_write ? "a DMA engine writes " : "a DMA engine reads ") +
                shared_address(address) +
                (is_write ? ", and other nodes may have copies"
                          : ", and another node may have changed it"),
            is_write ? "lines that the node has stored to since others used them"
                     : "lines that the node has loaded since others changed them");
    }
}

// The DRAM has given its bytes; what is newer lies in a packet that is still to be written there,
// or in this node's only copy.
void CoherenceController::dma_reads(std::uint64_t address, std::span<std::uint8_t> bytes) {
    const std::uint64_t line = line_of(address);
    LineBytes newest{};
    const bool is_to_be_written =
        service_ && service_->is_at_port && burst_.is_write() && service_->arrived.line == line;
    if (is_to_be_written) {
        newest = service_->arrived.contents.bytes;
    }
    if (has_newest(line, newest) || is_to_be_written) {
        std::copy_n(newest.begin() + static_cast<std::ptrdiff_t>(address - line), bytes.size(),
                    bytes.begin());
    }
    if (golden_ != nullptr) {
        golden_->check_load(node_, domain().now(), address, bytes);
    }
}

// The DRAM has been written; so is all that this node has of the line.
void CoherenceController::dma_writes(std::uint64_t address, std::span<const std::uint8_t> bytes) {
    const std::uint64_t line = line_of(address);
    const auto write = [&](std::uint8_t* copy) {
        std::copy(bytes.begin(), bytes.end(), copy + (address - line));
    };
    if (CacheArray::Line* in_cache = cached(line)) {
        write(caches_.first_level().data(*in_cache));
    }
    for (Transaction& transaction : transactions_) {
        if (transaction.is_used && transaction.line == line) {
            write(transaction.contents.bytes.data());
        }
    }
    for (Arrived& packet : local_) {
        if (packet.line == line) {
            write(packet.contents.bytes.data());
        }
    }
    if (service_ && service_->arrived.line == line) {
        write(service_->arrived.contents.bytes.data());
    }
    if (golden_ != nullptr) {
        golden_->store(address, bytes);
    }
}

// The words, as accesses of a context of the engine's own.
void CoherenceController::note_dma(std::uint64_t address, std::span<const std::uint8_t> bytes,
                                   bool is_write) {
    if (observers_.accesses == nullptr) {
        return;
    }
    for (std::size_t at = 0; at < bytes.size(); at += WEIR_WORD_BYTES) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data() + at, WEIR_WORD_BYTES);
        if (is_write) {
            note_access(hw::SharedAccess::kReceivingEngine, address + at,
                        hw::SharedAccess::kNothing, std::int64_t{word});
        } else {
            note_access(hw::SharedAccess::kSendingEngine, address + at, std::int64_t{word},
                        hw::SharedAccess::kNothing);
        }
    }
}

void CoherenceController::wake_at(hw::Cycles cycle, hw::Cycles now) {
    if (cycle > now && cycle < hw::kNever) {
        caches_.wake_at(cycle);
    }
}

bool CoherenceController::has_newest(std::uint64_t line_address, std::span<std::uint8_t> bytes) {
    for (const Transaction& transaction : transactions_) {
        if (transaction.is_used && transaction.line == line_address &&
            (transaction.goes_home || transaction.state == CacheState::kReadWrite)) {
            const LineBytes& held = transaction.contents.bytes;
            std::copy(held.begin(), held.end(), bytes.begin());
            return true;
        }
    }
    const CacheArray::Line* line = cached(line_address);
    if (line == nullptr || !line->dirty) {
        return false;
    }
    std::copy_n(caches_.first_level().data(*line), kLineBytes, bytes.begin());
    return true;
}

void CoherenceController::refuse(const Arrived& arrived, const std::string& state,
                                 hw::Cycles now) const {
    hw::TextWriter text;
    text << "coherence protocol: node " << node_ << ", cycle " << now << ", line 0x" << std::hex
         << arrived.line << std::dec << ": " << name_of(arrived.packet) << " of node "
         << arrived.from << " comes to " << state << ", which has no row for it";
    for (const Served& served : served_) {
        if (served.line == arrived.line) {
            text << "; cycle " << served.cycle << ": " << name_of(served.packet) << " of node "
                 << served.from << " in " << name_of(served.state);
        }
    }
    throw ProtocolError(text.str());
}

}  // namespace weir::memory
