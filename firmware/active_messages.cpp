#include "firmware/active_messages.h"

#include <algorithm>

#include "firmware/kernel.h"
#include "hw/text_streams.h"

namespace weir::firmware {

namespace {

constexpr std::uint32_t kShortMessage = 0;
constexpr std::uint32_t kMessageWithBody = 1;

// Empty call place for the layer's own accesses. A fault of such an access stems from an earlier
// line of the program, so its report names no line.
constexpr nodes::CallPlace kLayer;

// Each poll looks for a message and for the end of the sending engine's work. A load that blocks
// the core until that end would receive nothing, and nodes that send to each other would deadlock.
nodes::Processor::Awaiter poll_until_body_sent(nodes::Processor& processor, const bool& sent,
                                               const nodes::CallPlace& call) {
    return {processor,
            {.kind = nodes::Processor::Operation::Kind::kWaitFlag,
             .address = WEIR_SEND_DMA_IDLE,
             .asks = true,
             .flag = &sent,
             .call = call}};
}

std::uint32_t descriptor_word(std::uint32_t index) {
    return WEIR_OUTPUT_DESCRIPTOR + index * WEIR_WORD_BYTES;
}

}  // namespace

ActiveMessages::Parameters::Parameters()
    : ParameterGroup("firmware", "The active-message layer on every node") {}
ActiveMessages::Parameters::~Parameters() = default;

void ActiveMessages::refuse_message(hw::NodeId destination, HandlerAddress handler,
                                    const nodes::CallPlace& call) const {
    if (destination.index() < 0 || destination.index() >= node_count_) {
        nodes::refuse_call(processor_, call,
                           "a message to node " + std::to_string(destination.index()),
                           "nodes 0 to " + std::to_string(node_count_ - 1));
    }
    nodes::refuse_call(processor_, call, "a message to handler " + std::to_string(handler),
                       "what add_handler() has returned: " +
                           (handlers_.empty() ? "nothing so far"
                                              : "0 to " + std::to_string(handlers_.size() - 1)));
}

// Refuses a message for a handler that this node lacks: the sender has added more handlers.
void ActiveMessages::refuse_dispatch(HandlerAddress handler) const {
    nodes::refuse_call(processor_, {},
                       "a message to handler " + std::to_string(handler) + ", where there are " +
                           std::to_string(handlers_.size()),
                       "the same handlers at every node, added in the same order");
}

void ActiveMessages::refuse_argument(std::int32_t index, const nodes::CallPlace& call) const {
    nodes::refuse_call(processor_, call,
                       "argument " + std::to_string(index) +
                           (handled_ == Handled::kNone ? ", asked for while no handler runs" : ""),
                       "in a handler, 0 to " + std::to_string(kMostArguments - 1));
}

nodes::Task ActiveMessages::compose(hw::NodeId destination, HandlerAddress handler,
                                    const Arguments& arguments, std::uint32_t operation) {
    const auto words = static_cast<std::uint32_t>(2 + arguments.count());
    co_await processor_.store(descriptor_word(0),
                              WEIR_HEADER(operation, words, destination.index()), kLayer);
    co_await processor_.store(descriptor_word(1), handler, kLayer);
    for (std::int32_t i = 0; i < arguments.count(); ++i) {
        co_await processor_.store(descriptor_word(2 + static_cast<std::uint32_t>(i)), arguments[i],
                                  kLayer);
    }
}

// Returns when the output queue has room. No other launch fills the queue before the thread's own:
// handlers run only while the thread waits.
nodes::Task ActiveMessages::wait_for_room(std::uint32_t operands) {
    const bool is_thread = handled_ == Handled::kNone;
    while (polls_to_send_ && is_thread) {
        const std::uint32_t room = co_await processor_.load(WEIR_OUTPUT_ROOM);
        if (room >= operands * WEIR_WORD_BYTES) {
            break;
        }
        // The wait polls for a message at its beginning; its one cycle lets time pass in the loop.
        co_await processor_.wait_to_ask_again(processor_.now() + hw::Cycles(1), WEIR_OUTPUT_ROOM);
    }
}

nodes::Task ActiveMessages::send(hw::NodeId destination, HandlerAddress handler,
                                 Arguments arguments, nodes::CallPlace call) {
    check_message(destination, handler, call);
    co_await wait_for_room(static_cast<std::uint32_t>(2 + arguments.count()));
    co_await compose(destination, handler, arguments, kShortMessage);
    co_await processor_.store(WEIR_LAUNCH, static_cast<std::uint32_t>(2 + arguments.count()), call);
}

nodes::Task ActiveMessages::send_body(hw::NodeId destination, HandlerAddress handler,
                                      Arguments arguments, Body body, nodes::CallPlace call) {
    std::vector<Body> bodies(1, body);
    co_await send_bodies(destination, handler, arguments, std::move(bodies), call);
}

nodes::Task ActiveMessages::send_bodies(hw::NodeId destination, HandlerAddress handler,
                                        Arguments arguments, std::vector<Body> bodies,
                                        nodes::CallPlace call) {
    check_message(destination, handler, call);
    const std::size_t all_words = 2 + arguments.count() + 2 * bodies.size();
    if (bodies.empty() || all_words > WEIR_DESCRIPTOR_WORDS) {
        nodes::refuse_call(processor_, call,
                           "a message with " + std::to_string(arguments.count()) +
                               " arguments and a body of " + std::to_string(bodies.size()) +
                               " blocks of memory",
                           "at least one block, and arguments plus twice the blocks at most " +
                               std::to_string(kMostArguments));
    }
    co_await wait_for_room(static_cast<std::uint32_t>(2 + arguments.count()));
    co_await compose(destination, handler, arguments, kMessageWithBody);
    const auto operands = static_cast<std::uint32_t>(2 + arguments.count());
    std::uint32_t words = operands;
    for (const Body& body : bodies) {
        co_await processor_.store(descriptor_word(words++), body.address);
        co_await processor_.store(descriptor_word(words++), body.bytes);
    }
    body_sent_ = false;
    const bool polls = polls_to_send_ && handled_ == Handled::kNone;
    const bool engine_reports =
        body_send_ == Completion::kInterrupt || (body_send_ == Completion::kBlocking && polls);
    co_await processor_.store(WEIR_LAUNCH, WEIR_LAUNCH_VALUE(operands, words, engine_reports),
                              call);
    if (body_send_ == Completion::kBlocking && polls) {
        co_await poll_until_body_sent(processor_, body_sent_, call);
    } else if (body_send_ == Completion::kBlocking) {
        co_await processor_.load(WEIR_SEND_DMA_IDLE);
        body_sent_ = true;
    }
    if (body_send_ == Completion::kInterrupt && body_sent_) {
        // A sending engine has interrupted while the launch waited, at the end of this body or of
        // the previous one: the status distinguishes them.
        body_sent_ = false;
        const std::uint32_t status = co_await processor_.load(WEIR_DMA_STATUS);
        body_sent_ = body_sent_ || (status & WEIR_DMA_SENDING) == 0;
    }
}

nodes::Task ActiveMessages::wait_body_sent(nodes::CallPlace call) {
    if (body_send_ == Completion::kInterrupt) {
        co_await processor_.wait_for(body_sent_, call);
    }
    while (!body_sent_) {
        const std::uint32_t status = co_await processor_.load(WEIR_DMA_STATUS);
        if ((status & WEIR_DMA_SENDING) != 0 && polls_to_send_) {
            co_await processor_.wait_to_ask_again(
                processor_.now() + std::max(status_loop_cycles_, hw::Cycles(1)),
                WEIR_SEND_DMA_IDLE);
            continue;
        }
        co_await processor_.compute_to_ask_again(status_loop_cycles_, WEIR_SEND_DMA_IDLE);
        body_sent_ = (status & WEIR_DMA_SENDING) == 0;
    }
}

nodes::Task ActiveMessages::receive_body(std::uint32_t address, bool& stored,
                                         nodes::CallPlace call) {
    if (handled_ == Handled::kNone) {
        nodes::refuse_call(processor_, call, "receive_body() while no handler runs",
                           "in the handler of a message with a body");
    }
    note_stored();  // the previous body is stored: its message has left the queue
    co_await processor_.load(window_, call);
    if (handled_ == Handled::kSaved) {
        co_await copy_body(saved_.front(), address, call);
        stored = true;
        co_return;
    }
    body_is_taken_ = true;
    if (body_receive_ == Completion::kInterrupt) {
        co_await processor_.store(WEIR_STORE_BODY_AND_INTERRUPT, address, call);
    } else {
        co_await processor_.store(WEIR_STORE_BODY, address, call);
    }
    // being_stored_ is set after the engine has begun: a thread beside a protocol processor may
    // read the engine's status at any time.
    being_stored_ = &stored;
    ++bodies_received_;
    if (body_receive_ == Completion::kBlocking) {
        co_await processor_.load(WEIR_RECEIVE_DMA_IDLE);
        note_stored();
    }
}

nodes::Task ActiveMessages::wait_stored(const bool& stored, nodes::CallPlace call) {
    if (body_receive_ != Completion::kStatus) {
        co_await processor_.wait_for(stored, call);
        co_return;
    }
    const bool polls = processor_.receive_mode() == nodes::ReceiveMode::kPolling;
    while (!stored) {
        if (polls && being_stored_ == nullptr) {
            // The message with this body is still in the input queue: poll for it, as any waiting
            // thread does.
            co_await processor_.wait_until(processor_.now() + hw::Cycles(1), call);
            continue;
        }
        const std::int64_t asked_about = bodies_received_;
        const std::uint32_t status = co_await processor_.load(WEIR_DMA_STATUS);
        co_await processor_.compute_to_ask_again(status_loop_cycles_, WEIR_RECEIVE_DMA_IDLE);
        // Since the load of the status, a handler may have started the engine for another body.
        if ((status & WEIR_DMA_RECEIVING) == 0 && bodies_received_ == asked_about) {
            note_stored();
        }
    }
}

void ActiveMessages::note_stored() {
    if (being_stored_ != nullptr) {
        *being_stored_ = true;
        being_stored_ = nullptr;
    }
}

nodes::Task ActiveMessages::dma_interrupt() {
    const bool polls = processor_.receive_mode() == nodes::ReceiveMode::kPolling;
    co_await processor_.compute(polls ? poll_entry_cycles_ : entry_cycles_);
    const std::uint32_t status = co_await processor_.load(WEIR_DMA_STATUS);
    const bool one_was_sent = (status & WEIR_DMA_SENT) != 0;
    const bool another_is_sent = one_was_sent && (status & WEIR_DMA_SENDING) != 0;
    body_sent_ = body_sent_ || (one_was_sent && !another_is_sent);
    co_await processor_.store(WEIR_DMA_STATUS, status & WEIR_DMA_ENDED);
    if (another_is_sent) {
        // The end of the body still being sent interrupts too, unless it came before the store
        // above, which has acknowledged it.
        const std::uint32_t status_since = co_await processor_.load(WEIR_DMA_STATUS);
        body_sent_ = body_sent_ || (status_since & WEIR_DMA_SENDING) == 0;
    }
    co_await processor_.compute(dispatch_cycles_);
    if ((status & WEIR_DMA_RECEIVED) != 0) {
        note_stored();
    }
    co_await processor_.compute(polls ? poll_exit_cycles_ : exit_cycles_);
}

nodes::Task ActiveMessages::take_interrupt() {
    begin_message();
    co_await processor_.compute(entry_cycles_, kLayer);
    const std::uint32_t composed = co_await processor_.load(WEIR_COMPOSED_WORDS, kLayer);
    ComposedWords saved{};
    if (composed > 0) {
        co_await processor_.compute(save_cycles_);
        co_await save_composed(composed, saved);
    }
    co_await dispatch();
    if (composed > 0) {
        co_await restore_composed(composed, saved);
    }
    processor_.trace_restored_words(static_cast<std::int32_t>(composed));
    co_await processor_.compute(exit_cycles_, kLayer);
}

nodes::Task ActiveMessages::save_composed(std::uint32_t count, ComposedWords& words) {
    std::uint32_t i = 0;
    for (; saves_double_words_ && i + 1 < count; i += 2) {
        const std::uint64_t two = co_await processor_.load_two_words(descriptor_word(i));
        words[i] = static_cast<std::uint32_t>(two);
        words[i + 1] = static_cast<std::uint32_t>(two >> 32);
        co_await processor_.compute(save_word_cycles_ * 2);
    }
    for (; i < count; ++i) {
        words[i] = co_await processor_.load(descriptor_word(i));
        co_await processor_.compute(save_word_cycles_);
    }
}

// Stores back exactly `count` words: the number of composed words is part of the restored state.
nodes::Task ActiveMessages::restore_composed(std::uint32_t count, const ComposedWords& words) {
    std::uint32_t i = 0;
    for (; saves_double_words_ && i + 1 < count; i += 2) {
        const std::uint64_t two = std::uint64_t{words[i + 1]} << 32 | words[i];
        co_await processor_.store_two_words(descriptor_word(i), two);
    }
    for (; i < count; ++i) {
        co_await processor_.store(descriptor_word(i), words[i]);
    }
}

// A thread polls only between its messages, so no composed words have to be saved.
nodes::Task ActiveMessages::take_polled() {
    begin_message();
    co_await processor_.load(WEIR_MESSAGE_WAITING);
    co_await processor_.compute(poll_entry_cycles_);
    co_await dispatch();
    co_await processor_.compute(poll_exit_cycles_);
}

nodes::Task ActiveMessages::dispatch() {
    const HandlerAddress handler = co_await processor_.load(window_ + WEIR_WORD_BYTES, kLayer);
    co_await processor_.compute(dispatch_cycles_, kLayer);
    processor_.trace_code_begin();
    if (handler >= handlers_.size()) [[unlikely]] {
        refuse_dispatch(handler);
    }
    co_await handlers_[handler]();
    processor_.trace_code_end();
    co_await end_message();
}

void ActiveMessages::begin_message() {
    handled_ = saved_.empty() ? Handled::kHead : Handled::kSaved;
    window_ = saved_.empty() ? WEIR_INPUT_WINDOW : saved_.front().address;
    body_is_taken_ = false;
}

// Marks the message as handled before the store. An overflow trap during the store then saves only
// messages that still need handling.
nodes::Task ActiveMessages::end_message() {
    const bool was_saved = handled_ == Handled::kSaved;
    handled_ = Handled::kNone;
    window_ = WEIR_INPUT_WINDOW;
    if (was_saved) {
        saved_.pop_front();
        co_await processor_.store(WEIR_SAVED_MESSAGES, saved_to_handle());
    } else {
        co_await processor_.store(WEIR_DISPOSE, 0, kLayer);
    }
}

nodes::Task ActiveMessages::overflow_trap(Limitless& directories) {
    co_await processor_.compute(overflow_entry_cycles_);
    if (processor_.shares_memory()) {
        co_await directories.hold_packets();
    }
    for (;;) {  // not `while (co_await ...)`, which g++ 12 miscompiles here
        const std::uint32_t is_waiting = co_await processor_.load(WEIR_MESSAGE_WAITING);
        bool took = false;
        if (is_waiting != 0) {
            co_await save_head();
        } else if (processor_.shares_memory()) {
            co_await directories.take_packet(took);
        }
        if (is_waiting == 0 && !took) {
            break;
        }
    }
    if (processor_.shares_memory()) {
        co_await directories.packets_taken();
    }
    co_await processor_.store(WEIR_SAVED_MESSAGES, saved_to_handle());
    co_await processor_.compute(overflow_exit_cycles_);
}

nodes::Task ActiveMessages::save_head() {
    const std::uint32_t header = co_await processor_.load(WEIR_INPUT_WINDOW);
    const bool has_body = WEIR_HEADER_OPERATION(header) == kMessageWithBody;
    const bool is_handled = handled_ == Handled::kHead;
    const bool saves_body = has_body && !(is_handled && body_is_taken_);
    Saved saved;
    if (saves_body) {
        saved.body_bytes = co_await processor_.load(WEIR_BODY_BYTES);
    }
    const std::uint32_t words = WEIR_HEADER_WORDS(header);
    const std::uint32_t word_bytes = (words * WEIR_WORD_BYTES + WEIR_DMA_ALIGNMENT - 1) /
                                     WEIR_DMA_ALIGNMENT * WEIR_DMA_ALIGNMENT;
    saved.address = place_in_overflow_buffer(word_bytes + saved.body_bytes);
    saved.body_address = saved.address + word_bytes;
    saved.end = saved.body_address + saved.body_bytes;
    co_await processor_.store(saved.address, header);
    for (std::uint32_t offset = WEIR_WORD_BYTES; offset < words * WEIR_WORD_BYTES;
         offset += WEIR_WORD_BYTES) {
        const std::uint32_t word = co_await processor_.load(WEIR_INPUT_WINDOW + offset);
        co_await processor_.store(saved.address + offset, word);
    }
    if (saves_body) {
        co_await processor_.store(WEIR_STORE_BODY, saved.body_address);
    }
    if (has_body) {
        co_await processor_.load(WEIR_RECEIVE_DMA_IDLE);
    }
    saved_.push_back(saved);
    if (is_handled) {  // the interrupted handler's message is the oldest in the overflow buffer
        handled_ = Handled::kSaved;
        window_ = saved.address;
    }
    co_await processor_.store(WEIR_DISPOSE, 0);
}

nodes::Task ActiveMessages::copy_body(Saved from, std::uint32_t to_address, nodes::CallPlace call) {
    if (from.body_bytes == 0) {
        nodes::refuse_call(processor_, call, "receive_body() of a message without a body",
                           "in the handler of a message with a body");
    }
    for (std::uint32_t offset = 0; offset < from.body_bytes; offset += WEIR_DMA_ALIGNMENT) {
        const double double_word = co_await processor_.load_real(from.body_address + offset);
        co_await processor_.store_real(to_address + offset, double_word, call);
    }
}

// Address of a free block in the ring buffer: after the newest message, or at the buffer's
// beginning, before the oldest one.
std::uint32_t ActiveMessages::place_in_overflow_buffer(std::uint32_t bytes) const {
    const std::int64_t end =
        processor_.memory_bytes().count() / WEIR_DMA_ALIGNMENT * WEIR_DMA_ALIGNMENT;
    const std::int64_t capacity =
        overflow_buffer_bytes_.count() / WEIR_DMA_ALIGNMENT * WEIR_DMA_ALIGNMENT;
    const std::int64_t begin = end - capacity;
    const std::int64_t oldest = saved_.empty() ? begin : saved_.front().address;
    const std::int64_t behind = saved_.empty() ? begin : saved_.back().end;
    const bool is_wrapped = !saved_.empty() && behind <= oldest;
    if (behind + bytes <= (is_wrapped ? oldest : end)) {
        return static_cast<std::uint32_t>(behind);
    }
    if (!is_wrapped && begin + bytes <= oldest) {
        return static_cast<std::uint32_t>(begin);
    }
    hw::TextWriter place;
    place << "node " << processor_.node() << ", cycle " << processor_.now();
    throw InputFault(place.str(),
                     "an overflow trap finds no room for a message of " + std::to_string(bytes) +
                         " bytes beside the " + std::to_string(saved_.size()) +
                         " in the overflow buffer",
                     "a firmware.overflow_buffer_bytes of more than " + std::to_string(capacity));
}

}  // namespace weir::firmware
