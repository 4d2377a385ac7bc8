#include "nodes/sparcle/sparcle_core.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iomanip>
#include <string_view>
#include <type_traits>
#include <utility>

#include "hw/barrier/barrier_registers.h"
#include "hw/controller/controller_registers.h"
#include "hw/controller/host_registers.h"
#include "hw/controller/output_descriptor.h"
#include "hw/text_streams.h"
#include "memory/coherence/address_map.h"
#include "nodes/sparcle/disassembly.h"
#include "nodes/sparcle/trap_type.h"

namespace weir::nodes::sparcle {

namespace {

// The registers that a load writes, a bit each as in DecodedInstruction::reads.
std::uint64_t loaded_by(const MemoryRequest& load) {
    using Use = MemoryRequest::Use;
    const bool is_float = load.use == Use::kFloat || load.use == Use::kFloatDouble;
    const std::uint64_t registers =
        std::uint64_t{1} << load.rd | (load.bytes == 8 ? std::uint64_t{1} << (load.rd | 1U) : 0);
    return is_float ? registers << 32 : registers;
}

bool is_load(const MemoryRequest& request) { return request.kind == MemoryRequest::Kind::kLoad; }
bool is_store(const MemoryRequest& request) { return request.kind == MemoryRequest::Kind::kStore; }
bool is_atomic(const MemoryRequest& request) { return !is_load(request) && !is_store(request); }

bool is_of_memory(std::uint32_t address) { return address < WEIR_CONTROLLER_BASE; }
bool is_waited_for_quietly(std::uint32_t address) {
    return address == WEIR_SEND_DMA_IDLE || address == WEIR_RECEIVE_DMA_IDLE ||
           WEIR_IS_BARRIER_REGISTER(address);
}

// What an access in that space does with its word's full/empty bit.
hw::FullEmptyUse full_empty_use(std::uint8_t asi) {
    using Needs = hw::FullEmptyUse::Needs;
    using Leaves = hw::FullEmptyUse::Leaves;
    switch (asi) {
        case SPARCLE_ASI_LOAD_FULL:
            return {.is_used = true, .needs = Needs::kFull};
        case SPARCLE_ASI_TAKE_FULL:
            return {.is_used = true, .needs = Needs::kFull, .leaves = Leaves::kEmpty};
        case SPARCLE_ASI_STORE_IF_EMPTY:
            return {.is_used = true, .needs = Needs::kEmpty};
        case SPARCLE_ASI_FILL_IF_EMPTY:
            return {.is_used = true, .needs = Needs::kEmpty, .leaves = Leaves::kFull};
        case SPARCLE_ASI_LOAD_FOUND:
        case SPARCLE_ASI_STORE_FOUND:
            return {.is_used = true};
        case SPARCLE_ASI_STORE_FULL:
            return {.is_used = true, .leaves = Leaves::kFull};
        case SPARCLE_ASI_TAKE_FOUND:
        case SPARCLE_ASI_STORE_EMPTY:
            return {.is_used = true, .leaves = Leaves::kEmpty};
        default:
            return {};
    }
}

std::optional<hw::FetchOperation> fetch_operation(std::uint8_t asi) {
    switch (asi) {
        case SPARCLE_ASI_FETCH_AND_ADD:
            return hw::FetchOperation::kAdd;
        case SPARCLE_ASI_FETCH_AND_AND:
            return hw::FetchOperation::kAnd;
        case SPARCLE_ASI_FETCH_AND_OR:
            return hw::FetchOperation::kOr;
        case SPARCLE_ASI_EXCHANGE_AT_HOME:
            return hw::FetchOperation::kExchange;
        default:
            return std::nullopt;
    }
}

bool is_prefetch(const MemoryRequest& request) {
    return request.asi == SPARCLE_ASI_PREFETCH || request.asi == SPARCLE_ASI_PREFETCH_TO_WRITE;
}

// Memory is big-endian.
std::uint64_t number_of(const std::uint8_t* bytes, unsigned count) {
    switch (count) {
        case 1:
            return bytes[0];
        case 2: {
            std::uint16_t half = 0;
            std::memcpy(&half, bytes, sizeof half);
            return __builtin_bswap16(half);
        }
        case 4: {
            std::uint32_t word = 0;
            std::memcpy(&word, bytes, sizeof word);
            return __builtin_bswap32(word);
        }
        default: {
            std::uint64_t double_word = 0;
            std::memcpy(&double_word, bytes, sizeof double_word);
            return __builtin_bswap64(double_word);
        }
    }
}

void put_number(std::uint64_t number, std::uint8_t* bytes, unsigned count) {
    const std::uint64_t big_endian = __builtin_bswap64(number << (64 - 8 * count));
    std::memcpy(bytes, &big_endian, count);
}

std::uint64_t to_store(const MemoryRequest& request) {
    return request.kind == MemoryRequest::Kind::kLoadStoreUnsignedByte ? 0xff : request.data;
}

std::string trap_name(std::uint8_t type) {
    switch (type) {
        case kTrapReset:
            return "reset";
        case kTrapInstructionAccess:
            return "instruction access exception";
        case kTrapIllegalInstruction:
            return "illegal instruction";
        case kTrapPrivilegedInstruction:
            return "privileged instruction";
        case kTrapFloatDisabled:
            return "floating-point unit disabled";
        case kTrapCoprocessorDisabled:
            return "coprocessor disabled";
        case kTrapWindowOverflow:
            return "window overflow";
        case kTrapWindowUnderflow:
            return "window underflow";
        case kTrapAddressNotAligned:
            return "misaligned address";
        case kTrapFloatException:
            return "floating-point exception";
        case kTrapDataAccess:
            return "data access exception";
        case kTrapTagOverflow:
            return "tag overflow";
        case kTrapDivisionByZero:
            return "division by zero";
        case SPARCLE_TRAP_REMOTE_WAIT:
            return "remote wait";
        case SPARCLE_TRAP_FULL_EMPTY:
            return "word in the wrong full/empty state";
        default:
            break;
    }
    constexpr std::uint8_t kLevels = 16;
    if (type >= kTrapInstruction) {
        return "trap instruction " + std::to_string(type - kTrapInstruction);
    }
    return type - kTrapInterrupt < kLevels
               ? "interrupt of level " + std::to_string(type - kTrapInterrupt)
               : "trap";
}

bool stores_body(const MemoryRequest& request) {
    return is_store(request) &&
           (request.address == WEIR_STORE_BODY || request.address == WEIR_STORE_BODY_AND_INTERRUPT);
}

hw::CoreState state_at_controller(const MemoryRequest& request) {
    if (WEIR_IS_BARRIER_REGISTER(request.address)) {
        return hw::CoreState::kWait;
    }
    if (is_store(request)) {
        return hw::CoreState::kSend;
    }
    return is_waited_for_quietly(request.address) ? hw::CoreState::kDma : hw::CoreState::kCompute;
}

}  // namespace

SparcleCore::SparcleCore(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                         const Parameters& parameters, const Timing& timing,
                         const memory::NodeMemory::Parameters& memory,
                         const Surroundings& surroundings)
    : Core(name, domain, parameters, surroundings),
      unit_({.multiply_divide = timing.multiply_divide.value(),
             .floating_point = timing.floating_point_unit.value()}),
      checks_(timing),
      load_hit_(memory.load_cycles.value()),
      store_hit_(memory.store_cycles.value()),
      double_(memory.double_cycles.value()),
      load_use_(timing.load_use_cycles.value()),
      cycle_counter_(timing.cycle_counter_cycles.value()),
      trap_(timing.trap_cycles.value()),
      remote_wait_trap_(timing.remote_wait_trap_cycles.value()),
      handler_most_(timing.handler_most_cycles.value()),
      contexts_(static_cast<std::int32_t>(parameters.contexts.value())),
      multiplies_(timing.multiply_divide.value()),
      runs_ahead_(timing.run_ahead.value()) {
    instruction_socket.register_nb_transport_bw(this, &SparcleCore::instruction_answered);
    class_cycles_.fill(timing.integer_cycles.value());
    const auto set = [this](InstructionClass of, const hw::Parameter<hw::Cycles>& cycles) {
        class_cycles_[static_cast<std::size_t>(of)] = cycles.value();
    };
    for (const bool is_double : {false, true}) {
        const hw::Cycles more = is_double ? double_ : hw::Cycles(0);
        class_cycles_[static_cast<std::size_t>(is_double ? InstructionClass::kLoadDouble
                                                         : InstructionClass::kLoad)] =
            load_hit_ + more;
        class_cycles_[static_cast<std::size_t>(is_double ? InstructionClass::kStoreDouble
                                                         : InstructionClass::kStore)] =
            store_hit_ + more;
    }
    set(InstructionClass::kJmpl, timing.jump_cycles);
    set(InstructionClass::kRett, timing.return_from_trap_cycles);
    set(InstructionClass::kAtomic, timing.atomic_cycles);
    set(InstructionClass::kMultiply, timing.multiply_cycles);
    set(InstructionClass::kDivide, timing.divide_cycles);
    set(InstructionClass::kFloatMove, timing.float_move_cycles);
    set(InstructionClass::kFloatAdd, timing.float_add_cycles);
    set(InstructionClass::kFloatCompare, timing.float_add_cycles);
    set(InstructionClass::kFloatConvert, timing.float_convert_cycles);
    set(InstructionClass::kFloatMultiplySingle, timing.float_multiply_single_cycles);
    set(InstructionClass::kFloatMultiplyDouble, timing.float_multiply_double_cycles);
    set(InstructionClass::kFloatDivideSingle, timing.float_divide_single_cycles);
    set(InstructionClass::kFloatDivideDouble, timing.float_divide_double_cycles);
    set(InstructionClass::kFloatSqrtSingle, timing.float_root_single_cycles);
    set(InstructionClass::kFloatSqrtDouble, timing.float_root_double_cycles);

    fetch_payload_.set_command(tlm::TLM_READ_COMMAND);
    fetch_payload_.set_data_ptr(fetch_bytes_.data());
    fetch_payload_.set_data_length(fetch_bytes_.size());
    fetch_payload_.set_streaming_width(fetch_bytes_.size());
    access_payload_.set_data_ptr(access_bytes_.data());
    if (has_shared_memory()) {
        access_payload_.set_extension(&access_tag_);
    }
}

void SparcleCore::connect(memory::CacheHierarchy& caches) {
    hits_ = caches_ = &caches;
    has_plain_hits_ = caches.has_plain_hits();
    if (memory::SharedLines* const shared = caches.shared_lines()) {
        shared_ = shared->has_plain_hits() ? shared : nullptr;
        shared->set_before_line_goes([this](hw::Cycles now) { before_line_goes(now); });
    }
}

void SparcleCore::connect(memory::NodeMemory& memory) {
    hits_ = memory_ = &memory;
    has_plain_hits_ = memory::NodeMemory::has_plain_hits();
}

void SparcleCore::start(Host host) {
    host_ = std::move(host);
    checks_.set_layout(host_.layout);
    unit_.reset();
    phase_ = Phase::kIssue;
    enter(hw::CoreState::kCompute, hw::Cycles(0));
    wake_at(hw::Cycles(0));
}

void SparcleCore::tick(hw::Cycles now) {
    if (has_halted()) [[unlikely]] {
        return;
    }
    if (is_ahead_ && stays_ahead(now)) {
        return;
    }
    try {
        const hw::Cycles next = now + hw::Cycles(1);
        settled_ = next;
        if (runs_ahead_ && hits_->is_settled()) {
            settled_ =
                std::min(controller().settled_until(now), domain().alone_until() + hw::Cycles(1));
        }
        lines_are_settled_ = settled_ > next;
        if (has_shared_memory()) {
            settled_ = next;
        }
        level_ = raised_level(now);
        while (goes_on(now)) {
        }
        domain().note_progress(last_store_);
    } catch (...) {
        if (time_ > now && phase_ != Phase::kFault) {
            // A fault of another core may come first.
            fault_ahead_ = std::current_exception();
            phase_ = Phase::kFault;
            wake_at(time_);
            return;
        }
        phase_ = Phase::kOff;
        fail();
    }
}

std::uint8_t SparcleCore::raised_level(hw::Cycles now) const {
    if (controller().overflow_raised(now)) {
        return SPARCLE_LEVEL_OVERFLOW;
    }
    if (has_shared_memory() && controller().coherence_trap_raised(now)) {
        return SPARCLE_LEVEL_COHERENCE;
    }
    if (controller().dma_interrupt_raised(now)) {
        return SPARCLE_LEVEL_DMA;
    }
    const bool message_waits =
        controller().interrupt_raised(now) || controller().saved_messages_raised(now);
    return message_waits ? SPARCLE_LEVEL_MESSAGE : 0;
}

bool SparcleCore::goes_on(hw::Cycles now) {
    switch (phase_) {
        case Phase::kIssue:
            if (time_ >= settled_) {
                go_beyond(now);
                wake_at(time_);
                return false;
            }
            if (may_execute_plainly()) {
                given_up_ = hw::Cycles(0);
                count(execute_plainly(std::min(settled_, handler_limit_), nullptr), 1);
            }
            if (time_ < settled_) {
                issue();
            }
            return true;
        case Phase::kFetch:
            if (is_due(now)) {
                fetch_by_bus(now);
                return true;
            }
            return false;
        case Phase::kFetched:
            if (is_due(now)) {
                fetched();
                return true;
            }
            return false;
        case Phase::kAccess:
            if (is_due(now)) {
                access_by_bus(now);
                return true;
            }
            return false;
        case Phase::kAccessed:
            if (is_due(now)) {
                accessed();
                return true;
            }
            return false;
        case Phase::kWithdrawn:
            if (is_due(now)) {
                given_up_ = now - issued_;
                phase_ = Phase::kIssue;
                return true;
            }
            return false;
        case Phase::kMissed:
            if (is_due(now)) {
                instruction_.data_stall += now - issued_;
                execution_.data_stall_cycles += instruction_.data_stall.count();
                trap(SPARCLE_TRAP_REMOTE_WAIT);
                return true;
            }
            return false;
        case Phase::kAlarm:
        case Phase::kIdle:
            if (level_ != 0 && unit_.may_interrupt(level_)) {
                given_up_ = now - issued_;
                time_ = now;
                phase_ = Phase::kIssue;
                return true;
            }
            if (phase_ == Phase::kAlarm && is_due(now)) {
                instruction_.controller = now - issued_;
                enter_thread(now);
                complete_access(1, load_hit_);
                return true;
            }
            return false;
        case Phase::kAccessing:
            wait_for_answer(now);
            return false;
        case Phase::kFault:
            if (is_due(now)) {
                std::rethrow_exception(fault_ahead_);
            }
            return false;
        default:
            return false;
    }
}

bool SparcleCore::is_due(hw::Cycles now) {
    if (time_ > now) {
        wake_at(time_);
    }
    return time_ <= now;
}

// A line comes from the node's own memory however long that takes; the controller's answer, and
// when another node's line comes, may depend on what the interrupt is for.
void SparcleCore::wait_for_answer(hw::Cycles /*now*/) {
    if (withdrawing_ || level_ == 0 || !unit_.may_interrupt(level_) ||
        (is_of_memory(unit_.request().address) && !is_of_shared_memory(unit_.request().address))) {
        return;
    }
    withdrawing_ = true;
    tlm::tlm_phase phase = hw::WITHDRAW_REQUEST;
    sc_core::sc_time delay;
    bus_socket->nb_transport_fw(access_payload_, phase, delay);
}

// Many instructions, each of which needs nothing but the unit and what it hits in.

bool SparcleCore::may_execute_plainly() const {
    return has_plain_hits_ && observer_ == nullptr && !lingers_ &&
           checks_.initialisation() == nullptr && (level_ == 0 || !unit_.may_interrupt(level_));
}

// Where the access would otherwise be refused (begin_shared_access), the bus is its way.
bool SparcleCore::may_share_plainly() const {
    return shared_ != nullptr && unit_.may_interrupt(SPARCLE_LEVEL_COHERENCE) &&
           (!handled_ || is_disposed_of_);
}

SparcleCore::Executed SparcleCore::execute_plainly(hw::Cycles until, StoresAhead* stores) {
    shared_until_ = may_share_plainly() ? until : hw::Cycles(0);
    shared_hits_ = {};
    return caches_ != nullptr ? execute_plainly(caches_->plain_instructions(),
                                                caches_->plain_data(), until, stores)
                              : execute_plainly(memory_->plain_instructions(),
                                                memory_->plain_data(), until, stores);
}

// Up to the first instruction that is issued at `until` or later, or that is not plain; nothing of
// that one is done.
template <class Hits>
SparcleCore::Executed SparcleCore::execute_plainly(const Hits& fetches, const Hits& data,
                                                   hw::Cycles until, StoresAhead* stores) {
    constexpr std::uint32_t kGroupBytes = Hits::kFetchedBytes;
    auto& instructions = DecodedInstructions<kGroupBytes>::of_this_thread();
    const std::uint32_t watched = watched_pc_;
    const hw::Cycles integer = cycles_of(InstructionClass::kInteger);
    // A group's register operations that begin before are all issued before `until`.
    const hw::Cycles together_before = until - kGroupBytes / 4 * integer;
    hw::Cycles time = time_;
    hw::Cycles last_store(-1);
    std::uint64_t loaded = loaded_;
    std::int64_t executed = 0;
    std::int64_t annulled = 0;
    std::int64_t loads = 0;
    std::int64_t stored = 0;
    std::int64_t waits = 0;
    bool is_plain = true;
    while (is_plain && time < until) {
        const std::uint32_t pc = unit_.pc();
        const std::uint32_t group_address = pc - pc % kGroupBytes;
        const std::uint8_t* const fetched = fetches.hit(group_address, false, time).bytes;
        if (fetched == nullptr || checks_.is_null_call(unit_)) {
            break;
        }
        const DecodedGroup<kGroupBytes>& group = instructions.group(pc, fetched);
        const DecodedInstruction* next = group.at(pc);
        const DecodedInstruction* end = group.end();
        if (watched - group_address < kGroupBytes) [[unlikely]] {
            if (pc == watched) {
                break;
            }
            end = pc < watched ? group.at(watched) : end;
        }
        if (unit_.next_is_annulled()) {
            unit_.execute(*next);
            time += cycles_of(InstructionClass::kAnnulled);
            loaded = 0;
            ++annulled;
            ++executed;
            continue;
        }
        // Those behind one another in the group; what is behind a branch, alone.
        const DecodedInstruction* const first = next;
        if (unit_.npc() != pc + 4) {
            end = next + 1;
        }
        do {
            hw::Cycles begin = time;
            if ((next->reads & loaded) != 0) [[unlikely]] {
                begin += load_use_;
                waits += load_use_.count();
            }
            if (std::uint32_t operations = next->register_operations; operations > 0) [[likely]] {
                if (next + operations > end || begin >= together_before) {
                    operations = 1;
                }
                unit_.operate(next, operations);
                next += operations;
                time = begin + operations * integer;
                loaded = 0;
                continue;
            }
            const hw::Cycles its_cycles = execute_alone(*next, data, begin, stores);
            if (its_cycles == kNotPlain) {
                waits -= (begin - time).count();
                is_plain = false;
                break;
            }
            loaded = 0;
            if (next->is_plain_store()) {
                last_store = time;
                ++stored;
                end = next + 1;  // it may have changed the group
            } else if (next->is_plain_access()) {
                loaded = next->loads();
                ++loads;
            } else if (unit_.next_is_annulled()) {
                end = next + 1;
            } else if (unit_.npc() != unit_.pc() + 4) {
                end = std::min(end, next + 2);
            }
            time = begin + its_cycles;
            ++next;
        } while (next < end && time < until);
        executed += next - first;
    }
    time_ = time;
    loaded_ = loaded;
    return {.instructions = executed,
            .annulled = annulled,
            .interlock_cycles = waits,
            .hits = {.fetches = executed,
                     .loads = loads - shared_hits_.loads,
                     .stores = stored - shared_hits_.stores},
            .shared_hits = shared_hits_,
            .last_store = last_store};
}

// What is no register operation: returns its cycles, or kNotPlain, and nothing of it is done.
template <class Hits>
[[gnu::always_inline]] inline hw::Cycles SparcleCore::execute_alone(
    const DecodedInstruction& decoded, const Hits& data, hw::Cycles at, StoresAhead* stores) {
    const hw::Cycles cycles = cycles_of(decoded.instruction_class);
    if (decoded.is_plain_access()) {
        return access_plainly(data, decoded, at, stores) ? cycles : kNotPlain;
    }
    if (decoded.is_transfer()) {
        return unit_.transfer(decoded) == StepEnd::kDone ? cycles : kNotPlain;
    }
    if (decoded.operation == Operation::kTimedCore || checks_.overflows_stack(decoded, unit_) ||
        unit_.execute(decoded) != StepEnd::kDone) {
        return kNotPlain;
    }
    return cycles_of(unit_.last_class());
}

template <class Hits>
bool SparcleCore::access_plainly(const Hits& data, const DecodedInstruction& decoded, hw::Cycles at,
                                 StoresAhead* stores) {
    const unsigned rd = decoded.rd;
    const std::uint32_t address = unit_.address_of(decoded);
    const auto load_word = [this, rd](std::uint32_t word) { unit_.load_word(rd, word); };
    const auto load_signed = [this, rd]<class Number>(Number number) {
        const auto with_sign = static_cast<std::make_signed_t<Number>>(number);
        unit_.load_word(rd, static_cast<std::uint32_t>(std::int32_t{with_sign}));
    };
    switch (decoded.operation) {
        case Operation::kLoadWord:
            return load_plainly<std::uint32_t>(data, address, at, load_word);
        case Operation::kLoadUnsignedByte:
            return load_plainly<std::uint8_t>(data, address, at, load_word);
        case Operation::kLoadUnsignedHalfword:
            return load_plainly<std::uint16_t>(data, address, at, load_word);
        case Operation::kLoadSignedByte:
            return load_plainly<std::uint8_t>(data, address, at, load_signed);
        case Operation::kLoadSignedHalfword:
            return load_plainly<std::uint16_t>(data, address, at, load_signed);
        case Operation::kLoadDouble:
            return load_plainly<std::uint64_t>(
                data, address, at, [&](std::uint64_t number) { unit_.load_double(rd, number); });
        case Operation::kLoadFloat:
            return unit_.may_use_floats() &&
                   load_plainly<std::uint32_t>(data, address, at, [&](std::uint32_t number) {
                       unit_.load_float(rd, number);
                   });
        case Operation::kLoadFloatDouble:
            return unit_.may_use_floats() &&
                   load_plainly<std::uint64_t>(data, address, at, [&](std::uint64_t number) {
                       unit_.load_float_double(rd, number);
                   });
        case Operation::kStoreWord:
            return store_plainly(data, address, unit_.reg(rd), at, stores);
        case Operation::kStoreByte:
            return store_plainly(data, address, static_cast<std::uint8_t>(unit_.reg(rd)), at,
                                 stores);
        case Operation::kStoreHalfword:
            return store_plainly(data, address, static_cast<std::uint16_t>(unit_.reg(rd)), at,
                                 stores);
        case Operation::kStoreDouble:
            return store_plainly(data, address, unit_.double_of(rd), at, stores);
        case Operation::kStoreFloat:
            return unit_.may_use_floats() && store_plainly(data, address, unit_.f(rd), at, stores);
        case Operation::kStoreFloatDouble:
            return unit_.may_use_floats() &&
                   store_plainly(data, address, unit_.float_double_of(rd), at, stores);
        default:
            return false;
    }
}

// Of what is not the node's own.
template <class Hits>
memory::PlainHit SparcleCore::shared_hit(const Hits& data, std::uint32_t address, bool is_store,
                                         hw::Cycles at) {
    memory::PlainHit place;
    if constexpr (requires { data.shared_hit(address, is_store); }) {
        if (at < shared_until_ && address >= memory::kSharedBase) {
            place = data.shared_hit(address, is_store);
        }
    }
    if (place.bytes != nullptr) {
        (is_store ? shared_hits_.stores : shared_hits_.loads) += 1;
    }
    return place;
}

template <class Number, class Hits, class Put>
bool SparcleCore::load_plainly(const Hits& data, std::uint32_t address, hw::Cycles at,
                               const Put& put) {
    if (address % sizeof(Number) != 0 || address < checks_.loads_from()) {
        return false;
    }
    memory::PlainHit place = data.hit(address, false, at);
    if (place.bytes == nullptr) {
        place = shared_hit(data, address, false, at);
    }
    if (place.bytes == nullptr) {
        return false;
    }
    put(static_cast<Number>(number_of(place.bytes, sizeof(Number))));
    return true;
}

template <class Number, class Hits>
bool SparcleCore::store_plainly(const Hits& data, std::uint32_t address, Number number,
                                hw::Cycles at, StoresAhead* stores) {
    if (address % sizeof(Number) != 0 || address < checks_.stores_from() ||
        (stores != nullptr && stores->count == StoresAhead::kMost)) {
        return false;
    }
    memory::PlainHit place = data.hit(address, true, at);
    if (place.bytes == nullptr) {
        place = shared_hit(data, address, true, at);
    }
    if (place.bytes == nullptr) {
        return false;
    }
    if (stores != nullptr) {
        stores->list[stores->count++] = {.place = place,
                                         .before = number_of(place.bytes, sizeof(Number)),
                                         .bytes = sizeof(Number),
                                         .was_dirty = place.dirty != nullptr && *place.dirty};
    }
    put_number(number, place.bytes, sizeof(Number));
    if (place.dirty != nullptr) {
        *place.dirty = true;
    }
    unit_.stored();
    return true;
}

// `times`: 1, or -1 where it is taken back.
void SparcleCore::count(const Executed& executed, std::int64_t times) {
    execution_.instructions += times * executed.instructions;
    execution_.annulled += times * executed.annulled;
    execution_.interlock_cycles += times * executed.interlock_cycles;
    if (caches_ != nullptr) {
        caches_->count_plain_hits(executed.hits * times);
    }
    if (shared_ != nullptr) {
        shared_->count_plain_hits(executed.shared_hits * times);
    }
    if (times > 0) {
        last_store_ = std::max(last_store_, executed.last_store);
    }
}

// Beyond settled_. An interrupt may come before the core has got there in the machine's time: the
// line that rises wakes the core in the cycle in which it is seen, and the core goes back then.
// Nothing else that the core has not asked for itself reaches it but packets that take lines of
// shared memory (before_line_goes): what it does ahead changes nothing but its unit, bytes of lines
// or memory that are its own while no DMA engine is at work, and counts.

void SparcleCore::go_beyond(hw::Cycles now) {
    const hw::Cycles until =
        std::min({now + next_ahead_, domain().alone_until() + hw::Cycles(1), handler_limit_});
    if (!lines_are_settled_ || time_ >= until || !may_execute_plainly()) {
        return;
    }
    if (!ahead_) {
        ahead_ = std::make_unique<Ahead>(Ahead{.unit = unit_});
    }
    ahead_->unit = unit_;
    ahead_->time = time_;
    ahead_->loaded = loaded_;
    ahead_->stores.count = 0;
    ahead_->executed = execute_plainly(until, &ahead_->stores);
    is_ahead_ = ahead_->executed.instructions > 0;
    next_ahead_ = std::min(2 * next_ahead_, kFarthestAhead);
    const hw::Cycles last_store = last_store_;
    count(ahead_->executed, 1);
    last_store_ = last_store;
}

// Whether there is nothing to do before the core has got to where it stands.
bool SparcleCore::stays_ahead(hw::Cycles now) {
    const std::uint8_t level = raised_level(now);
    const bool is_interrupted = level != 0 && unit_.may_interrupt(level);
    if (time_ > now && !is_interrupted) {
        return true;
    }
    is_ahead_ = false;
    if (time_ > now) {
        roll_back(now);
    } else {
        last_store_ = std::max(last_store_, ahead_->executed.last_store);
    }
    return false;
}

// To the first instruction that is issued at `now` or later.
void SparcleCore::roll_back(hw::Cycles now) {
    if (time_ > now + hw::Cycles(1)) {
        forget_wake_up(time_);
    }
    for (std::size_t i = ahead_->stores.count; i > 0; --i) {
        const StoreAhead& store = ahead_->stores.list[i - 1];
        put_number(store.before, store.place.bytes, store.bytes);
        if (store.place.dirty != nullptr) {
            *store.place.dirty = store.was_dirty;
        }
    }
    count(ahead_->executed, -1);
    unit_ = ahead_->unit;
    time_ = ahead_->time;
    loaded_ = ahead_->loaded;
    next_ahead_ = kShortestAhead;
    count(execute_plainly(now, nullptr), 1);
    if (time_ < now) {
        issue();  // an access to shared memory that waits for a load before it, until now
    }
    sc_assert(time_ >= now);
}

// A packet takes a line of shared memory at the end of this cycle. What the core has done ahead of
// it may have used the line, and is done again once the line is gone.
void SparcleCore::before_line_goes(hw::Cycles now) {
    const hw::Cycles next = now + hw::Cycles(1);
    if (!is_ahead_ || time_ <= next) {
        return;
    }
    is_ahead_ = false;
    roll_back(next);
    wake_at(time_);
}

void SparcleCore::note_progress_ahead() {
    if (is_ahead_) {
        domain().note_progress(ahead_->executed.last_store);
    }
}

// One instruction.

void SparcleCore::issue() {
    instruction_ = ExecutedInstruction{};
    instruction_.begin = time_;
    instruction_.pc = unit_.pc();
    instruction_.in_handler = handler_depth_ > 0;
    if (level_ != 0 && unit_.may_interrupt(level_)) {
        take_interrupt();
        return;
    }
    given_up_ = hw::Cycles(0);
    check_handler_cycles();
    if (instruction_.pc == watched_pc_) {
        note_handler_place();
    }
    if (checks_.is_null_call(unit_)) {
        report_null_call();
    }
    if (!is_of_memory(instruction_.pc)) {
        fetch_failed();
        return;
    }
    const memory::HitPort::Hit hit =
        hits_->hit(memory::HitPort::Side::kInstructions, instruction_.pc, 4, false, time_);
    if (hit.bytes == nullptr) {
        if (is_of_shared_memory(instruction_.pc)) {
            report_shared("jump to", instruction_.pc, "no instructions are fetched from there");
        }
        phase_ = Phase::kFetch;
        return;
    }
    if (hit.walk > hw::Cycles(0)) {
        instruction_.fetch_stall = hit.walk;
        execution_.fetch_stall_cycles += hit.walk.count();
        time_ += hit.walk;
    }
    execute(static_cast<std::uint32_t>(number_of(hit.bytes, 4)));
}

void SparcleCore::fetch_by_bus(hw::Cycles now) {
    fetch_payload_.set_address(instruction_.pc);
    fetch_payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    issued_ = now;
    settled_ = now + hw::Cycles(1);
    lines_are_settled_ = false;
    phase_ = Phase::kFetching;
    const tlm::tlm_sync_enum answer =
        instruction_socket.size() > 0
            ? instruction_socket->nb_transport_fw(fetch_payload_, phase, delay)
            : bus_socket->nb_transport_fw(fetch_payload_, phase, delay);
    if (answer == tlm::TLM_COMPLETED) {
        phase_ = Phase::kFetched;
        time_ = std::max(now, now + domain().to_cycles(delay) - load_hit_);
    }
}

// The word has come, and is executed a cycle later than one that hits would be when its line has
// come: the first cycle of a load is its own issue.
tlm::tlm_sync_enum SparcleCore::instruction_answered(tlm::tlm_generic_payload& payload,
                                                     tlm::tlm_phase& /*phase*/,
                                                     sc_core::sc_time& delay) {
    answered(payload, domain().to_cycles(delay));
    return tlm::TLM_COMPLETED;
}

void SparcleCore::answered(tlm::tlm_generic_payload& payload, hw::Cycles delay) {
    const hw::Cycles now = domain().now();
    const hw::Cycles next(now + hw::Cycles(1));
    if (&payload == &fetch_payload_) {
        phase_ = Phase::kFetched;
        time_ = std::max(next, now + delay - load_hit_ + hw::Cycles(1));
        wake_at(time_);
        return;
    }
    const bool is_done = payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE;
    phase_ = is_done ? Phase::kAccessed : withdrawing_ ? Phase::kWithdrawn : Phase::kMissed;
    time_ = std::max(next, now + delay);
    const MemoryRequest& request = unit_.request();
    if (is_thread() && !is_of_memory(request.address) && !is_waited_for_quietly(request.address)) {
        enter(hw::CoreState::kBlocked, issued_);
        if (is_done) {
            enter(state_at_controller(request), now);
        }
    }
    if (is_thread() && is_of_shared_memory(request.address)) {
        enter(hw::CoreState::kMemoryWait, issued_);
        if (is_done) {
            enter(hw::CoreState::kCompute, now);
        }
    }
    wake_at(time_);
}

void SparcleCore::fetched() {
    instruction_.fetch_stall = time_ - instruction_.begin;
    execution_.fetch_stall_cycles += instruction_.fetch_stall.count();
    if (fetch_payload_.is_response_error()) {
        fetch_failed();
        return;
    }
    execute(static_cast<std::uint32_t>(number_of(fetch_bytes_.data(), 4)));
}

// There is no memory at pc. An annulled word is fetched, too, but cannot trap (V8), whatever it is.
void SparcleCore::fetch_failed() {
    if (unit_.next_is_annulled()) {
        execute(0);
        return;
    }
    trap(kTrapInstructionAccess);
}

void SparcleCore::execute(std::uint32_t word) {
    instruction_.word = word;
    instruction_.is_annulled = unit_.next_is_annulled();
    const DecodedInstruction& decoded = decoded_at(instruction_.pc, word);
    if (!instruction_.is_annulled && (decoded.reads & loaded_) != 0) {
        instruction_.interlock = load_use_;
        execution_.interlock_cycles += load_use_.count();
        time_ += load_use_;
    }
    loaded_ = 0;
    if (!instruction_.is_annulled && checks_.overflows_stack(decoded, unit_)) {
        report(checks_.stack_fault(decoded, unit_));
    }
    InitialisationCheck* const initialisation = checks_.initialisation();
    if (initialisation != nullptr && !instruction_.is_annulled) {
        check_initialisation(*initialisation, decoded);
    }
    const unsigned window = unit_.current_window();
    switch (unit_.execute(decoded)) {
        case StepEnd::kDone:
            if (instruction_.is_annulled) {
                execution_.annulled += 1;
            } else if (initialisation != nullptr) {
                initialisation->executed(decoded, window, unit_);
            }
            end_instruction(cycles_of(unit_.last_class()));
            return;
        case StepEnd::kMemory:
            begin_access();
            return;
        case StepEnd::kTrap:
            trap(unit_.trap_type());
            return;
    }
}

void SparcleCore::end_instruction(hw::Cycles base) {
    instruction_.base = base;
    time_ += base;
    execution_.instructions += 1;
    phase_ = Phase::kIssue;
    if (unit_.last_class() == InstructionClass::kRett && !instruction_.is_annulled) {
        note_return_from_trap();
    }
    if (lingers_) {
        lingers_ = false;
        enter_thread(instruction_.begin);
    }
    if (observer_ != nullptr) {
        observer_->executed(*this, instruction_);
    }
}

void SparcleCore::take_interrupt() {
    const hw::Cycles now = time_;
    instruction_.begin = now - given_up_;
    instruction_.controller = given_up_;
    given_up_ = hw::Cycles(0);
    lingers_ = false;
    if (level_ == SPARCLE_LEVEL_OVERFLOW || level_ == SPARCLE_LEVEL_COHERENCE) {
        upper_depth_ = trap_depth_ + 1;
        (level_ == SPARCLE_LEVEL_OVERFLOW ? counters().overflow_traps
                                          : counters().coherence_traps) += 1;
        enter(hw::CoreState::kTrap, now);
    } else {
        handler_depth_ = handler_depth_ == 0 ? trap_depth_ + 1 : handler_depth_;
        counters().interrupts += 1;
        controller().trace_context().in_handler = true;
        if (level_ == SPARCLE_LEVEL_MESSAGE && !handled_) {
            is_polled_ = false;
            begin_handling(controller().saved_messages_raised(domain().now())
                               ? controller().take_saved_message()
                               : controller().head_message());
            messages()[*handled_].restored_words =
                static_cast<std::int32_t>(controller().composed_words());
        }
        enter(hw::CoreState::kHandler, now, controller().trace_context().handled);
    }
    trap(static_cast<std::uint8_t>(kTrapInterrupt + level_));
}

void SparcleCore::trap(std::uint8_t type) {
    instruction_.is_trap = true;
    instruction_.trap_type = type;
    const bool waits = type == SPARCLE_TRAP_REMOTE_WAIT || type == SPARCLE_TRAP_FULL_EMPTY;
    instruction_.trap_entry = waits ? remote_wait_trap_ : trap_;
    if (host_.has_handler && !host_.has_handler(type)) {
        report_trap(type, unit_.pc(), ", which the program has no handler for");
    }
    if (!unit_.take_trap(type)) {
        report_error_mode(type);
    }
    if (checks_.initialisation() != nullptr) {
        checks_.initialisation()->trapped(unit_);
    }
    execution_.traps += 1;
    execution_.window_traps += type == kTrapWindowOverflow || type == kTrapWindowUnderflow ? 1 : 0;
    ++trap_depth_;
    counters().full_empty_traps += type == SPARCLE_TRAP_FULL_EMPTY ? 1 : 0;
    if (waits && is_thread()) {
        // For a word of shared memory one context waits by itself (full_empty_trap.S).
        const bool switches = contexts_ > 1 || type == SPARCLE_TRAP_REMOTE_WAIT ||
                              !is_of_shared_memory(unit_.request().address);
        counters().context_switches += switches ? 1 : 0;
        switch_depth_ = trap_depth_;
        lingers_ = false;
        enter(switches ? hw::CoreState::kSwitch : hw::CoreState::kTrap, time_);
    }
    time_ += instruction_.trap_entry;
    loaded_ = 0;
    phase_ = Phase::kIssue;
    if (observer_ != nullptr) {
        observer_->executed(*this, instruction_);
    }
}

// Loads, stores and atomic accesses.

hw::Cycles SparcleCore::hit_cycles(const MemoryRequest& request) const {
    if (is_atomic(request)) {
        return cycles_of(InstructionClass::kAtomic);
    }
    const hw::Cycles word = is_store(request) ? store_hit_ : load_hit_;
    return request.bytes == 8 ? word + double_ : word;
}

void SparcleCore::begin_access() {
    const MemoryRequest& request = unit_.request();
    atomic_load_.reset();
    if (WEIR_IS_HOST_REGISTER(request.address)) {
        access_host(request);
        return;
    }
    if (!is_of_memory(request.address)) {
        phase_ = Phase::kAccess;
        return;
    }
    if (is_of_shared_memory(request.address)) {
        begin_shared_access(request);
        return;
    }
    check_access(request);
    if (is_prefetch(request)) {
        refusal_ = "prefetches are of shared memory";
        trap(kTrapDataAccess);
        return;
    }
    if (fetch_operation(request.asi)) {
        refusal_ = "words that their homes change are of shared memory";
        trap(kTrapDataAccess);
        return;
    }
    if (request.asi == SPARCLE_ASI_IO) {
        refusal_ = "LDIO and STIO are for the registers of the message controller";
        trap(kTrapDataAccess);
        return;
    }
    hw::FullEmptyUse use = full_empty_use(request.asi);
    use.was_full = !use.is_used || full_empty_.is_full(request.address);
    if (use.is_refused()) {
        trap(SPARCLE_TRAP_FULL_EMPTY);
        return;
    }
    access_memory(request);
}

void SparcleCore::access_memory(const MemoryRequest& request) {
    const memory::HitPort::Hit hit = hits_->hit(memory::HitPort::Side::kData, request.address,
                                                request.bytes, !is_load(request), time_);
    if (hit.bytes == nullptr) {
        phase_ = Phase::kAccess;
        return;
    }
    const std::uint64_t loaded = is_store(request) ? 0 : number_of(hit.bytes, request.bytes);
    if (!is_load(request)) {
        put_number(to_store(request), hit.bytes, request.bytes);
    }
    if (hit.walk > hw::Cycles(0)) {
        instruction_.data_stall = hit.walk;
        time_ += hit.walk;
    }
    complete_access(loaded, hit_cycles(request));
}

bool SparcleCore::is_of_shared_memory(std::uint32_t address) const {
    return has_shared_memory() && is_of_memory(address) && address >= memory::kSharedBase;
}

void SparcleCore::begin_shared_access(const MemoryRequest& request) {
    if (request.asi == SPARCLE_ASI_IO) {
        report_shared("access to", request.address, "its words are no registers");
    }
    if (!unit_.may_interrupt(SPARCLE_LEVEL_COHERENCE)) {
        report_shared("access to", request.address,
                      "the coherence trap is off here, and two homes could wait for each other's");
    }
    if (handled_ && !is_disposed_of_) {
        report_shared("access to", request.address,
                      "its line could come behind the message that is handled, which is in the "
                      "input queue");
    }
    phase_ = Phase::kAccess;
}

// What the coherence controller is told beside address and bytes.
void SparcleCore::tag_access(const MemoryRequest& request) {
    access_tag_.context = running_context();
    access_tag_.exchanges = is_atomic(request) && is_of_shared_memory(request.address);
    access_tag_.prefetches = is_prefetch(request);
    access_tag_.fetch = fetch_operation(request.asi);
    access_tag_.full_empty = full_empty_use(request.asi);
    access_tag_.only_loads = is_load(request) && access_tag_.full_empty.changes_bit();
}

// Behind the threads' contexts: that of what runs above them, which never leaves the core.
std::int32_t SparcleCore::running_context() const {
    if (!is_thread()) {
        return contexts_;
    }
    constexpr unsigned kWindow = SPARCLE_WINDOWS - 1;
    const unsigned window =
        (unit_.current_window() + 1) & kWindow;  // that of context 0 is the last
    return contexts_ == 1 ? 0 : static_cast<std::int32_t>(window / SPARCLE_WINDOWS_PER_CONTEXT);
}

void SparcleCore::access_by_bus(hw::Cycles now) {
    const MemoryRequest& request = unit_.request();
    const bool is_shared = is_of_shared_memory(request.address);
    if (has_shared_memory()) {
        tag_access(request);
    }
    const bool stores = is_store(request) || atomic_load_.has_value() ||
                        request.asi == SPARCLE_ASI_PREFETCH_TO_WRITE ||
                        (is_shared && (is_atomic(request) || access_tag_.only_loads));
    access_payload_.set_command(stores ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    access_payload_.set_address(request.address);
    access_payload_.set_data_length(request.bytes);
    access_payload_.set_streaming_width(request.bytes);
    access_payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    if (is_of_memory(request.address)) {
        put_number(to_store(request), access_bytes_.data(), request.bytes);
    } else {
        std::memcpy(access_bytes_.data(), &request.data, access_bytes_.size());
        if (stores_body(request)) {
            check_body(request, now);
        }
        note_issue_to_controller(request, now);
    }
    withdrawing_ = false;
    issued_ = now;
    settled_ = now + hw::Cycles(1);
    phase_ = Phase::kAccessing;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    if (bus_socket->nb_transport_fw(access_payload_, phase, delay) == tlm::TLM_COMPLETED) {
        phase_ = Phase::kAccessed;
        time_ = now + domain().to_cycles(delay);
        if (is_shared && access_payload_.is_response_ok()) {
            accessed();  // it hits: nothing but its own line knows of it
            return;
        }
    }
    lines_are_settled_ = false;
}

void SparcleCore::shared_accessed(const MemoryRequest& request) {
    if (access_tag_.full_empty.is_refused()) {
        instruction_.data_stall = time_ - issued_;
        execution_.data_stall_cycles += instruction_.data_stall.count();
        trap(SPARCLE_TRAP_FULL_EMPTY);
        return;
    }
    const bool stores = access_payload_.is_write() && !access_tag_.only_loads;
    const hw::Cycles word = stores ? store_hit_ : load_hit_;
    const hw::Cycles hit = request.bytes == 8 ? word + double_ : word;
    instruction_.data_stall = time_ - issued_ - hit;
    time_ -= hit;
    const bool loads = !is_store(request) && !is_prefetch(request);
    complete_access(loads ? number_of(access_bytes_.data(), request.bytes) : 0,
                    hit_cycles(request));
}

// The bit of shared memory's word has been used where the word is; that of the node's own is here.
void SparcleCore::use_bit(const MemoryRequest& request, const hw::FullEmptyUse& use) {
    const bool is_shared = is_of_shared_memory(request.address);
    const bool was_full =
        is_shared ? access_tag_.full_empty.was_full : full_empty_.is_full(request.address);
    if (use.needs == hw::FullEmptyUse::Needs::kEither) {
        unit_.report_full(was_full);
    }
    if (!is_shared && use.changes_bit()) {
        full_empty_.set(request.address, use.leaves == hw::FullEmptyUse::Leaves::kFull);
    }
}

// The bus has answered, and it is the cycle in which the access ends.
void SparcleCore::accessed() {
    const MemoryRequest& request = unit_.request();
    if (access_payload_.is_response_error()) {
        refusal_ = refusal_of(access_payload_);
        trap(kTrapDataAccess);
        return;
    }
    if (is_of_shared_memory(request.address)) {
        shared_accessed(request);
        return;
    }
    const hw::Cycles taken = time_ - issued_;
    if (!is_of_memory(request.address)) {
        std::uint32_t word = 0;
        std::memcpy(&word, access_bytes_.data(), sizeof word);
        instruction_.controller = taken;
        execution_.controller_cycles += taken.count();
        note_end_at_controller(request);
        complete_access(word, hw::Cycles(0));
        lingers_ = is_thread() && state() != hw::CoreState::kCompute;
        return;
    }
    if (is_atomic(request) && !atomic_load_) {
        atomic_load_ = number_of(access_bytes_.data(), request.bytes);
        instruction_.data_stall = taken - std::min(taken, load_hit_);
        const memory::HitPort::Hit line = hits_->hit(memory::HitPort::Side::kData, request.address,
                                                     request.bytes, true, domain().now());
        if (line.bytes == nullptr) {
            phase_ = Phase::kAccess;
            return;
        }
        put_number(to_store(request), line.bytes, request.bytes);
        time_ = issued_ + instruction_.data_stall;
        complete_access(*atomic_load_, hit_cycles(request));
        return;
    }
    const hw::Cycles base = is_atomic(request) ? store_hit_ : hit_cycles(request);
    const hw::Cycles stall = taken - std::min(taken, base);
    instruction_.data_stall += stall;
    time_ = issued_ + stall;
    const std::uint64_t loaded = is_load(request) ? number_of(access_bytes_.data(), request.bytes)
                                                  : atomic_load_.value_or(0);
    complete_access(loaded, is_atomic(request) ? hit_cycles(request) : base);
}

void SparcleCore::complete_access(std::uint64_t loaded, hw::Cycles base) {
    const MemoryRequest& request = unit_.request();
    execution_.data_stall_cycles += instruction_.data_stall.count();
    if (is_load(request)) {
        loaded_ = loaded_by(request);
    } else {
        last_store_ = std::max(instruction_.begin, domain().now());
    }
    if (const hw::FullEmptyUse use = full_empty_use(request.asi); use.is_used) {
        use_bit(request, use);
    }
    if (observer_ != nullptr) {
        last_access_ = request;
    }
    if (InitialisationCheck* const check = checks_.initialisation()) {
        check->accessed(decoded_at(instruction_.pc, instruction_.word), request,
                        is_of_memory(request.address) && !is_of_shared_memory(request.address),
                        unit_);
    }
    unit_.complete(loaded);
    end_instruction(base);
    last_access_.reset();
}

// The registers of hw/controller/host_registers.h.

void SparcleCore::access_host(const MemoryRequest& request) {
    if (request.bytes != 4 || is_atomic(request)) {
        refusal_ = "registers are words";
        trap(kTrapDataAccess);
        return;
    }
    if (is_store(request)) {
        const auto value = static_cast<std::uint32_t>(request.data);
        complete_access(0, store_hit_);
        store_to_host(request.address, value);
        return;
    }
    const auto ahead =
        static_cast<std::int32_t>(alarm_ - static_cast<std::uint32_t>(time_.count()));
    const bool waits =
        request.address == WEIR_HOST_IDLE || (request.address == WEIR_HOST_ALARM && ahead > 0);
    if (!waits) {
        const bool reads_counter = request.address == WEIR_HOST_CYCLE;
        complete_access(host_register(request.address),
                        load_hit_ + (reads_counter ? cycle_counter_ : hw::Cycles(0)));
        return;
    }
    issued_ = time_;
    enter(exit_status_ ? hw::CoreState::kDone : hw::CoreState::kWait, time_);
    phase_ = Phase::kIdle;
    if (request.address == WEIR_HOST_ALARM) {
        phase_ = Phase::kAlarm;
        time_ += hw::Cycles(ahead);
    }
    domain().note_progress(time_);
}

std::uint32_t SparcleCore::host_register(std::uint32_t address) {
    const auto cycle = static_cast<std::uint64_t>(time_.count());
    switch (address) {
        case WEIR_HOST_NODE:
            return static_cast<std::uint32_t>(node_id().index());
        case WEIR_HOST_NODES:
            return static_cast<std::uint32_t>(number_of_nodes());
        case WEIR_HOST_MEMORY_BYTES:
            return static_cast<std::uint32_t>(bytes_of_memory().count());
        case WEIR_HOST_CYCLE:
            cycle_high_ = static_cast<std::uint32_t>(cycle >> 32);
            return static_cast<std::uint32_t>(cycle);
        case WEIR_HOST_CYCLE_HIGH:
            return cycle_high_;
        case WEIR_HOST_ALARM:
            return 1;
        default:
            return 0;
    }
}

void SparcleCore::store_to_host(std::uint32_t address, std::uint32_t value) {
    switch (address) {
        case WEIR_HOST_CONSOLE:
            host_.console(node_id(), static_cast<char>(value & 0xff));
            break;
        case WEIR_HOST_EXIT:
            if (!exit_status_) {
                exit_status_ = value;
                host_.exited(node_id(), value);
            }
            break;
        case WEIR_HOST_ALARM:
            alarm_ = value;
            break;
        case WEIR_HOST_MARK_NAME:
            mark_name_ = value;
            break;
        case WEIR_HOST_MARK:
            if (trace_sink() != nullptr) {
                const std::string given = host_.mark_name ? host_.mark_name(mark_name_) : "";
                trace_sink()->mark(node_id(),
                                   given.empty() ? "mark " + std::to_string(mark_name_) : given,
                                   time_, value);
            }
            break;
        case WEIR_HOST_CALL:
            if (host_.call) {
                host_.call(node_id(), value);
            }
            break;
        default:
            break;
    }
}

// What the trace is told.

void SparcleCore::enter_thread(hw::Cycles now) {
    if (is_thread()) {
        enter(exit_status_ ? hw::CoreState::kDone : hw::CoreState::kCompute, now);
    }
}

void SparcleCore::note_issue_to_controller(const MemoryRequest& request, hw::Cycles now) {
    const bool takes_message = is_load(request) && upper_depth_ == 0 &&
                               hw::in_words(request.address, WEIR_INPUT_WINDOW) &&
                               (!handled_ || is_disposed_of_) && controller().interrupt_raised(now);
    if (takes_message) {
        if (handled_) {
            end_handling();
        }
        is_polled_ = handler_depth_ == 0;
        begin_handling(controller().head_message());
        if (is_polled_) {
            controller().trace_context().in_handler = true;
        }
        enter(hw::CoreState::kHandler, now, controller().trace_context().handled);
    }
    if (is_thread() && !(handled_ && is_polled_)) {
        lingers_ = false;
        enter(state_at_controller(request), now);
    }
}

void SparcleCore::note_end_at_controller(const MemoryRequest& request) {
    const bool disposes = is_store(request) && (request.address == WEIR_DISPOSE ||
                                                request.address == WEIR_SAVED_MESSAGES);
    if (!disposes || upper_depth_ != 0) {
        return;
    }
    const bool had_been_saved = !handled_ && handler_depth_ == 0 &&
                                request.address == WEIR_SAVED_MESSAGES &&
                                controller().has_saved_messages();
    if (had_been_saved) {
        // A program that polls has handled it out of memory, which does not show before.
        begin_handling(controller().take_saved_message());
        end_handling();
        return;
    }
    if (!handled_) {
        return;
    }
    is_disposed_of_ = true;
    if (is_polled_) {
        end_handling();
        controller().trace_context().in_handler = false;
        controller().trace_context().compose[1] = hw::kNever;
        enter_thread(time_);
    }
}

void SparcleCore::begin_handling(hw::MessageSlot slot) {
    handled_ = slot;
    is_disposed_of_ = false;
    in_body_ = false;
    hw::Message& message = messages()[slot];
    message.times.handler_begin = time_;
    watched_pc_ = message.words[1];
    controller().trace_context().handled = message.id;
}

void SparcleCore::end_handling() {
    messages()[*handled_].times.handler_end = time_;
    static_cast<void>(controller().handler_ended(*handled_, time_));  // it was disposed of
    handled_.reset();
    watched_pc_ = kNowhere;
    controller().trace_context().handled = {};
    handler_limit_ = hw::kNever;
}

// The core stands at the first instruction of the handler's body, or behind its last.
void SparcleCore::note_handler_place() {
    hw::MessageTimes& times = messages()[*handled_].times;
    if (!in_body_) {
        constexpr std::uint32_t kCallAndDelaySlot = 8;
        in_body_ = true;
        times.code_begin = time_;
        watched_pc_ = unit_.reg(kOutLink) + kCallAndDelaySlot;
        if (handler_most_ > hw::Cycles(0)) {
            handler_limit_ = time_ + handler_most_ + hw::Cycles(1);
        }
        return;
    }
    times.code_end = time_;
    watched_pc_ = kNowhere;
    handler_limit_ = hw::kNever;
}

// Its body has begun, and not ended.
void SparcleCore::check_handler_cycles() {
    if (time_ < handler_limit_) {
        return;
    }
    const hw::Message& message = messages()[*handled_];
    report("the handler " + place_of(message.words[1]) + " has taken " +
           std::to_string((time_ - message.times.code_begin).count()) + " cycles, more than " +
           std::to_string(handler_most_.count()) + " (sparcle.handler_most_cycles)");
}

void SparcleCore::note_return_from_trap() {
    const std::int32_t returned_from = trap_depth_;
    trap_depth_ = std::max(trap_depth_ - 1, 0);
    if (returned_from == upper_depth_) {
        upper_depth_ = 0;
        if (handler_depth_ > 0) {
            enter(hw::CoreState::kHandler, time_, controller().trace_context().handled);
        }
        enter_thread(time_);
        return;
    }
    if (returned_from == switch_depth_) {
        switch_depth_ = 0;
        enter_thread(time_);
    }
    if (returned_from != handler_depth_) {
        return;
    }
    handler_depth_ = 0;
    if (handled_ && is_disposed_of_) {
        end_handling();
    }
    controller().trace_context().in_handler = false;
    controller().trace_context().compose[1] = hw::kNever;
    domain().note_progress(domain().now());
    enter_thread(time_);
}

void SparcleCore::end_of_run(hw::Cycles now) {
    const bool waits = phase_ == Phase::kAccessing && is_thread();
    const std::uint32_t address = waits ? unit_.request().address : 0;
    if (waits && !is_of_memory(address) && !is_waited_for_quietly(address)) {
        enter(hw::CoreState::kBlocked, issued_);
    } else if (waits && is_of_shared_memory(address)) {
        enter(hw::CoreState::kMemoryWait, issued_);
    }
    leave_state(now);
}

void SparcleCore::report_waits(hw::WaitReport& report) const {
    if (exit_status_ || phase_ == Phase::kAccessing) {
        return;  // what answers the access reports it
    }
    if (phase_ == Phase::kIdle) {
        report.push_back(
            {name(), "a message", "its program loads from WEIR_HOST_IDLE " + place_of(unit_.pc())});
        return;
    }
    // Of a branch to itself, what it annuls is next every other time.
    constexpr std::uint32_t kInstruction = 4;
    const bool is_behind = unit_.next_is_annulled() && unit_.npc() + kInstruction == unit_.pc();
    const std::uint32_t pc = is_behind ? unit_.npc() : unit_.pc();
    report.push_back({name(), "its program's end", "that runs, and is " + place_of(pc)});
}

void SparcleCore::add_statistics(std::vector<hw::PartStatistics>& statistics) const {
    Core::add_statistics(statistics);
    statistics.push_back({name() + std::string(".execution"), &execution_});
}

// A trap while traps are disabled. Often it is in the vector of another that has no handler: then
// that one is reported.
void SparcleCore::report_error_mode(std::uint8_t type) {
    constexpr std::uint32_t kTableBytes = 4096;
    constexpr std::uint32_t kVectorBytes = 16;
    constexpr unsigned kTrappedPc = 17;
    const std::uint32_t pc = unit_.pc();
    if (pc - unit_.tbr() / kTableBytes * kTableBytes < kTableBytes && trap_depth_ > 0) {
        report_trap(static_cast<std::uint8_t>(pc % kTableBytes / kVectorBytes),
                    unit_.reg(kTrappedPc), ", which the program has no handler for");
    }
    report_trap(type, pc, ", while traps are disabled");
}

// What the program asks for that a unit has which this core has not.
const char* SparcleCore::missing_unit(std::uint8_t type, std::uint32_t word) const {
    const Instruction instruction{word};
    const unsigned op3 = instruction.op3() & ~unsigned{kSetsConditions};
    const bool multiplies_or_divides =
        instruction.op() == 2 && instruction.op3() < kTaddcc &&
        (op3 == kUmul || op3 == kSmul || op3 == kUdiv || op3 == kSdiv);
    const bool multiplies_floats =
        instruction.op() == 2 && instruction.op3() == kFpop1 && instruction.opf() == kFsmuld;
    if (!multiplies_ && ((type == kTrapIllegalInstruction && multiplies_or_divides) ||
                         (type == kTrapFloatException && multiplies_floats))) {
        return "; it is of SPARC V8: sparcle.multiply_divide = true gives the nodes this "
               "instruction, -mcpu=v7 a program without it";
    }
    return "";
}

void SparcleCore::report_trap(std::uint8_t type, std::uint32_t pc, const char* why) {
    hw::TextWriter text;
    text << fault_begin() << trap_name(type) << " (trap type 0x" << std::hex
         << static_cast<unsigned>(type) << ") " << place_of(pc);
    std::array<std::uint8_t, 4> word{};
    const bool is_known = read_memory(pc, word);
    const auto instruction = static_cast<std::uint32_t>(number_of(word.data(), 4));
    if (is_known) {
        text << ", instruction 0x" << std::setw(8) << std::setfill('0') << instruction << " ("
             << disassembly(instruction, pc) << ")";
    }
    text << why;
    if (is_known) {
        text << missing_unit(type, instruction);
    }
    if (type == kTrapDataAccess && !refusal_.empty()) {
        text << ": " << refusal_;
    }
    if (pc == unit_.pc()) {
        text << callers_text(callers());
    }
    text << "\n" << registers_text();
    throw ProgramFault(text.str());
}

void SparcleCore::report(const std::string& what) {
    throw ProgramFault(fault_begin() + what + ", " + function_at(unit_.pc()) +
                       callers_text(callers()) + "\n" + registers_text());
}

void SparcleCore::report_shared(const std::string& what, std::uint32_t address, const char* why) {
    hw::TextWriter text;
    text << what << " address 0x" << std::hex << address << " in shared memory (" << why << ")";
    report(text.str());
}

void SparcleCore::report_null_call() {
    const std::vector<Caller> calling = callers();
    hw::TextWriter text;
    text << fault_begin() << "jump to address 0x" << std::hex << unit_.pc() << " in the null page";
    if (!calling.empty()) {
        text << ", " << function_at(calling.front().pc);
    }
    text << callers_text(calling) << "\n" << registers_text();
    throw ProgramFault(text.str());
}

void SparcleCore::check_access(const MemoryRequest& request) {
    if (request.address >= checks_.stores_from()) {
        return;
    }
    if (const auto fault = checks_.fault_of(request)) {
        report(*fault);
    }
}

void SparcleCore::check_initialisation(const InitialisationCheck& check,
                                       const DecodedInstruction& decoded) {
    if (const auto origin = check.used_by(decoded, unit_)) {
        hw::TextWriter text;
        text << "use of a value that nothing has written, which was loaded from address 0x"
             << std::hex << origin->address << " " << place_of(origin->pc);
        report(text.str());
    }
}

// A DMA engine is to store the body of the message at the head of the queue.
void SparcleCore::check_body(const MemoryRequest& request, hw::Cycles now) {
    if (!controller().interrupt_raised(now)) {
        return;  // the controller refuses it
    }
    const auto address = static_cast<std::uint32_t>(request.data);
    if (is_of_shared_memory(address)) {
        return;  // so it does there
    }
    const hw::Message& message = messages()[controller().head_message()];
    const auto bytes = static_cast<std::uint64_t>(message.body_bytes.count());
    check_for_program("DMA store of a body of " + std::to_string(bytes) + " bytes", address, bytes,
                      true);
    checks_.note_written(address, bytes);
}

void SparcleCore::check_for_program(const std::string& what, std::uint32_t address,
                                    std::uint64_t bytes, bool is_store) {
    if (is_of_shared_memory(address)) {
        report_shared(what + (is_store ? " to" : " from"), address,
                      "only its nodes' own loads and stores reach it");
    }
    const auto fault = is_store ? checks_.fault_of_store(what, address, bytes)
                                : checks_.fault_of_load(what, address);
    if (fault) {
        report(*fault);
    }
}

std::string SparcleCore::fault_begin() const {
    hw::TextWriter text;
    text << "node " << node_id() << ", cycle " << time_ << ": ";
    return text.str();
}

// "in function main (file.c:12)"; where no function is known, the address.
std::string SparcleCore::function_at(std::uint32_t address) const {
    std::string symbol = host_.symbol ? host_.symbol(address) : "";
    const std::size_t offset = symbol.find("+0x");
    if (offset == std::string::npos) {
        return place_of(address);
    }
    return "in function " + symbol.erase(offset, symbol.find(' ', offset) - offset);
}

std::vector<SparcleCore::Caller> SparcleCore::callers() {
    return host_.callers ? host_.callers(*this) : std::vector<Caller>();
}

// In lines; of a deep recursion the ends.
std::string SparcleCore::callers_text(const std::vector<Caller>& callers) const {
    constexpr std::size_t kFirst = 10;
    constexpr std::size_t kLast = 4;
    std::string text;
    for (std::size_t i = 0; i < callers.size(); ++i) {
        const std::size_t between = callers.size() - std::min(callers.size(), kFirst + kLast);
        if (i == kFirst && between > 1) {
            text += "\n  ... " + std::to_string(between) + " calls between ...";
            i += between;
        }
        text += (callers[i].is_interrupted ? "\n  interrupted " : "\n  called ") +
                place_of(callers[i].pc);
    }
    return text;
}

bool SparcleCore::read_memory(std::uint32_t address, std::span<std::uint8_t> bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(static_cast<unsigned>(bytes.size()));
    return is_of_memory(address) && !is_of_shared_memory(address) &&
           bus_socket->transport_dbg(payload) == bytes.size();
}

std::string SparcleCore::place_of(std::uint32_t address) const {
    hw::TextWriter text;
    text << "at 0x" << std::hex << std::setw(8) << std::setfill('0') << address;
    const std::string symbol = host_.symbol ? host_.symbol(address) : "";
    if (!symbol.empty()) {
        text << " (" << symbol << ")";
    }
    return text.str();
}

std::string SparcleCore::registers_text() const {
    hw::TextWriter text;
    text << std::hex << std::setfill('0');
    const auto show = [&text](const char* name, std::uint32_t value) {
        text << name << ' ' << std::setw(8) << value;
    };
    show("  pc", unit_.pc());
    show("  npc", unit_.npc());
    show("  psr", unit_.psr());
    show("  wim", unit_.wim());
    show("  tbr", unit_.tbr());
    show("  y", unit_.y());
    constexpr unsigned kGroup = 8;
    constexpr std::string_view kGroups = "goli";
    for (unsigned group = 0; group < kGroups.size(); ++group) {
        text << "\n  " << kGroups[group] << "0-7";
        for (unsigned i = 0; i < kGroup; ++i) {
            text << ' ' << std::setw(8) << unit_.reg(group * kGroup + i);
        }
    }
    return text.str();
}

}  // namespace weir::nodes::sparcle
