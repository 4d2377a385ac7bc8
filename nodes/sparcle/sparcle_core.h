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

/// A core that executes the instructions in its node's memory, in order and one at a time: Sparcle,
/// the SPARC V7 processor of Alewife, with its floating-point unit beside it.
///
/// An instruction is issued in a cycle t. If an interrupt is raised in t and the program lets it,
/// a trap is entered in its place. It is fetched: a hit in the first level of cache costs nothing
/// beyond what its class takes (Timing), a miss what the memory hierarchy takes beyond a hit. It
/// then takes its class's cycles; one more when it reads what the instruction before it has loaded;
/// a load or store what memory takes, and one to the message controller (by address or by LDIO,
/// STIO, IPILAUNCH, IPICST) what that answers, which may be much later: if an interrupt is raised
/// meanwhile, an access to the controller without an answer is withdrawn, and executed again after
/// the return from the trap. The next one is issued in the cycle in which it ends. Memory is
/// big-endian; a register of the controller is a word.
///
/// A load or store of shared memory that hits is done as one of the node's own memory is, where
/// nobody looks on (SharedLines::has_plain_hits). Any other access to it goes by the bus, in its
/// own cycle, an atomic one as one exchange. Where its line comes from another node it is withdrawn
/// for an interrupt, as those to the controller are; a core with several contexts traps
/// (SPARCLE_TRAP_REMOTE_WAIT), and the program makes the access again when the context's turn
/// comes. No instructions are fetched from shared memory. An access to it is a fault of the program
/// while the coherence trap is off, since two homes could then wait for each other's software, and
/// in a message's handler, since its line could come behind that message.
///
/// Interrupt levels and what Sparcle has beyond SPARC V7: nodes/sparcle/architecture.h. The core
/// has the registers of hw/controller/host_registers.h itself.
///
/// In a cycle: it executes what is issued then, and goes on ahead of the machine's time up to the
/// first cycle in which anything could reach it (Controller::settled_until: an interrupt is known
/// its notify delay ahead; HitPort::is_settled, and no DMA engine at work), or until it needs the
/// bus, which it asks in the cycle of the access. Beyond that it executes what needs its unit and
/// what it hits in, and goes back when an interrupt is raised before it got there. In a node that
/// shares memory a coherence trap may come at any time: there it does all but the present cycle's
/// instructions in that second way. Lines of the node's own memory come and go by its own accesses
/// only, as elsewhere. Before a packet takes a line of shared memory, the core goes back, too.
/// Timing::run_ahead = false has it execute one instruction a tick; no result depends on it.
///
/// A program's own fault, a trap that it has no handler for or what ProgramChecks finds, ends the
/// run in the cycle of its instruction, of which nothing is done.
///
/// For the trace, handling a message begins with the interrupt for it and ends with the return from
/// that trap; if software takes it without an interrupt, from the first load from the input window
/// to the end of the store that disposes of it. The body of its handler is what runs from the
/// address the message names to the return to whoever called that.
class SparcleCore final : public Core {
  public:
    struct Counters : hw::StatisticsGroup {
        hw::Counter instructions{*this, "instructions", "Instructions executed"};
        hw::Counter annulled{*this, "annulled", "Delay slots that were annulled"};
        hw::Counter fetch_stall_cycles{*this, "fetch_stall_cycles",
                                       "Cycles fetches took beyond a hit"};
        hw::Counter data_stall_cycles{*this, "data_stall_cycles",
                                      "Cycles loads and stores of memory took beyond a hit"};
        hw::Counter interlock_cycles{*this, "interlock_cycles",
                                     "Cycles instructions waited for what the one before loaded"};
        hw::Counter controller_cycles{*this, "controller_cycles",
                                      "Cycles of accesses to message controller and barrier"};
        hw::Counter traps{*this, "traps", "Traps entered, interrupts among them"};
        hw::Counter window_traps{*this, "window_traps",
                                 "Of these, window overflows and underflows"};
    };

    /// Where something was called, or was interrupted by a trap.
    struct Caller {
        std::uint32_t pc = 0;
        bool is_interrupted = false;
    };
    /// What the machine is told of a program.
    struct Host {
        /// The program has stored its status to WEIR_HOST_EXIT.
        std::function<void(hw::NodeId, std::uint32_t status)> exited;
        std::function<void(hw::NodeId, char character)> console;
        /// "function+0x10", or nothing.
        std::function<std::string(std::uint32_t address)> symbol = {};
        /// Of a number stored to WEIR_HOST_MARK_NAME; or nothing.
        std::function<std::string(std::uint32_t number)> mark_name = {};
        /// Whether the program has anything in that trap's vector but a report of its own that it
        /// has not. A trap that has no handler ends the run, with the registers as they are before
        /// it. Null: every trap has one.
        std::function<bool(std::uint8_t trap_type)> has_handler = {};
        /// The program has stored an address of its memory to WEIR_HOST_CALL. Null: nobody listens.
        std::function<void(hw::NodeId, std::uint32_t address)> call = {};
        /// Who has called what a core executes, the last call first. Null: nobody knows.
        std::function<std::vector<Caller>(SparcleCore& core)> callers = {};
        /// What the checks go by; where it is empty they find no fault but loads of what nobody
        /// wrote.
        ProgramLayout layout = {};
    };

