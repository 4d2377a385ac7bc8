#pragma once

#include <cstdint>

#include "hw/units.h"

namespace weir::nodes::sparcle {

class SparcleCore;

/// An instruction that a core has executed, or a trap that it has entered.
struct ExecutedInstruction {
    hw::Cycles begin;  ///< cycle of its issue
    std::uint32_t pc = 0;
    std::uint32_t word = 0;  ///< instruction word; 0 if the fetch trapped
    bool is_annulled = false;
    bool is_trap = false;  ///< a trap or interrupt was entered in place of the instruction
    std::uint8_t trap_type = 0;
    bool in_handler = false;  ///< issued between an interrupt and the return from it

    // The instruction's cycles by cause; their sum is the time to the issue of the next
    // instruction.
    hw::Cycles base;         ///< cycles of its class, with every access hitting
    hw::Cycles fetch_stall;  ///< cycles of the fetch beyond a hit
    /// Cycles of waiting for a register that the previous instruction loaded.
    hw::Cycles interlock;
    hw::Cycles data_stall;  ///< cycles of a load or store beyond a hit
    hw::Cycles controller;  ///< cycles of an access to the message controller or the barrier
    hw::Cycles trap_entry;

    [[nodiscard]] hw::Cycles cycles() const {
        return base + fetch_stall + interlock + data_stall + controller + trap_entry;
    }
};

/// Interface of traces, profiles and debuggers that observe the execution of cores. Observing
/// changes no result.
class ExecutionObserver {
  public:
    ExecutionObserver() = default;
    ExecutionObserver(const ExecutionObserver&) = delete;
    ExecutionObserver& operator=(const ExecutionObserver&) = delete;
    virtual ~ExecutionObserver() = default;

    /// Called after each instruction. The next instruction is at core.unit().pc(), issued in
    /// core.next_issue(). The data access of the executed instruction is core.last_access().
    /// core.domain().stop() stops the machine here, if the core does not run ahead.
    virtual void executed(const SparcleCore& core, const ExecutedInstruction& instruction) = 0;
};

}  // namespace weir::nodes::sparcle
