#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "firmware/limitless.h"
#include "hw/controller/controller_registers.h"
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
///
/// A message may have a body, which DMA engines move from the sender's memory to the receiver's
/// (LoGPC Section 2.2). Sending one stores its address and length besides and launches with the
/// engine's set-up, 25 cycles; a handler that takes one reads the message's header and starts the
/// receiving engine, 12 cycles beyond the 117 (LoGPC Table 2).
///
/// Where nodes poll, a thread that sends waits for room in the output queue by asking for it
/// between polls, before it composes (poll_to_send): messages that have come are handled meanwhile,
/// so that nodes that send to one another get on. A handler that sends can't, since handlers are
/// atomic.
///
/// When the input queue has stopped the network for too long (controller.overflow_trap), a trap
/// saves all messages in it to a ring buffer at the end of memory: loads from the window and stores
/// to memory of each word, and the receiving engine for the body. The hardware shows only the head
/// of the queue, so the message whose handler the trap has interrupted is saved first and its
/// handler reads on from the copy. Saved messages are then handled in the order in which they came,
/// and before any in the queue, by the same handlers: their words are loads from memory, the body
/// is copied from memory to memory, and in place of the controller's disposal stands the count of
/// messages still saved, which keeps the controller interrupting. (Alewife's two-case delivery,
/// LoGPC reference 19; a copy is not relaunched.)
class ActiveMessages {
  public:
    /// How a program learns that a DMA engine has ended.
    enum class Completion : std::uint8_t {
        kBlocking,   ///< it waits for the engine where it has started it
        kStatus,     ///< it goes on, and later looks at the engine's status until it has ended
        kInterrupt,  ///< it goes on, and the engine interrupts when it has ended
    };
    [[nodiscard]] static std::vector<hw::Choice<Completion>::Option> completions() {
        return {{Completion::kBlocking, "blocking"},
                {Completion::kStatus, "status"},
                {Completion::kInterrupt, "interrupt"}};
    }

    struct Parameters : hw::ParameterGroup {
        Parameters();
        ~Parameters() override;

