#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hw/access_tag.h"
#include "hw/controller/controller_registers.h"
#include "hw/per_enumerator.h"
#include "memory/cache_hierarchy.h"
#include "memory/hit_port.h"
#include "memory/node_memory.h"
#include "nodes/core.h"
#include "nodes/sparcle/architecture.h"
#include "nodes/sparcle/execution_observer.h"
#include "nodes/sparcle/full_empty_bits.h"
#include "nodes/sparcle/integer_unit.h"
#include "nodes/sparcle/program_checks.h"
#include "nodes/sparcle/timing.h"

namespace weir::nodes::sparcle {

/// An in-order core that executes the instructions in its node's memory one at a time. The core is
/// Sparcle, the SPARC V7 processor of Alewife, with its floating-point unit.
///
/// Timing of an instruction issued in cycle t:
///  - An interrupt raised in t, if enabled, enters its trap in place of the instruction.
///  - The fetch: a hit in the first level of cache is part of the class's cycles (Timing). A miss
///    adds the cycles of the memory hierarchy beyond a hit.
///  - The cycles of the class, and one more if the instruction reads a register that the previous
///    instruction loaded.
///  - The access: the cycles of memory, or of the message controller's answer (by address or by
///    LDIO, STIO, IPILAUNCH, IPICST), which may come much later. An interrupt raised meanwhile
///    withdraws an unanswered access to the controller; the access is repeated after the return
///    from the trap.
///
/// The next instruction is issued in the cycle in which this one ends. Memory is big-endian; a
/// register of the controller is a word.
///
/// Shared memory: a load or store that hits is executed like a private one, if nothing observes the
/// access (SharedLines::has_plain_hits). Any other access to shared memory uses the bus, in its own
/// cycle, an atomic access as one exchange. If the line comes from another node, an interrupt
/// withdraws the access, like one to the controller. A core with several contexts traps
/// (SPARCLE_TRAP_REMOTE_WAIT), and the program repeats the access at the context's next turn.
/// Instructions are not fetched from shared memory. An access is a program's fault while the
/// coherence trap is disabled, since two homes could then wait for each other's software. An access
/// in a message's handler is a fault too, since the line could come behind that message.
///
/// Interrupt levels and the additions to SPARC V7: nodes/sparcle/architecture.h. The core itself
/// has the registers of hw/controller/host_registers.h.
///
/// In a tick the core executes the instructions issued in the current cycle. The core then runs
/// ahead of the machine's time, up to the first cycle in which an event could reach it. An access
/// that needs the bus waits for its cycle. Controller::settled_until gives the first cycle of an
/// interrupt, since interrupts are known their notify delay ahead. Cached lines do not change while
/// HitPort::is_settled and no DMA engine works. Beyond the first possible event the core executes
/// only instructions that need the unit and hits, and rolls back if an interrupt is raised earlier.
/// In a node that shares memory a coherence trap may come at any time, so all but the current
/// cycle's instructions may be rolled back. Lines of private memory change only by the core's own
/// accesses. Before a packet takes a line of shared memory the core rolls back, too. Iterations of
/// a loop that leave the unit's state as it was are not executed again, but counted. With
/// Timing::run_ahead = false it executes an instruction a tick, with the same results.
///
/// A program's fault is a trap without a handler, or a finding of ProgramChecks. The fault ends the
/// run in the cycle of its instruction, which has no effect.
///
/// Trace: the handling of a message begins with its interrupt and ends with the return from that
/// trap. Without an interrupt it lasts from the first load from the input window to the end of the
/// store that disposes of the message. The handler's body is the code from the address in the
/// message to the return to its caller.
class SparcleCore final : public Core {
  public:
    struct Counters : hw::StatisticsGroup {
        hw::Counter instructions{*this, "instructions", "Number of instructions executed"};
        hw::Counter annulled{*this, "annulled", "Number of annulled delay slots"};
        hw::Counter fetch_stall_cycles{*this, "fetch_stall_cycles",
                                       "Cycles of fetches beyond a hit"};
        hw::Counter data_stall_cycles{*this, "data_stall_cycles",
                                      "Cycles of loads and stores of memory beyond a hit"};
        hw::Counter interlock_cycles{*this, "interlock_cycles",
                                     "Cycles in which instructions waited for a register loaded by "
                                     "the previous instruction"};
        hw::Counter controller_cycles{*this, "controller_cycles",
                                      "Cycles of accesses to message controller and barrier"};
        hw::Counter traps{*this, "traps", "Number of traps entered, including interrupts"};
        hw::Counter window_traps{*this, "window_traps",
                                 "Number of window overflow and underflow traps entered"};
    };

