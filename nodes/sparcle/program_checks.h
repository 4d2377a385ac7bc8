#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nodes/sparcle/decoded_instruction.h"
#include "nodes/sparcle/initialisation_check.h"
#include "nodes/sparcle/integer_unit.h"
#include "nodes/sparcle/program_layout.h"
#include "nodes/sparcle/timing.h"

namespace weir::nodes::sparcle {

/// What no correct program does, though the hardware lets it: a core with these checks says so. No
/// hardware of Alewife's has them: they are the emulator's, for who looks for an error. They take
/// no cycles, and change no result of a program that does none of it.
///
///  - An access to the null page, or a jump into it. Traps go there, where the trap table is: what
///    is executed with traps enabled has been jumped to.
///  - A store into the program's text, by the core, a DMA engine or the host.
///  - A frame that ends below the stack: the instruction that takes %sp there is not executed. So
///    large variables cannot skip the limit. Stacks that a program makes itself have none.
///  - The use of a value that nothing has written, if asked for (initialisation_check.h). What a
///    DMA engine stores counts as written from its start on.
class ProgramChecks {
  public:
    /// None of them.
    ProgramChecks() = default;
    explicit ProgramChecks(const Timing& timing);

    /// What is where; before the run.
    void set_layout(const ProgramLayout& layout);

    /// From here on addresses may be loaded from, and stored to, without a further look.
    [[nodiscard]] std::uint32_t loads_from() const { return null_page_end_; }
    [[nodiscard]] std::uint32_t stores_from() const { return stores_from_; }
    /// What is wrong with an access, without a full stop; or nothing.
    [[nodiscard]] std::optional<std::string> fault_of(const MemoryRequest& request) const;
    /// The same of what others do for the program, which `what` names: "a DMA engine's store".
    [[nodiscard]] std::optional<std::string> fault_of_load(const std::string& what,
                                                           std::uint32_t address) const;
    [[nodiscard]] std::optional<std::string> fault_of_store(const std::string& what,
                                                            std::uint32_t address,
                                                            std::uint64_t bytes) const;

    [[nodiscard]] bool is_null_call(const IntegerUnit& unit) const {
        return unit.pc() < null_page_end_ && unit.traps_enabled();
    }
    /// Of the instruction that is executed next.
    [[nodiscard]] bool overflows_stack(const DecodedInstruction& decoded,
                                       const IntegerUnit& unit) const {
        return decoded.moves_stack && unit.reg(decoded.rs1) >= stack_begin_ &&
               frame_bytes(decoded, unit) > unit.reg(decoded.rs1) - stack_begin_;
    }
    [[nodiscard]] std::string stack_fault(const DecodedInstruction& decoded,
                                          const IntegerUnit& unit) const;

    /// Null where nobody asks for it; else it is to be told of each instruction.
    [[nodiscard]] InitialisationCheck* initialisation() { return initialisation_.get(); }
    [[nodiscard]] const InitialisationCheck* initialisation() const {
        return initialisation_.get();
    }
    void note_written(std::uint32_t address, std::uint64_t bytes) {
        if (initialisation_) {
            initialisation_->note_written(address, bytes);
        }
    }

  private:
    // By how much it takes %sp down; where it takes it up, nothing.
    [[nodiscard]] static std::uint32_t frame_bytes(const DecodedInstruction& decoded,
                                                   const IntegerUnit& unit);

    std::uint32_t null_page_bytes_ = 0;
    bool has_stack_limit_ = false;
    bool has_fixed_text_ = false;
    std::unique_ptr<InitialisationCheck> initialisation_;

    std::uint32_t null_page_end_ = 0;
    std::uint32_t stores_from_ = 0;
    std::uint32_t stack_begin_ = kNoLimit;
    std::uint32_t stack_bytes_ = 0;
    std::vector<ProgramLayout::Range> text_;

    static constexpr std::uint32_t kNoLimit = UINT32_MAX;
};

}  // namespace weir::nodes::sparcle
