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

/// A processor whose program is a coroutine: it computes for the cycles the program says and pays
/// for each access what the bus answers. One thread, and one atomic handler at a time above it
/// (LoPC Section 2).
///
/// In a cycle: an operation that ends now is done; then, unless a handler runs, a raised interrupt
/// is taken if no access is under way (an access without an answer is withdrawn and issued again
/// afterwards); then the program goes on to its next operation. When a handler ends and the line is
/// still high the next message is taken at once: handlers outrank the thread. A computation that
/// was interrupted goes on with what was left of it.
///
/// A raised trap, for the overflow of the input queue or for packets of the coherence protocol,
/// outranks both, in every receive mode: it is taken between any two
/// operations of thread or handler, and in the middle of a computation or of an access without an
/// answer, in the way in which a handler interrupts the thread. In it nothing interrupts. With a
/// protocol processor it is that processor which traps. Messages that traps have saved are taken
/// before those in the input queue.
///
/// With several contexts (block multithreading, as Sparcle's) each has a thread, and the core runs
/// one at a time. When that waits, for a flag or a cycle, the core switches to the next context in
/// turn, in context_switch_cycles in which nothing interrupts. If what the thread there waits for
/// has come it goes on; if not, the core switches on, without a look at who is ready, and so round
/// and round while all wait. Handlers interrupt whichever runs; a node that polls looks for a
/// message before it switches. A thread that has ended is left out, and the last one left waits
/// where it is. An access that the controller has not answered, and a loop that asks for a status,
/// hold the core. An access to shared memory whose line comes from another node does not: the core
/// switches, also back to the same context where there is no other, and makes the access again.
///
/// An access by a full/empty bit that finds its word in the state that it does not need is a trap.
/// With several contexts its software is a switch, and the access is made again when the context's
/// turn comes. With one it comes back to the access full_empty_trap_cycles later, and a message
/// that waits is handled before that. So a program sees such an access as one that takes long.
///
/// With one context an access to shared memory that waits for another node is withdrawn for an
/// interrupt or trap, and made again after it, as one that waits for the controller is.
///
/// Loads that a program begins ahead (core.loads_in_flight) take what a hit takes, and end beside
/// what it does then. When it asks for a value that has not come it waits for it, as for any
/// access to the node's own memory.
///
/// For each message whose handler has interrupted the thread, the thread first gets back what that
/// has taken of its cache (core.cache_interference_cycles), before it goes on; an interrupt in the
/// middle of that leaves what is left for later.
///
/// To the watchdog progress is what a program computes, however long that takes, the cycle it waits
/// for, what it stores in memory, and a handler that ends. Other accesses are none, nor is a switch
/// of contexts, nor a loop of accesses that asks for a status (Processor::compute_to_ask_again),
/// nor what a trap does, since traps may come one after the other: what they move, queues, engines
/// and network note.
class BehaviouralCore final : public Core, public Processor {
  public:
    BehaviouralCore(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                    const Parameters& parameters, const Surroundings& surroundings);

    /// The program to run and who is told when its last thread ends; before the run. Throws
    /// ProgramFault when it has not a thread for each context.
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

    // Processor
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
        kReady,        // the program goes on now
        kTimed,        // computing, or an access whose end is known; until `end`
        kInterrupted,  // a computation a handler or trap interrupted, with `left` to do
        kUnanswered,   // an access the controller has not answered
        kWithdrawn,    // an access withdrawn for an interrupt or trap, which is taken at `end`
        kRetry,        // a withdrawn access, to be issued again
        kMissed,       // an access whose line comes from another node; another context's turn
        kRefused,      // an access that has found the wrong full/empty state; traps at `end`
        kTrapping,     // in that trap; the access is issued again at `end`
        kLoading,      // asks for a value that a load has begun to bring
        kWaitFlag,
        kWaitCycle,
        kDone,
    };
    static constexpr std::uint32_t kNothing = 0;
    // A load that the thread went on behind.
    struct BegunLoad {
        std::uint64_t data = 0;
        hw::Cycles end{0};      // kNever while its line comes from memory
        bool is_begun = false;  // and its value has not been asked for
        tlm::tlm_generic_payload payload;
    };
    struct Context {
        Phase phase = Phase::kReady;
        Task task;
        std::coroutine_handle<> program;
        Operation* operation = nullptr;
        hw::Cycles end;
        hw::Cycles left;
        hw::Cycles issued;  // of an unanswered access
        bool withdrawing = false;
        std::uint32_t asked_about = kNothing;  // the register, of a loop that asks for a status
        hw::Cycles asks_from{0};               // again, at the earliest
        StepClock steps;                       // of a machine that shares memory
        bool is_known_ready = false;           // what it waits for has come, as stalls() has seen
        // Pooled: one access at a time is under way, beside loads that were begun.
        hw::AccessTag tag;
        tlm::tlm_generic_payload payload;
        std::vector<BegunLoad> begun;  // by place; never resized, as above
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
    // The step of an operation that has ended, where the next one does not begin at once.
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
    [[nodiscard]] static BegunLoad* begun_at(Context& context);
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

    std::vector<Context> threads_;  // by context; never resized, since accesses point to it
    Context* thread_;               // of the context that runs, or is switched to
    hw::Cycles switch_cycles_;
    hw::Cycles full_empty_trap_cycles_;
    hw::Cycles switch_end_{0};
    hw::Cycles load_cycles_;
    hw::Cycles double_load_cycles_;
    hw::Cycles interference_cycles_;
    hw::Cycles refill_{0};                  // what handlers have cost the thread, to be paid
    std::optional<hw::Cycles> refill_end_;  // while it is
    Context handler_;
    Context trap_;
    bool in_handler_ = false;
    bool has_traps_ = false;
    bool in_trap_ = false;
    bool is_coherence_trap_ = false;  // if in_trap_
    Context* resumed_ = nullptr;      // whose program is running, while it runs
    hw::Cycles polling_since_{0};
    std::optional<hw::MessageSlot> handled_;  // while its handler runs
};

}  // namespace weir::nodes
