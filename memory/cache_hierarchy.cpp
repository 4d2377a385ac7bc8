#include "memory/cache_hierarchy.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace weir::memory {

namespace {

bool overlap(std::uint64_t a, std::size_t a_bytes, std::uint64_t b, std::size_t b_bytes) {
    return a < b + b_bytes && b < a + a_bytes;
}

// Copies the overlapping bytes from the block at from_address to the block at to_address.
void copy_shared(std::uint64_t from_address, std::span<const std::uint8_t> from,
                 std::uint64_t to_address, std::span<std::uint8_t> to) {
    const std::uint64_t begin = std::max(from_address, to_address);
    const std::uint64_t end = std::min(from_address + from.size(), to_address + to.size());
    if (begin < end) {
        std::memcpy(to.data() + (begin - to_address), from.data() + (begin - from_address),
                    end - begin);
    }
}

std::span<std::uint8_t> bytes_of(const tlm::tlm_generic_payload& payload) {
    return {payload.get_data_ptr(), payload.get_data_length()};
}

void set_up(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address,
            std::vector<std::uint8_t>& data) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(payload.get_data_length());
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

// Returns the next arrival of a line in flight to the set; kNever while it depends on memory.
hw::Cycles next_data(std::span<const CacheArray::Line> set, hw::Cycles at) {
    hw::Cycles first = hw::kNever;
    for (const CacheArray::Line& line : set) {
        first = line.ready > at ? std::min(first, line.ready) : first;
    }
    return first;
}

}  // namespace

CacheHierarchy::Level::Level(const CacheLevelParameters& level_parameters,
                             const hw::RandomStream& random, std::string level_name)
    : parameters(level_parameters),
      array(level_parameters, random),
      line_bytes(array.line_bytes()),
      writes_back(level_parameters.write_policy.value() == WritePolicy::kWriteBack),
      name(std::move(level_name)) {}

CacheHierarchy::CacheHierarchy(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                               const PartParameters& parameters, std::uint64_t seed,
                               hw::NodeId node)
    : sc_module(name),
      ClockedPart(domain),
      memory_bytes_(static_cast<std::uint64_t>(parameters.memory.bytes.value().count())),
      dram_bytes_(memory_bytes_),
      load_cycles_(parameters.memory.load_cycles.value()),
      store_cycles_(parameters.memory.store_cycles.value()),
      double_cycles_(parameters.memory.double_cycles.value()),
      dma_stores_update_(parameters.memory.dma_stores.value() == DmaStores::kUpdate),
      tlb_(parameters.caches.tlb) {
    bus_socket.register_nb_transport_fw(this, &CacheHierarchy::nb_transport_fw, kCore);
    bus_socket.register_transport_dbg(this, &CacheHierarchy::transport_dbg, kCore);
    handler_bus_socket.register_nb_transport_fw(this, &CacheHierarchy::nb_transport_fw, kHandler);
    handler_bus_socket.register_transport_dbg(this, &CacheHierarchy::transport_dbg, kHandler);
    port_socket.register_nb_transport_bw(this, &CacheHierarchy::own_burst_granted);
    snoop_socket.register_nb_transport_fw(this, &CacheHierarchy::burst_granted);
    for (std::size_t i = 0; i < parameters.levels; ++i) {
        const CacheLevelParameters& level = parameters.caches.levels[i];
        levels_.push_back(std::make_unique<Level>(
            level, hw::RandomStream(seed, node, "replacement in " + level.table()),
            std::string(this->name()) + "." + level.table()));
        for (std::size_t inner = i; inner > 0; --inner) {
            levels_[i]->before.push_back(levels_[inner - 1].get());
        }
        if (i > 0) {
            levels_[i - 1]->next = levels_[i].get();
        }
    }
    first_ = levels_.front().get();
    instruction_socket.register_nb_transport_fw(this, &CacheHierarchy::nb_transport_fw,
                                                kInstructions);
    instruction_socket.register_transport_dbg(this, &CacheHierarchy::transport_dbg, kInstructions);
    if (parameters.instructions != nullptr) {
        instructions_ = std::make_unique<Level>(
            *parameters.instructions, hw::RandomStream(seed, node, "replacement of instructions"),
            std::string(this->name()) + "." + parameters.instructions->table());
        instructions_->next = parameters.levels > 1 ? levels_[1].get() : nullptr;
        for (std::size_t i = 1; i < parameters.levels; ++i) {
            levels_[i]->before.push_back(instructions_.get());
        }
        all_levels_.push_back(instructions_.get());
    }
    for (const std::unique_ptr<Level>& level : levels_) {
        all_levels_.push_back(level.get());
    }
}

