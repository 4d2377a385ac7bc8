#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <map>
#include <deque>
#include <functional>
#include <vector>

#include "hw/controller_registers.h"
#include "hw/parameter.h"
#include "hw/units.h"
#include "nodes/programming/processor.h"

namespace weir::firmware {

/// The active-message layer: a message names the handler that runs, atomically, when it arrives
/// (LoGPC Section 2). It is a program like any other: all it does is compute, load and store.
///
/// Sending stores the header, the handler's address and the arguments, and launches. An interrupt
/// enters (trap and register save), reads how much of a message the thread had composed and saves
/// those words, reads the handler's address, dispatches to it, disposes of the message when the
/// handler has returned, stores the saved words back, and leaves. Without arguments that costs
/// 60 + 2 + 3 + 7 + 3 + 42 = 117 cycles, of which the accesses (2 + 3, 3) are the controller's;
/// each argument the handler loads adds 2, or 3 right after another (LoGPC Table 1).
class ActiveMessages {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("firmware", "The active-message layer on every node") {}

        hw::Parameter<hw::Cycles> entry_cycles{
            *this,
            "entry_cycles",
            60,
            {0, 1'000'000},
            "Interrupt entry: trap and saving the interrupted state",
            "split of o_r = 117 (LoGPC Table 1); assumed: 20 words saved at 3 cycles a store"};
        hw::Parameter<hw::Cycles> dispatch_cycles{
            *this,
            "dispatch_cycles",
            7,
            {0, 1'000'000},
            "From reading the handler's address to its first instruction",
            "what is left of o_r = 117 (LoGPC Table 1)"};
        hw::Parameter<hw::Cycles> exit_cycles{
            *this,
            "exit_cycles",
            42,
            {0, 1'000'000},
            "Interrupt exit: restoring the interrupted state and returning",
            "split of o_r = 117 (LoGPC Table 1); assumed: 20 words restored at 2 cycles a load, "
            "RETT 2"};
        hw::Parameter<hw::Cycles> poll_entry_cycles{
            *this,
            "poll_entry_cycles",
            5,
            {0, 1'000'000},
            "In polling mode, in place of the interrupt's entry: test and call",
            "assumed"};
        hw::Parameter<hw::Cycles> poll_exit_cycles{
            *this,
            "poll_exit_cycles",
            2,
            {0, 1'000'000},
            "In polling mode, in place of the interrupt's exit: return",
            "assumed"};
    };

    static constexpr std::int32_t kMostArguments = WEIR_DESCRIPTOR_WORDS - 2;

    /// The argument words of a message, at most kMostArguments.
    class Arguments {
      public:
        // Not an initializer_list: g++ 12 can't keep one's array in a coroutine that awaits.
        template <std::convertible_to<std::uint32_t>... Words>
        Arguments(Words... words) {
            (push_back(words), ...);
        }
        void push_back(std::uint32_t word) { words_.at(static_cast<std::size_t>(count_++)) = word; }
        [[nodiscard]] std::int32_t count() const { return count_; }
        std::uint32_t operator[](std::int32_t i) const {
            return words_[static_cast<std::size_t>(i)];
        }

      private:
        std::array<std::uint32_t, kMostArguments> words_{};
        std::int32_t count_ = 0;
    };

    using Handler = std::function<nodes::Task()>;
    using HandlerAddress = std::uint32_t;

    ActiveMessages(nodes::Processor& processor, const Parameters& parameters)
        : processor_(processor),
          entry_cycles_(parameters.entry_cycles.value()),
          dispatch_cycles_(parameters.dispatch_cycles.value()),
          exit_cycles_(parameters.exit_cycles.value()),
          poll_entry_cycles_(parameters.poll_entry_cycles.value()),
          poll_exit_cycles_(parameters.poll_exit_cycles.value()) {}

    /// Every node must add the same handlers in the same order: the address goes over the wire.
    HandlerAddress add_handler(Handler handler) {
        handlers_.push_back(std::move(handler));
        return static_cast<HandlerAddress>(handlers_.size() - 1);
    }

    /// Composes and launches a message; returns when the launch has completed.
    nodes::Task send(hw::NodeId destination, HandlerAddress handler, Arguments arguments);

    struct Body { std::uint32_t address = 0; std::uint32_t bytes = 0; };
    static inline std::map<std::int32_t, std::deque<std::vector<double>>> stub_bodies;
    nodes::Task send_body(hw::NodeId destination, HandlerAddress handler, Arguments arguments, Body body) {
        std::vector<double> v;
        for (std::uint32_t i = 0; i < body.bytes; i += 8) { v.push_back(co_await processor_.load_real(body.address + i)); }
        stub_bodies[destination.index()].push_back(v);
        co_await send(destination, handler, arguments);
    }
    nodes::Task receive_body(std::uint32_t address, bool& stored) {
        auto& q = stub_bodies[processor_.node().index()];
        const auto v = q.front(); q.pop_front();
        for (double d : v) { co_await processor_.store_real(address, d); address += 8; }
        stored = true;
    }
    nodes::Task wait_stored(const bool& stored) { co_await processor_.wait_for(stored); }
    /// In a handler: loads argument `index` of the message it handles.
    nodes::Processor::WordAwaiter argument(std::int32_t index) {
        return processor_.load(WEIR_INPUT_WINDOW + WEIR_HEADER_BYTES +
                               static_cast<std::uint32_t>(index) * WEIR_WORD_BYTES);
    }

    /// What runs when the controller interrupts, or a poll finds a message.
    nodes::Task interrupt() {
        return processor_.receive_mode() == nodes::ReceiveMode::kPolling ? take_polled()
                                                                         : take_interrupt();
    }

  private:
    nodes::Task take_interrupt();
    nodes::Task take_polled();
    nodes::Task dispatch();

    nodes::Processor& processor_;
    hw::Cycles entry_cycles_;
    hw::Cycles dispatch_cycles_;
    hw::Cycles exit_cycles_;
    hw::Cycles poll_entry_cycles_;
    hw::Cycles poll_exit_cycles_;
    std::vector<Handler> handlers_;
};

}  // namespace weir::firmware