    /// A caller's place: a call, or the instruction that a trap interrupted.
    struct Caller {
        std::uint32_t pc = 0;
        bool is_interrupted = false;
    };
    /// Callbacks and properties of a program on its host.
    struct Host {
        /// Called when the program stores its status to WEIR_HOST_EXIT.
        std::function<void(hw::NodeId, std::uint32_t status)> exited;
        std::function<void(hw::NodeId, char character)> console;
        /// Returns the symbol of an address, such as "function+0x10"; empty if unknown.
        std::function<std::string(std::uint32_t address)> symbol = {};
        /// Returns the name for a number stored to WEIR_HOST_MARK_NAME; empty if there is none.
        std::function<std::string(std::uint32_t number)> mark_name = {};
        /// True if the program has a handler for a trap, other than its report of an unhandled
        /// trap. A trap without a handler ends the run, with the registers as before the trap.
        /// Null: every trap has a handler.
        std::function<bool(std::uint8_t trap_type)> has_handler = {};
        /// Called when the program stores an address of its memory to WEIR_HOST_CALL. Null: such
        /// stores are ignored.
        std::function<void(hw::NodeId, std::uint32_t address)> call = {};
        /// Returns the callers of the code that a core executes, innermost first. Null: callers are
        /// unknown.
        std::function<std::vector<Caller>(SparcleCore& core)> callers = {};
        /// Reads shared memory, for callers whose frames lie there; false if it cannot be read.
        /// The machine sets it.
        std::function<bool(std::uint32_t address, std::span<std::uint8_t> bytes)> read_shared = {};
        /// Layout for the checks; an empty layout finds only uses of uninitialised values.
        ProgramLayout layout = {};
    };

    SparcleCore(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                const Parameters& parameters, const Timing& timing,
                const memory::NodeMemory::Parameters& memory, const Surroundings& surroundings);

    /// Fetches of instructions, to the caches. Unbound without caches, since every fetch then hits.
    tlm_utils::simple_initiator_socket_optional<SparcleCore> instruction_socket{
        "instruction_socket"};
    /// Connects the caches, or memory without caches; call one of the two before the run.
    void connect(memory::CacheHierarchy& caches);
    void connect(memory::NodeMemory& memory);

    /// Reset: execution begins at address 0 of memory, which must already hold the program.
    void start(Host host);
    /// Tells the core that the host has written to memory, which takes no cycles.
    void note_written(std::uint32_t address, std::uint64_t bytes) override {
        checks_.note_written(address, bytes);
    }
    /// Checks an access of the host on the program's behalf; throws ProgramFault if the access is
    /// refused.
    void check_for_program(const std::string& what, std::uint32_t address, std::uint64_t bytes,
                           bool is_store);
    /// Sets the observer, or none (null); call before the run or while the machine is stopped.
    void set_observer(ExecutionObserver* observer) { observer_ = observer; }

    void tick(hw::Cycles now) override;
    void note_progress_ahead() override;
    void end_of_run(hw::Cycles now) override;
    [[nodiscard]] bool thread_done() const override { return exit_status_.has_value(); }
    void report_waits(hw::WaitReport& report) const override;
    [[nodiscard]] std::vector<Stall> stalls(hw::Cycles now) override;
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const override;

    [[nodiscard]] const Counters& execution() const { return execution_; }
    [[nodiscard]] const IntegerUnit& unit() const { return unit_; }
    /// Unit that a debugger may change while the machine is stopped.
    [[nodiscard]] IntegerUnit& unit() { return unit_; }
    [[nodiscard]] hw::NodeId node() const { return node_id(); }
    /// Cycle in which the instruction at unit().pc() is, or was, issued.
    [[nodiscard]] hw::Cycles next_issue() const { return time_; }
    /// Access of the last instruction; empty if it made none.
    [[nodiscard]] const std::optional<MemoryRequest>& last_access() const { return last_access_; }
    [[nodiscard]] std::string place_of(std::uint32_t address) const override;
    /// All registers of the current window, as lines of text.
    [[nodiscard]] std::string registers_text() const;
    /// Reads memory as the core would load it, without cycles. Returns false outside memory.
    bool read_memory(std::uint32_t address, std::span<std::uint8_t> bytes);

