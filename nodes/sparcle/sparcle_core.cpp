#include "nodes/sparcle/sparcle_core.h"

#include <algorithm>
#include <utility>

#include "hw/barrier/barrier_registers.h"
#include "hw/controller/controller_registers.h"
#include "hw/controller/host_registers.h"
#include "hw/controller/output_descriptor.h"
#include "nodes/sparcle/disassembly.h"
#include "nodes/sparcle/memory_words.h"
#include "nodes/sparcle/trap_type.h"

namespace weir::nodes::sparcle {

namespace {

bool is_waited_for_quietly(std::uint32_t address) {
    return address == WEIR_SEND_DMA_IDLE || address == WEIR_RECEIVE_DMA_IDLE ||
           WEIR_IS_BARRIER_REGISTER(address);
}

hw::CoreState state_at_controller(const MemoryRequest& request) {
    if (WEIR_IS_BARRIER_REGISTER(request.address)) {
        return hw::CoreState::kWait;
    }
    if (request.is_store()) {
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
      checks_(timing, static_cast<std::int32_t>(parameters.contexts.value())),
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
      runs_ahead_(timing.run_ahead.value()),
      threads_(SPARCLE_WINDOWS / SPARCLE_WINDOWS_PER_CONTEXT) {
    instruction_socket.register_nb_transport_bw(this, &SparcleCore::instruction_answered);
    class_cycles_.fill(timing.integer_cycles.value());
    const auto set = [this](InstructionClass of, const hw::Parameter<hw::Cycles>& cycles) {
        class_cycles_[of] = cycles.value();
    };
    for (const bool is_double : {false, true}) {
        const hw::Cycles more = is_double ? double_ : hw::Cycles(0);
        class_cycles_[is_double ? InstructionClass::kLoadDouble : InstructionClass::kLoad] =
            load_hit_ + more;
        class_cycles_[is_double ? InstructionClass::kStoreDouble : InstructionClass::kStore] =
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
        if (trap_turns().is_running(now) && !is_in_turn(now) &&
            controller().coherence_trap_raised(now)) {
            wake_at(next);  // the program's turn may end early, since it waits
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

// True during the interrupted program's turn between two coherence traps (TrapTurns), which delays
// the next trap.
bool SparcleCore::is_in_turn(hw::Cycles now) const {
    return trap_turns().is_running(now) && phase_ != Phase::kAccessing && phase_ != Phase::kAlarm &&
           phase_ != Phase::kIdle;
}

std::uint8_t SparcleCore::raised_level(hw::Cycles now) const {
    if (controller().overflow_raised(now)) {
        return SPARCLE_LEVEL_OVERFLOW;
    }
    if (has_shared_memory() && controller().coherence_trap_raised(now) && !is_in_turn(now)) {
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
            execute_settled(now);
            if (is_ahead_) {
                wake_at(time_);
                return false;
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
                gave_up_ =
                    is_of_shared_memory(unit_.request().address) ? GivenUp::kLine : GivenUp::kWait;
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
                gave_up_ = GivenUp::kWait;
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
            wait_for_answer();
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

// A private line arrives independently of the interrupt, so such an access continues. An answer of
// the controller, or a line from another node, may depend on the interrupt's handler.
void SparcleCore::wait_for_answer() {
    if (withdrawing_ || level_ == 0 || !unit_.may_interrupt(level_) ||
        (is_of_memory(unit_.request().address) && !is_of_shared_memory(unit_.request().address))) {
        return;
    }
    withdrawing_ = true;
    tlm::tlm_phase phase = hw::WITHDRAW_REQUEST;
    sc_core::sc_time delay;
    bus_socket->nb_transport_fw(access_payload_, phase, delay);
}
// Execution of single instructions.

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
            report_shared("jump to", instruction_.pc,
                          "instructions are not fetched from shared memory");
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

// The word executes a cycle later than a hit would after the line's arrival: the first cycle of a
// load is its own issue.
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
    if (!is_done) {
        trap_turns().give_up();
    }
    time_ = std::max(next, now + delay);
    const MemoryRequest& request = unit_.request();
    if (is_thread() && !is_of_memory(request.address) && !is_waited_for_quietly(request.address)) {
        enter(hw::CoreState::kBlocked, issued_);
        if (is_done) {
            enter(thread_state(state_at_controller(request)), now);
        }
    }
    if (is_thread() && is_of_shared_memory(request.address)) {
        enter(thread_state(hw::CoreState::kMemoryWait), issued_);
        if (is_done) {
            enter(thread_state(hw::CoreState::kCompute), now);
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

// Handles a fetch from a pc outside memory. The fetch of an annulled word cannot trap (V8),
// whatever the word.
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
            if (is_note(word) && !instruction_.is_annulled) [[unlikely]] {
                note_wait(word == SPARCLE_NOTE(SPARCLE_WAIT_BEGINS));
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
        const bool was_thread = is_thread();
        note_return_from_trap();
        if (has_shared_memory() && is_thread() && (!was_thread || contexts_ > 1)) {
            if (was_thread) {
                note_turn_passed_on();
            }
            note_thread_resumed();
        }
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
    if (has_shared_memory() && is_thread()) {
        note_thread_left(given_up_ == hw::Cycles(0) ? GivenUp::kNothing : gave_up_,
                         instruction_.begin);
    }
    given_up_ = hw::Cycles(0);
    lingers_ = false;
    if (level_ == SPARCLE_LEVEL_OVERFLOW || level_ == SPARCLE_LEVEL_COHERENCE) {
        upper_depth_ = trap_depth_ + 1;
        upper_is_coherence_ = level_ == SPARCLE_LEVEL_COHERENCE;
        if (upper_is_coherence_) {
            trap_turns().trap_begins(now);
        }
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
    if (has_shared_memory() && is_thread() && (waits || contexts_ > 1)) {
        // A refused full/empty access has its answer, so it does not wait for a line.
        note_thread_left(type == SPARCLE_TRAP_REMOTE_WAIT  ? GivenUp::kLine
                         : type == SPARCLE_TRAP_FULL_EMPTY ? GivenUp::kWait
                                                           : GivenUp::kNothing,
                         instruction_.begin);
    }
    instruction_.trap_entry = waits ? remote_wait_trap_ : trap_;
    if (host_.has_handler && !host_.has_handler(type)) {
        report_trap(type, unit_.pc(), ", for which the program has no handler");
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
        // With one context, the software waits in a loop for a word of shared memory
        // (full_empty_trap.S).
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
// Records for the trace.

void SparcleCore::enter_thread(hw::Cycles now) {
    if (is_thread()) {
        enter(exit_status_ ? hw::CoreState::kDone : thread_state(hw::CoreState::kCompute), now);
    }
}

// State to record for the running thread: computing and waiting for memory are synchronization
// while the thread waits for another thread.
hw::CoreState SparcleCore::thread_state(hw::CoreState state) const {
    const bool is_part_of_wait =
        state == hw::CoreState::kCompute || state == hw::CoreState::kMemoryWait;
    return is_part_of_wait && threads_[running_context()].synchronizes ? hw::CoreState::kSynchronize
                                                                       : state;
}

void SparcleCore::note_wait(bool begins) {
    if (is_thread()) {
        threads_[running_context()].synchronizes = begins;
        enter_thread(time_);
    }
}

void SparcleCore::note_issue_to_controller(const MemoryRequest& request, hw::Cycles now) {
    const bool takes_message = request.is_load() && upper_depth_ == 0 &&
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
        enter(thread_state(state_at_controller(request)), now);
    }
}

void SparcleCore::note_end_at_controller(const MemoryRequest& request) {
    const bool disposes = request.is_store() && (request.address == WEIR_DISPOSE ||
                                                 request.address == WEIR_SAVED_MESSAGES);
    if (!disposes || upper_depth_ != 0) {
        return;
    }
    const bool had_been_saved = !handled_ && handler_depth_ == 0 &&
                                request.address == WEIR_SAVED_MESSAGES &&
                                controller().has_saved_messages();
    if (had_been_saved) {
        // A polling program has handled a saved message from memory; only this store shows that.
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
    // result unused: the message was already disposed of
    static_cast<void>(controller().handler_ended(*handled_, time_));
    handled_.reset();
    watched_pc_ = kNowhere;
    controller().trace_context().handled = {};
    handler_limit_ = hw::kNever;
}

// The core is at the first instruction of the handler's body, or at the return address.
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

// Ends the run if the handler's body has taken too long.
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
        // The first return of a new context leaves no trap.
        if (std::exchange(upper_is_coherence_, false)) {
            // The core may run ahead of the clock, but not past a trap that may follow.
            wake_at(std::max(trap_turns().trap_ends(time_), domain().now() + hw::Cycles(1)));
        }
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
        enter(thread_state(hw::CoreState::kMemoryWait), issued_);
    }
    leave_state(now);
}

void SparcleCore::report_waits(hw::WaitReport& report) const {
    if (exit_status_ || phase_ == Phase::kAccessing) {
        return;  // the part that answers the access reports it
    }
    if (phase_ == Phase::kIdle) {
        report.push_back(
            {name(), "a message", "its program loads from WEIR_HOST_IDLE " + place_of(unit_.pc())});
        return;
    }
    // In an annulled branch to itself, the annulled instruction is next in every other cycle.
    constexpr std::uint32_t kInstruction = 4;
    const bool is_behind = unit_.next_is_annulled() && unit_.npc() + kInstruction == unit_.pc();
    const std::uint32_t pc = is_behind ? unit_.npc() : unit_.pc();
    report.push_back({name(), "its program's end", "the program still runs, " + place_of(pc)});
}

// Notes that the running thread leaves the core to a handler, a trap or another context.
void SparcleCore::note_thread_left(GivenUp given_up, hw::Cycles issued) {
    Thread& thread = threads_[running_context()];
    const bool has_stepped = execution_.instructions.value() != instructions_before_;
    if (has_stepped || given_up == GivenUp::kWait) {
        note_step(thread.steps, given_up == GivenUp::kLine ? issued : time_);
        thread.access.reset();
    }
    if (given_up == GivenUp::kLine) {
        thread.access = unit_.request();
    }
    if (contexts_ > 1) {
        note_end_of_turn(thread.steps, time_);
    }
}

// Notes that a context whose thread has ended passes its turn on without a trap: it has no pending
// accesses.
void SparcleCore::note_turn_passed_on() {
    Thread& thread = threads_[turn_of_];
    note_step(thread.steps, time_);
    thread.access.reset();
    note_end_of_turn(thread.steps, time_);
}

void SparcleCore::note_thread_resumed() {
    instructions_before_ = execution_.instructions.value();
    turn_of_ = running_context();
    if (contexts_ > 1) {
        note_turn(threads_[running_context()].steps, time_);
    }
}

bool SparcleCore::waits_for_line() const {
    const bool is_access = phase_ == Phase::kAccess || phase_ == Phase::kAccessing ||
                           phase_ == Phase::kWithdrawn || phase_ == Phase::kMissed;
    return is_access && is_of_shared_memory(unit_.request().address);
}

std::vector<Core::Stall> SparcleCore::stalls(hw::Cycles now) {
    if (exit_status_ || phase_ == Phase::kOff || phase_ == Phase::kFault) {
        return {};
    }
    const bool has_turn = is_thread();
    const std::int32_t running = has_turn ? running_context() : contexts_;
    const bool has_stepped = execution_.instructions.value() != instructions_before_;
    const bool stands = phase_ == Phase::kIssue || phase_ == Phase::kFetch ||
                        phase_ == Phase::kFetching || phase_ == Phase::kFetched;
    std::vector<Stall> stalls;
    std::optional<StepClock> last;  // clock of the thread with the latest step
    bool is_at_work = false;
    bool has_ready_thread = false;
    for (std::int32_t i = 0; i < contexts_; ++i) {
        Thread thread = threads_[i];
        if (i == running && waits_for_line()) {
            thread.access = unit_.request();
            if (has_stepped) {
                note_step(thread.steps, instruction_.begin);
            }
        } else if (i == running && (has_stepped || !stands)) {
            is_at_work = true;
            continue;
        }
        if (thread.access) {
            stalls.push_back(stall_of(thread.steps, now));
            stalls.back().context = i;
            stalls.back().address = thread.access->address;
            stalls.back().is_store = !thread.access->is_load();
        } else {
            has_ready_thread = true;
        }
        if (!last || thread.steps.last > last->last) {
            last = thread.steps;
        }
    }
    if (has_ready_thread && !is_at_work) {
        stalls.push_back(stall_of(*last, now));
    }
    if (contexts_ == 1 && has_turn) {
        for (Stall& stall : stalls) {
            stall.pc = unit_.pc();
        }
    }
    return stalls;
}

void SparcleCore::add_statistics(std::vector<hw::PartStatistics>& statistics) const {
    Core::add_statistics(statistics);
    statistics.push_back({name() + std::string(".execution"), &execution_});
}

}  // namespace weir::nodes::sparcle
