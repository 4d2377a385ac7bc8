#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "nodes/sparcle/decoded_instruction.h"
#include "nodes/sparcle/integer_unit.h"
#include "nodes/sparcle/register_windows.h"

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

}  // namespace weir::nodes::sparcle