// Accesses of processors.

tlm::tlm_sync_enum CacheHierarchy::nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                                   tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) {
        // Withdrawal of an access to shared memory. The response is kept, since the line may arrive
        // in this cycle.
        return shared_->access(port, payload, phase, delay);
    }
    if (is_refused(payload)) {
        if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) {
            return tlm::TLM_COMPLETED;
        }
        if (port == kInstructions) {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return tlm::TLM_COMPLETED;
        }
        return shared_->access(port, payload, phase, delay);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    const hw::Cycles now = domain().now();
    const hw::Cycles walk = tlb_.translate(payload.get_address());
    Level& level = first_level(port);
    (payload.is_write() ? level.statistics.stores : level.statistics.loads) += 1;

    CacheArray::Line* line = level.array.find(level.array.block_of(payload.get_address()));
    if (line != nullptr && line->hits_from <= now && (payload.is_read() || level.writes_back)) {
        level.array.touch(*line, true);
        move(payload, level.array.data(*line) + payload.get_address() % level.line_bytes);
        line->dirty |= payload.is_write();
        delay = domain().to_time(walk + hit_cycles(payload));
        return tlm::TLM_COMPLETED;
    }
    domain().after_ticks(*this);
    const Access access{&payload, port, now, now + walk};
    const std::optional<hw::Cycles> end = look_up(access, now, true);
    if (!end) {
        return tlm::TLM_ACCEPTED;
    }
    note_stall(access, *end);
    delay = domain().to_time(*end - now);
    return tlm::TLM_COMPLETED;
}

HitPort::Hit CacheHierarchy::hit(Side side, std::uint64_t address, unsigned /*bytes*/,
                                 bool is_store, hw::Cycles at) {
    Level& level = first_level(side == Side::kInstructions ? kInstructions : kCore);
    CacheArray::Line* line = level.array.find(level.array.block_of(address));
    if (line == nullptr || line->hits_from > at || (is_store && !level.writes_back)) {
        return {};
    }
    (is_store ? level.statistics.stores : level.statistics.loads) += 1;
    level.array.touch(*line, true);
    line->dirty |= is_store;
    return {level.array.data(*line) + address % level.line_bytes, tlb_.translate(address)};
}

// True for an access that is refused, which then has a response, or that goes to shared memory,
// which has none yet.
bool CacheHierarchy::is_refused(tlm::tlm_generic_payload& payload) const {
    const unsigned length = payload.get_data_length();
    const bool is_power_of_2 = length != 0 && (length & (length - 1)) == 0;
    if (!is_power_of_2 || length > 8 || (payload.get_address() & (length - 1)) != 0) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return true;
    }
    if (payload.get_address() >= memory_bytes_ || length > memory_bytes_ - payload.get_address()) {
        const bool is_taken = shared_ != nullptr && shared_->takes(payload.get_address());
        payload.set_response_status(is_taken ? tlm::TLM_INCOMPLETE_RESPONSE
                                             : tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return true;
    }
    return false;
}

hw::Cycles CacheHierarchy::hit_cycles(const tlm::tlm_generic_payload& payload) const {
    const hw::Cycles word = payload.is_write() ? store_cycles_ : load_cycles_;
    return payload.get_data_length() == 8 ? word + double_cycles_ : word;
}

