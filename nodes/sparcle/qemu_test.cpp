#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "nodes/sparcle/testing/assembler.h"
#include "nodes/sparcle/testing/qemu_trace.h"
#include "nodes/sparcle/testing/random_program.h"

namespace weir::nodes::sparcle {
namespace {

using testing::LoggedState;
using testing::QemuTrace;
using testing::RandomProgram;

/// Where the two differ, "" if nowhere.
std::string difference(const IntegerUnit& unit, const LoggedState& qemu) {
    std::string text;
    const auto compare = [&](const std::string& name, std::uint32_t ours, std::uint32_t theirs) {
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
        compare("r" + std::to_string(number), unit.reg(number), qemu.registers[number]);
        compare("f" + std::to_string(number), unit.f(number), qemu.floats[number]);
    }
    return text;
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::stoull(text);
}

/// Runs both side by side; "" if they agree in every step and in memory at the end.
std::string disagreement(std::uint64_t seed, std::uint64_t steps,
                         std::map<std::string, std::uint64_t>& covered) {
    const RandomProgram program(seed, steps);
    testing::BigEndianMemory memory = program.image();
    IntegerUnit unit = RandomProgram::unit_at_entry();
    QemuTrace qemu(memory);
    LoggedState state;
    std::string where = fmt::format("seed {}: ", seed);
    bool reached = false;
    bool ended = false;
    std::uint64_t executed = 0;
    while (!ended && qemu.next(state)) {
        reached = reached || state.pc == RandomProgram::kEntry;
        if (!reached) {
            continue;
        }
        while (unit.next_is_annulled()) {
            testing::step(unit, memory, 0);
        }
        const std::string found = difference(unit, state);
        if (!found.empty()) {
            return where + found;
        }
        const std::uint32_t pc = unit.pc();
        const std::uint32_t word = memory.word(pc);
        ended = testing::step(unit, memory, word).end == testing::Step::End::kErrorMode;
        if (++executed > 2 * steps + 2000) {
            return where + "the program does not end";
        }
        where = fmt::format("seed {}, step {}, {:08x} at {:08x}: ", seed, executed, word, pc);
    }
    for (const auto& [name, count] : program.covered()) {
        covered[name] += count;
    }
    if (!ended) {
        return where + "qemu-system-sparc ended:\n" + qemu.said();
    }
    const std::vector<std::uint8_t> theirs = qemu.memory();
    for (std::size_t byte = 0; byte < theirs.size(); ++byte) {
        if (theirs[byte] != memory.bytes()[byte]) {
            return where + fmt::format("memory differs at offset {:#x}", byte);
        }
    }
    return "";
}

TEST(QemuTest, RandomProgramsAgree) {
    const std::uint64_t steps = from_environment("WEIR_SPARCLE_STEPS", 120000);
    const std::uint64_t seed = from_environment("WEIR_SPARCLE_SEED", 1);
    constexpr std::uint64_t kStepsOfProgram = 8000;
    std::map<std::string, std::uint64_t> covered;
    for (std::uint64_t done = 0; done < steps; done += kStepsOfProgram) {
        const std::string found = disagreement(seed + done / kStepsOfProgram,
                                               std::min(kStepsOfProgram, steps - done), covered);
        ASSERT_EQ(found, "");
    }
    if (steps < 100000) {
        return;
    }
    // Every trap that qemu and the unit have in common, and every operation.
    for (const unsigned type :
         {kTrapIllegalInstruction, kTrapPrivilegedInstruction, kTrapFloatDisabled,
          kTrapWindowOverflow, kTrapWindowUnderflow, kTrapAddressNotAligned, kTrapFloatException,
          kTrapTagOverflow, kTrapCoprocessorDisabled, kTrapDivisionByZero, kTrapInstruction}) {
        EXPECT_TRUE(covered.contains(fmt::format("trap {}", type))) << type;
    }
    for (unsigned op3 = 0; op3 < 0x40; ++op3) {
        const bool has_opf = op3 == kFpop1 || op3 == kFpop2;
        EXPECT_TRUE(has_opf || covered.contains(fmt::format("op 2 op3 {}", op3))) << op3;
    }
    for (const unsigned opf :
         {kFmovs, kFnegs, kFabss, kFsqrts, kFsqrtd, kFadds, kFaddd, kFsubs, kFsubd, kFmuls,
          kFmuld, kFdivs, kFdivd, kFsmuld, kFitos,  kFdtos, kFitod, kFstod, kFstoi, kFdtoi}) {
        EXPECT_TRUE(covered.contains(fmt::format("op 2 op3 52 opf {}", opf))) << opf;
    }
    for (const unsigned opf : {kFcmps, kFcmpd, kFcmpes, kFcmped}) {
        EXPECT_TRUE(covered.contains(fmt::format("op 2 op3 53 opf {}", opf))) << opf;
    }
    for (unsigned op3 = 0; op3 <= kStdf; ++op3) {
        EXPECT_TRUE(op3 == kLdfsr + 1 || covered.contains(fmt::format("op 3 op3 {}", op3))) << op3;
    }
}

}  // namespace
}  // namespace weir::nodes::sparcle