    SparcleCore(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                const Parameters& parameters, const Timing& timing,
                const memory::NodeMemory::Parameters& memory, const Surroundings& surroundings);

    /// Where its instructions come from: the caches' own way for them. Where there are no caches it
    /// stays unbound, since every fetch hits.
    tlm_utils::simple_initiator_socket_optional<SparcleCore> instruction_socket{
        "instruction_socket"};
    /// Before the run.
    void connect(memory::CacheHierarchy& caches);
    void connect(memory::NodeMemory& memory);

    /// The reset: execution begins at address 0 of memory, which holds a program by now.
    void start(Host host);
    /// The host has written to memory, in no time.
    void note_written(std::uint32_t address, std::uint64_t bytes) override {
        checks_.note_written(address, bytes);
    }
    /// What the host reads or writes because the program has asked it to. Throws ProgramFault.
    void check_for_program(const std::string& what, std::uint32_t address, std::uint64_t bytes,
                           bool is_store);
    /// Null: nobody. Before the run, or while it stands.
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
    /// For a debugger, while the machine stands.
    [[nodiscard]] IntegerUnit& unit() { return unit_; }
    [[nodiscard]] hw::NodeId node() const { return node_id(); }
    /// The cycle in which the instruction at unit().pc() is, or was, issued.
    [[nodiscard]] hw::Cycles next_issue() const { return time_; }
    /// Of the last instruction; none if it made no access.
    [[nodiscard]] const std::optional<MemoryRequest>& last_access() const { return last_access_; }
    /// "at 0x00001234 (function+0x10)"
    [[nodiscard]] std::string place_of(std::uint32_t address) const;
    /// All registers of the current window, in lines.
    [[nodiscard]] std::string registers_text() const;
    /// What the core would load, in no time; false where there is no memory.
    bool read_memory(std::uint32_t address, std::span<std::uint8_t> bytes);

  private:
    enum class Phase : std::uint8_t {
        kOff,
        kIssue,      // the instruction at pc is issued at time_
        kFetch,      // its fetch goes to the bus at time_
        kFetching,   // and is not answered yet
        kFetched,    // it has come and is executed at time_
        kAccess,     // its access goes to the bus at time_
        kAccessing,  // and is not answered yet
        kAccessed,   // its access ends at time_
        kWithdrawn,  // its access was given up for an interrupt, which is entered at time_
        kMissed,     // its line comes from another node; the trap is entered at time_
        kAlarm,      // a load from WEIR_HOST_ALARM
        kFault,      // the program's fault ends the run at time_
        kIdle,       // a load from WEIR_HOST_IDLE
    };
    static constexpr std::uint32_t kNowhere = 1;  // no instruction is there

    // What plain execution has done, for the counters.
    struct Executed {
        std::int64_t instructions = 0;
        std::int64_t annulled = 0;
        std::int64_t interlock_cycles = 0;
        memory::PlainHitCounts hits;
        memory::PlainHitCounts shared_hits;
        hw::Cycles last_store{-1};  // none: -1
    };
    // A store that is taken back if an interrupt comes before it.
    struct StoreAhead {
        memory::PlainHit place;
        std::uint64_t before = 0;  // the bytes that were there
        unsigned bytes = 0;
        bool was_dirty = false;
    };
    struct StoresAhead {
        static constexpr std::size_t kMost = 64;
        std::array<StoreAhead, kMost> list;
        std::size_t count = 0;
    };
    // How the core stood when it went on beyond settled_, and what it has done since.
    struct Ahead {
        IntegerUnit unit;
        hw::Cycles time{0};
        std::uint64_t loaded = 0;
        Executed executed;
        StoresAhead stores;
    };
    static constexpr hw::Cycles kNotPlain{-1};  // instead of cycles, which may be none
    static constexpr hw::Cycles kShortestAhead{32};
    static constexpr hw::Cycles kFarthestAhead{512};

    void answered(tlm::tlm_generic_payload& payload, hw::Cycles delay) override;
    tlm::tlm_sync_enum instruction_answered(tlm::tlm_generic_payload& payload,
                                            tlm::tlm_phase& phase, sc_core::sc_time& delay);

