#include <algorithm>
#include <cstring>
#include <utility>

#include "memory/coherence/coherence_controller.h"

// Accesses of the processor, and fetch-and-op.
namespace weir::memory {

namespace {

// True if the access returns a word to its core.
bool loads(const tlm::tlm_generic_payload& payload) {
    const auto* tag = payload.get_extension<hw::AccessTag>();
    return payload.is_read() || (tag != nullptr && (tag->exchanges || tag->only_loads));
}
bool stores(const tlm::tlm_generic_payload& payload) {
    const auto* tag = payload.get_extension<hw::AccessTag>();
    return payload.is_write() && (tag == nullptr || !tag->only_loads);
}

bool is_refused(const tlm::tlm_generic_payload& payload) {
    const auto* tag = payload.get_extension<hw::AccessTag>();
    return tag != nullptr && tag->full_empty.is_refused();
}

// For a fetch-and-op, the lower bits of the line's address are the word's index and the operation.
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

bool CoherenceController::fetches(const tlm::tlm_generic_payload& payload) {
    const auto* tag = payload.get_extension<hw::AccessTag>();
    return tag != nullptr && tag->fetch.has_value();
}

bool CoherenceController::is_prefetch(const tlm::tlm_generic_payload& payload) {
    const auto* tag = payload.get_extension<hw::AccessTag>();
    return tag != nullptr && tag->prefetches;
}

std::int32_t CoherenceController::context_of(const tlm::tlm_generic_payload& payload) {
    const auto* tag = payload.get_extension<hw::AccessTag>();
    return tag == nullptr ? 0 : tag->context;
}

// Cycles that the core still takes once the line has arrived.
hw::Cycles CoherenceController::hit_cycles(const tlm::tlm_generic_payload& payload) const {
    if (is_refused(payload)) {
        return hw::Cycles(0);
    }
    const hw::Cycles word = stores(payload) ? store_cycles_ : load_cycles_;
    return payload.get_data_length() == 8 ? word + double_cycles_ : word;
}

CoherenceController::Transaction* CoherenceController::transaction_of(std::uint64_t line) {
    return first_used([line](const Transaction& transaction) {
        return transaction.line == line && !transaction.goes_home && !transaction.fetch;
    });
}

// Returns a free buffer, else one with a prefetched copy to read that no access has used or waits
// for.
CoherenceController::Transaction* CoherenceController::free_buffer() {
    Transaction* unused = nullptr;
    for (Transaction& transaction : std::span(transactions_).first(buffers_)) {
        if (!transaction.is_used) {
            return &transaction;
        }
        if (!transaction.goes_home && transaction.state == CacheState::kReadOnly &&
            !transaction.deferred && !is_kept(transaction)) {
            unused = &transaction;
        }
    }
    return unused;
}

// Returns an extra buffer beyond the node's transaction buffers.
CoherenceController::Transaction* CoherenceController::spare_buffer() {
    const auto spare =
        std::find_if(transactions_.begin() + static_cast<std::ptrdiff_t>(buffers_),
                     transactions_.end(), [](const Transaction& one) { return !one.is_used; });
    return spare != transactions_.end() ? &*spare : &transactions_.emplace_back();
}

// Gives the buffer to a new transaction; an unused copy in the buffer is dropped without a packet.
void CoherenceController::take_buffer(Transaction& buffer, const Transaction& use) {
    if (buffer.is_used) {
        note_copy(buffer.line, CacheState::kInvalid);
    } else {
        ++buffers_in_use_;
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
    const Transaction* const transaction = transaction_of(line_of(address));
    return transaction != nullptr ? transaction->state : state_in_cache(address);
}

CacheState CoherenceController::state_in_cache(std::uint64_t address) {
    const CacheArray::Line* line = cached(address);
    if (line == nullptr) {
        return CacheState::kInvalid;
    }
    return line->dirty ? CacheState::kReadWrite : CacheState::kReadOnly;
}

tlm::tlm_sync_enum CoherenceController::access(int port, tlm::tlm_generic_payload& payload,
                                               const tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
    std::optional<Access>& place = accesses_[port];
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
    Access access(payload);
    if (access.fetches && !has_fetch_and_op_) {
        payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    if (!access.prefetches) {
        (payload.is_write() ? statistics_.stores : statistics_.loads) += 1;
    }
    const bool may_hit = !access.prefetches && !access.fetches;
    note_access_of_thread(access);
    if (may_hit && transaction_of(access.line) == nullptr) {
        CacheArray::Line* line = cached(access.line);
        if (line != nullptr && (payload.is_read() || line->dirty)) {
            caches_.first_level().touch(*line, true);
            perform(payload, copy_in(*line));
            history_of(access.context) = {};
            delay = domain().to_time(hit_cycles(payload));
            return tlm::TLM_COMPLETED;
        }
    }
    place = access;
    domain().after_ticks(caches_);
    return tlm::TLM_ACCEPTED;
}

// A repeated access that held the core before its withdrawal holds the core again. If the context
// accesses another line instead, it does not.
void CoherenceController::note_access_of_thread(Access& access) {
    if (!withdrawn_ || !has_thread(access.context)) {
        return;
    }
    access.holds_core = withdrawn_->holds_core && withdrawn_->context == access.context &&
                        withdrawn_->line == access.line;
    withdrawn_.reset();
    domain().after_ticks(caches_);
}

// Contexts without a thread share a record that is not used, since their accesses always hold the
// core.
CoherenceController::AccessHistory& CoherenceController::history_of(std::int32_t context) {
    return has_thread(context) ? histories_[context] : history_of_others_;
}

// Performs the access on the copy; without effect if its word is in the wrong state.
void CoherenceController::perform(tlm::tlm_generic_payload& payload, Copy copy) {
    if (const auto* tag = payload.get_extension<hw::AccessTag>();
        tag != nullptr && tag->full_empty.is_used) {
        use_bit(payload, *copy.empty_words);
        if (is_refused(payload)) {
            return;
        }
    }
    const bool is_fetch = fetches(payload);
    std::uint8_t* const line = copy.bytes;
    const std::uint64_t address = payload.get_address();
    const std::size_t length = payload.get_data_length();
    std::uint8_t* const held = line + address % kLineBytes;
    std::uint8_t* const data = payload.get_data_ptr();
    if (golden_ != nullptr && loads(payload)) {
        golden_->check_load(node_, domain().now(), address, {held, length});
    }
    std::array<std::uint8_t, WEIR_WORD_BYTES> result{};
    if (is_fetch) {
        result = fetch_result_of(*payload.get_extension<hw::AccessTag>()->fetch, held, data);
    }
    if (golden_ != nullptr && stores(payload)) {
        golden_->store(address, {is_fetch ? result.data() : data, length});
    }
    LineBytes before{};
    if (observers_.accesses != nullptr) {
        std::copy_n(line, kLineBytes, before.begin());
    }
    if (is_fetch) {
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

// Tests the full/empty bit of the access's first word, and changes it unless the state is wrong.
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

// Reports the full/empty bit before and after the access, if the access used the bit.
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

// Reports the words before and after the access.
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

// `requester`: the sender of a request, or the node that began the packet's transaction.
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
    coverage_.cache[state] |= 1U << static_cast<unsigned>(event);
    return cache_transition(state, event);
}

// Requests a line for which no access waits.
void CoherenceController::prefetch(const Access& access, hw::Cycles now) {
    const std::uint64_t line = access.line;
    const CacheTransition& row = transition(state_of(line), access.event);
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

// Performs the access if the line's state allows it. Returns whether the access was performed.
bool CoherenceController::use(Access& access, hw::Cycles now) {
    access.waits_for_packet = false;
    tlm::tlm_generic_payload& payload = *access.payload;
    const std::uint64_t line = access.line;
    Transaction* const transaction = transaction_of(line);
    const CacheState state = transaction != nullptr ? transaction->state : state_in_cache(line);
    const CacheTransition& row = transition(state, access.event);
    if (row.kind == CacheTransition::Kind::kAsks) {
        ask(access, state, row, now);
        return false;
    }
    if (row.kind != CacheTransition::Kind::kDone) {
        if (transaction->is_prefetch) {
            transaction->is_prefetch = false;
            transaction->begun = now;
            statistics_.late_prefetches += 1;
        }
        access.waits_for_packet = true;
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

// Moves an arrived line from its buffer to the cache. Returns null if the cache has no place in
// this cycle.
CacheArray::Line* CoherenceController::move_to_cache(Transaction& transaction, hw::Cycles now) {
    const Transaction moved = transaction;
    free(transaction);  // the line that leaves the cache may need the buffer
    transaction.deferred.reset();
    CacheArray::Line* const place = caches_.place_for_shared(moved.line, now);
    if (place == nullptr) {
        take_buffer(transaction, moved);
        return nullptr;
    }
    if (moved.deferred) {
        due_.push_back({.packet = moved.deferred->packet,
                        .line = moved.line,
                        .from = moved.deferred->from,
                        .operand = moved.deferred->operand});
    }
    const LineBytes& bytes = moved.contents.bytes;
    std::copy(bytes.begin(), bytes.end(), caches_.first_level().data(*place));
    place->empty_words = moved.contents.empty_words;
    place->dirty = moved.state == CacheState::kReadWrite;
    return place;
}

// Moves an arrived line that may be written into the cache to free its buffer, since other contexts
// may wait for the current access. The replaced line may be that of the access, which is then
// looked up again in the next cycle.
void CoherenceController::empty_a_buffer(hw::Cycles now) {
    for (std::size_t i = 0; i < buffers_; ++i) {
        Transaction& transaction = transactions_[i];
        if (!transaction.goes_home && transaction.state == CacheState::kReadWrite &&
            !transaction.deferred && !is_kept(transaction) &&
            move_to_cache(transaction, now) != nullptr) {
            return;
        }
    }
}

// True if an access that has the core, or is about to get it back, will use the buffer's line at
// once.
bool CoherenceController::is_kept(const Transaction& transaction) const {
    if (!trap_turns_ || !transaction.is_used || is_open(transaction.state)) {
        return false;
    }
    const bool may_write = transaction.state == CacheState::kReadWrite;
    if (withdrawn_ && withdrawn_->line == transaction.line &&
        (may_write || !withdrawn_->is_write)) {
        return true;
    }
    for (std::size_t port = 0; port < accesses_.size(); ++port) {
        if (!accesses_[port]) {
            continue;
        }
        const Access& access = *accesses_[port];
        const bool uses_copy = !access.prefetches && (port == kFetchPort || !access.fetches);
        if (uses_copy && access.line == transaction.line &&
            (may_write || access.event != CacheEvent::kStore)) {
            return true;
        }
    }
    return false;
}

// Puts off the packet in its line's buffer if the line is kept there. Returns whether the packet
// was put off.
bool CoherenceController::puts_off(const Arrived& arrived) {
    Transaction* const transaction = transaction_of(arrived.line);
    if (transaction == nullptr || !is_kept(*transaction)) {
        return false;
    }
    transaction->deferred = {arrived.packet, arrived.from, arrived.operand};
    may_have_deferred_ = true;
    statistics_.packets_put_off += 1;
    return true;
}

// Executes the packets that were put off and whose lines have been used, or need no longer be kept.
void CoherenceController::take_up_put_off(hw::Cycles now) {
    if (!may_have_deferred_ && due_.empty()) {
        return;
    }
    may_have_deferred_ = false;
    for_used([this](Transaction& transaction) {
        if (transaction.deferred && !is_kept(transaction)) {
            const DeferredPacket packet = *std::exchange(transaction.deferred, std::nullopt);
            due_.push_back({.packet = packet.packet,
                            .line = transaction.line,
                            .from = packet.from,
                            .operand = packet.operand});
        }
        may_have_deferred_ = may_have_deferred_ || transaction.deferred;
    });
    for (const Arrived& packet : std::exchange(due_, {})) {
        cache_receives(packet, now);
    }
}

// Begins a request to the home, since the line's state does not allow the access.
void CoherenceController::ask(Access& access, CacheState state, const CacheTransition& row,
                              hw::Cycles now) {
    const std::uint64_t line = access.line;
    Transaction* const unused_copy = transaction_of(line);
    Transaction* buffer = unused_copy != nullptr ? unused_copy : free_buffer();
    if (buffer == nullptr && access.fetches) {
        buffer = spare_buffer();
    }
    if (buffer == nullptr) {
        empty_a_buffer(now);
        wake_at(now + hw::Cycles(1), now);
        return;
    }
    AccessHistory& history = history_of(access.context);
    if (thrashlock_ && switches_contexts_ && history.has_missed && history.line == line) {
        access.holds_core = true;
        statistics_.held_accesses += 1;
    }
    history = {.line = line, .has_missed = true};
    (map_.home_of(line) == node_ ? statistics_.local_misses : statistics_.remote_misses) += 1;
    statistics_.upgrades += state == CacheState::kReadOnly ? 1 : 0;
    begin_transaction(*buffer, line, row, now);
    note_begin(*buffer, *row.sends, now);
}

// Takes the buffer for a request to the home. A copy in the cache, or in this buffer, stays usable.
void CoherenceController::begin_transaction(Transaction& buffer, std::uint64_t line,
                                            const CacheTransition& row, hw::Cycles now) {
    if (!buffer.is_used || buffer.line != line) {
        take_buffer(buffer, {.is_used = true, .line = line});
    }
    buffer.state = to_be_asked(row.next);
    buffer.is_prefetch = false;
    buffer.refusals = 0;
    buffer.begun = now;
    ask_later(buffer, miss_cycles_, now);
    if (CacheArray::Line* copy = cached(line)) {
        buffer.contents = contents_of(*copy);
        caches_.first_level().clear(*copy);
    }
    note_copy(line, buffer.state);
}

// True if the line depends on another node or on software, or this home is blocked. A home is
// blocked until the network takes its packets, and while refused requests go first.
bool CoherenceController::waits_for_another(std::uint64_t line) {
    if (map_.home_of(line) != node_ || !outbox_.empty() || state_of(line) == CacheState::kGranted ||
        !directory_.refused(line).are_none()) {
        return true;
    }
    const auto entry = directory_.entries().find(line);
    return entry != directory_.entries().end() && entry->second.state != HomeState::kReadOnly &&
           entry->second.state != HomeState::kTrapOnWrite &&
           entry->second.state != HomeState::kReadWrite;
}

void CoherenceController::try_access(int port, hw::Cycles now) {
    std::optional<Access>& place = accesses_[port];
    if (!place) {
        return;
    }
    Access& access = *place;
    if (access.waits_for_packet && !may_be_left(access)) {
        return;
    }
    if (access.fetches) {
        try_fetch(port, now);
        return;
    }
    if (access.prefetches) {
        prefetch(access, now);
        answer(port, hit_cycles(*access.payload));
        return;
    }
    if (use(access, now)) {
        history_of(access.context) = {};
        if (!is_refused(*access.payload)) {
            domain().note_progress(now);
        }
        answer(port, std::max(hit_cycles(*access.payload), hw::Cycles(1)));
        return;
    }
    if (may_be_left(access) && waits_for_another(access.line)) {
        leave_unfinished(port);
    }
}

// Answers the access as not done.
void CoherenceController::leave_unfinished(int port) {
    const Access& access = *accesses_[port];
    if (has_thread(access.context) && !switches_from(access) && !access.fetches) {
        withdrawn_ = Withdrawn{.line = access.line,
                               .context = access.context,
                               .is_write = access.event == CacheEvent::kStore,
                               .holds_core = access.holds_core};
    }
    access.payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    answer(port, hw::Cycles(1));
}

void CoherenceController::answer(int port, hw::Cycles delay) {
    tlm::tlm_generic_payload& payload = *accesses_[port]->payload;
    accesses_[port].reset();
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
    return first_used([context](const Transaction& transaction) {
        return transaction.fetch && transaction.fetch->context == context;
    });
}

void CoherenceController::try_fetch(int port, hw::Cycles now) {
    const Access& access = *accesses_[port];
    tlm::tlm_generic_payload& payload = *access.payload;
    Transaction* const fetch = fetch_of(access.context);
    if (fetch == nullptr) {
        begin_fetch(access, now);
    } else if (fetch->fetch->is_back) {
        std::copy_n(fetch->contents.bytes.begin(), WEIR_WORD_BYTES, payload.get_data_ptr());
        free(*fetch);
        domain().note_progress(now);
        answer(port, std::max(hit_cycles(payload), hw::Cycles(1)));
        return;
    }
    // The answer may be late: any home may serve other operations or software first.
    if (may_be_left(access)) {
        leave_unfinished(port);
    }
}

void CoherenceController::begin_fetch(const Access& access, hw::Cycles now) {
    const tlm::tlm_generic_payload& payload = *access.payload;
    Transaction* const buffer = free_buffer();
    if (buffer == nullptr) {
        empty_a_buffer(now);
        wake_at(now + hw::Cycles(1), now);
        return;
    }
    take_buffer(*buffer, {.is_used = true,
                          .line = access.line,
                          .begun = now,
                          .fetch = Fetch{.context = access.context}});
    std::copy_n(payload.get_data_ptr(), WEIR_WORD_BYTES, buffer->contents.bytes.begin());
    buffer->contents.empty_words =
        fetch_bits(payload.get_address(), *payload.get_extension<hw::AccessTag>()->fetch);
    statistics_.fetches += 1;
    ask_later(*buffer, miss_cycles_, now);
}

// Sends the operation to its home. Request and answer contain the number of the transaction buffer.
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
        note_refusal(transaction);
        transaction.fetch->is_asked = false;
        ask_later(transaction, pause_after_busy(), now);
        return;
    }
    transaction.contents = arrived.contents;
    transaction.fetch->is_back = true;
    statistics_.fetch_cycles += (now - transaction.begun).count();
}

void CoherenceController::take_fetch(const Arrived& arrived, hw::Cycles now) {
    free_from_ = now + directory_cycles_;
    const auto requester =
        static_cast<RefusedRequests::Requester>(arrived.from.index()) << 16U | *arrived.operand;
    if (fetches_.size() >= buffers_ || !refused_fetches_.may_serve(requester)) {
        refused_fetches_.is_refused(requester);
        send({Packet::kFetchBusy, arrived.from, arrived.operand}, arrived.line, {}, now);
        return;
    }
    refused_fetches_.is_served(requester);
    fetches_.push_back({arrived, free_from_});
    wake_at(free_from_, now);
}

// Performs the first waiting fetch-and-op, as an access of the home itself.
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
        place.emplace(fetch_payload_);
    }
    if (before_line_goes_) {
        before_line_goes_(now);  // use() may change the word's line, or replace another one
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

}  // namespace weir::memory
