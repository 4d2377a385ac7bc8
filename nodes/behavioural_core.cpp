#include "nodes/behavioural_core.h"

#include <array>
#include <sstream>

#include "hw/controller_registers.h"

namespace weir::nodes {

BehaviouralCore::BehaviouralCore(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                                 hw::NodeId node, std::int32_t node_count,
                                 hw::MessageController& controller, hw::MessagePool& messages,
                                 hw::TraceSink* trace)
    : sc_module(name),
      ClockedPart(domain),
      node_(node),
      node_count_(node_count),
      controller_(controller),
      messages_(messages),
      trace_(trace) {
    bus_socket.register_nb_transport_bw(this, &BehaviouralCore::nb_transport_bw);
    controller_.interrupt_line().set_core(*this);
}

void BehaviouralCore::load(NodeProgram& program, std::function<void()> thread_ended) {
    program_ = &program;
    thread_ended_ = std::move(thread_ended);
    thread_.task = program.thread();
    thread_.program = thread_.task.handle();
    wake_at(hw::Cycles(0));
}

void BehaviouralCore::tick(hw::Cycles now) {
    try {
        for (;;) {
            settle(running(), now);
            if (!in_handler_ && take_interrupt(now)) {
                continue;
            }
            Context& context = running();
            if (context.phase == Phase::kInterrupted) {
                enter(state_of(*context.operation), now);
                context.phase = Phase::kTimed;
                context.end = now + context.left;
                wake_at(context.end);
                return;
            }
            if (context.phase == Phase::kRetry) {
                access(context, now);
                return;
            }
            if (context.phase != Phase::kReady) {
                if (!in_handler_ && state_ == hw::CoreState::kHandler) {
                    enter(
                        context.phase == Phase::kDone ? hw::CoreState::kDone : hw::CoreState::kWait,
                        now);
                }
                return;
            }
            resume(context, now);
        }
    } catch (...) {
        fault_ = std::current_exception();
        domain().stop();
    }
}

// Whether the operation under way has come to its end.
void BehaviouralCore::settle(Context& context, hw::Cycles now) {
    switch (context.phase) {
        case Phase::kTimed:
            if (context.end <= now) {
                context.phase = Phase::kReady;
            }
            break;
        case Phase::kWaitFlag:
            if (*context.operation->flag) {
                context.phase = Phase::kReady;
            }
            break;
        case Phase::kWaitCycle:
            if (context.operation->cycles <= now) {
                context.phase = Phase::kReady;
            }
            break;
        default:
            break;
    }
}

bool BehaviouralCore::take_interrupt(hw::Cycles now) {
    if (!controller_.interrupt_line().raised(now)) {
        return false;
    }
    if (thread_.phase == Phase::kTimed) {
        if (thread_.operation->kind != Operation::Kind::kCompute) {
            return false;  // the access ends first, and wakes this core when it does
        }
        thread_.left = thread_.end - now;
        thread_.phase = Phase::kInterrupted;
    } else if (thread_.phase == Phase::kUnanswered) {
        if (!thread_.withdrawing) {
            thread_.withdrawing = true;
            tlm::tlm_phase phase = hw::WITHDRAW_REQUEST;
            sc_core::sc_time delay;
            bus_socket->nb_transport_fw(thread_.payload, phase, delay);
        }
        return false;
    }
    handled_ = controller_.head_message();
    hw::Message& message = messages_[handled_];
    message.times.handler_begin = now;
    in_handler_ = true;
    controller_.trace_context().in_handler = true;
    controller_.trace_context().handled = message.id;
    enter(hw::CoreState::kHandler, now, message.id);
    statistics_.interrupts += 1;
    handler_.task = program_->interrupt();
    handler_.program = handler_.task.handle();
    handler_.phase = Phase::kReady;
    return true;
}

void BehaviouralCore::leave_handler(hw::Cycles now) {
    hw::Message& message = messages_[handled_];
    message.times.handler_end = now;
    if (message.times.dispose == hw::kNever) {
        std::ostringstream text;
        text << "node " << node_ << ", cycle " << now
             << ": the interrupt ended without disposing of its message";
        throw ProgramFault(text.str());
    }
    if (trace_ != nullptr) {
        trace_->message(message);
    }
    messages_.release(handled_);
    in_handler_ = false;
    controller_.trace_context().in_handler = false;
    controller_.trace_context().compose[1] = hw::kNever;
    domain().note_progress(now);
}

void BehaviouralCore::resume(Context& context, hw::Cycles now) {
    context.operation = nullptr;
    context.program.resume();
    if (context.task.done()) {
        context.task.rethrow_fault();
        context.phase = Phase::kDone;
        if (in_handler_) {
            leave_handler(now);
        } else {
            enter(hw::CoreState::kDone, now);
            thread_ended_();
        }
        return;
    }
    start(context, now);
}

void BehaviouralCore::begin(Operation& operation, std::coroutine_handle<> program) {
    Context& context = running();
    context.operation = &operation;
    context.program = program;
}

void BehaviouralCore::start(Context& context, hw::Cycles now) {
    const Operation& operation = *context.operation;
    if (!in_handler_) {
        enter(state_of(operation), now);
    }
    switch (operation.kind) {
        case Operation::Kind::kCompute:
            context.phase = Phase::kTimed;
            context.end = now + operation.cycles;
            wake_at(context.end);
            domain().note_progress(context.end);
            break;
        case Operation::Kind::kLoad:
        case Operation::Kind::kStore:
            access(context, now);
            break;
        case Operation::Kind::kWaitFlag:
            context.phase = Phase::kWaitFlag;
            break;
        case Operation::Kind::kWaitCycle:
            context.phase = Phase::kWaitCycle;
            if (operation.cycles > now) {
                wake_at(operation.cycles);
                domain().note_progress(operation.cycles);
            }
            break;
    }
}

void BehaviouralCore::access(Context& context, hw::Cycles now) {
    Operation& operation = *context.operation;
    tlm::tlm_generic_payload& payload = context.payload;
    payload.set_command(operation.kind == Operation::Kind::kStore ? tlm::TLM_WRITE_COMMAND
                                                                  : tlm::TLM_READ_COMMAND);
    payload.set_address(operation.address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&operation.data));
    payload.set_data_length(operation.bytes);
    payload.set_streaming_width(operation.bytes);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    context.withdrawing = false;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    if (!in_handler_) {
        enter(state_of(operation), now);
    }
    if (bus_socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_COMPLETED) {
        check_response(context);
        context.phase = Phase::kTimed;
        context.end = now + domain().to_cycles(delay);
        wake_at(context.end);
    } else {
        context.phase = Phase::kUnanswered;
        if (!in_handler_) {
            enter(hw::CoreState::kBlocked, now);
        }
    }
}