void CacheHierarchy::move(tlm::tlm_generic_payload& payload, std::uint8_t* in_line) {
    std::uint8_t* data = payload.get_data_ptr();
    if (payload.is_write()) {
        std::swap(data, in_line);
    }
    switch (payload.get_data_length()) {
        case 4:
            std::memcpy(data, in_line, 4);
            break;
        case 8:
            std::memcpy(data, in_line, 8);
            break;
        default:
            std::memcpy(data, in_line, payload.get_data_length());
            break;
    }
}

std::optional<hw::Cycles> CacheHierarchy::look_up(const Access& access, hw::Cycles now,
                                                  bool for_the_first_time) {
    Level& level = first_level(access.port);
    const std::uint64_t address = access.payload->get_address();
    const hw::Cycles at = std::max(now, access.look_up);
    const bool is_store = access.payload->is_write();
    CacheArray::Line* line = level.array.find(level.array.block_of(address));
    const bool allocates = !is_store || level.parameters.write_allocate.value();
    const bool goes_on = is_store && (!level.writes_back || (line == nullptr && !allocates));

    hw::Cycles possible = line == nullptr && allocates ? can_fetch_from(level, address, at) : at;
    if (goes_on) {
        possible = std::max(possible, has_room_from(level, address, at));
    }
    if (possible > at) {
        wait_until(possible, access);
        statistics_.retries += for_the_first_time ? 1 : 0;
        return std::nullopt;
    }
    const bool is_hit = line != nullptr && line->ready <= at;
    if (line == nullptr) {
        (is_store ? level.statistics.store_misses : level.statistics.load_misses) += 1;
        if (allocates) {
            fetch(level, address, at, {.looked_up = at});
            line = level.array.find(level.array.block_of(address));
        }
    } else if (!is_hit) {
        level.statistics.merged_misses += 1;
    }
    if (goes_on) {
        level.statistics.write_throughs += 1;
        send_down(level, address, bytes_of(*access.payload), at);
    }
    if (line == nullptr) {
        return at + hit_cycles(*access.payload);
    }
    const std::optional<hw::Cycles> end = use(level, *line, access, at, is_hit);
    fetch_ahead();
    return end;
}

// Performs an access whose line is in the first level, or in flight to it.
std::optional<hw::Cycles> CacheHierarchy::use(Level& level, CacheArray::Line& line,
                                              const Access& access, hw::Cycles at, bool is_hit) {
    tlm::tlm_generic_payload& payload = *access.payload;
    const std::uint64_t address = payload.get_address();
    const bool goes_on = payload.is_write() && !level.parameters.store_misses_wait.value();
    const hw::Cycles hit = hit_cycles(payload);
    note_use(level, line, at, is_hit);
    if (line.ready == hw::kNever) {
        Target target{.level = &level, .address = address};
        if (goes_on) {
            const auto bytes = bytes_of(payload);
            target.stored.assign(bytes.begin(), bytes.end());
        } else {
            target.access = access;
        }
        fetch_of(level, address)->targets.push_back(std::move(target));
        return goes_on ? std::optional(at + hit) : std::nullopt;
    }
    move(payload, level.array.data(line) + address % level.line_bytes);
    line.dirty |= payload.is_write() && level.writes_back;
    return (goes_on ? at : std::max(at, line.ready)) + hit;
}

void CacheHierarchy::wait_until(hw::Cycles possible, const Access& access) {
    waiting_.push_back(access);
    if (possible < hw::kNever) {
        wake_at(possible);
    }
}

void CacheHierarchy::answer(const Access& access, hw::Cycles end, hw::Cycles now) {
    note_stall(access, end);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = domain().to_time(end - now);
    if (access.port == kInstructions) {
        instruction_socket->nb_transport_bw(*access.payload, phase, delay);
    } else if (access.port == kCore) {
        bus_socket->nb_transport_bw(*access.payload, phase, delay);
    } else {
        handler_bus_socket->nb_transport_bw(*access.payload, phase, delay);
    }
}

