#include "experiments/kinds/replay/replay_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/trace/database/foreign_trace.h"
#include "hw/controller/controller_registers.h"

namespace weir::experiments::kinds {

namespace {

// Number of the message word that holds the index of the recorded message.
constexpr std::uint32_t kIdentity = 1;

std::uint32_t operand_words(const RecordedMessage& message) {
    return static_cast<std::uint32_t>(2 + message.argument_words);
}

std::uint32_t all_words(const RecordedMessage& message) {
    return operand_words(message) + (message.body_bytes > hw::Bytes(0) ? 2 : 0);
}

}  // namespace

class ReplayKernel::Program final : public nodes::NodeProgram {
  public:
    Program(ReplayKernel& kernel, nodes::Processor& processor)
        : kernel_(kernel), processor_(processor) {}

    nodes::Task thread() override {
        const auto [first, last] = kernel_.recording_.messages_of(processor_.node());
        for (std::size_t i = first; i < last; ++i) {
            const RecordedMessage& message = kernel_.recording_.messages[i];
            if (kernel_.is_open()) {
                co_await processor_.wait_until(message.launch - compose_cycles(message) -
                                               launch_cycles(message));
                co_await compose(i);
                co_await launch(message);
            } else if (message.parent == RecordedMessage::kNone) {
                co_await send_in_turn(i);
            }
        }
    }

    nodes::Task interrupt() override {
        hw::Cycles taken = processor_.now();
        const std::uint32_t index =
            co_await processor_.load(WEIR_INPUT_WINDOW + kIdentity * WEIR_WORD_BYTES);
        const RecordedMessage& message = kernel_.recording_.messages[index];
        if (message.destination != processor_.node()) {
            kernel_.gone_astray_ =
                fmt::format("a message to node {} arrived at node {}", message.destination.index(),
                            processor_.node().index());
        }
        if (!kernel_.is_open()) {
            for (const std::size_t reply : message.sent) {
                co_await send_reply(message, reply, taken);
            }
        }
        co_await take(message, taken);
        Replayed& replayed = kernel_.replayed_[index];
        replayed = {true, processor_.now()};
        ++kernel_.handled_;
    }
    // The replay enables no DMA interrupt and no overflow trap, so these are never called.
    nodes::Task dma_interrupt() override { co_return; }
    nodes::Task overflow_trap() override { co_return; }

  private:
    /// Cycle of an event in the replay, and its recorded cycle.
    struct Twice {
        hw::Cycles now;
        hw::Cycles recorded;
    };

    [[nodiscard]] hw::Cycles compose_cycles(const RecordedMessage& message) const {
        return std::int64_t{all_words(message)} * kernel_.costs_.store;
    }
    [[nodiscard]] hw::Cycles launch_cycles(const RecordedMessage& message) const {
        const bool has_body = message.body_bytes > hw::Bytes(0);
        return kernel_.costs_.launch + (has_body ? kernel_.costs_.engine : hw::Cycles(0));
    }

    // Launches a message of the thread a recorded time after the thread's previous launch, or after
    // the end of the last handler before it. If this time is too short to compose the message, a
    // handler had interrupted the send; the message is then composed earlier.
    nodes::Task send_in_turn(std::size_t index) {
        const RecordedMessage& message = kernel_.recording_.messages[index];
        const RecordedMessage* consumed = message.consumed == RecordedMessage::kNone
                                              ? nullptr
                                              : &kernel_.recording_.messages[message.consumed];
        const bool is_answer = consumed != nullptr && consumed->end() >= launched_.recorded;
        const hw::Cycles after = message.launch - message.launch_blocked -
                                 (is_answer ? consumed->end() : launched_.recorded);
        hw::Cycles left = launch_cycles(message);
        const bool is_cut = after < left + compose_cycles(message);
        if (is_cut) {
            co_await compose(index);
        } else {
            left += compose_cycles(message);
        }
        if (consumed != nullptr) {
            co_await processor_.wait_for(kernel_.replayed_[message.consumed].is_handled);
        }
        const hw::Cycles before =
            is_answer ? kernel_.replayed_[message.consumed].handler_end : launched_.now;
        co_await processor_.wait_until(before + after - left);
        if (!is_cut) {
            co_await compose(index);
        }
        co_await launch(message);
        launched_ = {processor_.now(), message.launch};
    }

