#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weir::experiments::kinds {

/// All different chains of calls of a run, as a tree whose root is no call. A place is a function
/// of the program, or a trap.
class CallTree {
  public:
    using Chain = std::uint32_t;
    using Place = std::uint32_t;
    static constexpr Chain kRoot = 0;

    CallTree() { links_.emplace_back(kRoot, 0); }

    Place place(const std::string& name);
    /// Chain of calls `caller`, extended by a call of `place`.
    Chain called(Chain caller, Place place);

    [[nodiscard]] Chain caller(Chain chain) const { return links_[chain].first; }
    [[nodiscard]] const std::string& name(Chain chain) const {
        return names_[links_[chain].second];
    }
    /// The chain as "outermost;...;innermost", the format of flame graphs.
    [[nodiscard]] std::string text(Chain chain) const;

  private:
    std::vector<std::pair<Chain, Place>> links_;
    std::vector<std::string> names_;
    std::map<std::string, Place> places_;
    std::unordered_map<std::uint64_t, Chain> chains_;
};

/// One step of a core, as input of the call stack.
struct CallStep {
    std::uint32_t pc = 0;
    std::uint32_t word = 0;
    std::uint32_t next_pc = 0;  ///< address of the instruction that executes next
    std::uint32_t next_npc = 0;
    unsigned next_window = 0;
    bool is_annulled = false;
    bool is_trap = false;
    std::uint8_t trap_type = 0;
};

/// Call stack of a node, from the instructions that it executes. CALL, and JMPL that writes %o7,
/// are calls. JMPL to %i7 + 8 or %o7 + 8 (12 for functions that return a structure) is a return. A
/// trap calls its vector, and RETT returns from it. Any other transfer to another function replaces
/// the caller (a tail call). A RETT into another register window than the one that trapped switches
/// to another hardware context, whose own stack continues. Programs for several contexts stay in
/// one window.
class CallStack {
  public:
    /// Function that contains an address; empty if none does.
    using FunctionAt = std::function<std::optional<CallTree::Place>(std::uint32_t address)>;

    CallStack(CallTree& tree, FunctionAt function_at)
        : tree_(tree), function_at_(std::move(function_at)) {}

    /// The chain of calls of this instruction, or of the trap that it led to.
    CallTree::Chain executed(const CallStep& step);

  private:
    enum class Transfer : std::uint8_t { kNone, kCall, kReturn };
    // A call or return whose delay slot has not been executed yet.
    struct Pending {
        Transfer transfer = Transfer::kNone;
        std::uint32_t target = 0;
    };
    struct Frame {
        CallTree::Chain chain = CallTree::kRoot;
        CallTree::Place place = 0;
        // Window in which a trap occurred; set for traps only.
        std::optional<unsigned> trapped_window;
        // Call or return that was pending when the trap occurred.
        Pending pending{};
    };

    void enter_function(std::uint32_t pc);
    void push(CallTree::Place place, std::optional<unsigned> trapped_window);
    void return_to(CallTree::Place place);
    void return_from_trap(unsigned window);
    void note_transfer(const CallStep& step);
    [[nodiscard]] CallTree::Chain chain() const {
        return frames_.empty() ? CallTree::kRoot : frames_.back().chain;
    }

    CallTree& tree_;
    FunctionAt function_at_;
    std::vector<Frame> frames_;
    Pending pending_;
    // Stacks of the hardware contexts that do not run, by register window, with their last trap on
    // top.
    std::map<unsigned, std::vector<Frame>> parked_;
};

}  // namespace weir::experiments::kinds
