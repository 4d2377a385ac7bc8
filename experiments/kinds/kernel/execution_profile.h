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

/// Where the cycles of Sparcle nodes go: by instruction, for the programs and for what runs between
/// an interrupt and the return from it; and, if asked for, every instruction as it was executed.
class ExecutionProfile {
  public:
    /// What a cycle was spent on, as ExecutedInstruction tells them apart.
    static constexpr std::array kKinds{"compute",    "fetch stall", "interlock",
                                       "data stall", "controller",  "trap entry"};

    /// Watches all cores of the machine from now on, which are all in `image`; instructions that
    /// begin in `window` go to instructions-NODE.csv in a folder, if one is given.
    ExecutionProfile(nodes::Machine& machine, const firmware::ElfImage& image,
                     trace::CycleWindow window,
                     const std::optional<std::filesystem::path>& instructions);
    ExecutionProfile(const ExecutionProfile&) = delete;
    ExecutionProfile& operator=(const ExecutionProfile&) = delete;
    ~ExecutionProfile();

    /// profile.txt: functions by their cycles, and the costliest lines. profile.folded: folded
    /// stacks, "node;function;function called;...;line;kind cycles", for flame graphs; a trap is a
    /// call. listing.txt: every instruction executed, with how often and in how many cycles.
    /// Of what is written while the program runs. Nothing may run after it.
    void close_instructions();
    void write(const std::filesystem::path& folder) const;

  private:
    using Cycles = std::array<std::int64_t, kKinds.size()>;
    struct Count {
        std::int64_t executions = 0;
        Cycles cycles{};
        std::uint32_t word = 0;
    };
    // What a chain of calls has executed at an address.
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
    // By address.
    std::unordered_map<std::uint32_t, std::optional<CallTree::Place>> functions_;
    std::unordered_map<std::uint64_t, std::string> texts_;  // by address and word
    std::vector<std::unique_ptr<Observer>> observers_;      // by node
};

}  // namespace weir::experiments::kinds