void CacheHierarchy::answer_shared(int port, tlm::tlm_generic_payload& payload, hw::Cycles delay) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time time = domain().to_time(delay);
    if (port == kCore) {
        bus_socket->nb_transport_bw(payload, phase, time);
    } else {
        handler_bus_socket->nb_transport_bw(payload, phase, time);
    }
}

void CacheHierarchy::note_stall(const Access& access, hw::Cycles end) {
    (access.port != kHandler ? statistics_.stall_cycles : statistics_.handler_stall_cycles) +=
        (end - access.issued - hit_cycles(*access.payload)).count();
}

// Lines in flight.

// Returns the first cycle in which a line missed at `at` could be requested; kNever while it
// depends on memory.
hw::Cycles CacheHierarchy::can_fetch_from(Level& level, std::uint64_t address, hw::Cycles at) {
    const std::uint64_t block = level.array.block_of(address);
    if (level.array.find(block) != nullptr) {
        return at;
    }
    std::erase_if(level.registers, [at](const MissRegister& r) { return r.free_from <= at; });
    if (std::ssize(level.registers) >= level.parameters.miss_registers.value()) {
        return std::min_element(level.registers.begin(), level.registers.end())->free_from;
    }
    const CacheArray::Line* victim = level.array.victim(block, at);
    if (victim == nullptr) {
        return next_data(level.array.set_of(block), at);
    }
    if (victim->dirty && !is_shared(level.array.address_of(*victim))) {
        const hw::Cycles room = has_room_from(level, level.array.address_of(*victim), at);
        if (room > at) {
            // The arrival of a line may give another victim before that.
            return std::min(room, next_data(level.array.set_of(block), at));
        }
    }
    return level.next == nullptr ? at : can_fetch_from(*level.next, address, at);
}

// Returns the first cycle in which the write buffers of this level, and of further levels that the
// bytes go through, have room.
hw::Cycles CacheHierarchy::has_room_from(Level& level, std::uint64_t address, hw::Cycles at) {
    const std::size_t entries = level.parameters.write_buffer_entries.value();
    if (level.next == nullptr) {
        return writes_.size() < entries ? at : hw::kNever;
    }
    while (!level.write_buffer.empty() && level.write_buffer.front() <= at) {
        level.write_buffer.pop_front();
    }
    const std::size_t in_use = level.write_buffer.size();
    const hw::Cycles room = in_use < entries ? at : level.write_buffer[in_use - entries];
    Level& next = *level.next;
    const bool ends_there =
        next.writes_back && next.array.find(next.array.block_of(address)) != nullptr;
    return ends_there ? room : std::max(room, has_room_from(next, address, at));
}

// Fetches the line of `address` into the level; can_fetch_from() must allow it.
CacheHierarchy::Arrival CacheHierarchy::fetch(Level& level, std::uint64_t address, hw::Cycles at,
                                              const FetchReason& reason) {
    const bool is_first = level.before.empty();
    const std::uint64_t block = level.array.block_of(address);
    if (!is_first) {
        at = std::max(at, level.busy_until);
        level.busy_until = at + level.parameters.busy_cycles.value();
        at += level.parameters.access_cycles.value();
        level.statistics.loads += 1;
        if (CacheArray::Line* line = level.array.find(block)) {
            return arrival_of(level, *line, address, at);
        }
        level.statistics.load_misses += 1;
    }
    const std::uint64_t line_address = address - address % level.line_bytes;
    const hw::Cycles request = at + level.parameters.miss_cycles.value();
    const Arrival arrival = level.next == nullptr
                                ? fetch_from_memory(line_address, level.line_bytes, request)
                                : fetch(*level.next, address, request, reason);
    CacheArray::Line& line = *level.array.victim(block, reason.looked_up);
    make_room(level, line, at);
    level.array.install(line, block);
    line.prefetched = reason.ahead_for == &level;
    level.registers.push_back({block, arrival.at});
    if (arrival.fetch != nullptr) {
        line.ready = line.hits_from = hw::kNever;
        arrival.fetch->targets.push_back({.level = &level, .address = line_address, .fills = true});
    } else {
        Level& source = *level.next;
        const CacheArray::Line& held = *source.array.find(source.array.block_of(address));
        fill(level, line, source.array.data(held) + line_address % source.line_bytes, arrival.at);
    }
    if (reason.ahead_for == nullptr) {
        call_for_next(level, address, at);
    }
    return arrival;
}

