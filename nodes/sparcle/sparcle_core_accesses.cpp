#include <cstring>
#include <optional>
#include <string>

#include "hw/controller/controller_registers.h"
#include "hw/controller/host_registers.h"
#include "memory/coherence/address_map.h"
#include "nodes/sparcle/memory_words.h"
#include "nodes/sparcle/sparcle_core.h"
#include "nodes/sparcle/trap_type.h"

// Loads, stores and atomic accesses of single instructions.
namespace weir::nodes::sparcle {

namespace {

// Registers that a load writes, a bit each as in DecodedInstruction::reads.
std::uint64_t loaded_by(const MemoryRequest& load) {
    using Use = MemoryRequest::Use;
    const bool is_float = load.use == Use::kFloat || load.use == Use::kFloatDouble;
    const std::uint64_t registers =
        std::uint64_t{1} << load.rd | (load.bytes == 8 ? std::uint64_t{1} << (load.rd | 1U) : 0);
    return is_float ? registers << 32 : registers;
}
// Full/empty use of an access in this address space.
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

std::uint64_t to_store(const MemoryRequest& request) {
    return request.kind == MemoryRequest::Kind::kLoadStoreUnsignedByte ? 0xff : request.data;
}

bool stores_body(const MemoryRequest& request) {
    return request.is_store() &&
           (request.address == WEIR_STORE_BODY || request.address == WEIR_STORE_BODY_AND_INTERRUPT);
}

}  // namespace

hw::Cycles SparcleCore::hit_cycles(const MemoryRequest& request) const {
    if (request.is_atomic()) {
        return cycles_of(InstructionClass::kAtomic);
    }
    const hw::Cycles word = request.is_store() ? store_hit_ : load_hit_;
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
        refusal_ = "a prefetch needs an address in shared memory";
        trap(kTrapDataAccess);
        return;
    }
    if (fetch_operation(request.asi)) {
        refusal_ = "a fetch-and-op needs an address in shared memory";
        trap(kTrapDataAccess);
        return;
    }
    if (request.asi == SPARCLE_ASI_IO) {
        refusal_ = "LDIO and STIO access only registers of the message controller";
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
                                                request.bytes, !request.is_load(), time_);
    if (hit.bytes == nullptr) {
        phase_ = Phase::kAccess;
        return;
    }
    const std::uint64_t loaded = request.is_store() ? 0 : number_of(hit.bytes, request.bytes);
    if (!request.is_load()) {
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
        report_shared("access to", request.address, "shared memory has no registers");
    }
    if (!unit_.may_interrupt(SPARCLE_LEVEL_COHERENCE)) {
        report_shared(
            "access to", request.address,
            "the coherence trap is disabled here, and two homes could wait for each other's");
    }
    if (handled_ && !is_disposed_of_) {
        report_shared(
            "access to", request.address,
            "the line could come behind the message that is handled, which is in the input queue");
    }
    phase_ = Phase::kAccess;
}

// Sets the properties of the access that the coherence controller needs besides address and bytes.
void SparcleCore::tag_access(const MemoryRequest& request) {
    access_tag_.context = running_context();
    access_tag_.exchanges = request.is_atomic() && is_of_shared_memory(request.address);
    access_tag_.prefetches = is_prefetch(request);
    access_tag_.fetch = fetch_operation(request.asi);
    access_tag_.full_empty = full_empty_use(request.asi);
    access_tag_.only_loads = request.is_load() && access_tag_.full_empty.changes_bit();
}

// Returns the context of the running thread. Handlers and traps have the number after the last
// context.
std::int32_t SparcleCore::running_context() const {
    if (!is_thread()) {
        return contexts_;
    }
    return context_of_window(unit_.current_window(), contexts_);
}

void SparcleCore::access_by_bus(hw::Cycles now) {
    const MemoryRequest& request = unit_.request();
    const bool is_shared = is_of_shared_memory(request.address);
    if (has_shared_memory()) {
        tag_access(request);
    }
    const bool stores = request.is_store() || atomic_load_.has_value() ||
                        request.asi == SPARCLE_ASI_PREFETCH_TO_WRITE ||
                        (is_shared && (request.is_atomic() || access_tag_.only_loads));
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
            accessed();  // a hit ends at once: it concerns only its own line
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
    const bool loads = !request.is_store() && !is_prefetch(request);
    complete_access(loads ? number_of(access_bytes_.data(), request.bytes) : 0,
                    hit_cycles(request));
}

// Reports the full/empty state of the accessed word. The home changes the bits of shared memory;
// the core changes those of private memory.
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

// Ends an access in the cycle that the bus has answered.
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
        lingers_ = is_thread() && state() != thread_state(hw::CoreState::kCompute);
        return;
    }
    if (request.is_atomic() && !atomic_load_) {
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
    const hw::Cycles base = request.is_atomic() ? store_hit_ : hit_cycles(request);
    const hw::Cycles stall = taken - std::min(taken, base);
    instruction_.data_stall += stall;
    time_ = issued_ + stall;
    const std::uint64_t loaded = request.is_load() ? number_of(access_bytes_.data(), request.bytes)
                                                   : atomic_load_.value_or(0);
    complete_access(loaded, request.is_atomic() ? hit_cycles(request) : base);
}

void SparcleCore::complete_access(std::uint64_t loaded, hw::Cycles base) {
    const MemoryRequest& request = unit_.request();
    execution_.data_stall_cycles += instruction_.data_stall.count();
    if (request.is_load()) {
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

// Accesses to the registers of hw/controller/host_registers.h.

void SparcleCore::access_host(const MemoryRequest& request) {
    if (request.bytes != 4 || request.is_atomic()) {
        refusal_ = "a register is a word";
        trap(kTrapDataAccess);
        return;
    }
    if (request.is_store()) {
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
        case WEIR_HOST_STACK_BEGIN:
        case WEIR_HOST_STACK_BYTES:
            if (is_thread()) {
                ProgramLayout::Range& stack = checks_.stack(running_context());
                stack.begin = address == WEIR_HOST_STACK_BEGIN ? value : stack.begin;
                stack.end = stack.begin + (address == WEIR_HOST_STACK_BYTES ? value : 0);
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

}  // namespace weir::nodes::sparcle
