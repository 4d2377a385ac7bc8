#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "nodes/sparcle/decoded_instruction.h"
#include "nodes/sparcle/integer_unit.h"
#include "nodes/sparcle/register_windows.h"
#include "nodes/sparcle/timing.h"

namespace weir::nodes::sparcle {

/// The written bytes of a memory, a bit for each byte.
class WrittenBytes {
  public:
    void note(std::uint32_t address, std::uint64_t bytes) { set(address, bytes, true); }
    void forget(std::uint32_t address, std::uint64_t bytes) { set(address, bytes, false); }
    /// True if any of these bytes was written: 1, 2, 4 or 8 at an aligned address.
    [[nodiscard]] bool any_of(std::uint32_t address, std::uint32_t bytes) const;

  private:
    static constexpr std::uint32_t kPageBytes = 4096;
    using Page = std::array<std::uint8_t, kPageBytes / 8>;

    void set(std::uint32_t address, std::uint64_t bytes, bool is_written);

    std::vector<std::unique_ptr<Page>> pages_;
};

/// Finds uses of uninitialised values, as Valgrind does, but with registers instead of bits as the
/// unit.
///
/// A value is uninitialised if none of the bytes that it was loaded from was ever written. One
/// written byte is enough, since string functions load whole words. An uninitialised value may be
/// copied between registers and memory, as in structures with padding; the copy is uninitialised,
/// too. Any other instruction that reads the value uses it.
class InitialisationCheck {
  public:
    /// Place where an uninitialised value was loaded first.
    struct Origin {
        std::uint32_t address = 0;
        std::uint32_t pc = 0;
    };

    /// Marks bytes that the host or a DMA engine has written.
    void note_written(std::uint32_t address, std::uint64_t bytes) { written_.note(address, bytes); }

    /// Returns the origin of an uninitialised value that the unit's next instruction uses; empty if
    /// none.
    [[nodiscard]] std::optional<Origin> used_by(const DecodedInstruction& decoded,
                                                const IntegerUnit& unit) const;
    /// Call after an instruction without an access, issued in `window`.
    void executed(const DecodedInstruction& decoded, unsigned window, const IntegerUnit& unit);
    /// Call before an access ends. `is_of_memory`: the access is not to a device.
    void accessed(const DecodedInstruction& decoded, const MemoryRequest& request,
                  bool is_of_memory, const IntegerUnit& unit);
    /// Call after a trap was entered; the trap has written registers of its window.
    void trapped(const IntegerUnit& unit);

  private:
    static constexpr std::size_t kIntegers = 8 + std::size_t{16} * RegisterWindows::kWindows;
    static constexpr std::size_t kFloats = 32;
    using Value = std::optional<Origin>;  // origin of an uninitialised value; empty for an
                                          // initialised value

    // Index of a register, from its bit number in DecodedInstruction::reads.
    static std::size_t place_of(unsigned number, unsigned window);
    Value loaded_from(std::uint32_t address, std::uint32_t bytes, std::uint32_t pc) const;
    void store(std::uint32_t address, std::uint32_t bytes, const Value& value);

    WrittenBytes written_;
    std::array<Value, kIntegers + kFloats> registers_{};
    std::unordered_map<std::uint32_t, Origin> copies_;  // uninitialised copies in memory, by
                                                        // address
};

/// Layout of a program in its node's memory, as far as its loader knows it.
struct ProgramLayout {
    /// Addresses from `begin` up to, but not including, `end`.
    struct Range {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;

        [[nodiscard]] bool is_empty() const { return begin == end; }
        [[nodiscard]] bool overlaps(std::uint32_t address, std::uint64_t bytes) const {
            return address < end && std::uint64_t{address} + bytes > begin;
        }
    };

