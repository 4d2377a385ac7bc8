#include "nodes/behavioural_core.h"

#include <algorithm>

#include "hw/barrier/barrier_registers.h"
#include "hw/controller/controller_registers.h"
#include "hw/text_streams.h"
#include "memory/coherence/address_map.h"

namespace weir::nodes {

namespace {

bool is_of_memory(const Processor::Operation& operation) {
    return operation.address < WEIR_CONTROLLER_BASE;
}

bool is_prefetch(const Processor::Operation& operation) {
    return operation.kind == Processor::Operation::Kind::kPrefetch ||
           operation.kind == Processor::Operation::Kind::kPrefetchToWrite;
}

// True for a load that empties its word: like a store it needs the only copy of the line.
bool only_loads(const Processor::Operation& operation) {
    return operation.kind == Processor::Operation::Kind::kLoad &&
           operation.full_empty.changes_bit();
}

bool is_read(const Processor::Operation& operation) {
    return (operation.kind == Processor::Operation::Kind::kLoad && !only_loads(operation)) ||
           operation.kind == Processor::Operation::Kind::kPrefetch;
}

bool is_of_shared_memory(const Processor::Operation& operation) {
    return is_of_memory(operation) && operation.address >= memory::kSharedBase;
}

}  // namespace

BehaviouralCore::BehaviouralCore(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                                 const Parameters& parameters, const Surroundings& surroundings)
    : Core(name, domain, parameters, surroundings),
      poll_period_(parameters.poll_period_cycles.value()),
      threads_(parameters.contexts.value()),
      thread_(threads_.data()),
      switch_cycles_(parameters.context_switch_cycles.value()),
      full_empty_trap_cycles_(parameters.full_empty_trap_cycles.value()),
      load_cycles_(surroundings.load_cycles),
      double_load_cycles_(surroundings.load_cycles + surroundings.double_cycles),
      interference_cycles_(parameters.cache_interference_cycles.value()) {
    std::int32_t number = 0;
    for (Context& thread : threads_) {
        thread.tag.context = number++;
        thread.payload.set_extension(&thread.tag);
        thread.begun = std::vector<EarlyLoad>(parameters.loads_in_flight.value());
    }
    for (Context* above : {&handler_, &trap_}) {
        above->tag.context = number++;
        above->payload.set_extension(&above->tag);
    }
}

void BehaviouralCore::load(NodeProgram& program, std::function<void()> thread_ended) {
    program_ = &program;
    thread_ended_ = std::move(thread_ended);
    has_traps_ = controller().raises_traps();
    if (program.thread_count() != static_cast<std::int32_t>(threads_.size())) {
        throw ProgramFault("node " + std::to_string(node().index()),
                           "the program has " + std::to_string(program.thread_count()) +
                               " threads for a core with " + std::to_string(threads_.size()) +
                               " contexts",
                           "a thread for each context");
    }
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        Context& thread = threads_[i];
        thread.task =
            i == 0 ? program.thread() : program.thread_of_context(static_cast<std::int32_t>(i));
        thread.program = thread.task.handle();
    }
    wake_at(hw::Cycles(0));
}

void BehaviouralCore::tick(hw::Cycles now) {
    if (has_halted()) [[unlikely]] {
        return;
    }
    try {
        if (handlers_beside()) {
            // The handler comes first: if it ends now, the thread sees its effects before the next
            // handler begins.
            do {
                run_above_thread(now);
                run_until_waiting(*thread_, now);
            } while (!in_handler_ && (take_trap(nullptr, now) || take_message(now)));
            return;
        }
        run_above_thread(now);
        if (!in_trap_ && !in_handler_) {
            run_until_waiting(*thread_, now);
        }
    } catch (...) {
        fail();
    }
}

void BehaviouralCore::run_above_thread(hw::Cycles now) {
    if (in_trap_) {
        run_until_waiting(trap_, now);
    }
    if (!in_trap_ && in_handler_) {
        run_until_waiting(handler_, now);
    }
}