        hw::Parameter<hw::Cycles> entry_cycles{
            *this,
            "entry_cycles",
            60,
            {0, 1'000'000},
            "Interrupt entry: trap and saving the interrupted state",
            "split of o_r = 117 (LoGPC Table 1); assumed: 20 words saved at 3 cycles a store",
            is_behavioural()};
        hw::Parameter<hw::Cycles> dispatch_cycles{
            *this,
            "dispatch_cycles",
            7,
            {0, 1'000'000},
            "From reading the handler's address to its first instruction",
            "what is left of o_r = 117 (LoGPC Table 1)",
            is_behavioural()};
        hw::Parameter<hw::Cycles> exit_cycles{
            *this,
            "exit_cycles",
            42,
            {0, 1'000'000},
            "Interrupt exit: restoring the interrupted state and returning",
            "split of o_r = 117 (LoGPC Table 1); assumed: 20 words restored at 2 cycles a load, "
            "RETT 2",
            is_behavioural()};
        hw::Parameter<hw::Cycles> save_cycles{
            *this,
            "save_cycles",
            0,
            {0, 1'000'000},
            "Added to an interrupt that finds a message half composed",
            "not published; the loads and stores of its words are counted besides",
            is_behavioural()};
        hw::Parameter<hw::Cycles> save_word_cycles{
            *this,
            "save_word_cycles",
            0,
            {0, 1'000'000},
            "The same for each of its words: saving it to memory, and loading it from there",
            "not published",
            is_behavioural()};
        hw::Parameter<bool> save_double_words{
            *this,
            "save_double_words",
            false,
            {},
            "An interrupt saves the words of a half composed message two at a time, and puts them "
            "back so",
            "not published; Sparcle has loads and stores of two words",
            is_behavioural() && hw::when("core.receive_mode").is_not("polling")};
        hw::Parameter<hw::Cycles> poll_entry_cycles{
            *this,
            "poll_entry_cycles",
            5,
            {0, 1'000'000},
            "In polling mode, in place of the interrupt's entry: test and call",
            "assumed",
            polls()};
        hw::Parameter<hw::Cycles> poll_exit_cycles{
            *this,
            "poll_exit_cycles",
            2,
            {0, 1'000'000},
            "In polling mode, in place of the interrupt's exit: return",
            "assumed",
            polls()};
        hw::Parameter<bool> poll_to_send{
            *this,
            "poll_to_send",
            true,
            {},
            "In polling mode, a thread that sends first loads how much room the output queue has, "
            "and polls until there is enough; or its launch waits, in which nothing is received",
            "assumed: as active messages on the CM-5, whose nodes would deadlock otherwise",
            polls()};
        hw::Choice<Completion> body_send{
            *this,
            "body_send",
            Completion::kStatus,
            completions(),
            "A thread or handler that sends a body waits until it has left memory; or goes on, and "
            "looks at the engine's status when it needs the memory; or is interrupted",
            "LoGPC Section 2.2: blocking or nonblocking",
            moves_bodies()};
        hw::Choice<Completion> body_receive{
            *this,
            "body_receive",
            Completion::kInterrupt,
            completions(),
            "A handler that receives a body waits until it is in memory; or ends, and the thread "
            "looks at the engine's status when it needs the body; or is interrupted",
            "LoGPC Section 2.2: blocking or nonblocking",
            moves_bodies()};
        hw::Parameter<hw::Cycles> status_loop_cycles{
            *this,
            "status_loop_cycles",
            2,
            {0, 1'000'000},
            "Test and branch around each load of a DMA engine's status",
            "assumed",
            is_behavioural() && moves_bodies() &&
                (hw::when("firmware.body_send").is("status") ||
                 hw::when("firmware.body_receive").is("status"))};
        hw::Parameter<hw::Cycles> overflow_entry_cycles{
            *this,
            "overflow_entry_cycles",
            60,
            {1, 1'000'000},
            "Overflow trap's entry: trap and saving the interrupted state",
            "assumed: as an interrupt's",
            is_behavioural() && hw::when("controller.overflow_trap").is(true)};
        hw::Parameter<hw::Cycles> overflow_exit_cycles{
            *this,
            "overflow_exit_cycles",
            42,
            {0, 1'000'000},
            "Overflow trap's exit: restoring the interrupted state and returning",
            "assumed: as an interrupt's",
            is_behavioural() && hw::when("controller.overflow_trap").is(true)};
        hw::Parameter<hw::Bytes> overflow_buffer_bytes{
            *this,
            "overflow_buffer_bytes",
            1 << 20,
            {256, std::int64_t{1} << 30},
            "End of each node's memory that overflow traps save messages in",
            "assumed",
            hw::when("controller.overflow_trap").is(true)};

        /// What runs beside it for the directories of shared memory.
        Limitless::Parameters limitless;

        bool has_overflow_trap = true;  ///< the machine's controller.overflow_trap
        /// Bytes at the end of a node's memory that the overflow trap needs.
        [[nodiscard]] hw::Bytes overflow_buffer() const {
            return has_overflow_trap ? overflow_buffer_bytes.value() : hw::Bytes(0);
        }

      private:
        /// What the behavioural core is told, a compiled program does itself.
        static hw::Condition is_behavioural() { return hw::when("core.kind").is("behavioural"); }
        static hw::Condition polls() {
            return is_behavioural() && hw::when("core.receive_mode").is("polling");
        }
        static hw::Condition moves_bodies() {
            return hw::when("network.model").is("wormhole") && hw::messages_have_bodies();
        }
    };

    /// A stretch of memory that a message takes along; multiples of WEIR_DMA_ALIGNMENT.
    struct Body {
        std::uint32_t address = 0;
        std::uint32_t bytes = 0;
    };

    static constexpr std::int32_t kMostArguments = WEIR_DESCRIPTOR_WORDS - 2;

