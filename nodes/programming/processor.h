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

/// The core's programming interface: all that firmware sees of the machine. Every operation takes
/// the cycles the hardware takes; between two operations no time passes. An operation that the
/// machine does not accept ends the run with a ProgramFault, which names the line of `call`.
class Processor {
  public:
    /// What a program can ask the core to do.
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
        std::uint8_t bytes = 4;         ///< of a load or store: 4 or 8
        std::uint32_t address = 0;      ///< of a load or store; or of the register asked about
        std::uint64_t data = 0;         ///< to store, or what was loaded or replaced
        hw::Cycles cycles{0};           ///< to compute, or the cycle to wait for
        bool asks = false;              ///< computes or waits only to ask again
        const bool* flag = nullptr;     ///< to wait for
        std::int32_t place = 0;         ///< of a load that is begun, or was
        hw::FullEmptyUse full_empty{};  ///< of a load or store of shared memory
        hw::FetchOperation fetch = hw::FetchOperation::kAdd;  ///< at a word's home
        CallPlace call{};                                     ///< for a fault's message
    };
    /// What an access by a full/empty bit gives: the word that was loaded or stored, and whether it
    /// was full before.
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
    /// Whether the nodes of its machine share memory.
    [[nodiscard]] virtual bool shares_memory() const { return false; }
    /// How many loads may be begun before the value of the first is asked for.
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
    /// The test and branch of a loop that asks for a status until that has changed: takes what
    /// compute() takes, but gets nothing done, so that the watchdog ends a loop that asks for ever.
    /// Where the loop takes no time, it asks once a cycle.
    /// `register_waited_for`: whose load would have waited for the same.
    Awaiter compute_to_ask_again(hw::Cycles cycles, std::uint32_t register_waited_for,
                                 CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kCompute,
                 .address = register_waited_for,
                 .cycles = cycles,
                 .asks = true,
                 .call = call}};
    }
    /// Thread only: the same by waiting until a cycle, so that messages are taken meanwhile.
    Awaiter wait_to_ask_again(hw::Cycles until, std::uint32_t register_waited_for,
                              CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kWaitCycle,
                 .address = register_waited_for,
                 .cycles = until,
                 .asks = true,
                 .call = call}};
    }
    /// Loads or stores a 32-bit word, of memory or of a memory-mapped register.
    WordAwaiter load(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this, {.kind = Operation::Kind::kLoad, .address = address, .call = call}};
    }
    Awaiter store(std::uint32_t address, std::uint32_t word,
                  CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kStore, .address = address, .data = word, .call = call}};
    }
    /// Stores a word of memory and gives the one that it replaces, as one access (SPARC's swap).
    WordAwaiter exchange(std::uint32_t address, std::uint32_t word,
                         CallPlace call = CallPlace::current()) {
        return {
            *this,
            {.kind = Operation::Kind::kExchange, .address = address, .data = word, .call = call}};
    }
    /// Has a word of shared memory changed where it lies, at its home, and gives it as it was. Only
    /// with coherence.fetch_and_op, which is a study option.
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
    /// Asks for the line of a word of shared memory, and goes on: the line comes beside what the
    /// program does, and is lost again if another node wants it before its use. What can't be asked
    /// for now is not. The second asks for the only copy.
    Awaiter prefetch(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this, {.kind = Operation::Kind::kPrefetch, .address = address, .call = call}};
    }
    Awaiter prefetch_to_write(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this,
                {.kind = Operation::Kind::kPrefetchToWrite, .address = address, .call = call}};
    }
    /// Loads or stores two words of the message that is being composed; the address is a multiple
    /// of eight.
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

    // By full/empty bits: each word of shared memory has one, full at first. Access and bit are one
    // step. An access of two words uses the first one's bit. Ordinary loads and stores neither see
    // nor change it.
    //
    // These need a state. In the other one the core traps, and its software makes the access again:
    // after core.full_empty_trap_cycles or, with several contexts, when the context's turn comes
    // again.
    /// Loads a word when it is full. take_full() makes it empty.
    WordAwaiter load_full(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kLoad, address, Needs::kFull, Leaves::kAsItWas, call)};
    }
    WordAwaiter take_full(std::uint32_t address, CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kLoad, address, Needs::kFull, Leaves::kEmpty, call)};
    }
    /// Stores a word when it is empty. fill_empty() makes it full.
    Awaiter store_empty(std::uint32_t address, std::uint32_t word,
                        CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kStore, address, Needs::kEmpty, Leaves::kAsItWas, call, word)};
    }
    Awaiter fill_empty(std::uint32_t address, std::uint32_t word,
                       CallPlace call = CallPlace::current()) {
        return {*this, by_bit(Kind::kStore, address, Needs::kEmpty, Leaves::kFull, call, word)};
    }
    /// The same of a double.
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
    // These report the state in which they found the word, and take place in either.
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

    /// Thread only: begins a load of the node's own memory, and goes on while its line comes. It
    /// has a place, 0 to loads_in_flight() - 1, which is free again when its value has been asked
    /// for: loaded() waits until that is there.
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
    /// Thread only: waits until the cycle has come.
    Awaiter wait_until(hw::Cycles cycle, CallPlace call = CallPlace::current()) {
        return {*this, {.kind = Operation::Kind::kWaitCycle, .cycles = cycle, .call = call}};
    }

    // For the trace; these cost nothing and change nothing.
    virtual void trace_code_begin() = 0;
    virtual void trace_code_end() = 0;
    virtual void trace_restored_words(std::int32_t words) = 0;
    virtual void trace_mark(std::string_view name, std::int64_t value) = 0;

  protected:
    /// The running program asks for `operation` and is resumed when it is done. The operation lives
    /// in the suspended coroutine.
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

/// The longest that software takes for one request of the coherence protocol, and for the packets
/// that it brings about.
struct TrapWork {
    hw::Cycles computes{0};
    std::int64_t accesses = 0;  ///< to registers and to the node's own memory
};

/// The program of one node: its thread, and what runs when the controller interrupts.
class NodeProgram {
  public:
    NodeProgram() = default;
    NodeProgram(const NodeProgram&) = delete;
    NodeProgram& operator=(const NodeProgram&) = delete;
    virtual ~NodeProgram() = default;

    virtual Task thread() = 0;
    /// Its threads, one for each of the core's contexts; the first is thread().
    [[nodiscard]] virtual std::int32_t thread_count() const { return 1; }
    virtual Task thread_of_context([[maybe_unused]] std::int32_t context) { return thread(); }
    /// What the core runs for the one message at the head of the input queue, or the first of those
    /// that traps have saved: in polling mode from the poll that found it, otherwise from the trap
    /// to the return from it.
    virtual Task interrupt() = 0;
    /// What the core runs when a DMA engine that was to interrupt has ended.
    virtual Task dma_interrupt() = 0;
    /// What the core runs, above thread and handlers, when the input queue has stopped the network
    /// for too long.
    virtual Task overflow_trap() = 0;
    /// What the core runs, above thread and handlers, when the home of shared lines has packets for
    /// software; of a machine without shared memory never.
    virtual Task coherence_trap() { co_return; }
    /// How long that takes.
    [[nodiscard]] virtual TrapWork coherence_trap_work() const { return {}; }
};

}  // namespace weir::nodes
