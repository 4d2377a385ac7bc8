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

/// Turns between coherence traps (coherence.trap_turns). A home whose lines are in demand can have
/// the next packet for software waiting whenever a trap ends. What the trap has interrupted then
/// gets a turn before the next trap: as many cycles as the trap took, entry and exit included, or
/// until it waits for another node. So it has half of a processor that is never without packets.
/// (Assumed. Chaiken and Agarwal, ISCA 1994, have a timer put such handlers off, as remembered.)
class TrapTurns {
  public:
    explicit TrapTurns(bool are_given) : are_given_(are_given) {}

    void trap_begins(hw::Cycles now) { begun_ = now; }
    /// Returns the cycle in which the turn ends.
    hw::Cycles trap_ends(hw::Cycles now) {
        until_ = are_given_ ? now + (now - begun_) : now;
        return until_;
    }
    /// The interrupted program waits for another node, which may wait for the next trap.
    void give_up() { until_ = hw::Cycles(0); }
    [[nodiscard]] bool is_running(hw::Cycles now) const { return now < until_; }

  private:
    bool are_given_;
    hw::Cycles begun_{0};
    hw::Cycles until_{0};
};

/// What a node, its machine and the trace see of a core, whichever kind it is. It drives the node's
/// bus through bus_socket, and has one interrupt input of the node's message controller.
class Core : public sc_core::sc_module, public hw::ClockedPart {
  public:
    using Parameters = CoreParameters;

    /// The parts of a node that its core works with.
    struct Surroundings {
        hw::NodeId node;
        std::int32_t node_count = 0;
        hw::Controller& controller;
        hw::MessagePool& messages;
        hw::TraceSink* trace = nullptr;
        hw::Bytes memory_bytes;
        bool shares_memory = false;
        bool has_trap_turns = false;  ///< coherence.trap_turns, where memory is shared
        // What a load takes of the core that goes on behind it: a word, and what a double adds.
        hw::Cycles load_cycles{0};
        hw::Cycles double_cycles{0};
    };

    struct Statistics : hw::StatisticsGroup {
        hw::Counter compute_cycles{*this, "compute_cycles", "Cycles the thread computed"};
        hw::Counter send_cycles{*this, "send_cycles", "Cycles the thread composed and launched"};
        hw::Counter blocked_cycles{*this, "blocked_cycles",
                                   "Cycles the thread's accesses waited for the controller"};
        hw::Counter dma_cycles{*this, "dma_cycles", "Cycles the thread waited for a DMA engine"};
        hw::Counter wait_cycles{*this, "wait_cycles", "Cycles the thread waited"};
        hw::Counter handler_cycles{*this, "handler_cycles", "Cycles in interrupts"};
        hw::Counter trap_cycles{*this, "trap_cycles", "Cycles in traps"};
        hw::Counter done_cycles{*this, "done_cycles", "Cycles after the thread's end"};
        hw::Counter switch_cycles{*this, "switch_cycles", "Cycles from one context to the next"};
        hw::Counter memory_wait_cycles{*this, "memory_wait_cycles",
                                       "Cycles the thread's accesses to shared memory waited"};
        hw::Counter context_switches{*this, "context_switches", "Switches to the next context"};
        hw::Counter interrupts{*this, "interrupts", "Interrupts taken"};
        hw::Counter overflow_traps{*this, "overflow_traps", "Overflow traps taken"};
        hw::Counter full_empty_traps{*this, "full_empty_traps",
                                     "Accesses that found a word full, or empty, and needed the "
                                     "other"};
        hw::Counter coherence_traps{*this, "coherence_traps",
                                    "Traps taken for packets of the coherence protocol"};
    };

    /// A wait of a thread that could run, or whose access to shared memory is not answered.
    struct Stall {
        std::int32_t context = 0;
        hw::Cycles since{0};    ///< the thread's last step, or its access's first attempt
        hw::Cycles waited{0};   ///< from then on, without the program's own handlers and threads
        hw::Cycles trapped{0};  ///< the part of it that the core spent in traps
        std::optional<std::uint32_t> address{};  ///< the access's; none: the thread could run
        bool is_store = false;
        std::string place{};  ///< of the instruction, where it is known
    };

    tlm_utils::simple_initiator_socket<Core> bus_socket{"bus_socket"};
    /// Of the handlers when they have a processor of their own.
    std::unique_ptr<tlm_utils::simple_initiator_socket<Core>> handler_bus_socket;

    [[nodiscard]] virtual bool thread_done() const = 0;
    /// Somebody else than the node has written to its memory, in no time.
    virtual void note_written(std::uint32_t /*address*/, std::uint64_t /*bytes*/) {}
    /// Between cycles: tells the domain of what got done by now in work done ahead of its time.
    virtual void note_progress_ahead() {}
    /// Between cycles, in a machine that shares memory: the stalls of its threads. At most one is a
    /// thread's that could run, and then no thread of the core has made a step since. A thread does
    /// not count that waits for a message, a cycle, a barrier, room in a queue or a word's
    /// full/empty state, or whose core another thread keeps.
    [[nodiscard]] virtual std::vector<Stall> stalls(hw::Cycles now) = 0;
    /// Longer turns of other threads of the core do not count as waiting; before the run.
    void set_longest_turn(hw::Cycles cycles) { longest_turn_ = cycles; }
    /// Closes the last interval of the trace.
    virtual void end_of_run(hw::Cycles now) = 0;
    virtual void report_waits(hw::WaitReport& report) const = 0;
    /// What the program threw or did wrong; the run stops then.
    [[nodiscard]] std::exception_ptr fault() const { return fault_; }
    /// Between cycles: the core does nothing any more.
    void halt() { has_halted_ = true; }
    [[nodiscard]] bool has_halted() const { return has_halted_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    virtual void add_statistics(std::vector<hw::PartStatistics>& statistics) const {
        statistics.push_back({name(), &statistics_});
    }

  protected:
    Core(const sc_core::sc_module_name& name, hw::ClockDomain& domain, const Parameters& parameters,
         const Surroundings& surroundings);

    /// The bus's answer to an access that was not answered at once.
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

    /// Since when a thread has made no step.
    struct StepClock {
        hw::Cycles last{0};     // step, or first attempt of the access under way
        hw::Cycles handled{0};  // what the core had spent in handlers by then
        hw::Cycles trapped{0};  // and in traps
        hw::Cycles excused{0};  // since then, turns of other threads
        hw::Cycles left{0};     // end of the thread's last turn
        hw::Cycles above{0};    // what the core had spent in handlers and traps by then
        bool has_turn = true;
    };
    void note_step(StepClock& clock, hw::Cycles at) const;
    void note_end_of_turn(StepClock& clock, hw::Cycles now) const;
    void note_turn(StepClock& clock, hw::Cycles now) const;
    [[nodiscard]] Stall stall_of(const StepClock& clock, hw::Cycles now) const;

    /// What the core does from `now` on: the trace's interval before it is complete.
    void enter(hw::CoreState state, hw::Cycles now, hw::MessageId message = {});
    [[nodiscard]] hw::CoreState state() const { return state_; }
    /// Completes the last interval.
    void leave_state(hw::Cycles now);
    /// Why the bus answers an access with an error, without a full stop.
    [[nodiscard]] std::string refusal_of(const tlm::tlm_generic_payload& payload) const;
    /// Stops the run; what is being thrown is the fault.
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
