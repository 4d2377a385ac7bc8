#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/controller/controller.h"
#include "hw/statistics.h"
#include "hw/tracing/trace_probe.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "nodes/core_parameters.h"
#include "nodes/programming/processor.h"

namespace weir::nodes {

/// Fair share of the processor between coherence traps and the interrupted program
/// (coherence.trap_turns).
///
/// At a home with many requests, the next packet for software can be waiting whenever a trap ends.
/// The interrupted program then gets a turn before the next trap. The turn lasts as many cycles as
/// the trap took, entry and exit included. The turn ends early when the program waits for another
/// node. The program so gets half of the processor even under an endless flow of packets.
///
/// Assumed; recalled from Chaiken and Agarwal, ISCA 1994: a timer delays such traps.
class TrapTurns {
  public:
    explicit TrapTurns(bool are_given) : are_given_(are_given) {}

    void trap_begins(hw::Cycles now) { begun_ = now; }
    /// Returns the cycle in which the turn ends.
    hw::Cycles trap_ends(hw::Cycles now) {
        until_ = are_given_ ? now + (now - begun_) : now;
        return until_;
    }
    /// Ends the turn: the interrupted program waits for another node, which may itself wait for the
    /// next trap.
    void give_up() { until_ = hw::Cycles(0); }
    [[nodiscard]] bool is_running(hw::Cycles now) const { return now < until_; }

  private:
    bool are_given_;
    hw::Cycles begun_{0};
    hw::Cycles until_{0};
};

/// Interface of all kinds of cores towards the node, the machine and the trace. A core drives the
/// node's bus through bus_socket, and reads an interrupt line of the node's message controller.
class Core : public sc_core::sc_module, public hw::ClockedPart {
  public:
    using Parameters = CoreParameters;

    /// Parts and properties of the node around the core.
    struct Surroundings {
        hw::NodeId node;
        std::int32_t node_count = 0;
        hw::Controller& controller;
        hw::MessagePool& messages;
        hw::TraceSink* trace = nullptr;
        hw::Bytes memory_bytes;
        bool shares_memory = false;
        /// Value of coherence.trap_turns; false without shared memory.
        bool has_trap_turns = false;
        // Cycles of an early load (core.loads_in_flight) in the core: of a word, and the addition
        // for a double.
        hw::Cycles load_cycles{0};
        hw::Cycles double_cycles{0};
    };

    struct Statistics : hw::StatisticsGroup {
        hw::Counter compute_cycles{*this, "compute_cycles", "Cycles in which the thread computed"};
        hw::Counter send_cycles{*this, "send_cycles",
                                "Cycles in which the thread composed and launched messages"};
        hw::Counter blocked_cycles{
            *this, "blocked_cycles",
            "Cycles in which the thread's accesses waited for the message controller"};
        hw::Counter dma_cycles{*this, "dma_cycles",
                               "Cycles in which the thread waited for a DMA engine"};
        hw::Counter wait_cycles{
            *this, "wait_cycles",
            "Cycles in which the thread waited for a message, a cycle or a barrier"};
        hw::Counter handler_cycles{*this, "handler_cycles", "Cycles in interrupt handlers"};
        hw::Counter trap_cycles{*this, "trap_cycles", "Cycles in traps"};
        hw::Counter done_cycles{*this, "done_cycles", "Cycles after the end of the thread"};
        hw::Counter switch_cycles{*this, "switch_cycles", "Cycles of context switches"};
        hw::Counter memory_wait_cycles{
            *this, "memory_wait_cycles",
            "Cycles in which the thread's accesses to shared memory waited"};
        hw::Counter synchronize_cycles{
            *this, "synchronize_cycles",
            "Cycles in which the thread waited for another thread: a lock, a barrier or a signal"};
        hw::Counter context_switches{*this, "context_switches", "Number of context switches"};
        hw::Counter interrupts{*this, "interrupts", "Number of interrupts taken"};
        hw::Counter overflow_traps{*this, "overflow_traps", "Number of overflow traps taken"};
        hw::Counter full_empty_traps{*this, "full_empty_traps",
                                     "Number of full/empty accesses that found the wrong state"};
        hw::Counter coherence_traps{*this, "coherence_traps",
                                    "Number of traps taken for packets of the coherence protocol"};
    };

    /// A waiting thread that starvation detection watches: ready to run, or with an unanswered
    /// access to shared memory.
    struct Stall {
        std::int32_t context = 0;
        hw::Cycles since{0};  ///< cycle of the thread's last step, or of the access's first attempt
        /// Cycles since `since`, without those of the program's own handlers and of other threads'
        /// long turns.
        hw::Cycles waited{0};
        hw::Cycles trapped{0};                   ///< part of `waited` that the core spent in traps
        std::optional<std::uint32_t> address{};  ///< address of the access; empty for a thread that
                                                 ///< is ready to run
        bool is_store = false;
        std::optional<std::uint32_t> pc{};  ///< address of the instruction, if known
    };

    tlm_utils::simple_initiator_socket<Core> bus_socket{"bus_socket"};
    /// Bus socket of the protocol processor that runs the handlers; null without one.
    std::unique_ptr<tlm_utils::simple_initiator_socket<Core>> handler_bus_socket;

