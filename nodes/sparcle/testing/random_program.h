#pragma once

#include <cstdint>
#include <vector>

#include "hw/random_stream.h"
#include "nodes/sparcle/testing/coverage.h"
#include "nodes/sparcle/testing/memory_map.h"
#include "nodes/sparcle/testing/random_instructions.h"
#include "nodes/sparcle/testing/random_pieces.h"

namespace weir::nodes::sparcle::testing {

/// A random program that ends, for the machine of memory_map.h.
///
/// The program is written while it runs: each next word is drawn when it is reached, from the
/// current state of the registers. The word is executed at once with all its consequences (loops,
/// traps and handlers), until the program reaches an unwritten word. The word is undone, and drawn
/// again, if it
///  - does not reach an unwritten word within some hundred steps;
///  - accesses an unwritten word, or comes close to error mode;
///  - behaves differently on qemu than on SPARC or Sparcle (qemu_differences.h).
///
/// Therefore nearly every word is executed, and every trap returns.
class RandomProgram {
  public:
    /// Writes program `number` of a seed, until about `steps` instructions have been executed. The
    /// program tries the missing events of `coverage` first, and adds its own events.
    RandomProgram(std::uint64_t seed, std::int32_t number, std::uint64_t steps, Coverage& coverage);

    /// Options of qemu's leon3.
    static IntegerUnit::Options options() {
        return {.multiply_divide = true,
                .floating_point = true,
                .implementation = 0xf3,
                .float_version = 0};
    }
    /// A unit at MemoryMap::kEntry, in the state of qemu.
    static IntegerUnit unit_at_entry();

    /// Memory before the program's first instruction.
    [[nodiscard]] const BigEndianMemory& image() const { return image_; }
    /// Number of instructions up to the program's end.
    [[nodiscard]] std::uint64_t steps() const { return steps_; }

  private:
    struct StoredBytes {
        std::uint32_t address;
        unsigned bytes;
        std::uint64_t before;
    };

    void write_data();
    void write_prologue();
    void write_random_instructions(std::uint64_t steps);
    void write_end();
    void write(std::uint32_t address, std::uint32_t word);
    void emit(std::uint32_t word);
    void fill_gap();
    void choose();
    RandomPieces::Words draw();
    RandomPieces::Words piece();
    RandomPieces::Words piece_leading_to(Event event);
    [[nodiscard]] std::uint32_t words_so_far() const {
        return (unit_.pc() - MemoryMap::kEntry) / 4;
    }
    bool accepted(const RandomPieces::Words& words);
    bool runs_to_code(bool is_single);
    bool step_if_allowed(bool may_trap_rarely);
    [[nodiscard]] bool may_access(const MemoryRequest& request) const;
    [[nodiscard]] bool is_allowed_state() const;
    [[nodiscard]] bool is_at_code() const;
    void note_trap(std::uint8_t type);
    void note_word(std::uint32_t word, std::uint32_t pc);
    void note_way(Instruction instruction, std::uint32_t pc, std::uint32_t npc);
    void note(Event::Kind kind, unsigned number) {
        events_.push_back({kind, static_cast<std::uint16_t>(number)});
    }

    hw::RandomStream random_;
    BigEndianMemory image_;
    BigEndianMemory memory_;
    IntegerUnit unit_;
    RandomInstructions instructions_;
    RandomPieces pieces_;
    Coverage& coverage_;
    /// Highest address of an instruction written so far.
    std::uint32_t highest_ = MemoryMap::kEntry - 4;
    std::uint64_t steps_ = 0;
    std::uint64_t tried_steps_ = 0;
    std::vector<StoredBytes> stored_;  ///< bytes overwritten by the words being tried
    std::vector<Event> events_;        ///< events of the words being tried
};

}  // namespace weir::nodes::sparcle::testing
