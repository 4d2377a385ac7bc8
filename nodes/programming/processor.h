#pragma once

#include <bit>
#include <coroutine>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "hw/fetch_operation.h"
#include "hw/full_empty_use.h"
#include "hw/units.h"
#include "nodes/programming/call_fault.h"
#include "nodes/programming/receive_mode.h"
#include "nodes/programming/task.h"

namespace weir::nodes {

/// Programming interface of a core: all that firmware sees of the machine. Each operation takes the
/// cycles of the hardware; between two operations no cycles pass. An operation that the machine
/// does not accept ends the run with a ProgramFault, which names the source line of `call`.
class Processor {
  public:
    /// An operation that a program asks of the core.
    struct Operation {
        enum class Kind : std::uint8_t {
            kCompute,
            kLoad,
            kBeginLoad,
            kLoaded,
            kStore,
            kExchange,
            kFetch,
            kPrefetch,
            kPrefetchToWrite,
            kWaitFlag,
            kWaitCycle
        };
        Kind kind = Kind::kCompute;
        std::uint8_t bytes = 4;      ///< size of the data: 4 or 8
        std::uint32_t address = 0;   ///< address of the access, or of the register that a loop asks
                                     ///< about
        std::uint64_t data = 0;      ///< data to store; afterwards the data loaded or replaced
        hw::Cycles cycles{0};        ///< cycles to compute, or the cycle to wait for
        bool asks = false;           ///< the operation is part of a loop that asks for a status
        const bool* flag = nullptr;  ///< flag to wait for
        std::int32_t place = 0;      ///< place of an early load
        hw::FullEmptyUse full_empty{};  ///< full/empty use of an access to shared memory
        /// operation performed at a word's home
        hw::FetchOperation fetch = hw::FetchOperation::kAdd;
        CallPlace call{};  ///< source line, for a fault's message
    };
    /// Result of a full/empty access: the word loaded or stored, and the state before the access.
    struct FoundWord {
        std::uint32_t word = 0;
        bool was_full = true;
    };

    Processor() = default;
    Processor(const Processor&) = delete;
    Processor& operator=(const Processor&) = delete;
    virtual ~Processor() = default;

    [[nodiscard]] virtual hw::NodeId node() const = 0;
    [[nodiscard]] virtual std::int32_t node_count() const = 0;
    [[nodiscard]] virtual hw::Cycles now() const = 0;
    [[nodiscard]] virtual ReceiveMode receive_mode() const = 0;
    [[nodiscard]] virtual hw::Bytes memory_bytes() const = 0;
    /// True if the nodes of the machine share memory.
    [[nodiscard]] virtual bool shares_memory() const { return false; }
    /// Number of early loads that can be in flight.
    [[nodiscard]] virtual std::int32_t loads_in_flight() const { return 1; }

    class Awaiter {
      public:
        Awaiter(Processor& processor, const Operation& operation)
            : processor_(processor), operation_(operation) {}
        [[nodiscard]] bool await_ready() const noexcept {
            return operation_.kind == Operation::Kind::kCompute &&
                   operation_.cycles == hw::Cycles(0) && !operation_.asks;
        }
        void await_suspend(std::coroutine_handle<> program) {
            processor_.begin(operation_, program);
        }
        std::uint64_t await_resume() const noexcept { return operation_.data; }

      protected:
        [[nodiscard]] bool was_full() const noexcept { return operation_.full_empty.was_full; }

      private:
        Processor& processor_;
        Operation operation_;
    };
    class FoundAwaiter : public Awaiter {
      public:
        using Awaiter::Awaiter;
        FoundWord await_resume() const noexcept {
            return {static_cast<std::uint32_t>(Awaiter::await_resume()), was_full()};
        }
    };
    class WordAwaiter : public Awaiter {
      public:
        using Awaiter::Awaiter;
        std::uint32_t await_resume() const noexcept {
            return static_cast<std::uint32_t>(Awaiter::await_resume());
        }
    };
    class RealAwaiter : public Awaiter {
      public:
        using Awaiter::Awaiter;
        double await_resume() const noexcept {
            return std::bit_cast<double>(Awaiter::await_resume());
        }
    };

