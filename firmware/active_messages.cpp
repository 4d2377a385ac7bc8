#include "firmware/active_messages.h"

namespace weir::firmware {

namespace {

constexpr std::uint32_t kShortMessage = 0;

std::uint32_t descriptor_word(std::uint32_t index) {
    return WEIR_OUTPUT_DESCRIPTOR + index * WEIR_WORD_BYTES;
}

}  // namespace

nodes::Task ActiveMessages::send(hw::NodeId destination, HandlerAddress handler,
                                 Arguments arguments) {
    const auto words = static_cast<std::uint32_t>(2 + arguments.count());
    co_await processor_.store(descriptor_word(0),
                              WEIR_HEADER(kShortMessage, words, destination.index()));
    co_await processor_.store(descriptor_word(1), handler);
    for (std::int32_t i = 0; i < arguments.count(); ++i) {
        co_await processor_.store(descriptor_word(2 + static_cast<std::uint32_t>(i)), arguments[i]);
    }
    co_await processor_.store(WEIR_LAUNCH, words);
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