// Runs a context until it has ended or waits for a later cycle, an answer or a message. A trap
// interrupts any context but a trap; a message interrupts the thread.
void BehaviouralCore::run_until_waiting(Context& context, hw::Cycles now) {
    const bool is_thread = is_a_thread(context);
    if (is_thread && now < switch_end_) {
        return;
    }
    for (;;) {
        settle(context, now);
        const bool may_trap = &context != &trap_ && !(is_thread && handlers_beside());
        if (may_trap && take_trap(&context, now)) {
            run_until_waiting(trap_, now);
            if (in_trap_) {
                return;
            }
            continue;
        }
        if (is_thread && !handlers_beside() && take_message(now)) {
            run_until_waiting(handler_, now);
            if (in_handler_) {
                return;
            }
            continue;
        }
        if (is_thread && refills_cache(context, now)) {
            return;
        }
        switch (context.phase) {
            case Phase::kInterrupted:
                if (is_thread) {
                    enter(state_of(*context.operation), now);
                }
                context.phase = Phase::kTimed;
                context.end = now + context.left;
                wake_at(context.end);
                return;
            case Phase::kRetry:
                access(context, now);
                if (context.phase == Phase::kTimed && context.end <= now) {
                    break;  // the access took no cycles
                }
                if (context.phase == Phase::kMissed) {
                    break;  // the word was in the wrong full/empty state
                }
                return;
            case Phase::kReady:
                resume(context, now);
                if (!is_thread && context.phase == Phase::kDone) {
                    return;
                }
                break;
            default:
                if (is_thread && switch_context(now)) {
                    return;
                }
                if (is_thread &&
                    (state() == hw::CoreState::kHandler || state() == hw::CoreState::kTrap ||
                     state() == hw::CoreState::kSwitch)) {
                    if (context.phase == Phase::kTrapping) {
                        return;
                    }
                    enter(context.phase == Phase::kDone       ? hw::CoreState::kDone
                          : context.phase == Phase::kWaitFlag ? state_of(*context.operation)
                                                              : hw::CoreState::kWait,
                          now);
                }
                return;
        }
    }
}

// True if a thread that could continue still refills its cache after handlers. Starts the refill.
bool BehaviouralCore::refills_cache(const Context& thread, hw::Cycles now) {
    const bool could_go_on = thread.phase == Phase::kReady || thread.phase == Phase::kInterrupted ||
                             thread.phase == Phase::kRetry;
    if (refill_ == hw::Cycles(0) || !could_go_on) {
        return false;
    }
    if (!refill_end_) {
        refill_end_ = now + refill_;
        enter(hw::CoreState::kCompute, now);
        domain().note_progress(*refill_end_);
        wake_at(*refill_end_);
    }
    if (now < *refill_end_) {
        return true;
    }
    refill_ = hw::Cycles(0);
    refill_end_.reset();
    return false;
}

// Returns the next context with an unfinished thread, other than the running context; null if no
// other thread is unfinished.
BehaviouralCore::Context* BehaviouralCore::next_in_turn() {
    const std::size_t running = thread_ - threads_.data();
    for (std::size_t i = 1; i < threads_.size(); ++i) {
        Context& next = threads_[(running + i) % threads_.size()];
        if (next.phase != Phase::kDone) {
            return &next;
        }
    }
    return nullptr;
}

// Switches from a running thread that waits or has ended to another context. Returns true if it has
// switched.
bool BehaviouralCore::switch_context(hw::Cycles now) {
    const bool has_missed = thread_->phase == Phase::kMissed;
    const bool waits_for_event =
        thread_->phase == Phase::kWaitFlag || thread_->phase == Phase::kWaitCycle;
    const bool waits = has_missed || (waits_for_event && !thread_->operation->asks);
    Context* next = waits || thread_->phase == Phase::kDone ? next_in_turn() : nullptr;
    if (next == nullptr && has_missed) {
        next = thread_;
    }
    if (has_missed) {
        thread_->phase = Phase::kRetry;
    }
    if (next == nullptr) {
        return false;
    }
    if (has_shared_memory() && next != thread_) {
        note_end_of_turn(thread_->steps, now);
        note_turn(next->steps, now);
    }
    thread_ = next;
    switch_end_ = now + switch_cycles_;
    polling_since_ = switch_end_;
    counters().context_switches += 1;
    enter(hw::CoreState::kSwitch, now);
    wake_at(switch_end_);
    return true;
}