  private:
    enum class Phase : std::uint8_t {
        kOff,
        kIssue,      // the instruction at pc is issued at time_
        kFetch,      // the instruction's fetch goes to the bus at time_
        kFetching,   // the instruction's fetch is on the bus, unanswered
        kFetched,    // the instruction's word has come and is executed at time_
        kAccess,     // the instruction's access goes to the bus at time_
        kAccessing,  // the instruction's access is on the bus, unanswered
        kAccessed,   // the instruction's access ends at time_
        // The instruction's access was withdrawn for an interrupt, which is entered at time_.
        kWithdrawn,
        kMissed,  // the access's line comes from another node; the trap is entered at time_
        kAlarm,   // the core waits in a load from WEIR_HOST_ALARM
        kFault,   // the program's fault ends the run at time_
        kIdle,    // the core waits in a load from WEIR_HOST_IDLE
    };
    static constexpr std::uint32_t kNowhere = 1;  // no instruction has this address

    // Counts of an execution of plain instructions, for the statistics.
    struct Executed {
        std::int64_t instructions = 0;
        std::int64_t annulled = 0;
        std::int64_t interlock_cycles = 0;
        memory::PlainHitCounts hits;
        memory::PlainHitCounts shared_hits;
        hw::Cycles last_store{-1};  // cycle of the last store; -1: none
    };
    // A store that a roll-back undoes.
    struct StoreAhead {
        memory::PlainHit place;
        std::uint64_t before = 0;  // the bytes before the store
        unsigned bytes = 0;
        bool was_dirty = false;
    };
    struct StoresAhead {
        static constexpr std::size_t kMost = 64;
        std::array<StoreAhead, kMost> list;
        std::size_t count = 0;
    };
    // State of the core at settled_, and its work beyond: enough to roll back.
    struct Ahead {
        IntegerUnit unit;
        hw::Cycles time{0};
        std::uint64_t loaded = 0;
        Executed executed;
        StoresAhead stores;
    };
    static constexpr hw::Cycles kNotPlain{-1};  // used in place of cycles, since 0 cycles are valid
    static constexpr hw::Cycles kShortestAhead{32};
    static constexpr hw::Cycles kFarthestAhead{512};

    void answered(tlm::tlm_generic_payload& payload, hw::Cycles delay) override;
    tlm::tlm_sync_enum instruction_answered(tlm::tlm_generic_payload& payload,
                                            tlm::tlm_phase& phase, sc_core::sc_time& delay);

    [[nodiscard]] std::uint8_t raised_level(hw::Cycles now) const;
    [[nodiscard]] bool is_in_turn(hw::Cycles now) const;
    // Executes a step. Returns whether the core can do more in this tick.
    bool goes_on(hw::Cycles now);
    bool is_due(hw::Cycles now);
    void wait_for_answer();

    [[nodiscard]] bool may_execute_plainly() const;
    Executed execute_plainly(hw::Cycles until, StoresAhead* stores);
    template <class Hits>
    Executed execute_plainly(const Hits& fetches, const Hits& data, hw::Cycles until,
                             StoresAhead* stores);
    template <class Hits>
    hw::Cycles execute_alone(const DecodedInstruction& decoded, const Hits& data, hw::Cycles at,
                             StoresAhead* stores);
    template <class Hits>
    bool access_plainly(const Hits& data, const DecodedInstruction& decoded, hw::Cycles at,
                        StoresAhead* stores);
    template <class Hits>
    memory::PlainHit shared_hit(const Hits& data, std::uint32_t address, bool is_store,
                                hw::Cycles at);
    template <class Number, class Hits, class Put>
    bool load_plainly(const Hits& data, std::uint32_t address, hw::Cycles at, const Put& put);
    template <class Number, class Hits>
    bool store_plainly(const Hits& data, std::uint32_t address, Number number, hw::Cycles at,
                       StoresAhead* stores);
    void count(const Executed& executed, std::int64_t times);
    void execute_settled(hw::Cycles now);
    void go_beyond(hw::Cycles now);
    bool stays_ahead(hw::Cycles now);
    void end_ahead();
    void roll_back(hw::Cycles now);
    [[nodiscard]] bool may_share_plainly() const;
    void before_line_goes(hw::Cycles now);