    // Sends a message from the handler of a message that was taken at `taken`. If the launch waits
    // longer than the recorded one, `taken` is increased by the difference.
    nodes::Task send_reply(const RecordedMessage& message, std::size_t index, hw::Cycles& taken) {
        const RecordedMessage& reply = kernel_.recording_.messages[index];
        const hw::Cycles after = reply.launch - message.taken;
        co_await wait_until(taken + after - reply.launch_blocked - compose_cycles(reply) -
                            launch_cycles(reply));
        co_await compose(index);
        co_await launch(reply);
        taken = processor_.now() - after;
    }

    nodes::Processor::Awaiter wait_until(hw::Cycles cycle) {
        return processor_.compute(std::max(cycle - processor_.now(), hw::Cycles(0)));
    }

    nodes::Task compose(std::size_t index) {
        const RecordedMessage& message = kernel_.recording_.messages[index];
        for (std::uint32_t word = 0; word < all_words(message); ++word) {
            co_await processor_.store(WEIR_OUTPUT_DESCRIPTOR + word * WEIR_WORD_BYTES,
                                      word_of(message, word, static_cast<std::uint32_t>(index)));
        }
    }
    nodes::Task launch(const RecordedMessage& message) {
        const std::uint32_t operands = operand_words(message);
        const std::uint32_t words = all_words(message);
        co_await processor_.store(
            WEIR_LAUNCH, words == operands ? operands : WEIR_LAUNCH_VALUE(operands, words, false));
    }
    // Word of a replayed message: arguments are zeros; the body is read from address 0, and written
    // there.
    static std::uint32_t word_of(const RecordedMessage& message, std::uint32_t word,
                                 std::uint32_t index) {
        const std::uint32_t operands = operand_words(message);
        if (word == 0) {
            return WEIR_HEADER(0, operands, message.destination.index());
        }
        if (word == kIdentity) {
            return index;
        }
        return word == operands + 1 ? static_cast<std::uint32_t>(message.body_bytes.count()) : 0;
    }

    // Disposes of the message after the recorded time, and ends after the recorded time. Waits for
    // the receiving engine are those of this machine.
    nodes::Task take(const RecordedMessage& message, hw::Cycles taken) {
        // A message disposed of by a store leaves the queue in the second cycle after it.
        constexpr hw::Cycles kGone(2);
        const bool has_body = message.body_bytes > hw::Bytes(0);
        if (has_body) {
            co_await wait_until(taken + message.store_body - kernel_.costs_.engine);
            co_await processor_.store(WEIR_STORE_BODY, 0);
        }
        const bool waits_for_engine = has_body && message.handler_end >= message.body_stored;
        if (waits_for_engine) {
            co_await processor_.load(WEIR_RECEIVE_DMA_IDLE);
            taken = processor_.now() - kernel_.costs_.load - message.body_stored;
        }
        if (!has_body || message.dispose > message.body_stored + kGone) {
            co_await wait_until(taken + message.dispose - kGone);
        }
        co_await processor_.store(WEIR_DISPOSE, 0);
        co_await wait_until(taken + message.handler_end);
    }

    ReplayKernel& kernel_;
    nodes::Processor& processor_;
    Twice launched_;  // launch of the thread's last message
};

std::filesystem::path ReplayKernel::trace_file() const { return parameters_.trace.value(); }

void ReplayKernel::prepare(const nodes::MachineShape& /*machine*/, std::uint64_t /*seed*/,
                           nodes::MemoryAccess& /*memory*/) {
    try {
        recording_ = Recording::read(trace::open_foreign_trace(trace_file()));
    } catch (const trace::TraceError& fault) {
        throw firmware::InputFault("", fault.what());
    }
    replayed_.resize(recording_.messages.size());
}

std::unique_ptr<nodes::NodeProgram> ReplayKernel::program(
    nodes::Processor& processor, const firmware::ActiveMessages::Parameters& /*parameters*/) {
    return std::make_unique<Program>(*this, processor);
}

std::optional<std::string> ReplayKernel::check(nodes::MemoryAccess& /*memory*/) {
    if (handled_ != recording_.messages.size()) {
        return fmt::format("{} of {} messages were handled", handled_, recording_.messages.size());
    }
    return gone_astray_;
}

std::vector<std::string> ReplayKernel::sending_handlers() const {
    return is_open() ? std::vector<std::string>{} : std::vector<std::string>{"recorded"};
}

double ReplayKernel::progress() const {
    return recording_.messages.empty()
               ? 0.0
               : static_cast<double>(handled_) / static_cast<double>(recording_.messages.size());
}

ReplayKernel::Facts ReplayKernel::facts() const {
    return {static_cast<double>(recording_.cycles.count()), recording_.latency_cycles};
}

}  // namespace weir::experiments::kinds