// Completes the current operation if it has come to its end.
void BehaviouralCore::settle(Context& context, hw::Cycles now) {
    switch (context.phase) {
        case Phase::kTimed:
            if (context.end <= now) {
                context.phase = Phase::kReady;
            }
            break;
        case Phase::kWithdrawn:
        case Phase::kTrapping:
            if (context.end <= now) {
                context.phase = Phase::kRetry;
            }
            break;
        case Phase::kRefused:
            if (context.end <= now) {
                take_full_empty_trap(context, now);
            }
            break;
        case Phase::kWaitFlag:
            // The effects of a handler on a protocol processor are visible once the handler has
            // ended.
            if (*context.operation->flag && !in_handler_) {
                context.phase = Phase::kReady;
                note_step(context, now);
                context.is_known_ready = false;
            }
            break;
        case Phase::kWaitCycle:
            if (context.operation->cycles <= now) {
                context.phase = Phase::kReady;
                note_step(context, now);
                context.is_known_ready = false;
            }
            break;
        default:
            break;
    }
}

// Traps for an access that has found the wrong full/empty state. The core switches contexts if it
// has several; otherwise software repeats the access after the trap.
void BehaviouralCore::take_full_empty_trap(Context& context, hw::Cycles now) {
    counters().full_empty_traps += 1;
    note_step(context, now);  // the access has been answered, which is a step
    if (threads_.size() > 1 && is_a_thread(context)) {
        context.phase = Phase::kMissed;
        return;
    }
    context.phase = Phase::kTrapping;
    context.end = now + full_empty_trap_cycles_;
    if (is_a_thread(context)) {
        enter(hw::CoreState::kTrap, now);
    }
    wake_at(context.end);
}

// Begins the handler of a waiting message or DMA interrupt. Returns true if a handler has begun.
bool BehaviouralCore::take_message(hw::Cycles now) {
    if (in_trap_ || in_handler_) {
        return false;
    }
    const bool dma_ended = controller().dma_interrupt_raised(now);
    const bool is_saved = controller().saved_messages_raised(now);
    if (!dma_ended && !is_saved && !controller().interrupt_raised(now)) {
        return false;
    }
    if ((mode() == ReceiveMode::kInterrupt && !put_aside(*thread_, now)) ||
        (mode() == ReceiveMode::kPolling && !poll_is_due(now))) {
        return false;
    }
    note_end_of_step(*thread_);
    if (dma_ended) {
        enter_handler(now, {}, program_->dma_interrupt());
    } else {
        handled_ = is_saved ? controller().take_saved_message() : controller().head_message();
        hw::Message& message = messages()[*handled_];
        message.times.handler_begin = now;
        enter_handler(now, message.id, program_->interrupt());
    }
    return true;
}

// Suspends the context for an interrupt or trap. Returns true if the context can be interrupted in
// this cycle.
bool BehaviouralCore::put_aside(Context& context, hw::Cycles now) {
    if (is_a_thread(context) && refill_end_) {
        refill_ = *refill_end_ - now;
        refill_end_.reset();
    }
    if (context.phase == Phase::kTimed) {
        if (context.operation->kind != Operation::Kind::kCompute) {
            return false;  // the access ends first, and wakes this core when it does
        }
        context.left = context.end - now;
        context.phase = Phase::kInterrupted;
        note_step(context, now);
    } else if (context.phase == Phase::kUnanswered) {
        // The line of a private address comes from the node's own memory: the access ends first.
        if (is_of_memory(*context.operation) && !is_of_shared_memory(*context.operation)) {
            return false;
        }
        if (!context.withdrawing) {
            context.withdrawing = true;
            tlm::tlm_phase phase = hw::WITHDRAW_REQUEST;
            sc_core::sc_time delay;
            socket_of(context)->nb_transport_fw(context.payload, phase, delay);
        }
        return false;
    }
    return context.phase != Phase::kWithdrawn && context.phase != Phase::kTrapping &&
           context.phase != Phase::kRefused && context.phase != Phase::kLoading;
}

// True during the interrupted program's turn between two coherence traps (TrapTurns), which delays
// the next trap.
bool BehaviouralCore::is_in_turn(const Context* below, hw::Cycles now) const {
    return below != nullptr && trap_turns().is_running(now) &&
           (below->phase == Phase::kReady || below->phase == Phase::kTimed ||
            below->phase == Phase::kInterrupted || below->phase == Phase::kRetry);
}