    /// Computes for a number of cycles, 0 or more.
    Awaiter compute(hw::Cycles cycles, CallPlace call = CallPlace::current()) {
        return {*this, {.kind = Operation::Kind::kCompute, .cycles = cycles, .call = call}};
    }
    /// Test and branch of a loop that asks for a status until it changes. The step takes as long as
    /// compute(), but is no progress for the watchdog, which so ends an endless loop. A loop
    /// without cycles asks once a cycle.
    ///
    /// `register_waited_for` is the register whose load would wait for the same event; it appears
    /// in reports of waiting parts.
    Awaiter compute_to_ask_again(hw::Cycles cycles, std::uint32_t register_waited_for,
                                 CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kCompute,
                 .address = register_waited_for,
                 .cycles = cycles,
                 .asks = true,
                 .call = call}};
    }
    /// Thread only: the loop step of compute_to_ask_again() as a wait until a cycle, so that
    /// messages are taken meanwhile.
    Awaiter wait_to_ask_again(hw::Cycles until, std::uint32_t register_waited_for,
                              CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kWaitCycle,
                 .address = register_waited_for,
                 .cycles = until,
                 .asks = true,
                 .call = call}};
    }
    /// Loads or stores a 32-bit word of memory or of a memory-mapped register.
    WordAwaiter load(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this, {.kind = Operation::Kind::kLoad, .address = address, .call = call}};
    }
    Awaiter store(std::uint32_t address, std::uint32_t word,
                  CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kStore, .address = address, .data = word, .call = call}};
    }
    /// Stores a word of memory and returns the replaced word, in one access (SPARC's swap).
    WordAwaiter exchange(std::uint32_t address, std::uint32_t word,
                         CallPlace call = CallPlace::current()) {
        return {
            *this,
            {.kind = Operation::Kind::kExchange, .address = address, .data = word, .call = call}};
    }
    /// Changes a word of shared memory at its home, and returns the word before the change.
    /// Requires coherence.fetch_and_op, a study option.
    WordAwaiter fetch_and_add(std::uint32_t address, std::uint32_t word,
                              CallPlace call = CallPlace::current()) {
        return at_home(hw::FetchOperation::kAdd, address, word, call);
    }
    WordAwaiter fetch_and_and(std::uint32_t address, std::uint32_t word,
                              CallPlace call = CallPlace::current()) {
        return at_home(hw::FetchOperation::kAnd, address, word, call);
    }
    WordAwaiter fetch_and_or(std::uint32_t address, std::uint32_t word,
                             CallPlace call = CallPlace::current()) {
        return at_home(hw::FetchOperation::kOr, address, word, call);
    }
    WordAwaiter exchange_at_home(std::uint32_t address, std::uint32_t word,
                                 CallPlace call = CallPlace::current()) {
        return at_home(hw::FetchOperation::kExchange, address, word, call);
    }
    /// Requests the line of a word of shared memory, and continues without waiting. Another node's
    /// request may take the line before it is used. A prefetch that cannot be sent now is dropped.
    /// prefetch_to_write() requests the only copy.
    Awaiter prefetch(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this, {.kind = Operation::Kind::kPrefetch, .address = address, .call = call}};
    }
    Awaiter prefetch_to_write(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kPrefetchToWrite, .address = address, .call = call}};
    }
    /// Loads or stores two words of the message that is being composed; the address must be a
    /// multiple of 8.
    Awaiter load_two_words(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kLoad, .bytes = 8, .address = address, .call = call}};
    }
    Awaiter store_two_words(std::uint32_t address, std::uint64_t words,
                            CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kStore,
                 .bytes = 8,
                 .address = address,
                 .data = words,
                 .call = call}};
    }
    /// Loads or stores a double in memory.
    RealAwaiter load_real(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kLoad, .bytes = 8, .address = address, .call = call}};
    }
    Awaiter store_real(std::uint32_t address, double value, CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kStore,
                 .bytes = 8,
                 .address = address,
                 .data = std::bit_cast<std::uint64_t>(value),
                 .call = call}};
    }

    // Full/empty accesses. Each word of shared memory has a full/empty bit, full at first. An
    // access and the change of its bit are one atomic operation. An access of two words uses the
    // bit of the first. Ordinary loads and stores neither read nor change bits.
    //
    // Accesses from load_full() to fill_empty_real() require a full or an empty word. In the other
    // state the core traps. The access is repeated after core.full_empty_trap_cycles or, with
    // several contexts, at the context's next turn.
    /// Loads a full word. take_full() leaves it empty.
    WordAwaiter load_full(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kLoad, address, Needs::kFull, Leaves::kAsItWas, call)};
    }
    WordAwaiter take_full(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kLoad, address, Needs::kFull, Leaves::kEmpty, call)};
    }
    /// Stores to an empty word. fill_empty() leaves it full.
    Awaiter store_empty(std::uint32_t address, std::uint32_t word,
                        CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kStore, address, Needs::kEmpty, Leaves::kAsItWas, call, word)};
    }
    Awaiter fill_empty(std::uint32_t address, std::uint32_t word,
                       CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kStore, address, Needs::kEmpty, Leaves::kFull, call, word)};
    }
    /// Full/empty accesses to a double, by the bit of its first word.
    RealAwaiter load_full_real(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this,
                by_bit(Kind::kLoad, address, Needs::kFull, Leaves::kAsItWas, call, 0, kReal)};
    }
    RealAwaiter take_full_real(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kLoad, address, Needs::kFull, Leaves::kEmpty, call, 0, kReal)};
    }
    Awaiter fill_empty_real(std::uint32_t address, double value,
                            CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kStore, address, Needs::kEmpty, Leaves::kFull, call,
                              std::bit_cast<std::uint64_t>(value), kReal)};
    }
    // Accesses from load_found() on take place in either state, and return the state before the
    // access.
    FoundAwaiter load_found(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kLoad, address, Needs::kEither, Leaves::kAsItWas, call)};
    }
    FoundAwaiter take_found(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kLoad, address, Needs::kEither, Leaves::kEmpty, call)};
    }
    FoundAwaiter store_found(std::uint32_t address, std::uint32_t word,
                             CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kStore, address, Needs::kEither, Leaves::kAsItWas, call, word)};
    }
    FoundAwaiter fill(std::uint32_t address, std::uint32_t word,
                      CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kStore, address, Needs::kEither, Leaves::kFull, call, word)};
    }
    FoundAwaiter fill_real(std::uint32_t address, double value,
                           CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kStore, address, Needs::kEither, Leaves::kFull, call,
                              std::bit_cast<std::uint64_t>(value), kReal)};
    }
    FoundAwaiter empty(std::uint32_t address, std::uint32_t word,
                       CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kStore, address, Needs::kEither, Leaves::kEmpty, call, word)};
    }

    /// Thread only: begins a load from the node's own memory (an early load), and continues while
    /// the line comes. `place`, 0 to loads_in_flight() - 1, names the load. loaded() waits for the
    /// value, and frees the place.
    Awaiter begin_load(std::uint32_t address, std::int32_t place,
                       CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kBeginLoad,
                 .address = address,
                 .place = place,
                 .call = call}};
    }
    WordAwaiter loaded(std::int32_t place, CallPlace call = CallPlace::current()) {
        return {*this, {.kind = Operation::Kind::kLoaded, .place = place, .call = call}};
    }
    Awaiter begin_load_real(std::uint32_t address, std::int32_t place,
                            CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kBeginLoad,
                 .bytes = 8,
                 .address = address,
                 .place = place,
                 .call = call}};
    }
    RealAwaiter loaded_real(std::int32_t place, CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kLoaded, .bytes = 8, .place = place, .call = call}};
    }
    /// Thread only: waits until a handler of this node has set `flag`.
    Awaiter wait_for(const bool& flag, CallPlace call = CallPlace::current()) {
        return {*this, {.kind = Operation::Kind::kWaitFlag, .flag = &flag, .call = call}};
    }
    /// Thread only: waits until a cycle.
    Awaiter wait_until(hw::Cycles cycle, CallPlace call = CallPlace::current()) {
        return {*this, {.kind = Operation::Kind::kWaitCycle, .cycles = cycle, .call = call}};
    }

    // Marks in the trace; they take no cycles.
    virtual void trace_code_begin() = 0;
    virtual void trace_code_end() = 0;
    virtual void trace_restored_words(std::int32_t words) = 0;
    virtual void trace_mark(std::string_view name, std::int64_t value) = 0;

  protected:
    /// Starts `operation` for the running program, which is resumed when the operation is done. The
    /// operation is stored in the suspended coroutine.
    virtual void begin(Operation& operation, std::coroutine_handle<> program) = 0;

  private:
    using Kind = Operation::Kind;
    using Needs = hw::FullEmptyUse::Needs;
    using Leaves = hw::FullEmptyUse::Leaves;
    static constexpr std::uint8_t kWord = 4;
    static constexpr std::uint8_t kReal = 8;

    WordAwaiter at_home(hw::FetchOperation operation, std::uint32_t address, std::uint32_t word,
                        const CallPlace& call) {
        return {*this,
                {.kind = Kind::kFetch,
                 .address = address,
                 .data = word,
                 .fetch = operation,
                 .call = call}};
    }
    static Operation by_bit(Kind kind, std::uint32_t address, Needs needs, Leaves leaves,
                            const CallPlace& call, std::uint64_t data = 0,
                            std::uint8_t bytes = kWord) {
        return {.kind = kind,
                .bytes = bytes,
                .address = address,
                .data = data,
                .full_empty = {.is_used = true, .needs = needs, .leaves = leaves},
                .call = call};
    }
};