    [[nodiscard]] virtual bool thread_done() const = 0;
    /// Tells the core that the host has written to the node's memory, which takes no cycles.
    virtual void note_written(std::uint32_t /*address*/, std::uint64_t /*bytes*/) {}
    /// Reports the last store that was executed ahead to the domain as progress; call between
    /// cycles.
    virtual void note_progress_ahead() {}
    /// Returns the threads that starvation detection watches (Stall); call between cycles, in a
    /// machine that shares memory.
    ///
    /// At most one returned thread is ready to run; no thread of the core has made a step since its
    /// wait began. Threads that wait for a message, a cycle, a barrier, room in a queue or a
    /// full/empty state are not included. Threads whose core is kept by another thread are not
    /// included either.
    [[nodiscard]] virtual std::vector<Stall> stalls(hw::Cycles now) = 0;
    /// Text of an instruction's address, such as "at 0x00001234 (function+0x10)"; empty if unknown.
    [[nodiscard]] virtual std::string place_of(std::uint32_t /*pc*/) const { return {}; }
    /// Sets the longest turn of other threads that counts as waiting; longer turns are excused. To
    /// be set before the run.
    void set_longest_turn(hw::Cycles cycles) { longest_turn_ = cycles; }
    /// Closes the last interval of the trace.
    virtual void end_of_run(hw::Cycles now) = 0;
    virtual void report_waits(hw::WaitReport& report) const = 0;
    /// Exception that the program threw, or its mistake as an exception; stops the run. Null
    /// without a fault.
    [[nodiscard]] std::exception_ptr fault() const { return fault_; }
    /// Activity of the core between cycles: its state, the state's first cycle, and the message
    /// that a handler handles.
    struct Activity {
        hw::CoreState state = hw::CoreState::kWait;
        hw::Cycles since{0};
        hw::MessageId message{};
    };
    [[nodiscard]] Activity activity() const { return {state_, state_since_, state_message_}; }
    /// Stops the core for good, as when its node fails; call between cycles.
    void halt() { has_halted_ = true; }
    [[nodiscard]] bool has_halted() const { return has_halted_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    virtual void add_statistics(std::vector<hw::PartStatistics>& statistics) const {
        statistics.push_back({name(), &statistics_});
    }

  protected:
    Core(const sc_core::sc_module_name& name, hw::ClockDomain& domain, const Parameters& parameters,
         const Surroundings& surroundings);

    /// Called with the bus's late answer to an access.
    virtual void answered(tlm::tlm_generic_payload& payload, hw::Cycles delay) = 0;

    [[nodiscard]] hw::NodeId node_id() const { return node_; }
    [[nodiscard]] std::int32_t number_of_nodes() const { return node_count_; }
    [[nodiscard]] hw::Bytes bytes_of_memory() const { return memory_bytes_; }
    [[nodiscard]] bool has_shared_memory() const { return shares_memory_; }
    [[nodiscard]] ReceiveMode mode() const { return mode_; }
    [[nodiscard]] hw::Controller& controller() { return controller_; }
    [[nodiscard]] const hw::Controller& controller() const { return controller_; }
    [[nodiscard]] hw::MessagePool& messages() { return messages_; }
    [[nodiscard]] hw::TraceSink* trace_sink() { return trace_; }
    [[nodiscard]] Statistics& counters() { return statistics_; }
    [[nodiscard]] TrapTurns& trap_turns() { return trap_turns_; }
    [[nodiscard]] const TrapTurns& trap_turns() const { return trap_turns_; }

    /// Bookkeeping of how long a thread has made no step.
    struct StepClock {
        hw::Cycles last{0};     // cycle of the last step, or of the current access's first attempt
        hw::Cycles handled{0};  // the core's cycles in handlers up to `last`
        hw::Cycles trapped{0};  // the core's cycles in traps up to `last`
        hw::Cycles excused{0};  // long turns of other threads since `last`
        hw::Cycles left{0};     // end of the thread's last turn
        hw::Cycles above{0};    // the core's cycles in handlers and traps up to `left`
        bool has_turn = true;
    };
    void note_step(StepClock& clock, hw::Cycles at) const;
    void note_end_of_turn(StepClock& clock, hw::Cycles now) const;
    void note_turn(StepClock& clock, hw::Cycles now) const;
    [[nodiscard]] Stall stall_of(const StepClock& clock, hw::Cycles now) const;

    /// Begins an interval of the trace: the core's state from `now` on. Completes the previous
    /// interval.
    void enter(hw::CoreState state, hw::Cycles now, hw::MessageId message = {});
    [[nodiscard]] hw::CoreState state() const { return state_; }
    /// Completes the last interval of the trace.
    void leave_state(hw::Cycles now);
    /// Returns the reason for which the bus refused an access, without a full stop.
    [[nodiscard]] std::string refusal_of(const tlm::tlm_generic_payload& payload) const;
    /// Stores the exception that is being handled as the core's fault, and stops the run.
    void fail() {
        fault_ = std::current_exception();
        domain().stop();
    }

  private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    [[nodiscard]] hw::Cycles spent_in(hw::CoreState state, const hw::Counter& before,
                                      hw::Cycles now) const;
    [[nodiscard]] hw::Cycles spent_in_handlers(hw::Cycles now) const {
        return spent_in(hw::CoreState::kHandler, statistics_.handler_cycles, now);
    }
    [[nodiscard]] hw::Cycles spent_in_traps(hw::Cycles now) const {
        return spent_in(hw::CoreState::kTrap, statistics_.trap_cycles, now);
    }
    [[nodiscard]] hw::Cycles turn_of_others(const StepClock& clock, hw::Cycles now) const;

    hw::NodeId node_;
    std::int32_t node_count_;
    hw::Controller& controller_;
    hw::MessagePool& messages_;
    hw::TraceSink* trace_;
    hw::Bytes memory_bytes_;
    bool shares_memory_;
    ReceiveMode mode_;
    TrapTurns trap_turns_;

    bool has_halted_ = false;
    hw::Cycles longest_turn_ = hw::kNever;
    hw::CoreState state_ = hw::CoreState::kWait;
    hw::Cycles state_since_{0};
    hw::MessageId state_message_;
    std::exception_ptr fault_;
    Statistics statistics_;
};

}  // namespace weir::nodes
