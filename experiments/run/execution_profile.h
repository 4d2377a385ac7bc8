#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/trace/cycle_window.h"
#include "firmware/sparcle/elf_image.h"
#include "nodes/machine.h"
#include "nodes/sparcle/execution_observer.h"

namespace weir::experiments::run {

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
    /// stacks, "node;program or handler;function;line;kind cycles", for flame graphs. listing.txt:
    /// every instruction executed, with how often and in how many cycles.
    void write(const std::filesystem::path& folder) const;

  private:
    using Cycles = std::array<std::int64_t, kKinds.size()>;
    struct Count {
        std::int64_t executions = 0;
        Cycles cycles{};
        std::uint32_t word = 0;
    };
    // Of one node, by pc; the second is in handlers.
    using Counts = std::array<std::map<std::uint32_t, Count>, 2>;
    class Observer;

    [[nodiscard]] std::string table() const;
    [[nodiscard]] std::string folded() const;
    [[nodiscard]] std::string listing() const;

    nodes::Machine& machine_;
    const firmware::ElfImage& image_;
    std::vector<std::unique_ptr<Observer>> observers_;
};

}  // namespace weir::experiments::run
