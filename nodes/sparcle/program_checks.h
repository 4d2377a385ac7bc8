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

/// Which bytes of a memory have been written, a bit each.
class WrittenBytes {
  public:
    void note(std::uint32_t address, std::uint64_t bytes) { set(address, bytes, true); }
    void forget(std::uint32_t address, std::uint64_t bytes) { set(address, bytes, false); }
    /// Of 1, 2, 4 or 8 bytes at a multiple of that.
    [[nodiscard]] bool any_of(std::uint32_t address, std::uint32_t bytes) const;

  private:
    static constexpr std::uint32_t kPageBytes = 4096;
    using Page = std::array<std::uint8_t, kPageBytes / 8>;

    void set(std::uint32_t address, std::uint64_t bytes, bool is_written);

    std::vector<std::unique_ptr<Page>> pages_;
};

/// Finds the use of a value that nothing has written, as Valgrind does, but by registers and not by
/// bits. A value is one of these when none of the bytes that it was loaded from was ever written:
/// one written byte is enough, since functions of strings load whole words. It may be copied, from
/// register to register and back to memory, as structures are whose padding nobody fills; the copy
/// is one, too. Any other instruction that reads it uses it.
class InitialisationCheck {
  public:
    /// Where such a value was loaded first.
    struct Origin {
        std::uint32_t address = 0;
        std::uint32_t pc = 0;
    };

    /// The host or a DMA engine has written there.
    void note_written(std::uint32_t address, std::uint64_t bytes) { written_.note(address, bytes); }

    /// That of a value which the unit's next instruction uses.
    [[nodiscard]] std::optional<Origin> used_by(const DecodedInstruction& decoded,
                                                const IntegerUnit& unit) const;
    /// An instruction without an access, issued in `window`, has been executed.
    void executed(const DecodedInstruction& decoded, unsigned window, const IntegerUnit& unit);
    /// An access is about to end; `is_of_memory`: it is not one to a device.
    void accessed(const DecodedInstruction& decoded, const MemoryRequest& request,
                  bool is_of_memory, const IntegerUnit& unit);
    /// A trap has been entered, and has written to its window.
    void trapped(const IntegerUnit& unit);

  private:
    static constexpr std::size_t kIntegers = 8 + std::size_t{16} * RegisterWindows::kWindows;
    static constexpr std::size_t kFloats = 32;
    using Value = std::optional<Origin>;  // nothing: it was written

    // By the numbers of DecodedInstruction::reads.
    static std::size_t place_of(unsigned number, unsigned window);
    Value loaded_from(std::uint32_t address, std::uint32_t bytes, std::uint32_t pc) const;
    void store(std::uint32_t address, std::uint32_t bytes, const Value& value);

    WrittenBytes written_;
    std::array<Value, kIntegers + kFloats> registers_{};
    std::unordered_map<std::uint32_t, Origin> copies_;  // by address, where nothing was written
};

/// Where a program lies in its node's memory, as far as whoever has loaded it knows.
struct ProgramLayout {
    /// From `begin` up to `end`, which is not in it.
    struct Range {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;

        [[nodiscard]] bool is_empty() const { return begin == end; }
        [[nodiscard]] bool overlaps(std::uint32_t address, std::uint64_t bytes) const {
            return address < end && std::uint64_t{address} + bytes > begin;
        }
    };

    /// Below it is nothing that a program loads, stores or calls; its trap table may be there.
    std::uint32_t null_page_end = 0;
    /// Instructions and constants that it does not say it changes.
    std::vector<Range> text;
    /// Of the main program, which grows downwards; empty where nobody knows.
    Range stack;
};

/// What no correct program does, though the hardware lets it: a core with these checks says so. No
/// hardware of Alewife's has them: they are the emulator's, for who looks for an error. They take
/// no cycles, and change no result of a program that does none of it.
///
///  - An access to the null page, or a jump into it. Traps go there, where the trap table is: what
///    is executed with traps enabled has been jumped to.
///  - A store into the program's text, by the core, a DMA engine or the host.
///  - A frame that ends below the stack: the instruction that takes %sp there is not executed. So
///    large variables cannot skip the limit. Stacks that a program makes itself have none.
///  - The use of a value that nothing has written, if asked for (InitialisationCheck). What a
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
