#pragma once

#include <algorithm>
#include <coroutine>
#include <functional>
#include <optional>
#include <vector>

#include "hw/access_tag.h"
#include "hw/units.h"
#include "nodes/core.h"
#include "nodes/programming/processor.h"

namespace weir::nodes {

/// A processor whose program is a C++ coroutine. The core computes for the cycles that the program
/// states, and pays for each access the cycles that the bus answers. The core runs one thread, and
/// above the thread one atomic handler at a time (LoPC Section 2).
///
/// In a cycle:
/// 1. An operation that ends now is completed.
/// 2. A raised interrupt is taken, unless a handler runs or an access is under way. An unanswered
///    access is withdrawn, and issued again after the handler.
/// 3. The program continues with its next operation.
///
/// When a handler ends and the interrupt line is still high, the next message is taken at once:
/// handlers have priority over the thread. An interrupted computation later continues with its
/// remaining cycles.
///
/// Traps: the overflow of the input queue or packets of the coherence protocol raise a trap. A trap
/// has priority over thread and handler, in every receive mode. A trap is taken between two
/// operations, in the middle of a computation, or during an unanswered access, which is withdrawn.
/// Nothing interrupts a trap. With a protocol processor, that processor takes the traps. Messages
/// that traps have saved are handled before those in the input queue.
///
/// Contexts (block multithreading, as on Sparcle): each context has a thread, and the core runs one
/// thread at a time. When the thread waits for a flag or a cycle, the core switches to the next
/// context in turn. A switch takes context_switch_cycles, in which nothing interrupts. If the next
/// thread must still wait, the core switches again: it does not look for a ready thread. Handlers
/// interrupt whichever thread runs. A polling node looks for a message before it switches. Contexts
/// of ended threads are skipped, and the last remaining thread waits in place. Accesses that the
/// controller has not answered, and loops that ask for a status, block the core. An access to
/// shared memory whose line is in another node does not block it: the core switches, if need be to
/// the same context. The core repeats the access at the context's next turn.
///
/// Full/empty bits: an access that finds the wrong state traps. With several contexts the trap is a
/// context switch, and the access is repeated at the context's next turn. With one context the
/// access is repeated after full_empty_trap_cycles, and a waiting message is handled first. The
/// program sees only a long access.
///
/// With one context, an access to shared memory that waits for another node is withdrawn for an
/// interrupt or trap. The access is repeated afterwards, like an access that waits for the
/// controller.
///
/// Early loads (core.loads_in_flight) take the core's time of a hit, and end while the program
/// continues. A program that asks for a missing value waits for it, as for any access to the node's
/// own memory.
///
/// Cache interference: for each handler that interrupted it, the thread first spends
/// core.cache_interference_cycles to refill its cache. An interrupt in the middle of the refill
/// postpones the remaining cycles.
///
/// Progress for the watchdog: computing, however long; reaching the cycle that a thread waits for;
/// a store to memory; the end of a handler. No progress: other accesses, context switches, loops of
/// accesses that ask for a status (Processor::compute_to_ask_again), and traps, since traps can
/// repeat without end. Queues, engines and the network report the progress of the data that traps
/// move.
class BehaviouralCore final : public Core, public Processor {
  public:
    BehaviouralCore(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                    const Parameters& parameters, const Surroundings& surroundings);

    /// Sets the program, and a callback for the end of each thread; call before the run. Throws
    /// ProgramFault unless the program has a thread for each context.
    void load(NodeProgram& program, std::function<void()> thread_ended);

    void tick(hw::Cycles now) override;
    void end_of_run(hw::Cycles now) override;

    [[nodiscard]] bool thread_done() const override {
        return std::all_of(threads_.begin(), threads_.end(),
                           [](const Context& thread) { return thread.phase == Phase::kDone; });
    }
    void report_waits(hw::WaitReport& report) const override;
    [[nodiscard]] std::vector<Stall> stalls(hw::Cycles now) override;
    [[nodiscard]] bool in_handler() const { return in_handler_; }

