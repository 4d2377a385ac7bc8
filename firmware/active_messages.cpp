#include "firmware/active_messages.h"

namespace weir::firmware {

namespace {

constexpr std::uint32_t kShortMessage = 0;
constexpr std::uint32_t kMessageWithBody = 1;

std::uint32_t descriptor_word(std::uint32_t index) {
    return WEIR_OUTPUT_DESCRIPTOR + index * WEIR_WORD_BYTES;
}

}  // namespace

nodes::Task ActiveMessages::compose(hw::NodeId destination, HandlerAddress handler,
                                    const Arguments& arguments, std::uint32_t operation) {
    const auto words = static_cast<std::uint32_t>(2 + arguments.count());
    co_await processor_.store(descriptor_word(0),
                              WEIR_HEADER(operation, words, destination.index()));
    co_await processor_.store(descriptor_word(1), handler);
    for (std::int32_t i = 0; i < arguments.count(); ++i) {
        co_await processor_.store(descriptor_word(2 + static_cast<std::uint32_t>(i)), arguments[i]);
    }
}

nodes::Task ActiveMessages::send(hw::NodeId destination, HandlerAddress handler,
                                 Arguments arguments) {
    co_await compose(destination, handler, arguments, kShortMessage);
    co_await processor_.store(WEIR_LAUNCH, static_cast<std::uint32_t>(2 + arguments.count()));
}

nodes::Task ActiveMessages::send_body(hw::NodeId destination, HandlerAddress handler,
                                      Arguments arguments, Body body) {
    std::vector<Body> bodies(1, body);
    co_await send_bodies(destination, handler, arguments, std::move(bodies));
}

nodes::Task ActiveMessages::send_bodies(hw::NodeId destination, HandlerAddress handler,
                                        Arguments arguments, std::vector<Body> bodies) {
    co_await compose(destination, handler, arguments, kMessageWithBody);
    const auto operands = static_cast<std::uint32_t>(2 + arguments.count());
    std::uint32_t words = operands;
    for (const Body& body : bodies) {
        co_await processor_.store(descriptor_word(words++), body.address);
        co_await processor_.store(descriptor_word(words++), body.bytes);
    }
    body_sent_ = false;
    co_await processor_.store(
        WEIR_LAUNCH, WEIR_LAUNCH_VALUE(operands, words, body_send_ == Completion::kInterrupt));
    if (body_send_ == Completion::kBlocking) {
        co_await processor_.load(WEIR_SEND_DMA_IDLE);
        body_sent_ = true;
    }
}

nodes::Task ActiveMessages::wait_body_sent() {
    if (body_send_ == Completion::kInterrupt) {
        co_await processor_.wait_for(body_sent_);
    }
    while (!body_sent_) {
        const std::uint32_t status = co_await processor_.load(WEIR_DMA_STATUS);
        co_await processor_.compute(status_loop_cycles_);
        body_sent_ = (status & WEIR_DMA_SENDING) == 0;
    }
}

nodes::Task ActiveMessages::receive_body(std::uint32_t address, bool& stored) {
    note_stored();  // the body before this one: its message has left the queue
    co_await processor_.load(WEIR_INPUT_WINDOW);
    being_stored_ = &stored;
    ++bodies_received_;
    if (body_receive_ == Completion::kInterrupt) {
        co_await processor_.store(WEIR_STORE_BODY_AND_INTERRUPT, address);
    } else {
        co_await processor_.store(WEIR_STORE_BODY, address);
    }
    if (body_receive_ == Completion::kBlocking) {
        co_await processor_.load(WEIR_RECEIVE_DMA_IDLE);
        note_stored();
    }
}

nodes::Task ActiveMessages::wait_stored(const bool& stored) {
    if (body_receive_ != Completion::kStatus) {
        co_await processor_.wait_for(stored);
        co_return;
    }
    while (!stored) {
        const std::int64_t asked_about = bodies_received_;
        const std::uint32_t status = co_await processor_.load(WEIR_DMA_STATUS);
        co_await processor_.compute(status_loop_cycles_);
        // A handler may have started the engine on another body since.
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
    co_await processor_.compute(dispatch_cycles_);
    co_await processor_.store(WEIR_DMA_STATUS, status & WEIR_DMA_ENDED);
    body_sent_ = body_sent_ || (status & WEIR_DMA_SENT) != 0;
    if ((status & WEIR_DMA_RECEIVED) != 0) {
        note_stored();
    }
    co_await processor_.compute(polls ? poll_exit_cycles_ : exit_cycles_);
}

nodes::Task ActiveMessages::take_interrupt() {
    co_await processor_.compute(entry_cycles_);
    const std::uint32_t composed = co_await processor_.load(WEIR_COMPOSED_WORDS);
    std::array<std::uint32_t, WEIR_DESCRIPTOR_WORDS> saved{};
    for (std::uint32_t i = 0; i < composed; ++i) {
        saved[i] = co_await processor_.load(descriptor_word(i));
    }
    co_await dispatch();
    for (std::uint32_t i = 0; i < composed; ++i) {
        co_await processor_.store(descriptor_word(i), saved[i]);
    }
    processor_.trace_restored_words(static_cast<std::int32_t>(composed));
    co_await processor_.compute(exit_cycles_);
}

// The thread polls only between its own messages, so it has composed nothing.
nodes::Task ActiveMessages::take_polled() {
    co_await processor_.load(WEIR_MESSAGE_WAITING);
    co_await processor_.compute(poll_entry_cycles_);
    co_await dispatch();
    co_await processor_.compute(poll_exit_cycles_);
}

nodes::Task ActiveMessages::dispatch() {
    const HandlerAddress handler = co_await processor_.load(WEIR_INPUT_WINDOW + WEIR_WORD_BYTES);
    co_await processor_.compute(dispatch_cycles_);
    processor_.trace_body_begin();
    co_await handlers_.at(handler)();
    processor_.trace_body_end();
    co_await processor_.store(WEIR_DISPOSE, 0);
}

}  // namespace weir::firmware