// Begins a raised trap above the context `below` of the same processor (null: none). Returns true
// if the trap has begun.
bool BehaviouralCore::begin_trap(Context* below, hw::Cycles now) {
    const bool is_overflow = controller().overflow_raised(now);
    if (in_trap_ ||
        !(is_overflow || (controller().coherence_trap_raised(now) && !is_in_turn(below, now)))) {
        return false;
    }
    if (below != nullptr && !put_aside(*below, now)) {
        return false;
    }
    if (below != nullptr) {
        note_end_of_step(*below);
    }
    in_trap_ = true;
    is_coherence_trap_ = !is_overflow;
    if (is_coherence_trap_) {
        trap_turns().trap_begins(now);
    }
    (is_overflow ? counters().overflow_traps : counters().coherence_traps) += 1;
    if (!handlers_beside()) {
        enter(hw::CoreState::kTrap, now);
    }
    trap_.task = is_overflow ? program_->overflow_trap() : program_->coherence_trap();
    trap_.program = trap_.task.handle();
    trap_.phase = Phase::kReady;
    return true;
}

void BehaviouralCore::leave_trap(hw::Cycles now) {
    in_trap_ = false;
    if (const hw::Cycles turn_end = is_coherence_trap_ ? trap_turns().trap_ends(now) : now;
        turn_end > now) {
        wake_at(turn_end);
    }
    if (in_handler_ && !handlers_beside()) {
        enter(hw::CoreState::kHandler, now, handled_ ? messages()[*handled_].id : hw::MessageId{});
    }
}

// True if the waiting thread polls for a message in this cycle.
bool BehaviouralCore::poll_is_due(hw::Cycles now) {
    if (thread_->phase != Phase::kWaitFlag && thread_->phase != Phase::kWaitCycle &&
        thread_->phase != Phase::kDone) {
        return false;
    }
    const std::int64_t since_last = (now - polling_since_).count() % poll_period_.count();
    if (since_last != 0) {
        wake_at(now + poll_period_ - hw::Cycles(since_last));
        return false;
    }
    return true;
}

void BehaviouralCore::enter_handler(hw::Cycles now, hw::MessageId message, Task handler) {
    in_handler_ = true;
    controller().trace_context().in_handler = !handlers_beside();
    controller().trace_context().handled = message;
    if (!handlers_beside()) {
        enter(hw::CoreState::kHandler, now, message);
    }
    counters().interrupts += 1;
    handler_.task = std::move(handler);
    handler_.program = handler_.task.handle();
    handler_.phase = Phase::kReady;
}

void BehaviouralCore::leave_handler(hw::Cycles now) {
    if (handled_) {
        messages()[*handled_].times.handler_end = now;
        if (!controller().handler_ended(*handled_, now)) {
            throw ProgramFault(fault_begin() +
                               "the interrupt ended without disposing of its message");
        }
        handled_.reset();
        if (mode() == ReceiveMode::kInterrupt) {
            refill_ += interference_cycles_;
        }
    }
    in_handler_ = false;
    controller().trace_context().in_handler = false;
    controller().trace_context().compose[1] = hw::kNever;
    polling_since_ = now;
    domain().note_progress(now);
}

void BehaviouralCore::resume(Context& context, hw::Cycles now) {
    context.operation = nullptr;
    resumed_ = &context;
    context.program.resume();
    resumed_ = nullptr;
    if (context.task.done()) {
        if (context.task.has_thrown()) [[unlikely]] {
            rethrow_from(context.task);
        }
        context.phase = Phase::kDone;
        if (&context == &trap_) {
            leave_trap(now);
        } else if (&context == &handler_) {
            leave_handler(now);
        } else {
            polling_since_ = now;
            if (thread_done()) {
                enter(hw::CoreState::kDone, now);
                thread_ended_();
            }
        }
        return;
    }
    start(context, now);
}

void BehaviouralCore::rethrow_from(const Task& program) const {
    try {
        program.rethrow_fault();
    } catch (...) {
        rethrow_from_program(fault_begin() + "its program");
    }
}

void BehaviouralCore::refuse_in_handler(const Context& context, const char* what) const {
    refuse_call(*this, context.operation->call, std::string(what) + " in a handler", "in a thread");
}

void BehaviouralCore::begin(Operation& operation, std::coroutine_handle<> program) {
    resumed_->operation = &operation;
    resumed_->program = program;
}