    [[nodiscard]] std::uint8_t raised_level(hw::Cycles now) const;
    [[nodiscard]] bool is_in_turn(hw::Cycles now) const;
    // Whether there is more to do before the core has to wait for a later tick.
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
    void go_beyond(hw::Cycles now);
    bool stays_ahead(hw::Cycles now);
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
    // For stalls(), in a node that shares memory: why an instruction of a thread was given up.
    enum class GivenUp : std::uint8_t {
        kNothing,  // it was not: the instruction before it has ended
        kLine,     // its line had not come
        kWait,     // it waited for anything else
    };
    void note_thread_left(GivenUp given_up, hw::Cycles issued);
    void note_turn_passed_on();
    void note_thread_resumed();
    [[nodiscard]] bool waits_for_line() const;
    // Before the access's cycle: throws ProgramFault.
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
    // Which of both it is.
    memory::CacheHierarchy* caches_ = nullptr;
    memory::NodeMemory* memory_ = nullptr;
    bool has_plain_hits_ = false;
    memory::SharedLines* shared_ = nullptr;  // whose hits are plain, too; null: none
    // Of the plain execution under way.
    hw::Cycles shared_until_{0};  // accesses to shared memory before then may be plain
    memory::PlainHitCounts shared_hits_;
    ExecutionObserver* observer_ = nullptr;
    Host host_;
    FullEmptyBits full_empty_;
    ProgramChecks checks_;
    std::exception_ptr fault_ahead_;  // of kFault

    // Cycles by class, from Timing.
    hw::PerEnumerator<InstructionClass, hw::Cycles, kInstructionClasses> class_cycles_;
    hw::Cycles load_hit_;
    hw::Cycles store_hit_;
    hw::Cycles double_;
    hw::Cycles load_use_;
    hw::Cycles cycle_counter_;
    hw::Cycles trap_;
    hw::Cycles remote_wait_trap_;
    hw::Cycles handler_most_;  // 0: no limit
    std::int32_t contexts_;
    bool multiplies_;
    bool runs_ahead_;

    Phase phase_ = Phase::kOff;
    hw::Cycles time_{0};              // see Phase
    hw::Cycles issued_{0};            // of what waits for the bus, an alarm or nothing
    hw::Cycles settled_{0};           // nothing reaches the core before that cycle
    bool lines_are_settled_ = false;  // no line comes, and no engine is at work
    std::uint8_t level_ = 0;          // of the interrupt raised until then; 0: none
    bool withdrawing_ = false;
    hw::Cycles last_store_{-1};                 // when it was issued, if in this tick
    hw::Cycles given_up_{0};                    // an access withdrawn for an interrupt has taken
    std::optional<std::uint64_t> atomic_load_;  // of an atomic access whose store is left to do
    std::uint64_t loaded_ = 0;  // by the instruction before; bits as in DecodedInstruction::reads
    std::optional<MemoryRequest> last_access_;
    ExecutedInstruction instruction_;
    std::uint32_t alarm_ = 0;
    std::uint32_t cycle_high_ = 0;
    std::uint32_t mark_name_ = 0;

    std::unique_ptr<Ahead> ahead_;
    bool is_ahead_ = false;
    hw::Cycles next_ahead_ = kShortestAhead;  // how far it goes the next time

    hw::AccessTag access_tag_;
    tlm::tlm_generic_payload fetch_payload_;
    tlm::tlm_generic_payload access_payload_;
    std::array<std::uint8_t, 4> fetch_bytes_{};
    std::array<std::uint8_t, 8> access_bytes_{};
    std::string refusal_;  // of the last access that was answered with an error

    // For the trace.
    bool lingers_ = false;             // in the state of an access that has ended
    std::int32_t trap_depth_ = 0;      // traps entered and not returned from
    std::int32_t handler_depth_ = 0;   // of the interrupt whose handler runs; 0: none
    std::int32_t upper_depth_ = 0;     // of an overflow or coherence trap; 0: none
    bool upper_is_coherence_ = false;  // which of them
    std::int32_t switch_depth_ = 0;    // of the trap that switches contexts; 0: none
    std::optional<hw::MessageSlot> handled_;
    bool is_polled_ = false;  // it was taken without an interrupt
    bool is_disposed_of_ = false;
    bool in_body_ = false;
    hw::Cycles handler_limit_ = hw::kNever;  // the first cycle in which its body may not run
    std::uint32_t watched_pc_ = kNowhere;    // where the handler's body begins, or returns to

    // For stalls().
    struct Thread {
        StepClock steps;
        std::optional<MemoryRequest> access;  // whose line it waits for
    };
    // By hardware context; turns pass through those without a thread, too.
    std::vector<Thread> threads_;
    std::size_t turn_of_ = 0;  // the context that has come last
    GivenUp gave_up_ = GivenUp::kNothing;
    std::int64_t instructions_before_ = 0;  // the thread's turn

    std::optional<std::uint32_t> exit_status_;
    Counters execution_;
};

}  // namespace weir::nodes::sparcle
