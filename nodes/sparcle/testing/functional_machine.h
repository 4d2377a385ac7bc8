#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "nodes/sparcle/integer_unit.h"

namespace weir::nodes::sparcle::testing {

/// Memory from `base` on, big-endian.
class BigEndianMemory {
  public:
    BigEndianMemory(std::uint32_t base, std::size_t bytes) : base_(base), bytes_(bytes) {}

    [[nodiscard]] bool has(std::uint32_t address, unsigned bytes) const {
        return address >= base_ && address - base_ + std::size_t{bytes} <= bytes_.size();
    }
    [[nodiscard]] std::uint64_t load(std::uint32_t address, unsigned bytes) const {
        std::uint64_t value = 0;
        for (unsigned byte = 0; byte < bytes; ++byte) {
            value = value << 8 | bytes_[address - base_ + byte];
        }
        return value;
    }
    void store(std::uint32_t address, unsigned bytes, std::uint64_t value) {
        for (unsigned byte = bytes; byte-- > 0; value >>= 8) {
            bytes_[address - base_ + byte] = static_cast<std::uint8_t>(value);
        }
    }
    [[nodiscard]] std::uint32_t word(std::uint32_t address) const {
        return static_cast<std::uint32_t>(load(address, 4));
    }
    void set_word(std::uint32_t address, std::uint32_t value) { store(address, 4, value); }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }

  private:
    std::uint32_t base_;
    std::vector<std::uint8_t> bytes_;
};

/// End of a step of FunctionalMachine; for a trap with the value of TBR.tt.
struct Step {
    enum class End : std::uint8_t { kDone, kTrap, kErrorMode };
    End end;
    std::uint8_t trap_type;
};

/// Answers request() from memory. An access outside memory is data_access_exception.
inline bool answer(IntegerUnit& unit, BigEndianMemory& memory) {
    const MemoryRequest& request = unit.request();
    if (!memory.has(request.address, request.bytes)) {
        unit.refuse(kTrapDataAccess);
        return false;
    }
    std::uint64_t loaded = 0;
    if (!request.is_store()) {
        loaded = memory.load(request.address, request.bytes);
    }
    if (!request.is_load()) {
        memory.store(request.address, request.bytes, request.data);
    }
    unit.complete(loaded);
    return true;
}

/// Executes `word`, and enters the trap that it causes, if any.
inline Step step(IntegerUnit& unit, BigEndianMemory& memory, std::uint32_t word) {
    StepEnd end = unit.execute(word);
    if (end == StepEnd::kMemory) {
        end = answer(unit, memory) ? StepEnd::kDone : StepEnd::kTrap;
    }
    if (end == StepEnd::kDone) {
        return {Step::End::kDone, 0};
    }
    const std::uint8_t type = unit.trap_type();
    return {unit.take_trap(type) ? Step::End::kTrap : Step::End::kErrorMode, type};
}

/// Fetches the word at pc and executes it. A fetch outside memory is instruction_access_exception,
/// except for an annulled word.
inline Step step(IntegerUnit& unit, BigEndianMemory& memory) {
    const bool is_there = memory.has(unit.pc(), 4);
    if (is_there || unit.next_is_annulled()) {
        return step(unit, memory, is_there ? memory.word(unit.pc()) : 0);
    }
    return {unit.take_trap(kTrapInstructionAccess) ? Step::End::kTrap : Step::End::kErrorMode,
            kTrapInstructionAccess};
}

}  // namespace weir::nodes::sparcle::testing