/// Upper bound of the software's work for one request of the coherence protocol, including the
/// packets that the request causes.
struct TrapWork {
    hw::Cycles computes{0};
    std::int64_t accesses = 0;  ///< accesses to registers and to the node's own memory
};

/// Program of one node: its thread, and the code for interrupts and traps.
class NodeProgram {
  public:
    NodeProgram() = default;
    NodeProgram(const NodeProgram&) = delete;
    NodeProgram& operator=(const NodeProgram&) = delete;
    virtual ~NodeProgram() = default;

    virtual Task thread() = 0;
    /// Number of threads, one for each context of the core; context 0 runs thread().
    [[nodiscard]] virtual std::int32_t thread_count() const { return 1; }
    virtual Task thread_of_context([[maybe_unused]] std::int32_t context) { return thread(); }
    /// Code for one message: the head of the input queue, or the first message saved by traps. In
    /// polling mode it runs from the poll that found the message, otherwise from the interrupt, up
    /// to the return from it.
    virtual Task interrupt() = 0;
    /// Code that runs when a DMA engine with an end interrupt has finished.
    virtual Task dma_interrupt() = 0;
    /// Code that runs, above thread and handlers, when the full input queue has stopped the network
    /// for too long.
    virtual Task overflow_trap() = 0;
    /// Code that runs, above thread and handlers, when the home of shared lines has packets for
    /// software. Never runs in a machine without shared memory.
    virtual Task coherence_trap() { co_return; }
    /// Upper bound of the work of coherence_trap() for one request.
    [[nodiscard]] virtual TrapWork coherence_trap_work() const { return {}; }
};

}  // namespace weir::nodes