void BehaviouralCore::start(Context& context, hw::Cycles now) {
    const Operation& operation = *context.operation;
    if (is_a_thread(context)) {
        enter(state_of(operation), now);
    }
    if (operation.asks) {
        context.asked_about = operation.address;
    } else if (operation.kind != Operation::Kind::kLoad) {
        context.asked_about = kNothing;
    }
    switch (operation.kind) {
        case Operation::Kind::kCompute:
            compute(context, now);
            break;
        case Operation::Kind::kLoad:
        case Operation::Kind::kStore:
        case Operation::Kind::kExchange:
        case Operation::Kind::kFetch:
        case Operation::Kind::kPrefetch:
        case Operation::Kind::kPrefetchToWrite:
            access(context, now);
            break;
        case Operation::Kind::kBeginLoad:
            begin_load(context, now);
            break;
        case Operation::Kind::kLoaded:
            ask_for_loaded(context, now);
            break;
        case Operation::Kind::kWaitFlag:
            require_thread(context, "a wait for a flag");
            context.phase = Phase::kWaitFlag;
            polling_since_ = now;
            note_step(context, now);
            break;
        case Operation::Kind::kWaitCycle:
            context.phase = Phase::kWaitCycle;
            polling_since_ = now;
            note_step(context, now);
            if (operation.cycles > now) {
                wake_at(operation.cycles);
            }
            if (operation.cycles > now && !operation.asks) {
                domain().note_progress(operation.cycles);
            }
            break;
    }
}

void BehaviouralCore::compute(Context& context, hw::Cycles now) {
    const Operation& operation = *context.operation;
    context.phase = Phase::kTimed;
    // A sum beyond 64 bits wraps to a cycle before now, like a negative number of cycles.
    context.end = hw::Cycles(
        static_cast<hw::Cycles::Count>(static_cast<std::uint64_t>(now.count()) +
                                       static_cast<std::uint64_t>(operation.cycles.count())));
    if (operation.asks) {
        context.end = std::max(context.end, context.asks_from);
        context.asks_from = context.end + hw::Cycles(1);
    }
    if (context.end > now) {
        wake_at(context.end);
    } else if (operation.cycles != hw::Cycles(0)) [[unlikely]] {
        refuse_call(*this, operation.call,
                    "computing for " + std::to_string(operation.cycles.count()) + " cycles",
                    "0 cycles or more, up to the largest cycle of 64 bits");
    }
    if (!operation.asks && &context != &trap_) {
        domain().note_progress(context.end);
    }
}

void BehaviouralCore::access(Context& context, hw::Cycles now) {
    Operation& operation = *context.operation;
    tlm::tlm_generic_payload& payload = context.payload;
    payload.set_command(is_read(operation) ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    const bool fetches = operation.kind == Operation::Kind::kFetch;
    context.tag.exchanges = fetches || operation.kind == Operation::Kind::kExchange;
    context.tag.fetch = fetches ? std::optional(operation.fetch) : std::nullopt;
    context.tag.prefetches = is_prefetch(operation);
    context.tag.only_loads = only_loads(operation);
    context.tag.full_empty = operation.full_empty;
    payload.set_address(operation.address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&operation.data));
    payload.set_data_length(operation.bytes);
    payload.set_streaming_width(operation.bytes);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    context.withdrawing = false;
    if (&context == &handler_ && has_shared_memory() && is_of_shared_memory(operation)) {
        report_handlers_access(operation);
    }
    if ((is_prefetch(operation) || fetches) &&
        !(has_shared_memory() && is_of_shared_memory(operation))) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        check_response(payload, operation.call);
    }
    if (operation.full_empty.is_used && !(has_shared_memory() && is_of_shared_memory(operation))) {
        report_without_bit(operation);
    }
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    const bool is_thread = is_a_thread(context);
    if (is_thread) {
        enter(state_of(operation), now);
    }
    if (socket_of(context)->nb_transport_fw(payload, phase, delay) == tlm::TLM_COMPLETED) {
        check_response(payload, operation.call);
        context.phase = phase_when_answered(context);
        context.end = now + domain().to_cycles(delay);
        if (context.end > now) {
            wake_at(context.end);
        } else if (context.phase == Phase::kRefused) {
            take_full_empty_trap(context, now);
        }
    } else {
        if (context.phase != Phase::kRetry) {
            note_step(context, now);
        }
        context.phase = Phase::kUnanswered;
        context.issued = now;
        if (trap_turns().is_running(now) && controller().coherence_trap_raised(now)) {
            wake_at(now + hw::Cycles(1));  // the program's turn may end early, since it waits
        }
    }
}