    /// The argument words of a message, at most kMostArguments.
    class Arguments {
      public:
        // Not an initializer_list: g++ 12 can't keep one's array in a coroutine that awaits.
        template <std::convertible_to<std::uint32_t>... Words>
        Arguments(Words... words) {
            static_assert(sizeof...(Words) <= kMostArguments);
            (push_back(words), ...);
        }
        void push_back(std::uint32_t word, nodes::CallPlace call = nodes::CallPlace::current()) {
            if (count_ == kMostArguments) [[unlikely]] {
                nodes::refuse_call(call, "an argument behind the last of a message",
                                   "at most " + std::to_string(kMostArguments));
            }
            words_[count_++] = word;
        }
        [[nodiscard]] std::int32_t count() const { return count_; }
        std::uint32_t operator[](std::int32_t i) const { return words_[i]; }

      private:
        std::array<std::uint32_t, kMostArguments> words_{};
        std::int32_t count_ = 0;
    };

    using Handler = std::function<nodes::Task()>;
    using HandlerAddress = std::uint32_t;

    ActiveMessages(nodes::Processor& processor, const Parameters& parameters)
        : processor_(processor),
          node_count_(processor.node_count()),
          entry_cycles_(parameters.entry_cycles.value()),
          dispatch_cycles_(parameters.dispatch_cycles.value()),
          exit_cycles_(parameters.exit_cycles.value()),
          save_cycles_(parameters.save_cycles.value()),
          save_word_cycles_(parameters.save_word_cycles.value()),
          saves_double_words_(parameters.save_double_words.value()),
          poll_entry_cycles_(parameters.poll_entry_cycles.value()),
          poll_exit_cycles_(parameters.poll_exit_cycles.value()),
          polls_to_send_(processor.receive_mode() == nodes::ReceiveMode::kPolling &&
                         parameters.poll_to_send.value()),
          body_send_(parameters.body_send.value()),
          body_receive_(parameters.body_receive.value()),
          status_loop_cycles_(parameters.status_loop_cycles.value()),
          overflow_entry_cycles_(parameters.overflow_entry_cycles.value()),
          overflow_exit_cycles_(parameters.overflow_exit_cycles.value()),
          overflow_buffer_bytes_(parameters.overflow_buffer_bytes.value()) {}

    /// Every node must add the same handlers in the same order: the address goes over the wire.
    HandlerAddress add_handler(Handler handler,
                               nodes::CallPlace call = nodes::CallPlace::current()) {
        if (!handler) {
            nodes::refuse_call(call, "add_handler() without a function", "a function");
        }
        handlers_.push_back(std::move(handler));
        return static_cast<HandlerAddress>(handlers_.size() - 1);
    }

    /// Composes and launches a message; returns when the launch has completed.
    nodes::Task send(hw::NodeId destination, HandlerAddress handler, Arguments arguments,
                     nodes::CallPlace call = nodes::CallPlace::current());

    /// The same, with a body: also, when sends block, waits until it has left memory. In any case
    /// another message may be composed then; the body's memory may be used after wait_body_sent().
    nodes::Task send_body(hw::NodeId destination, HandlerAddress handler, Arguments arguments,
                          Body body, nodes::CallPlace call = nodes::CallPlace::current());
    /// A body of several stretches, gathered in their order.
    nodes::Task send_bodies(hw::NodeId destination, HandlerAddress handler, Arguments arguments,
                            std::vector<Body> bodies,
                            nodes::CallPlace call = nodes::CallPlace::current());
    /// Thread only: waits until the last body sent has left memory.
    nodes::Task wait_body_sent(nodes::CallPlace call = nodes::CallPlace::current());

    /// In a handler, once: stores the body of the message it handles from `address` on. `stored`
    /// becomes true when it is in memory: by the end of this when receives block, else some time
    /// later; it must stay until then.
    nodes::Task receive_body(std::uint32_t address, bool& stored,
                             nodes::CallPlace call = nodes::CallPlace::current());
    /// Thread only: waits until `stored`, given to receive_body(), is true.
    nodes::Task wait_stored(const bool& stored,
                            nodes::CallPlace call = nodes::CallPlace::current());

    /// In a handler: loads argument `index` of the message it handles.
    nodes::Processor::WordAwaiter argument(std::int32_t index,
                                           nodes::CallPlace call = nodes::CallPlace::current()) {
        if (static_cast<std::uint32_t>(index) >= kMostArguments || handled_ == Handled::kNone)
            [[unlikely]] {
            refuse_argument(index, call);
        }
        return processor_.load(
            window_ + WEIR_HEADER_BYTES + static_cast<std::uint32_t>(index) * WEIR_WORD_BYTES,
            call);
    }

