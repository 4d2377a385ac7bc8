#pragma once

#include <cstdint>

#include "hw/units.h"

namespace weir::nodes::sparcle {

class SparcleCore;

/// One instruction a core has executed, or one trap it has entered.
struct ExecutedInstruction {
    hw::Cycles begin;  ///< the cycle it was issued in
    std::uint32_t pc = 0;
    std::uint32_t word = 0;  ///< the instruction; 0 when its fetch trapped
    bool is_annulled = false;
    bool is_trap = false;  ///< it was not executed: a trap or interrupt was entered in its place
    std::uint8_t trap_type = 0;
    bool in_handler = false;  ///< between an interrupt and the return from it

    // Its cycles, by what they were spent on; their sum is the time to the next one's begin.
    hw::Cycles base;         ///< its class's, with every access hitting
    hw::Cycles fetch_stall;  ///< its own fetch took beyond a hit
    hw::Cycles interlock;    ///< it read what the instruction before had loaded
    hw::Cycles data_stall;   ///< its load or store took beyond a hit
    hw::Cycles controller;   ///< its access to the message controller or the barrier took
    hw::Cycles trap_entry;

    [[nodiscard]] hw::Cycles cycles() const {
        return base + fetch_stall + interlock + data_stall + controller + trap_entry;
    }
};

/// Who looks on while cores execute: traces, profiles, debuggers. Looking changes no result.
class ExecutionObserver {
  public:
    ExecutionObserver() = default;
    ExecutionObserver(const ExecutionObserver&) = delete;
    ExecutionObserver& operator=(const ExecutionObserver&) = delete;
    virtual ~ExecutionObserver() = default;

    /// The core stands before its next instruction, at core.unit().pc(), which it issues in
    /// core.next_issue(); a data access of the one executed was to core.last_access(). To stop the
    /// machine here: core.domain().stop(), where the core does not run ahead.
    virtual void executed(const SparcleCore& core, const ExecutedInstruction& instruction) = 0;
};

}  // namespace weir::nodes::sparcle
