#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "experiments/kinds/kernel/call_stack.h"
#include "experiments/trace/exports/cycle_window.h"
#include "firmware/sparcle/elf_image.h"
#include "nodes/machine.h"
#include "nodes/sparcle/execution_observer.h"

namespace weir::experiments::kinds {

/// Profile of the cycles of Sparcle nodes by instruction, separately for programs and for code
/// between an interrupt and the return from it. On request, it also lists all executed
/// instructions.
class ExecutionProfile {
  public:
    /// Names of the uses of a cycle; ExecutedInstruction has the cycles of each.
    static constexpr std::array kKinds{"compute",    "fetch stall", "interlock",
                                       "data stall", "controller",  "trap entry"};

    /// Observes all cores of the machine, which execute `image`, from now on. If a folder is given,
    /// instructions that begin in `window` are written to its files instructions-NODE.csv.
    ExecutionProfile(nodes::Machine& machine, const firmware::ElfImage& image,
                     trace::CycleWindow window,
                     const std::optional<std::filesystem::path>& instructions);
    ExecutionProfile(const ExecutionProfile&) = delete;
    ExecutionProfile& operator=(const ExecutionProfile&) = delete;
    ~ExecutionProfile();

    /// Closes the files of instructions; call it after the run.
    void close_instructions();
    /// Writes profile.txt: functions by cycles, and the source lines with the most cycles. Writes
    /// profile.folded, folded stacks "node;function;function called;...;line;kind cycles" for flame
    /// graphs; a trap counts as a call. Writes listing.txt: each executed instruction with its
    /// number of executions and its cycles.
    void write(const std::filesystem::path& folder) const;

  private:
    using Cycles = std::array<std::int64_t, kKinds.size()>;
    struct Count {
        std::int64_t executions = 0;
        Cycles cycles{};
        std::uint32_t word = 0;
    };
    // Instruction address with the chain of calls that led to it.
    struct Spot {
        CallTree::Chain chain = CallTree::kRoot;
        std::uint32_t pc = 0;
        bool in_handler = false;
        bool operator==(const Spot&) const = default;
    };
    struct SpotHash {
        std::size_t operator()(const Spot& spot) const;
    };
    using Counts = std::unordered_map<Spot, Count, SpotHash>;
    class Observer;

    std::optional<CallTree::Place> function_at(std::uint32_t address);
    const std::string& text_of(const nodes::sparcle::ExecutedInstruction& instruction);
    [[nodiscard]] std::string table() const;
    [[nodiscard]] std::string folded() const;
    [[nodiscard]] std::string listing() const;

    nodes::Machine& machine_;
    const firmware::ElfImage& image_;
    CallTree calls_;
    // Function at each address; empty where no function is known.
    std::unordered_map<std::uint32_t, std::optional<CallTree::Place>> functions_;
    // Place and text of an instruction, by address and word.
    std::unordered_map<std::uint64_t, std::string> texts_;
    std::vector<std::unique_ptr<Observer>> observers_;  // observer of each node's core
};

}  // namespace weir::experiments::kinds
