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

/// The active-message layer. A message names a handler, which runs atomically when the message
/// arrives (LoGPC Section 2). The layer is a program like any other: it computes, loads and stores.
///
/// A send stores the header, the handler's address and the arguments, and launches the message. A
/// receive interrupt has these steps:
/// - trap and save the registers
/// - read how many words of a message the thread had composed, and save these words
/// - read the handler's address and dispatch to it
/// - dispose of the message after the handler's return
/// - restore the saved words and return from the interrupt
///
/// Without arguments an interrupt costs 60 + 2 + 3 + 7 + 3 + 42 = 117 cycles. The loads of the
/// second and third step take 2 + 3, and the disposing store 3. Each argument that a handler loads
/// adds 2 cycles, or 3 directly after another one (LoGPC Table 1).
///
/// A message may have a body, which DMA engines move from the sender's memory to the receiver's
/// (LoGPC Section 2.2). The send also stores the body's address and length; the launch includes 25
/// cycles of engine set-up. The handler of such a message reads its header and starts the receiving
/// engine: 12 cycles in addition to the 117 (LoGPC Table 2).
///
/// On nodes that poll, a thread asks for room in the output queue before it composes a message, and
/// polls between its questions (poll_to_send). It also polls while it waits for the DMA engine that
/// sends its body. Nodes that send to each other therefore keep receiving. A handler cannot poll,
/// because handlers are atomic.
///
/// An input queue that blocks the network for too long traps (controller.overflow_trap). The trap
/// saves its messages to a ring buffer at the end of memory. The trap loads each word from the
/// window and stores it to memory; the receiving engine moves a body. The hardware shows only the
/// head of the queue. If the trap has interrupted a handler, the handler's message is saved first,
/// and the handler reads on from the copy. Saved messages are handled in their order of arrival,
/// before those in the queue, and by the same handlers. A saved message's arguments are loaded from
/// memory, and its body is copied from memory to memory. In place of a disposal, the layer stores
/// the number of messages still saved; the controller keeps interrupting until the number is 0.
/// (Alewife's two-case delivery, LoGPC reference 19; a copy is not relaunched.)
class ActiveMessages {
  public:
    /// Ways in which a program learns that a DMA transfer has ended.
    enum class Completion : std::uint8_t {
        kBlocking,   ///< the program waits for the engine directly after it has started the
                     ///< transfer
        kStatus,     ///< the program continues, and later loads the engine's status until the
                     ///< transfer has ended
        kInterrupt,  ///< the program continues, and the engine interrupts at the end of the
                     ///< transfer
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
            "Time of the interrupt's entry: trap and saving of the interrupted state",
            "split of o_r = 117 (LoGPC Table 1); assumed: 20 words saved at 3 cycles a store",
            is_behavioural()};
        hw::Parameter<hw::Cycles> dispatch_cycles{
            *this,
            "dispatch_cycles",
            7,
            {0, 1'000'000},
            "Time from reading the handler's address to the handler's first instruction",
            "remainder of o_r = 117 (LoGPC Table 1)",
            is_behavioural()};
        hw::Parameter<hw::Cycles> exit_cycles{
            *this,
            "exit_cycles",
            42,
            {0, 1'000'000},
            "Time of the interrupt's exit: restoring the interrupted state and returning",
            "split of o_r = 117 (LoGPC Table 1); assumed: 20 words restored at 2 cycles a load, "
            "RETT 2",
            is_behavioural()};
        hw::Parameter<hw::Cycles> save_cycles{
            *this,
            "save_cycles",
            0,
            {0, 1'000'000},
            "Time added to an interrupt if the interrupted thread has partly composed a message",
            "not published; the loads and stores of the message's words are counted separately",
            is_behavioural()};
        hw::Parameter<hw::Cycles> save_word_cycles{
            *this,
            "save_word_cycles",
            0,
            {0, 1'000'000},
            "Time added to an interrupt for each word of a partly composed message, in total for "
            "saving and restoring the word",
            "not published",
            is_behavioural()};
        hw::Parameter<bool> save_double_words{
            *this,
            "save_double_words",
            false,
            {},
            "Whether an interrupt saves and restores the words of a partly composed message two at "
            "a time",
            "not published; Sparcle has loads and stores of two words",
            is_behavioural() && hw::when("core.receive_mode").is_not("polling")};
        hw::Parameter<hw::Cycles> poll_entry_cycles{
            *this,
            "poll_entry_cycles",
            5,
            {0, 1'000'000},
            "Time of the entry in polling mode, in place of the interrupt's entry: test and call",
            "assumed",
            polls()};
        hw::Parameter<hw::Cycles> poll_exit_cycles{
            *this,
            "poll_exit_cycles",
            2,
            {0, 1'000'000},
            "Time of the exit in polling mode, in place of the interrupt's exit: return",
            "assumed",
            polls()};
        hw::Parameter<bool> poll_to_send{
            *this,
            "poll_to_send",
            true,
            {},
            "Whether a thread in polling mode polls while it waits for room in the output queue or "
            "for the DMA engine that sends its body. If false, these waits block the core, and the "
            "node receives nothing meanwhile",
            "assumed: as active messages on the CM-5, whose nodes would deadlock otherwise",
            polls()};
        hw::Choice<Completion> body_send{
            *this,
            "body_send",
            Completion::kStatus,
            completions(),
            "Way in which a sender learns that a body has left memory. blocking: the sender waits "
            "until then. status: the sender loads the DMA engine's status when it needs the "
            "memory. interrupt: the DMA engine interrupts at that moment",
            "LoGPC Section 2.2: blocking or nonblocking",
            moves_bodies()};
        hw::Choice<Completion> body_receive{
            *this,
            "body_receive",
            Completion::kInterrupt,
            completions(),
            "Way in which a receiver learns that a body is in memory. blocking: the handler waits "
            "until then. status: the thread loads the DMA engine's status when it needs the body. "
            "interrupt: the DMA engine interrupts at that moment",
            "LoGPC Section 2.2: blocking or nonblocking",
            moves_bodies()};
        hw::Parameter<hw::Cycles> status_loop_cycles{
            *this,
            "status_loop_cycles",
            2,
            {0, 1'000'000},
            "Time of test and branch after each load of a DMA engine's status",
            "assumed",
            is_behavioural() && moves_bodies() &&
                (hw::when("firmware.body_send").is("status") ||
                 hw::when("firmware.body_receive").is("status"))};
        hw::Parameter<hw::Cycles> overflow_entry_cycles{
            *this,
            "overflow_entry_cycles",
            60,
            {1, 1'000'000},
            "Time of the overflow trap's entry: trap and saving of the interrupted state",
            "assumed: equal to an interrupt's entry",
            is_behavioural() && hw::when("controller.overflow_trap").is(true)};
        hw::Parameter<hw::Cycles> overflow_exit_cycles{
            *this,
            "overflow_exit_cycles",
            42,
            {0, 1'000'000},
            "Time of the overflow trap's exit: restoring the interrupted state and returning",
            "assumed: equal to an interrupt's exit",
            is_behavioural() && hw::when("controller.overflow_trap").is(true)};
        hw::Parameter<hw::Bytes> overflow_buffer_bytes{
            *this,
            "overflow_buffer_bytes",
            1 << 20,
            {256, std::int64_t{1} << 30},
            "Size of the area at the end of each node's memory in which overflow traps save "
            "messages",
            "assumed",
            hw::when("controller.overflow_trap").is(true)};