// Arrival at an inner level of a line that this outer level has, or that is in flight to this
// level.
CacheHierarchy::Arrival CacheHierarchy::arrival_of(Level& level, CacheArray::Line& line,
                                                   std::uint64_t address, hw::Cycles at) {
    const bool is_hit = line.ready <= at;
    note_use(level, line, at, is_hit);
    if (!is_hit) {
        level.statistics.merged_misses += 1;
    }
    if (line.ready == hw::kNever) {
        return {hw::kNever, fetch_of(level, address)};
    }
    return {std::max(at, line.ready)};
}

template <class Burst>
Burst& CacheHierarchy::add_to(std::deque<std::unique_ptr<Burst>>& bursts,
                              std::vector<std::unique_ptr<Burst>>& spare) {
    if (spare.empty()) {
        spare.push_back(std::make_unique<Burst>());
    }
    bursts.push_back(std::move(spare.back()));
    spare.pop_back();
    return *bursts.back();
}

CacheHierarchy::Arrival CacheHierarchy::fetch_from_memory(std::uint64_t address, std::size_t bytes,
                                                          hw::Cycles at) {
    Fetch& fetch = add_to(fetches_, spare_fetches_);
    fetch.address = address;
    fetch.issue = at;
    fetch.data.resize(bytes);
    fetch.targets.clear();
    return {hw::kNever, &fetch};
}

// The fetch that fills the line of `address` in this level.
CacheHierarchy::Fetch* CacheHierarchy::fetch_of(const Level& level, std::uint64_t address) {
    for (const std::unique_ptr<Fetch>& fetch : fetches_) {
        for (const Target& target : fetch->targets) {
            if (target.fills && target.level == &level &&
                address - target.address < level.line_bytes) {
                return fetch.get();
            }
        }
    }
    throw std::logic_error("a line is in flight without a request");
}

// Prefetches the next lines after an access that triggered them. A prefetch takes no resource that
// a processor waits for, and does not cross a page boundary.
void CacheHierarchy::fetch_ahead() {
    while (!ahead_.empty()) {
        for (const auto& [level, next, at] : std::exchange(ahead_, {})) {
            if (next < memory_bytes_ && tlb_.is_same_page(next - level->line_bytes, next) &&
                level->array.find(level->array.block_of(next)) == nullptr &&
                can_fetch_from(*level, next, at) <= at) {
                level->statistics.prefetches += 1;
                fetch(*level, next, at, {.looked_up = at, .ahead_for = level});
            }
        }
    }
}

// Triggers a prefetch after a miss, or after the first use of a prefetched line.
void CacheHierarchy::call_for_next(Level& level, std::uint64_t address, hw::Cycles at) {
    if (level.parameters.prefetch_next_line.value()) {
        ahead_.push_back({&level, address - address % level.line_bytes + level.line_bytes, at});
    }
}

void CacheHierarchy::note_use(Level& level, CacheArray::Line& line, hw::Cycles at, bool is_hit) {
    level.array.touch(line, is_hit);
    if (line.prefetched) {
        line.prefetched = false;
        line.hits_from = line.ready;
        level.statistics.useful_prefetches += 1;
        call_for_next(level, level.array.address_of(line), at);
    }
}

void CacheHierarchy::fill(Level& level, CacheArray::Line& line, const std::uint8_t* data,
                          hw::Cycles at) {
    std::memcpy(level.array.data(line), data, level.line_bytes);
    line.ready = at;
    line.hits_from = line.prefetched ? hw::kNever : at;
}

