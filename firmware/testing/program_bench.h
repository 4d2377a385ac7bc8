#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/controller/host_registers.h"
#include "nodes/sparcle/sparcle_core.h"
#include "nodes/sparcle/testing/assembler.h"

namespace weir::firmware::testing {

/// Records the executed instructions.
class Recorder final : public nodes::sparcle::ExecutionObserver {
  public:
    void executed(const nodes::sparcle::SparcleCore& /*core*/,
                  const nodes::sparcle::ExecutedInstruction& instruction) override {
        instructions.push_back(instruction);
    }
    /// First execution of the instruction at `pc`; traps in its place are skipped.
    [[nodiscard]] const nodes::sparcle::ExecutedInstruction& at(std::uint32_t pc) const {
        for (const nodes::sparcle::ExecutedInstruction& instruction : instructions) {
            if (instruction.pc == pc && !instruction.is_trap) {
                return instruction;
            }
        }
        ADD_FAILURE() << "nothing was executed at " << pc;
        return instructions.front();
    }
    std::vector<nodes::sparcle::ExecutedInstruction> instructions;
};

/// Two neighbouring nodes that run the same instruction words, from address 0 on.
class ProgramBench : public MachineBench {
  public:
    ProgramBench() {
        set(configuration.core, "kind", std::string("sparcle"));
        set_dimensions({2, 1});
        set(configuration.machine, "nodes", std::int64_t{2});
    }

    using Words = std::vector<std::uint32_t>;
    /// Writes words from `address` on, in both nodes.
    void put(std::uint32_t address, const Words& words) {
        for (const std::uint32_t word : words) {
            memory_[address] = word;
            address += 4;
        }
    }
    /// Builds the machine and loads the words; a test may inspect it before run().
    nodes::Machine& load() {
        nodes::Machine& machine = build();
        for (std::int32_t node = 0; node < machine.node_count(); ++node) {
            for (const auto& [address, word] : memory_) {
                write(node, address, word);
            }
            recorders_.emplace_back();
        }
        for (std::int32_t node = 0; node < machine.node_count(); ++node) {
            core(node).set_observer(&recorders_[node]);
        }
        machine.start_programs(
            {.exited = [this](hw::NodeId node,
                              std::uint32_t status) { exits[node.index()] = status; },
             .console = [this](hw::NodeId, char c) { console += c; },
             .symbol = symbol,
             .callers = callers,
             .layout = layout});
        return machine;
    }
    nodes::RunEnd run(hw::Cycles most_cycles = hw::Cycles(100'000)) {
        if (recorders_.empty()) {
            load();
        }
        return machine().run({.most_cycles = most_cycles});
    }
    /// Text of the fault that ends the run.
    std::string fault() {
        try {
            run();
        } catch (const nodes::ProgramFault& fault) {
            return fault.what();
        }
        return "no fault";
    }
    nodes::sparcle::SparcleCore& core(std::int32_t node) {
        return machine().node(hw::NodeId(node)).sparcle_core();
    }
    const Recorder& recorder(std::int32_t node) const { return recorders_[node]; }
    [[nodiscard]] std::uint32_t read(std::int32_t node, std::uint32_t address) {
        std::uint32_t word = 0;
        machine().read<std::uint32_t>(hw::NodeId(node), address, {&word, 1});
        return __builtin_bswap32(word);
    }
    void write(std::int32_t node, std::uint32_t address, std::uint32_t word) {
        const std::uint32_t big_endian = __builtin_bswap32(word);
        machine().write<std::uint32_t>(hw::NodeId(node), address, {&big_endian, 1});
    }

    /// Layout of the program, for the checks of its accesses; set before load().
    nodes::sparcle::ProgramLayout layout;
    /// Symbolises addresses and finds callers for faults; set before load().
    std::function<std::string(std::uint32_t address)> symbol;
    std::function<std::vector<nodes::sparcle::SparcleCore::Caller>(nodes::sparcle::SparcleCore&)>
        callers;
    std::map<std::int32_t, std::uint32_t> exits;
    std::string console;

  private:
    std::map<std::uint32_t, std::uint32_t> memory_;
    std::deque<Recorder> recorders_;
};

/// Address of most test programs.
constexpr std::uint32_t kStart = 0x1000;
constexpr std::uint32_t kMessageVector = 16 * (0x10 + SPARCLE_LEVEL_MESSAGE);

/// Sets `rd` to `value`, in two instructions.
inline ProgramBench::Words set_register(unsigned rd, std::uint32_t value) {
    using namespace nodes::sparcle;           // NOLINT(google-build-using-namespace): mnemonics
    using namespace nodes::sparcle::testing;  // NOLINT(google-build-using-namespace): mnemonics
    return {sethi(rd, value),
            operation_immediate(kOr, rd, rd, static_cast<std::int32_t>(value & 0x3ff))};
}
inline void append(ProgramBench::Words& words, const ProgramBench::Words& more) {
    words.insert(words.end(), more.begin(), more.end());
}
/// Ends the program with the status in `rs`; the core then takes interrupts only. Overwrites %g7.
inline ProgramBench::Words end_program(unsigned rs) {
    using namespace nodes::sparcle;           // NOLINT(google-build-using-namespace): mnemonics
    using namespace nodes::sparcle::testing;  // NOLINT(google-build-using-namespace): mnemonics
    ProgramBench::Words words = set_register(g(7), WEIR_HOST_BASE);
    append(words, {access(kSt, rs, g(7), WEIR_HOST_EXIT - WEIR_HOST_BASE),
                   access(kLd, g(0), g(7), WEIR_HOST_IDLE - WEIR_HOST_BASE),
                   branch(kBicc, kAlways, false, -1), kNop});
    return words;
}

}  // namespace weir::firmware::testing