// Returns the early load at the operation's place, or null for an invalid place.
BehaviouralCore::EarlyLoad* BehaviouralCore::begun_at(Context& context) {
    const auto place = static_cast<std::uint32_t>(context.operation->place);
    return place < context.begun.size() ? &context.begun[place] : nullptr;
}

void BehaviouralCore::begin_load(Context& context, hw::Cycles now) {
    const Operation& operation = *context.operation;
    require_thread(context, "an early load");
    EarlyLoad* const place = begun_at(context);
    if (place == nullptr || place->is_begun) {
        refuse_call(*this, operation.call,
                    "begin_load() at place " + std::to_string(operation.place) +
                        (place != nullptr ? ", whose last value has not been asked for" : ""),
                    "places 0 to " + std::to_string(context.begun.size() - 1) +
                        " (core.loads_in_flight), each again after its loaded()");
    }
    EarlyLoad& load = *place;
    tlm::tlm_generic_payload& payload = load.payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(operation.address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&load.data));
    payload.set_data_length(operation.bytes);
    payload.set_streaming_width(operation.bytes);
    if (!is_of_memory(operation) || is_of_shared_memory(operation)) {
        refuse_call(*this, operation.call, "begin_load() outside the node's own memory",
                    "addresses below " + std::to_string(bytes_of_memory().count()));
    }
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    load.data = 0;
    load.end = hw::kNever;
    load.is_begun = true;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    if (bus_socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_COMPLETED) {
        check_response(payload, operation.call);
        load.end = now + domain().to_cycles(delay);
    }
    context.phase = Phase::kTimed;
    context.end = now + (operation.bytes == 8 ? double_load_cycles_ : load_cycles_);
    if (context.end > now) {
        wake_at(context.end);
    }
}

void BehaviouralCore::ask_for_loaded(Context& context, hw::Cycles now) {
    EarlyLoad* const place = begun_at(context);
    if (place == nullptr || !place->is_begun) {
        refuse_call(*this, context.operation->call,
                    "loaded() of place " + std::to_string(context.operation->place) +
                        ", where no load was begun",
                    "the place of a load that was begun");
    }
    place->is_begun = false;
    take_loaded(context, now);
}

void BehaviouralCore::take_loaded(Context& context, hw::Cycles now) {
    const EarlyLoad& load = *begun_at(context);
    if (load.end == hw::kNever) {
        context.phase = Phase::kLoading;
        return;
    }
    context.operation->data = load.data;
    context.phase = Phase::kTimed;
    context.end = std::max(now, load.end);
    if (context.end > now) {
        wake_at(context.end);
    }
}

// Completes the early load that uses this payload. Returns false if there is none.
bool BehaviouralCore::begun_load_answered(const tlm::tlm_generic_payload& payload, hw::Cycles end) {
    for (Context& thread : threads_) {
        for (EarlyLoad& load : thread.begun) {
            if (&load.payload != &payload) {
                continue;
            }
            load.end = end;
            const bool is_waited_for =
                thread.phase == Phase::kLoading && &load == &thread.begun[thread.operation->place];
            if (is_waited_for) {
                take_loaded(thread, domain().now());
            }
            return true;
        }
    }
    return false;
}