CacheArray::Line* CacheHierarchy::place_for_shared(std::uint64_t address, hw::Cycles now) {
    Level& level = *levels_.front();
    const std::uint64_t block = level.array.block_of(address);
    CacheArray::Line* place = level.array.victim(block, now);
    if (place == nullptr || (place->dirty && !is_shared(level.array.address_of(*place)) &&
                             has_room_from(level, level.array.address_of(*place), now) > now)) {
        return nullptr;
    }
    make_room(level, *place, now);
    level.array.install(*place, block);
    place->ready = now;
    place->hits_from = hw::kNever;  // plain hits are not allowed: the coherence controller must see
                                    // each access
    return place;
}

// Lines that leave a level.

void CacheHierarchy::make_room(Level& level, CacheArray::Line& line, hw::Cycles at) {
    if (line.block == CacheArray::kNoBlock) {
        return;
    }
    level.statistics.evictions += 1;
    const std::uint64_t address = level.array.address_of(line);
    if (is_shared(address)) {
        if (line.dirty) {
            shared_->write_back(address, level.array.bytes_of(line), line.empty_words);
        } else {
            shared_->leaves_unseen(address);
        }
        return;
    }
    if (level.parameters.inclusive.value()) {
        for (Level* inner : level.before) {
            take_from(*inner, level, line);
        }
    }
    if (line.dirty) {
        level.statistics.write_backs += 1;
        send_down(level, address, level.array.bytes_of(line), at);
    }
}

// Inclusion: removes the line from an inner level, and takes over its newer bytes.
void CacheHierarchy::take_from(Level& inner, Level& level, CacheArray::Line& line) {
    const std::uint64_t address = level.array.address_of(line);
    for (std::uint64_t at = address; at < address + level.line_bytes; at += inner.line_bytes) {
        CacheArray::Line* held = inner.array.find(inner.array.block_of(at));
        if (held == nullptr) {
            continue;
        }
        if (held->dirty) {
            copy_shared(at, inner.array.bytes_of(*held), address, level.array.bytes_of(line));
            line.dirty = true;
        }
        inner.array.clear(*held);
        inner.statistics.invalidations += 1;
    }
}

void CacheHierarchy::send_down(Level& level, std::uint64_t address,
                               std::span<const std::uint8_t> bytes, hw::Cycles at) {
    if (level.next != nullptr) {
        Level& next = *level.next;
        const hw::Cycles start = std::max(at, next.busy_until);
        next.busy_until = start + next.parameters.busy_cycles.value();
        level.write_buffer.push_back(next.busy_until);
        write_into(next, address, bytes, start);
        return;
    }
    Write& write = add_to(writes_, spare_writes_);
    write.address = address;
    write.issue = at;
    write.data.assign(bytes.begin(), bytes.end());
}

void CacheHierarchy::write_into(Level& level, std::uint64_t address,
                                std::span<const std::uint8_t> bytes, hw::Cycles at) {
    CacheArray::Line* line = level.array.find(level.array.block_of(address));
    if (line != nullptr && line->ready == hw::kNever) {
        fetch_of(level, address)
            ->targets.push_back(
                {.level = &level, .address = address, .stored = {bytes.begin(), bytes.end()}});
    } else if (line != nullptr) {
        copy_shared(address, bytes, level.array.address_of(*line), level.array.bytes_of(*line));
        line->dirty |= level.writes_back;
    }
    if (line == nullptr || !level.writes_back) {
        level.statistics.write_throughs += 1;
        send_down(level, address, bytes, at);
    }
}

// Bursts at the memory port.