        /// Parameters of the software that runs beside the layer for the directories of shared
        /// memory.
        Limitless::Parameters limitless;

        bool has_overflow_trap = true;  ///< value of the machine's controller.overflow_trap
        /// Bytes at the end of a node's memory that the overflow trap needs.
        [[nodiscard]] hw::Bytes overflow_buffer() const {
            return has_overflow_trap ? overflow_buffer_bytes.value() : hw::Bytes(0);
        }

      private:
        /// Parameters of time apply to the behavioural core alone; a compiled program takes its own
        /// instructions' time.
        static hw::Condition is_behavioural() { return hw::when("core.kind").is("behavioural"); }
        static hw::Condition polls() {
            return is_behavioural() && hw::when("core.receive_mode").is("polling");
        }
        static hw::Condition moves_bodies() {
            return hw::when("network.model").is("wormhole") && hw::messages_have_bodies();
        }
    };

    /// A block of memory sent as a message's body, or as a part of it. Address and length are
    /// multiples of WEIR_DMA_ALIGNMENT.
    struct Body {
        std::uint32_t address = 0;
        std::uint32_t bytes = 0;
    };

    static constexpr std::int32_t kMostArguments = WEIR_DESCRIPTOR_WORDS - 2;

    /// The argument words of a message, at most kMostArguments.
    class Arguments {
      public:
        // Not an initializer_list: g++ 12 cannot keep its array in a coroutine that awaits.
        template <std::convertible_to<std::uint32_t>... Words>
        Arguments(Words... words) {
            static_assert(sizeof...(Words) <= kMostArguments);
            (push_back(words), ...);
        }
        void push_back(std::uint32_t word, nodes::CallPlace call = nodes::CallPlace::current()) {
            if (count_ == kMostArguments) [[unlikely]] {
                nodes::refuse_call(call, "one more argument than a message holds",
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

    /// Adds a handler and returns its address, which messages carry. Every node must add the same
    /// handlers in the same order.
    HandlerAddress add_handler(Handler handler,
                               nodes::CallPlace call = nodes::CallPlace::current()) {
        if (!handler) {
            nodes::refuse_call(call, "add_handler() without a function", "a function");
        }
        handlers_.push_back(std::move(handler));
        return static_cast<HandlerAddress>(handlers_.size() - 1);
    }

    /// Composes and launches a message without a body; returns when the launch has completed.
    nodes::Task send(hw::NodeId destination, HandlerAddress handler, Arguments arguments,
                     nodes::CallPlace call = nodes::CallPlace::current());

    /// Composes and launches a message with a body. Returns when the launch has completed; with
    /// blocking sends, when the body has left memory. After the return another message may be
    /// composed; the body's memory may be used after wait_body_sent().
    nodes::Task send_body(hw::NodeId destination, HandlerAddress handler, Arguments arguments,
                          Body body, nodes::CallPlace call = nodes::CallPlace::current());
    /// Sends a message whose body is gathered from several blocks of memory, in their order.
    nodes::Task send_bodies(hw::NodeId destination, HandlerAddress handler, Arguments arguments,
                            std::vector<Body> bodies,
                            nodes::CallPlace call = nodes::CallPlace::current());
    /// Thread only: waits until the last sent body has left memory.
    nodes::Task wait_body_sent(nodes::CallPlace call = nodes::CallPlace::current());

    /// Handler only, at most once: stores the body of the handled message from `address` on.
    /// `stored` becomes true when the body is in memory: before the return if receives block, else
    /// later. `stored` must exist until it becomes true.
    nodes::Task receive_body(std::uint32_t address, bool& stored,
                             nodes::CallPlace call = nodes::CallPlace::current());
    /// Thread only: waits until `stored`, given to receive_body(), is true.
    nodes::Task wait_stored(const bool& stored,
                            nodes::CallPlace call = nodes::CallPlace::current());

    /// Handler only: loads argument `index` of the handled message.
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

    /// Interrupt routine for an arriving message; in polling mode, the routine that a successful
    /// poll calls.
    nodes::Task interrupt() {
        return processor_.receive_mode() == nodes::ReceiveMode::kPolling ? take_polled()
                                                                         : take_interrupt();
    }
    /// Interrupt routine for the end of a DMA transfer.
    nodes::Task dma_interrupt();
    /// Trap routine for an input queue that has blocked the network for too long.
    nodes::Task overflow_trap(Limitless& directories);

  private:
    // Place of the message whose handler runs: none, the head of the queue, or the overflow buffer.
    enum class Handled : std::uint8_t { kNone, kHead, kSaved };
    // A message in the overflow buffer: its words, followed by its body.
    struct Saved {
        std::uint32_t address = 0;
        std::uint32_t body_address = 0;
        std::uint32_t body_bytes = 0;
        std::uint32_t end = 0;
    };

    void check_message(hw::NodeId destination, HandlerAddress handler,
                       const nodes::CallPlace& call) const {
        // As unsigned, a negative number is out of range too.
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
    /// Saves the words of the thread's partly composed message.
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
    // True if the program knows that the last body sent by its thread or a handler has left memory.
    bool body_sent_ = true;
    bool* being_stored_ = nullptr;      // completion flag of the body that the receiving engine
                                        // stores
    std::int64_t bodies_received_ = 0;  // number of bodies whose reception has begun

    hw::Cycles overflow_entry_cycles_;
    hw::Cycles overflow_exit_cycles_;
    hw::Bytes overflow_buffer_bytes_;
    Handled handled_ = Handled::kNone;
    std::uint32_t window_ = WEIR_INPUT_WINDOW;  // address of the handled message's words
    // True once the receiving engine has been started for the handled message's body.
    bool body_is_taken_ = false;
    // Messages in the overflow buffer, oldest first, the handled one included.
    std::deque<Saved> saved_;
};

}  // namespace weir::firmware