void BehaviouralCore::answered(tlm::tlm_generic_payload& payload, hw::Cycles delay) {
    const hw::Cycles now = domain().now();
    if (begun_load_answered(payload, now + delay)) {
        return;
    }
    Context& context = &payload == &handler_.payload ? handler_
                       : &payload == &trap_.payload  ? trap_
                                                     : *thread_;
    context.end = now + delay;
    const bool done = payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE;
    context.phase = done                  ? phase_when_answered(context)
                    : context.withdrawing ? Phase::kWithdrawn
                                          : Phase::kMissed;
    if (!done) {
        trap_turns().give_up();
    }
    if (is_a_thread(context) && is_of_shared_memory(*context.operation)) {
        note_memory_wait(now);
        if (done) {
            enter(state_of(*context.operation), now);
        }
    }
    if (context.phase == Phase::kWithdrawn && !is_of_memory(*context.operation)) {
        note_step(context, context.end);  // the access waited for room in a queue or for a DMA
                                          // engine
    }
    if (is_a_thread(context) && !is_of_memory(*context.operation)) {
        // With two ports in use the controller answers a cycle later; this cycle is no waiting
        // time.
        const bool at_first_look =
            controller().answers_a_cycle_later() && now == context.issued + hw::Cycles(1);
        note_blocked(at_first_look ? context.issued : now);
        if (done && !at_first_look) {
            enter(state_of(*context.operation), now);
        }
    }
    wake_at(context.end);
}

// Phase after an access that was performed, or refused by the word's full/empty bit.
BehaviouralCore::Phase BehaviouralCore::phase_when_answered(Context& context) {
    context.operation->full_empty.was_full = context.tag.full_empty.was_full;
    if (context.tag.full_empty.is_refused()) {
        return Phase::kRefused;
    }
    if (is_a_thread(context) && context.operation->kind == Operation::Kind::kStore &&
        is_of_memory(*context.operation)) {
        domain().note_progress(domain().now());
    }
    return Phase::kTimed;
}

// Accounts the time of the thread's access up to `until` as waiting for the controller.
void BehaviouralCore::note_blocked(hw::Cycles until) {
    const hw::CoreState waits_as = state_of(*thread_->operation);
    const bool for_controller = waits_as != hw::CoreState::kDma && waits_as != hw::CoreState::kWait;
    if (until > thread_->issued && for_controller) {
        enter(hw::CoreState::kBlocked, thread_->issued);
    }
}

// Accounts the time of the thread's access up to `until` as waiting for shared memory.
void BehaviouralCore::note_memory_wait(hw::Cycles until) {
    if (until > thread_->issued) {
        enter(hw::CoreState::kMemoryWait, thread_->issued);
    }
}

std::string BehaviouralCore::fault_begin() const {
    hw::TextWriter text;
    text << "node " << node() << ", cycle " << domain().now() << ": ";
    return text.str();
}

void BehaviouralCore::report_response(const tlm::tlm_generic_payload& payload,
                                      const CallPlace& call) const {
    throw ProgramFault(fault_begin() + refusal_of(payload) + text_of(call));
}

// Refuses a handler's access to shared memory, which could wait for ever.
void BehaviouralCore::report_handlers_access(const Operation& operation) const {
    hw::TextWriter text;
    text << fault_begin() << "access to address 0x" << std::hex << operation.address
         << " in shared memory (its line could come behind the message that is handled, which is "
            "in the input queue)"
         << text_of(operation.call);
    throw ProgramFault(text.str());
}

void BehaviouralCore::report_without_bit(const Operation& operation) const {
    hw::TextWriter text;
    text << fault_begin() << "access by a full/empty bit to address 0x" << std::hex
         << operation.address
         << (has_shared_memory() ? " (only words of shared memory have such a bit)"
                                 : " (the nodes of this machine share no memory)")
         << text_of(operation.call);
    throw ProgramFault(text.str());
}

hw::CoreState BehaviouralCore::state_of(const Operation& operation) const {
    if (WEIR_IS_BARRIER_REGISTER(operation.address)) {
        return hw::CoreState::kWait;
    }
    // Loaded before a send, and again until the output queue has room.
    if (operation.address == WEIR_OUTPUT_ROOM) {
        const bool has_asked = operation.asks || thread_->asked_about == WEIR_OUTPUT_ROOM;
        return has_asked ? hw::CoreState::kBlocked : hw::CoreState::kSend;
    }
    switch (operation.kind) {
        case Operation::Kind::kWaitFlag:
            return operation.address == WEIR_SEND_DMA_IDLE ? hw::CoreState::kDma
                                                           : hw::CoreState::kWait;
        case Operation::Kind::kWaitCycle:
            return hw::CoreState::kWait;
        case Operation::Kind::kStore:
            return operation.address >= WEIR_CONTROLLER_BASE ? hw::CoreState::kSend
                                                             : hw::CoreState::kCompute;
        case Operation::Kind::kLoad:
            return operation.address == WEIR_SEND_DMA_IDLE ||
                           operation.address == WEIR_RECEIVE_DMA_IDLE
                       ? hw::CoreState::kDma
                       : hw::CoreState::kCompute;
        default:
            return hw::CoreState::kCompute;
    }
}