    /// What runs when the controller interrupts, or a poll finds a message.
    nodes::Task interrupt() {
        return processor_.receive_mode() == nodes::ReceiveMode::kPolling ? take_polled()
                                                                         : take_interrupt();
    }
    /// What runs when a DMA engine interrupts.
    nodes::Task dma_interrupt();
    /// What runs when the input queue has stopped the network for too long.
    nodes::Task overflow_trap(Limitless& directories);

  private:
    // Where the message is whose handler runs.
    enum class Handled : std::uint8_t { kNone, kHead, kSaved };
    // A message in the overflow buffer: its words, and behind them its body.
    struct Saved {
        std::uint32_t address = 0;
        std::uint32_t body_address = 0;
        std::uint32_t body_bytes = 0;
        std::uint32_t end = 0;
    };

    void check_message(hw::NodeId destination, HandlerAddress handler,
                       const nodes::CallPlace& call) const {
        // A negative number is a large one.
        if (static_cast<std::uint32_t>(destination.index()) >=
                static_cast<std::uint32_t>(node_count_) ||
            handler >= handlers_.size()) [[unlikely]] {
            refuse_message(destination, handler, call);
        }
    }
    [[noreturn]] void refuse_message(hw::NodeId destination, HandlerAddress handler,
                                     const nodes::CallPlace& call) const;
    [[noreturn]] void refuse_dispatch(HandlerAddress handler) const;
    [[noreturn]] void refuse_argument(std::int32_t index, const nodes::CallPlace& call) const;
    nodes::Task wait_for_room(std::uint32_t operands);
    void begin_message();
    nodes::Task end_message();
    /// The words of the thread's half composed message.
    using ComposedWords = std::array<std::uint32_t, WEIR_DESCRIPTOR_WORDS>;
    nodes::Task save_composed(std::uint32_t count, ComposedWords& words);
    nodes::Task restore_composed(std::uint32_t count, const ComposedWords& words);
    nodes::Task save_head();
    nodes::Task copy_body(Saved from, std::uint32_t to_address, nodes::CallPlace call);
    [[nodiscard]] std::uint32_t place_in_overflow_buffer(std::uint32_t bytes) const;
    [[nodiscard]] std::uint32_t saved_to_handle() const {
        return static_cast<std::uint32_t>(saved_.size()) - (handled_ == Handled::kSaved ? 1 : 0);
    }
    nodes::Task take_interrupt();
    nodes::Task take_polled();
    nodes::Task dispatch();
    nodes::Task compose(hw::NodeId destination, HandlerAddress handler, const Arguments& arguments,
                        std::uint32_t operation);
    void note_stored();

    nodes::Processor& processor_;
    std::int32_t node_count_;
    hw::Cycles entry_cycles_;
    hw::Cycles dispatch_cycles_;
    hw::Cycles exit_cycles_;
    hw::Cycles save_cycles_;
    hw::Cycles save_word_cycles_;
    bool saves_double_words_;
    hw::Cycles poll_entry_cycles_;
    hw::Cycles poll_exit_cycles_;
    bool polls_to_send_;
    Completion body_send_;
    Completion body_receive_;
    hw::Cycles status_loop_cycles_;
    std::vector<Handler> handlers_;
    bool body_sent_ = true;             // the last of thread and handlers, as the program knows
    bool* being_stored_ = nullptr;      // the flag of the body that the receiving engine stores
    std::int64_t bodies_received_ = 0;  // begun

    hw::Cycles overflow_entry_cycles_;
    hw::Cycles overflow_exit_cycles_;
    hw::Bytes overflow_buffer_bytes_;
    Handled handled_ = Handled::kNone;
    std::uint32_t window_ = WEIR_INPUT_WINDOW;  // address of the words of the handled message
    bool body_is_taken_ = false;                // the engine was started on the handled one's
    std::deque<Saved> saved_;                   // the oldest first, with the one that is handled
};

}  // namespace weir::firmware