tlm::tlm_sync_enum BehaviouralCore::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                    [[maybe_unused]] tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
    sc_assert(phase == tlm::BEGIN_RESP);
    const hw::Cycles now = domain().now();
    Context& context = &payload == &handler_.payload ? handler_ : thread_;
    const hw::Cycles end = now + domain().to_cycles(delay);
    if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
        context.phase = Phase::kRetry;
    } else {
        context.phase = Phase::kTimed;
        context.end = end;
        if (!in_handler_) {
            enter(state_of(*context.operation), now);
        }
    }
    wake_at(end);
    return tlm::TLM_COMPLETED;
}

void BehaviouralCore::check_response(const Context& context) const {
    if (!context.payload.is_response_error()) {
        return;
    }
    const Operation& operation = *context.operation;
    std::ostringstream text;
    text << "node " << node_ << ", cycle " << domain().now() << ": "
         << (operation.kind == Operation::Kind::kStore ? "a store to" : "a load from")
         << " address 0x" << std::hex << operation.address << " is answered with "
         << context.payload.get_response_string();
    throw ProgramFault(text.str());
}

hw::CoreState BehaviouralCore::state_of(const Operation& operation) const {
    switch (operation.kind) {
        case Operation::Kind::kWaitFlag:
        case Operation::Kind::kWaitCycle:
            return hw::CoreState::kWait;
        case Operation::Kind::kStore:
            return operation.address >= WEIR_CONTROLLER_BASE ? hw::CoreState::kSend
                                                             : hw::CoreState::kCompute;
        default:
            return hw::CoreState::kCompute;
    }
}

void BehaviouralCore::enter(hw::CoreState state, hw::Cycles now, hw::MessageId message) {
    if (state == state_ && message == state_message_) {
        return;
    }
    if (now > state_since_) {
        const std::array<hw::Counter*, 6> counters{
            &statistics_.compute_cycles, &statistics_.send_cycles,    &statistics_.blocked_cycles,
            &statistics_.wait_cycles,    &statistics_.handler_cycles, &statistics_.done_cycles};
        *counters[static_cast<std::size_t>(state_)] += (now - state_since_).count();
        if (trace_ != nullptr) {
            trace_->core_interval(node_, state_, state_since_, now, state_message_);
        }
    }
    state_ = state;
    state_since_ = now;
    state_message_ = message;
}

void BehaviouralCore::end_of_run(hw::Cycles now) {
    const hw::CoreState last = state_;
    enter(last == hw::CoreState::kDone ? hw::CoreState::kWait : hw::CoreState::kDone, now);
}

void BehaviouralCore::trace_body_begin() { messages_[handled_].times.body_begin = domain().now(); }
void BehaviouralCore::trace_body_end() { messages_[handled_].times.body_end = domain().now(); }
void BehaviouralCore::trace_restored_words(std::int32_t words) {
    messages_[handled_].restored_words = words;
}
void BehaviouralCore::trace_mark(std::string_view mark, std::int64_t value) {
    if (trace_ != nullptr) {
        trace_->mark(node_, mark, domain().now(), value);
    }
}

void BehaviouralCore::report_waits(hw::WaitReport& report) const {
    if (!in_handler_ && thread_.phase == Phase::kWaitFlag) {
        report.push_back({name(), "a message", "its thread waits for one that has not come"});
    }
}

}  // namespace weir::nodes