    void issue();
    void fetch_by_bus(hw::Cycles now);
    void fetched();
    void fetch_failed();
    void execute(std::uint32_t word);
    void begin_access();
    void access_host(const MemoryRequest& request);
    [[nodiscard]] std::uint32_t host_register(std::uint32_t address);
    void store_to_host(std::uint32_t address, std::uint32_t value);
    void access_memory(const MemoryRequest& request);
    [[nodiscard]] static bool is_of_memory(std::uint32_t address) {
        return address < WEIR_CONTROLLER_BASE;
    }
    [[nodiscard]] bool is_of_shared_memory(std::uint32_t address) const;
    void begin_shared_access(const MemoryRequest& request);
    void use_bit(const MemoryRequest& request, const hw::FullEmptyUse& use);
    void tag_access(const MemoryRequest& request);
    [[nodiscard]] std::int32_t running_context() const;
    void shared_accessed(const MemoryRequest& request);
    void access_by_bus(hw::Cycles now);
    void accessed();
    void complete_access(std::uint64_t loaded, hw::Cycles base);
    void end_instruction(hw::Cycles base);
    void take_interrupt();
    void trap(std::uint8_t type);

    void note_issue_to_controller(const MemoryRequest& request, hw::Cycles now);
    void note_end_at_controller(const MemoryRequest& request);
    void note_return_from_trap();
    void note_handler_place();
    void check_handler_cycles();
    void begin_handling(hw::MessageSlot message);
    void end_handling();
    [[nodiscard]] bool is_thread() const {
        return handler_depth_ == 0 && upper_depth_ == 0 && switch_depth_ == 0;
    }
    void enter_thread(hw::Cycles now);
    [[nodiscard]] hw::CoreState thread_state(hw::CoreState state) const;
    void note_wait(bool begins);
    // Reason for which a thread's instruction was given up; for stalls(), in a node that shares
    // memory.
    enum class GivenUp : std::uint8_t {
        kNothing,  // the instruction was completed
        kLine,     // the instruction's line had not come
        kWait,     // the instruction waited for something else
    };
    void note_thread_left(GivenUp given_up, hw::Cycles issued);
    void note_turn_passed_on();
    void note_thread_resumed();
    [[nodiscard]] bool waits_for_line() const;
    // Checks an access before its cycle; throws ProgramFault if the access is refused.
    void check_access(const MemoryRequest& request);
    void check_initialisation(const InitialisationCheck& check, const DecodedInstruction& decoded);
    void check_body(const MemoryRequest& request, hw::Cycles now);
    [[noreturn]] void report(const std::string& what);
    [[noreturn]] void report_null_call();
    [[noreturn]] void report_shared(const std::string& what, std::uint32_t address,
                                    const char* why);
    [[noreturn]] void report_error_mode(std::uint8_t type);
    [[noreturn]] void report_trap(std::uint8_t type, std::uint32_t pc, const char* why);
    [[nodiscard]] std::string fault_begin() const;
    [[nodiscard]] std::string function_at(std::uint32_t address) const;
    [[nodiscard]] std::vector<Caller> callers();
    [[nodiscard]] std::string callers_text(const std::vector<Caller>& callers) const;
    [[nodiscard]] const char* missing_unit(std::uint8_t type, std::uint32_t word) const;

    [[nodiscard]] hw::Cycles cycles_of(InstructionClass instruction_class) const {
        return class_cycles_[instruction_class];
    }
    [[nodiscard]] hw::Cycles hit_cycles(const MemoryRequest& request) const;

    IntegerUnit unit_;
    memory::HitPort* hits_ = nullptr;
    // Either caches_ or memory_ is the object of hits_; the other is null.
    memory::CacheHierarchy* caches_ = nullptr;
    memory::NodeMemory* memory_ = nullptr;
    bool has_plain_hits_ = false;
    memory::SharedLines* shared_ = nullptr;  // source of plain hits in shared memory; null if there
                                             // are none
    // Members for the plain execution in progress.
    hw::Cycles shared_until_{0};  // accesses to shared memory before this cycle may be plain
    memory::PlainHitCounts shared_hits_;
    ExecutionObserver* observer_ = nullptr;
    Host host_;
    FullEmptyBits full_empty_;
    ProgramChecks checks_;
    std::exception_ptr fault_ahead_;  // fault that ends the run in Phase::kFault