tlm::tlm_sync_enum CacheHierarchy::burst_granted(tlm::tlm_generic_payload& payload,
                                                 tlm::tlm_phase& /*phase*/,
                                                 sc_core::sc_time& /*delay*/) {
    payload.set_response_status(payload.get_address() + payload.get_data_length() <= dram_bytes_
                                    ? tlm::TLM_OK_RESPONSE
                                    : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    granted_ = &payload;
    domain().after_ticks(*this);
    return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum CacheHierarchy::own_burst_granted(tlm::tlm_generic_payload& /*payload*/,
                                                     tlm::tlm_phase& /*phase*/,
                                                     sc_core::sc_time& delay) {
    own_end_ = domain().now() + domain().to_cycles(delay);
    return tlm::TLM_COMPLETED;
}

void CacheHierarchy::tick(hw::Cycles /*now*/) { domain().after_ticks(*this); }

void CacheHierarchy::end_of_cycle(hw::Cycles now) {
    if (granted_ != nullptr) {
        burst_moves(*std::exchange(granted_, nullptr), now);
    }
    if (own_end_) {
        own_burst_ends(*own_end_, now);
        own_end_.reset();
    }
    if (shared_ != nullptr) {
        shared_->end_of_cycle(now);
    }
    if (!waiting_.empty()) {
        for (const Access& access : std::exchange(waiting_, {})) {
            if (const auto end = look_up(access, now, false)) {
                answer(access, *end, now);
            }
        }
    }
    if (at_port_ == nullptr && !(fetches_.empty() && writes_.empty())) {
        ask_port(now);
    }
}

void CacheHierarchy::burst_moves(tlm::tlm_generic_payload& payload, hw::Cycles now) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    dram_socket->nb_transport_fw(payload, phase, delay);
    if (&payload == at_port_) {
        return;
    }
    if (is_shared(payload.get_address())) {
        shared_->burst_moves(payload, now);
        return;
    }
    statistics_.snooped_bursts += 1;
    if (payload.is_write()) {
        write_around(payload.get_address(), bytes_of(payload), dma_stores_update_, now);
    } else {
        read_around(payload.get_address(), bytes_of(payload));
    }
}

void CacheHierarchy::own_burst_ends(hw::Cycles end, hw::Cycles now) {
    if (!writes_.empty() && at_port_ == &writes_.front()->payload) {
        at_port_ = nullptr;
        spare_writes_.push_back(std::move(writes_.front()));
        writes_.pop_front();
        return;
    }
    at_port_ = nullptr;
    std::unique_ptr<Fetch> fetch = std::move(fetches_.front());
    fetches_.pop_front();
    for (const Target& target : fetch->targets) {
        Level& level = *target.level;
        CacheArray::Line& line = *level.array.find(level.array.block_of(target.address));
        if (target.fills) {
            fill(level, line, fetch->data.data() + (target.address - fetch->address), end);
            for (MissRegister& miss : level.registers) {
                miss.free_from = miss.block == line.block ? end : miss.free_from;
            }
        } else if (target.access) {
            answer(*target.access, *use(level, line, *target.access, now, false), now);
        } else {
            copy_shared(target.address, target.stored, level.array.address_of(line),
                        level.array.bytes_of(line));
            // Changes the arriving line as well, for inner levels that requested it after the
            // store.
            copy_shared(target.address, target.stored, fetch->address, fetch->data);
            line.dirty |= level.writes_back;
        }
    }
    spare_fetches_.push_back(std::move(fetch));
    fetch_ahead();
}

void CacheHierarchy::ask_port(hw::Cycles now) {
    Fetch* fetch = fetches_.empty() ? nullptr : fetches_.front().get();
    Write* write = writes_.empty() ? nullptr : writes_.front().get();
    const std::size_t entries = levels_.back()->parameters.write_buffer_entries.value();
    const bool write_first =
        writes_.size() >= entries ||
        (fetch != nullptr &&
         std::any_of(writes_.begin(), writes_.end(), [&](const std::unique_ptr<Write>& waiting) {
             return overlap(waiting->address, waiting->data.size(), fetch->address,
                            fetch->data.size());
         }));
    const hw::Cycles fetch_issue = fetch != nullptr && !write_first ? fetch->issue : hw::kNever;
    const hw::Cycles write_issue = write != nullptr ? write->issue : hw::kNever;
    if (fetch_issue <= now) {
        set_up(fetch->payload, tlm::TLM_READ_COMMAND, fetch->address, fetch->data);
        at_port_ = &fetch->payload;
    } else if (write_issue <= now) {
        set_up(write->payload, tlm::TLM_WRITE_COMMAND, write->address, write->data);
        at_port_ = &write->payload;
    } else {
        const hw::Cycles first = std::min(fetch_issue, write_issue);
        if (first < hw::kNever) {
            wake_at(first);
        }
        return;
    }
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    port_socket->nb_transport_fw(*at_port_, phase, delay);
}

// Accesses that bypass the levels: of DMA engines and debuggers.

// Replaces bytes read from the DRAM by newer bytes in the caches and write buffers.
void CacheHierarchy::read_around(std::uint64_t address, std::span<std::uint8_t> bytes) {
    for (const std::unique_ptr<Write>& write : writes_) {
        copy_shared(write->address, write->data, address, bytes);
    }
    std::for_each(all_levels_.rbegin(), all_levels_.rend(), [&](Level* level) {
        for_lines(*level, address, bytes.size(), [&](CacheArray::Line& line) {
            if (line.dirty && line.ready < hw::kNever) {
                copy_shared(level->array.address_of(line), level->array.bytes_of(line), address,
                            bytes);
            }
        });
    });
    for (const std::unique_ptr<Fetch>& fetch : fetches_) {
        for (const Target& target : fetch->targets) {
            copy_shared(target.address, target.stored, address, bytes);
        }
    }
}

// After a write to the DRAM, updates all copies of the bytes, or removes their lines.
void CacheHierarchy::write_around(std::uint64_t address, std::span<const std::uint8_t> bytes,
                                  bool keeps_lines, hw::Cycles now) {
    for (const std::unique_ptr<Write>& write : writes_) {
        copy_shared(address, bytes, write->address, write->data);
    }
    for (const std::unique_ptr<Fetch>& fetch : fetches_) {
        for (Target& target : fetch->targets) {
            copy_shared(address, bytes, target.address, target.stored);
        }
    }
    for (Level* level : all_levels_) {
        for_lines(*level, address, bytes.size(), [&](CacheArray::Line& line) {
            if (line.ready == hw::kNever) {
                return;
            }
            const std::uint64_t begin = level->array.address_of(line);
            copy_shared(address, bytes, begin, level->array.bytes_of(line));
            if (keeps_lines) {
                return;
            }
            const bool is_covered =
                address <= begin && begin + level->line_bytes <= address + bytes.size();
            if (line.dirty && !is_covered) {
                level->statistics.write_backs += 1;
                send_down(*level, begin, level->array.bytes_of(line), now);
            }
            level->array.clear(line);
            level->statistics.invalidations += 1;
        });
    }
}

template <class Action>
void CacheHierarchy::for_lines(Level& level, std::uint64_t address, std::size_t bytes,
                               const Action& action) {
    if (level.array.is_unused()) {
        return;  // no line to look at, as while a program is loaded
    }
    const std::uint64_t last = level.array.block_of(address + bytes - 1);
    if (last - level.array.block_of(address) >= level.array.lines().size()) {
        for (CacheArray::Line& line : level.array.lines()) {
            if (line.block != CacheArray::kNoBlock &&
                overlap(level.array.address_of(line), level.line_bytes, address, bytes)) {
                action(line);
            }
        }
        return;
    }
    for (std::uint64_t block = level.array.block_of(address); block <= last; ++block) {
        if (CacheArray::Line* line = level.array.find(block)) {
            action(*line);
        }
    }
}

unsigned CacheHierarchy::transport_dbg(int /*port*/, tlm::tlm_generic_payload& payload) {
    const unsigned moved = dram_socket->transport_dbg(payload);
    if (moved == 0) {
        return moved;
    }
    if (payload.is_write()) {
        write_around(payload.get_address(), bytes_of(payload), true, domain().now());
    } else {
        read_around(payload.get_address(), bytes_of(payload));
    }
    return moved;
}

void CacheHierarchy::add_statistics(std::vector<hw::PartStatistics>& statistics) const {
    statistics.push_back({name(), &statistics_});
    statistics.push_back({std::string(name()) + ".tlb", &tlb_.statistics()});
    for (const Level* level : all_levels_) {
        statistics.push_back({level->name, &level->statistics});
    }
}

}  // namespace weir::memory
