#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "experiments/debug/instrument.h"
#include "experiments/trace/cycle_window.h"
#include "nodes/sparcle/execution_observer.h"

namespace weir::experiments::debug {

/// What every Sparcle node executes, a text file a node, node-0.txt and so on: a line for each
/// instruction, in the order of execution,
///     cycle cycles pc word
/// the cycle it was issued in and how many it took in decimal, its address and the word in eight
/// hexadecimal digits. A delay slot that had no effect ends with "annulled"; a trap, which stands
/// in place of the instruction it was entered before, has "trap" and its type in two digits instead
/// of the word. A file's first line, which starts with #, names the columns.
///
/// Files do not depend on how far cores run ahead of each other, nor on the order of ticks.
class InstructionTrace final : public Instrument, public nodes::sparcle::ExecutionObserver {
  public:
    /// In files of `folder`, which is made.
    explicit InstructionTrace(std::filesystem::path folder) : folder_(std::move(folder)) {}
    /// Only what is issued in `window`. Before the run.
    void keep(const trace::CycleWindow& window) { window_ = window; }

    /// Throws std::ios_base::failure.
    void attach(nodes::Machine& machine, const firmware::ElfImage& image) override;
    void executed(const nodes::sparcle::SparcleCore& core,
                  const nodes::sparcle::ExecutedInstruction& instruction) override;
    /// Throws std::ios_base::failure.
    void ended() override;

  private:
    // Machines have more nodes than a process may have open files.
    void write(std::size_t node);

    std::filesystem::path folder_;
    trace::CycleWindow window_;
    std::vector<std::string> lines_;  // by node: those not in its file yet
};

}  // namespace weir::experiments::debug