    // Implementation of Processor.
    [[nodiscard]] hw::NodeId node() const override { return node_id(); }
    [[nodiscard]] std::int32_t node_count() const override { return number_of_nodes(); }
    [[nodiscard]] hw::Cycles now() const override { return domain().now(); }
    [[nodiscard]] ReceiveMode receive_mode() const override { return mode(); }
    [[nodiscard]] hw::Bytes memory_bytes() const override { return bytes_of_memory(); }
    [[nodiscard]] bool shares_memory() const override { return has_shared_memory(); }
    [[nodiscard]] std::int32_t loads_in_flight() const override {
        return static_cast<std::int32_t>(thread_->begun.size());
    }
    void trace_code_begin() override;
    void trace_code_end() override;
    void trace_restored_words(std::int32_t words) override;
    void trace_mark(std::string_view name, std::int64_t value) override;

  private:
    enum class Phase : std::uint8_t {
        kReady,        // the program continues in this cycle
        kTimed,        // computing, or in an access with a known end; until `end`
        kInterrupted,  // a computation interrupted by a handler or trap; `left` cycles remain
        kUnanswered,   // an access without an answer from the controller or memory
        kWithdrawn,    // an access withdrawn for an interrupt or trap, which is taken at `end`
        kRetry,        // a withdrawn access, to be issued again
        kMissed,    // an access whose line comes from another node; next is another context's turn
        kRefused,   // an access that has found the wrong full/empty state; traps at `end`
        kTrapping,  // in the full/empty trap; the access is issued again at `end`
        kLoading,   // waiting for the value of an early load
        kWaitFlag,
        kWaitCycle,
        kDone,
    };
    static constexpr std::uint32_t kNothing = 0;
    // An early load (core.loads_in_flight).
    struct EarlyLoad {
        std::uint64_t data = 0;
        // Cycle in which the value arrives; kNever while the line comes from memory.
        hw::Cycles end{0};
        bool is_begun = false;  // true from begin_load() until loaded() asks for the value
        tlm::tlm_generic_payload payload;
    };
    struct Context {
        Phase phase = Phase::kReady;
        Task task;
        std::coroutine_handle<> program;
        Operation* operation = nullptr;
        hw::Cycles end;
        hw::Cycles left;
        hw::Cycles issued;  // cycle in which an unanswered access was issued
        bool withdrawing = false;
        std::uint32_t asked_about = kNothing;  // register read by a loop that asks for a status
        hw::Cycles asks_from{0};  // earliest cycle in which the loop reads the register again
        // Clock of the thread's steps, used in a machine with shared memory.
        StepClock steps;
        bool is_known_ready = false;  // stalls() has seen the end of the thread's wait
        // One tag and one payload for all accesses: a context has at most one access under way
        // besides its early loads.
        hw::AccessTag tag;
        tlm::tlm_generic_payload payload;
        // Early loads, by place; never resized, since accesses point to its elements.
        std::vector<EarlyLoad> begun;
    };

    void begin(Operation& operation, std::coroutine_handle<> program) override;
    void answered(tlm::tlm_generic_payload& payload, hw::Cycles delay) override;

