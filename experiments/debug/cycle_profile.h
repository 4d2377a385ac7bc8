#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "experiments/debug/call_stack.h"
#include "experiments/debug/instrument.h"
#include "nodes/sparcle/execution_observer.h"

namespace weir::experiments::debug {

/// What instructions cost, in cycles, by what the cycles were spent on; their sum is all of them.
struct Cost {
    std::int64_t instructions = 0;
    std::int64_t compute = 0;      ///< what their classes take, every access hitting
    std::int64_t controller = 0;   ///< accesses to the message controller and the barrier
    std::int64_t fetch_stall = 0;  ///< fetches, beyond a hit
    std::int64_t data_stall = 0;   ///< loads and stores, beyond a hit
    std::int64_t interlock = 0;    ///< for what the instruction before had loaded
    std::int64_t trap_entry = 0;
    std::int64_t wait = 0;         ///< until an interrupt came, and what was given up for one
    std::int64_t in_handlers = 0;  ///< of the sum: between an interrupt and the return from it

    [[nodiscard]] std::int64_t cycles() const {
        return compute + controller + fetch_stall + data_stall + interlock + trap_entry + wait;
    }
    Cost& operator+=(const Cost& other);
};

/// Where the cycles of a machine's Sparcle nodes go: by chain of calls, function, line of the
/// source and kind. Counted is what was executed: a wait that nothing has ended is not.
class CycleProfile final : public Instrument, public nodes::sparcle::ExecutionObserver {
  public:
    struct Line {
        std::string function;
        std::string file;  ///< empty where there is no line information
        int line = 0;
        Cost cost;
    };

    /// Of one node, or of all together.
    explicit CycleProfile(std::optional<int> node) : node_(node) {}

    void attach(nodes::Machine& machine, const firmware::ElfImage& image) override;
    void executed(const nodes::sparcle::SparcleCore& core,
                  const nodes::sparcle::ExecutedInstruction& instruction) override;
    /// Takes the places of the program's addresses, which are gone with it.
    void ended() override;

    [[nodiscard]] const Cost& total() const { return total_; }
    /// The dearest first.
    [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
    /// The same by function: `file` and `line` are empty.
    [[nodiscard]] std::vector<Line> functions() const;
    /// Chains of calls with a frame for the line and, but for computing, one for the kind, a line
    /// each, sorted: "outer;inner;file.c:12;data stall 340", what flame graphs are drawn from.
    [[nodiscard]] std::string folded_stacks() const;

  private:
    // What a chain of calls has executed at an address.
    struct Spot {
        CallTree::Chain chain = CallTree::kRoot;
        std::uint32_t pc = 0;
        bool operator==(const Spot&) const = default;
    };
    struct SpotHash {
        std::size_t operator()(const Spot& spot) const {
            return std::hash<std::uint64_t>()((std::uint64_t{spot.chain} << 32) | spot.pc);
        }
    };

    std::optional<CallTree::Place> function_at(std::uint32_t address);

    std::optional<int> node_;
    const firmware::ElfImage* image_ = nullptr;
    CallTree tree_;
    std::vector<std::unique_ptr<CallStack>> stacks_;                               // by node
    std::unordered_map<std::uint32_t, std::optional<CallTree::Place>> functions_;  // by address
    std::unordered_map<Spot, Cost, SpotHash> spots_;
    Cost total_;
    std::vector<Line> lines_;
    std::map<std::string, std::int64_t> stacks_in_text_;
};

/// One line, "function,file,line,instructions,cycles,...", and a row a line of the source.
[[nodiscard]] std::string profile_csv(const CycleProfile& profile);

}  // namespace weir::experiments::debug