void BehaviouralCore::end_of_run(hw::Cycles now) {
    if (thread_->phase == Phase::kUnanswered && !is_of_memory(*thread_->operation)) {
        note_blocked(now);
    } else if (thread_->phase == Phase::kUnanswered && is_of_shared_memory(*thread_->operation)) {
        note_memory_wait(now);
    }
    leave_state(now);
}

void BehaviouralCore::trace_code_begin() {
    messages()[*handled_].times.code_begin = domain().now();
}
void BehaviouralCore::trace_code_end() { messages()[*handled_].times.code_end = domain().now(); }
void BehaviouralCore::trace_restored_words(std::int32_t words) {
    messages()[*handled_].restored_words = words;
}
void BehaviouralCore::trace_mark(std::string_view mark, std::int64_t value) {
    if (trace_sink() != nullptr) {
        trace_sink()->mark(node(), mark, domain().now(), value);
    }
}

void BehaviouralCore::report_waits(hw::WaitReport& report) const {
    for (const Context& thread : threads_) {
        if (thread.asked_about != kNothing && !WEIR_IS_BARRIER_REGISTER(thread.asked_about)) {
            report.push_back({name(), controller().part_behind(thread.asked_about),
                              "its thread asks again and again whether the operation has ended"});
        }
        if (thread.operation != nullptr && thread.tag.full_empty.is_refused()) {
            hw::TextWriter word;
            word << "the word at 0x" << std::hex << thread.operation->address;
            const bool needs_full = thread.tag.full_empty.needs == hw::FullEmptyUse::Needs::kFull;
            report.push_back(
                {name(), word.str(),
                 std::string("its thread needs it ") +
                     (needs_full ? "full, and finds it empty" : "empty, and finds it full")});
        }
        if (thread.phase == Phase::kWaitFlag && !thread.operation->asks &&
            (!in_handler_ || handlers_beside())) {
            report.push_back(
                {name(), "a message", "its thread waits for a message that has not come"});
        }
    }
}

// True if a thread that waits for no line could run if it had the core.
bool BehaviouralCore::could_run(Context& context, hw::Cycles now) {
    switch (context.phase) {
        case Phase::kReady:
        case Phase::kInterrupted:
        case Phase::kRetry:
        case Phase::kWithdrawn:
            return true;
        case Phase::kWaitFlag:
        case Phase::kWaitCycle: {
            const bool is_ready = context.phase == Phase::kWaitFlag
                                      ? *context.operation->flag
                                      : context.operation->cycles <= now;
            if (is_ready && !context.is_known_ready) {
                note_step(context, now);
            }
            context.is_known_ready = is_ready;
            return is_ready;
        }
        default:
            return false;
    }
}

std::vector<Core::Stall> BehaviouralCore::stalls(hw::Cycles now) {
    std::vector<Stall> stalls;
    const Context* last = nullptr;  // thread with the latest step
    bool has_ready_thread = false;
    bool is_at_work = false;
    for (Context& thread : threads_) {
        if (thread.phase == Phase::kDone) {
            continue;
        }
        note_end_of_step(thread);
        if (thread.phase == Phase::kTimed || thread.phase == Phase::kLoading) {
            is_at_work = true;
            continue;
        }
        const bool is_access = thread.phase == Phase::kUnanswered ||
                               thread.phase == Phase::kWithdrawn || thread.phase == Phase::kRetry ||
                               thread.phase == Phase::kMissed;
        if (is_access && is_of_shared_memory(*thread.operation)) {
            stalls.push_back(stall_of(thread.steps, now));
            stalls.back().context = thread.tag.context;
            stalls.back().address = thread.operation->address;
            stalls.back().is_store = !is_read(*thread.operation);
        } else if (could_run(thread, now)) {
            has_ready_thread = true;
        }
        if (last == nullptr || thread.steps.last > last->steps.last) {
            last = &thread;
        }
    }
    if (has_ready_thread && !is_at_work) {
        stalls.push_back(stall_of(last->steps, now));
    }
    return stalls;
}

}  // namespace weir::nodes