    [[nodiscard]] bool handlers_beside() const { return mode() == ReceiveMode::kProtocolProcessor; }
    void run_until_waiting(Context& context, hw::Cycles now);
    void settle(Context& context, hw::Cycles now);
    bool take_message(hw::Cycles now);
    bool put_aside(Context& context, hw::Cycles now);
    bool take_trap(Context* below, hw::Cycles now) { return has_traps_ && begin_trap(below, now); }
    bool begin_trap(Context* below, hw::Cycles now);
    [[nodiscard]] bool is_in_turn(const Context* below, hw::Cycles now) const;
    void leave_trap(hw::Cycles now);
    void run_above_thread(hw::Cycles now);
    auto& socket_of(const Context& context) {
        return is_a_thread(context) || !handlers_beside() ? bus_socket : *handler_bus_socket;
    }
    void note_step(Context& context, hw::Cycles at) const {
        if (has_shared_memory()) {
            Core::note_step(context.steps, at);
        }
    }
    // Notes the step of an operation that has ended, if the next one does not begin at once.
    void note_end_of_step(Context& context) const {
        if (context.phase == Phase::kReady && context.end > context.steps.last) {
            note_step(context, context.end);
        }
    }
    [[nodiscard]] bool could_run(Context& context, hw::Cycles now);
    [[nodiscard]] bool is_a_thread(const Context& context) const {
        return &context != &handler_ && &context != &trap_;
    }
    [[nodiscard]] Context* next_in_turn();
    bool switch_context(hw::Cycles now);
    bool poll_is_due(hw::Cycles now);
    void enter_handler(hw::Cycles now, hw::MessageId message, Task handler);
    void leave_handler(hw::Cycles now);
    void resume(Context& context, hw::Cycles now);
    void start(Context& context, hw::Cycles now);
    void rethrow_from(const Task& program) const;
    void require_thread(const Context& context, const char* what) const {
        if (!is_a_thread(context)) [[unlikely]] {
            refuse_in_handler(context, what);
        }
    }
    [[noreturn]] void refuse_in_handler(const Context& context, const char* what) const;
    void compute(Context& context, hw::Cycles now);
    void access(Context& context, hw::Cycles now);
    [[nodiscard]] static EarlyLoad* begun_at(Context& context);
    void begin_load(Context& context, hw::Cycles now);
    void ask_for_loaded(Context& context, hw::Cycles now);
    void take_loaded(Context& context, hw::Cycles now);
    bool begun_load_answered(const tlm::tlm_generic_payload& payload, hw::Cycles end);
    bool refills_cache(const Context& thread, hw::Cycles now);
    void take_full_empty_trap(Context& context, hw::Cycles now);
    [[nodiscard]] Phase phase_when_answered(Context& context);
    void note_blocked(hw::Cycles until);
    void note_memory_wait(hw::Cycles until);
    [[nodiscard]] std::string fault_begin() const;
    void check_response(const tlm::tlm_generic_payload& payload, const CallPlace& call) const {
        if (payload.is_response_error()) [[unlikely]] {
            report_response(payload, call);
        }
    }
    [[noreturn]] void report_response(const tlm::tlm_generic_payload& payload,
                                      const CallPlace& call) const;
    [[noreturn]] void report_handlers_access(const Operation& operation) const;
    [[noreturn]] void report_without_bit(const Operation& operation) const;
    [[nodiscard]] hw::CoreState state_of(const Operation& operation) const;

    hw::Cycles poll_period_;
    NodeProgram* program_ = nullptr;
    std::function<void()> thread_ended_;

    // Contexts by number; never resized, since accesses point to its elements.
    std::vector<Context> threads_;
    Context* thread_;  // thread of the context that runs, or that the core switches to
    hw::Cycles switch_cycles_;
    hw::Cycles full_empty_trap_cycles_;
    hw::Cycles switch_end_{0};
    hw::Cycles load_cycles_;
    hw::Cycles double_load_cycles_;
    hw::Cycles interference_cycles_;
    hw::Cycles refill_{0};  // cycles for refilling the cache that the thread still has to spend
    std::optional<hw::Cycles> refill_end_;  // end of the refill, while it is under way
    Context handler_;
    Context trap_;
    bool in_handler_ = false;
    bool has_traps_ = false;
    bool in_trap_ = false;
    bool is_coherence_trap_ = false;  // kind of the current trap, if in_trap_
    Context* resumed_ = nullptr;      // context whose coroutine is executing now, or null
    hw::Cycles polling_since_{0};
    std::optional<hw::MessageSlot> handled_;  // message of the running handler
};

}  // namespace weir::nodes