    // Cycles by class, from Timing.
    hw::PerEnumerator<InstructionClass, hw::Cycles, kInstructionClasses> class_cycles_;
    hw::Cycles load_hit_;
    hw::Cycles store_hit_;
    hw::Cycles double_;
    hw::Cycles load_use_;
    hw::Cycles cycle_counter_;
    hw::Cycles trap_;
    hw::Cycles remote_wait_trap_;
    hw::Cycles handler_most_;  // most cycles of a handler's body; 0: no limit
    std::int32_t contexts_;
    bool multiplies_;
    bool runs_ahead_;

    Phase phase_ = Phase::kOff;
    hw::Cycles time_{0};  // cycle of the current phase's event
    // Cycle in which the access, or the load of an alarm or idle wait, was issued.
    hw::Cycles issued_{0};
    hw::Cycles settled_{0};           // no event reaches the core before this cycle
    bool lines_are_settled_ = false;  // no line arrives, and no DMA engine works
    std::uint8_t level_ = 0;          // interrupt level raised before settled_; 0: none
    bool withdrawing_ = false;
    hw::Cycles last_store_{-1};  // cycle in which the last store of this tick was issued; -1: none
    hw::Cycles given_up_{0};     // cycles of an access before it was withdrawn for an interrupt
    std::optional<std::uint64_t> atomic_load_;  // value loaded by an atomic access that still has
                                                // to store
    std::uint64_t loaded_ = 0;  // registers loaded by the previous instruction; bits as in
                                // DecodedInstruction::reads
    std::optional<MemoryRequest> last_access_;
    ExecutedInstruction instruction_;
    std::uint32_t alarm_ = 0;
    std::uint32_t cycle_high_ = 0;
    std::uint32_t mark_name_ = 0;

    std::unique_ptr<Ahead> ahead_;
    bool is_ahead_ = false;
    bool stops_at_access_ = false;            // the instruction at time_ was found not to be plain
    hw::Cycles next_ahead_ = kShortestAhead;  // cycles to run ahead the next time

    hw::AccessTag access_tag_;
    tlm::tlm_generic_payload fetch_payload_;
    tlm::tlm_generic_payload access_payload_;
    std::array<std::uint8_t, 4> fetch_bytes_{};
    std::array<std::uint8_t, 8> access_bytes_{};
    std::string refusal_;  // reason for the last refused access

    // Members for the trace.
    bool lingers_ = false;             // the state is still that of an access that has ended
    std::int32_t trap_depth_ = 0;      // nesting depth: traps entered and not returned from
    std::int32_t handler_depth_ = 0;   // depth of the interrupt whose handler runs; 0: none
    std::int32_t upper_depth_ = 0;     // depth of an overflow or coherence trap; 0: none
    bool upper_is_coherence_ = false;  // the trap of upper_depth_ is a coherence trap
    std::int32_t switch_depth_ = 0;    // depth of the trap that switches contexts; 0: none
    std::optional<hw::MessageSlot> handled_;
    bool is_polled_ = false;  // the message was taken without an interrupt
    bool is_disposed_of_ = false;
    bool in_body_ = false;
    hw::Cycles handler_limit_ = hw::kNever;  // first cycle that exceeds the handler's limit
    std::uint32_t watched_pc_ = kNowhere;  // address where the handler's body begins, or returns to

    // Members for stalls().
    struct Thread {
        StepClock steps;
        std::optional<MemoryRequest> access;  // access that waits for its line
        bool synchronizes = false;            // waits for another thread (SPARCLE_WAIT_BEGINS)
    };
    // Threads by hardware context; a context without a thread gets turns, too.
    std::vector<Thread> threads_;
    std::size_t turn_of_ = 0;  // context of the current or last turn
    GivenUp gave_up_ = GivenUp::kNothing;
    std::int64_t instructions_before_ = 0;  // instruction count at the beginning of the thread's
                                            // turn

    std::optional<std::uint32_t> exit_status_;
    Counters execution_;
};

}  // namespace weir::nodes::sparcle