    /// End of the null page: a program loads, stores and calls nothing below it. The program's trap
    /// table may be in the null page.
    std::uint32_t null_page_end = 0;
    /// Instructions and constants, except those that the program declares as changing.
    std::vector<Range> text;
    /// Stack of the main program, which grows downwards; empty if unknown.
    Range stack;
};

/// Checks for faults that no correct program has, although the hardware allows them. The checks
/// belong to the emulator, not to Alewife's hardware. They take no cycles, and change no result of
/// a correct program.
///
///  - An access to the null page, or a jump into it. Traps enter the null page, where the trap
///    table is, so only code that runs with traps enabled counts as a jump.
///  - A store into the program's text, by the core, a DMA engine or the host.
///  - A stack frame that ends below the stack. The instruction that moves %sp below the stack is
///    not executed, so large variables cannot skip the limit. Stacks made by the program itself are
///    checked if it has told where they are (WEIR_HOST_STACK_BEGIN).
///  - The use of an uninitialised value, if this check is on (InitialisationCheck). Bytes that a
///    DMA engine stores count as written from the start of the transfer.
class ProgramChecks {
  public:
    /// All checks off.
    ProgramChecks() = default;
    ProgramChecks(const Timing& timing, std::int32_t contexts);

    /// Sets the program's layout; call before the run.
    void set_layout(const ProgramLayout& layout);

    /// Lowest addresses from which loads and stores need no further check.
    [[nodiscard]] std::uint32_t loads_from() const { return null_page_end_; }
    [[nodiscard]] std::uint32_t stores_from() const { return stores_from_; }
    /// Returns the fault of an access, without a full stop; empty if there is none.
    [[nodiscard]] std::optional<std::string> fault_of(const MemoryRequest& request) const;
    /// Returns the fault of an access by the host or an engine for the program; `what` names it,
    /// such as "a DMA engine's store".
    [[nodiscard]] std::optional<std::string> fault_of_load(const std::string& what,
                                                           std::uint32_t address) const;
    [[nodiscard]] std::optional<std::string> fault_of_store(const std::string& what,
                                                            std::uint32_t address,
                                                            std::uint64_t bytes) const;

    [[nodiscard]] bool is_null_call(const IntegerUnit& unit) const {
        return unit.pc() < null_page_end_ && unit.traps_enabled();
    }
    /// Stack of a context, as the program has told it; empty if unknown.
    [[nodiscard]] ProgramLayout::Range& stack(std::int32_t context) { return stacks_[context]; }
    /// True if the next instruction moves %sp from the running context's stack to an address below
    /// it.
    [[nodiscard]] bool overflows_stack(const DecodedInstruction& decoded,
                                       const IntegerUnit& unit) const {
        return decoded.moves_stack && leaves_stack(decoded, unit);
    }
    [[nodiscard]] std::string stack_fault(const DecodedInstruction& decoded,
                                          const IntegerUnit& unit) const;

    /// The check for uninitialised values, whose functions must be called for each instruction;
    /// null if it is off.
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
    [[nodiscard]] bool leaves_stack(const DecodedInstruction& decoded,
                                    const IntegerUnit& unit) const;
    [[nodiscard]] const ProgramLayout::Range& stack_of(const IntegerUnit& unit) const;
    // Bytes by which the instruction lowers %sp; 0 if it raises %sp.
    [[nodiscard]] static std::uint32_t frame_bytes(const DecodedInstruction& decoded,
                                                   const IntegerUnit& unit);

    std::uint32_t null_page_bytes_ = 0;
    bool has_stack_limit_ = false;
    bool has_fixed_text_ = false;
    std::unique_ptr<InitialisationCheck> initialisation_;

    std::uint32_t null_page_end_ = 0;
    std::uint32_t stores_from_ = 0;
    std::vector<ProgramLayout::Range> stacks_{1};  // by context; empty if unknown
    std::vector<ProgramLayout::Range> text_;
};

/// Hardware context whose thread runs in a register window, with `contexts` of them in use.
/// Context 0 has the last windows.
[[nodiscard]] constexpr std::int32_t context_of_window(unsigned window, std::int32_t contexts) {
    constexpr unsigned kLast = SPARCLE_WINDOWS - 1;
    return contexts == 1
               ? 0
               : static_cast<std::int32_t>(((window + 1) & kLast) / SPARCLE_WINDOWS_PER_CONTEXT);
}

}  // namespace weir::nodes::sparcle
