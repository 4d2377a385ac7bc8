// Random programs, executed by the integer unit and by qemu-system-sparc side by side.
//
//   WEIR_SPARCLE_STEPS   instructions of each seed, else 15,000
//   WEIR_SPARCLE_SEEDS   number of seeds, else 8
//   WEIR_SPARCLE_SEED    the first seed, else 1

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "nodes/sparcle/testing/coverage.h"
#include "nodes/sparcle/testing/qemu_trace.h"
#include "nodes/sparcle/testing/random_program.h"

namespace weir::nodes::sparcle {
namespace {

using testing::Coverage;
using testing::Event;
using testing::LoggedState;
using testing::MemoryMap;
using testing::QemuTrace;
using testing::RandomProgram;

/// Describes the difference between the two states; empty if they are equal.
std::string difference(const IntegerUnit& unit, const LoggedState& qemu) {
    std::string text;
    const auto compare = [&](const char* name, std::uint32_t ours, std::uint32_t theirs) {
        if (ours != theirs) {
            text += fmt::format("  {}: {:08x}, qemu {:08x}\n", name, ours, theirs);
        }
    };
    compare("pc", unit.pc(), qemu.pc);
    compare("npc", unit.npc(), qemu.npc);
    compare("psr", unit.psr(), qemu.psr);
    compare("wim", unit.wim(), qemu.wim);
    compare("y", unit.y(), qemu.y);
    compare("fsr", unit.fsr(), qemu.fsr);
    for (unsigned number = 0; number < 32; ++number) {
        if (unit.reg(number) != qemu.registers[number]) {
            compare(fmt::format("r{}", number).c_str(), unit.reg(number), qemu.registers[number]);
        }
        if (unit.f(number) != qemu.floats[number]) {
            compare(fmt::format("f{}", number).c_str(), unit.f(number), qemu.floats[number]);
        }
    }
    return text;
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::stoull(text);
}

/// Executes the program on both. Returns the first disagreement in a state, or in memory at the
/// end; empty if there is none.
std::string disagreement(const RandomProgram& program) {
    testing::BigEndianMemory memory = program.image();
    IntegerUnit unit = RandomProgram::unit_at_entry();
    constexpr std::uint64_t kStepsOfBoot = 100;
    QemuTrace qemu(memory, MemoryMap::kBoot, program.steps() + kStepsOfBoot);
    LoggedState state;
    std::string where;
    bool reached = false;
    bool ended = false;
    std::uint64_t executed = 0;
    while (!ended && qemu.next(state)) {
        reached = reached || state.pc == MemoryMap::kEntry;
        if (!reached) {
            continue;
        }
        // qemu logs no state for an annulled word, nor for a failed fetch.
        while (unit.next_is_annulled() || !memory.has(unit.pc(), 4)) {
            testing::step(unit, memory);
        }
        const std::string found = difference(unit, state);
        if (!found.empty()) {
            return where + found;
        }
        const std::uint32_t pc = unit.pc();
        where = fmt::format("step {}, {:08x} at {:08x}: ", ++executed, memory.word(pc), pc);
        ended = testing::step(unit, memory).end == testing::Step::End::kErrorMode;
    }
    if (!ended) {
        return where + "qemu-system-sparc ended:\n" + qemu.said();
    }
    const std::string theirs = qemu.memory();
    for (std::size_t byte = 0; byte < memory.bytes().size(); ++byte) {
        if (byte >= theirs.size() ||
            static_cast<std::uint8_t>(theirs[byte]) != memory.bytes()[byte]) {
            return where + fmt::format("memory differs at offset {:#x}", byte);
        }
    }
    return "";
}

std::string list_of(const std::vector<Event>& events) {
    std::string text;
    for (const Event event : events) {
        text += "\n  " + name_of(event);
    }
    return text;
}

// Runs programs of a seed until `steps` instructions have been executed.
void try_seed(std::uint64_t seed, std::uint64_t steps) {
    constexpr std::uint64_t kStepsOfProgram = 8000;
    Coverage coverage;
    std::int32_t number = 0;
    for (std::uint64_t done = 0; done < steps; ++number) {
        const RandomProgram program(seed, number, std::min(kStepsOfProgram, steps - done),
                                    coverage);
        ASSERT_EQ(disagreement(program), "")
            << "again: WEIR_SPARCLE_SEED=" << seed
            << " WEIR_SPARCLE_SEEDS=1 WEIR_SPARCLE_STEPS=" << steps << " ./weir test -R QemuTest";
        done += program.steps();
    }
    // Programs try missing events first, so every seed covers all of them.
    constexpr std::uint64_t kStepsThatCover = 15000;
    if (steps >= kStepsThatCover) {
        EXPECT_EQ(list_of(coverage.missing()), "") << "never happened with seed " << seed;
    }
}

// The seeds are divided among tests that run in parallel, each with its own time limit.
class QemuTest : public ::testing::TestWithParam<std::uint64_t> {
  protected:
    static constexpr std::uint64_t kShares = 8;
};

TEST_P(QemuTest, RandomProgramsAgree) {
    const std::uint64_t steps = from_environment("WEIR_SPARCLE_STEPS", 15000);
    const std::uint64_t first = from_environment("WEIR_SPARCLE_SEED", 1);
    const std::uint64_t seeds = from_environment("WEIR_SPARCLE_SEEDS", kShares);
    for (std::uint64_t k = GetParam(); k < seeds; k += kShares) {
        try_seed(first + k, steps);
        if (HasFatalFailure()) {
            return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shares, QemuTest, ::testing::Range(std::uint64_t{0}, std::uint64_t{8}));

}  // namespace
}  // namespace weir::nodes::sparcle
