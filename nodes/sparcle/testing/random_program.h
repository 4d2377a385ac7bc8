#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "hw/random_stream.h"
#include "nodes/sparcle/testing/functional_machine.h"

namespace weir::nodes::sparcle::testing {

/// A program of random instructions that ends, for a machine with memory at kMemoryBase and nothing
/// else. It is written while it runs: each instruction is drawn when it is reached, from what the
/// registers hold then, and drawn again if it would leave the program's code or data or end in
/// error mode. So nearly every word is executed, and every trap that is taken returns behind its
/// instruction.
///
/// It never executes what qemu-system-sparc does otherwise than SPARC or Sparcle: qemu_differs()
/// has the list.
class RandomProgram {
  public:
    static constexpr std::uint32_t kMemoryBase = 0x40000000;
    static constexpr std::uint32_t kMemoryBytes = 0x400000;
    static constexpr std::uint32_t kEntry = kMemoryBase + 0x40000;

    /// Writes instructions until `steps` have been executed.
    RandomProgram(std::uint64_t seed, std::uint64_t steps);

    /// As the leon3 of qemu has them.
    static IntegerUnit::Options options() {
        return {.multiply_divide = true,
                .floating_point = true,
                .implementation = 0xf3,
                .float_version = 0};
    }
    /// A unit at kEntry, as qemu has it there.
    static IntegerUnit unit_at_entry();

    /// Memory before the program's first instruction.
    [[nodiscard]] const BigEndianMemory& image() const { return image_; }
    /// Steps by the name of what they were: what the program covers.
    [[nodiscard]] const std::map<std::string, std::uint64_t>& covered() const { return covered_; }

  private:
    struct Trial;

    static constexpr std::uint32_t kData = kMemoryBase + 0x10000;
    static constexpr std::uint32_t kDataBytes = 0x2000;
    static constexpr std::array<std::uint32_t, 2> kTrapTables = {kMemoryBase, kMemoryBase + 0x1000};
    static constexpr std::uint32_t kToSupervisor = kMemoryBase + 0x2000;
    static constexpr unsigned kSupervisorTraps = 0x60;

    void write_trap_tables();
    void write_data();
    void write_prologue();
    void write_random_instructions(std::uint64_t steps);
    void write_end();
    void emit(std::uint32_t word);
    void run_to_code();
    void choose();
    bool accepted(std::uint32_t word);
    [[nodiscard]] bool qemu_differs(std::uint32_t word) const;
    [[nodiscard]] std::uint32_t second_operand(Instruction instruction) const;
    [[nodiscard]] bool is_single_nan(unsigned number) const;
    [[nodiscard]] bool is_double_nan(unsigned number) const;
    [[nodiscard]] bool qemu_operates_otherwise(Instruction instruction) const;
    [[nodiscard]] bool qemu_computes_otherwise(Instruction instruction) const;
    [[nodiscard]] bool qemu_accesses_otherwise(Instruction instruction) const;
    void count(std::uint32_t word, const Step& end);

    std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }
    bool one_in(std::uint64_t n) { return below(n) == 0; }
    unsigned any_register() { return static_cast<unsigned>(below(32)); }
    std::uint32_t any_value();
    std::uint32_t any_operand2();
    std::int32_t forward_words();

    std::uint32_t draw();
    std::uint32_t draw_arithmetic();
    std::uint32_t draw_state_register();
    std::uint32_t draw_access(bool is_float);
    std::uint32_t draw_branch();
    std::uint32_t draw_jump(unsigned op3);
    std::uint32_t draw_ticc();
    std::uint32_t draw_float();
    std::uint32_t draw_psr_write();
    std::uint32_t draw_trap_base_write();

    hw::RandomStream random_;
    BigEndianMemory image_;
    BigEndianMemory memory_;
    IntegerUnit unit_;
    std::uint32_t highest_ = kEntry - 4;  ///< the highest address of an instruction
    std::map<std::string, std::uint64_t> covered_;
};

}  // namespace weir::nodes::sparcle::testing
