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

/// Every chain of calls that was seen, each once: a tree whose root is no call. A place is a
/// function of the program, or a trap.
class CallTree {
  public:
    using Chain = std::uint32_t;
    using Place = std::uint32_t;
    static constexpr Chain kRoot = 0;

    CallTree() { links_.emplace_back(kRoot, 0); }

    Place place(const std::string& name);
    /// `caller`, and `place` called from there.
    Chain called(Chain caller, Place place);

    [[nodiscard]] Chain caller(Chain chain) const { return links_[chain].first; }
    [[nodiscard]] const std::string& name(Chain chain) const {
        return names_[links_[chain].second];
    }
    /// "outermost;...;innermost", as flame graphs are made from.
    [[nodiscard]] std::string text(Chain chain) const;

  private:
    std::vector<std::pair<Chain, Place>> links_;
    std::vector<std::string> names_;
    std::map<std::string, Place> places_;
    std::unordered_map<std::uint64_t, Chain> chains_;
};

/// One thing a core did, as far as calls are concerned.
struct CallStep {
    std::uint32_t pc = 0;
    std::uint32_t word = 0;
    std::uint32_t next_pc = 0;  ///< of what is executed next
    std::uint32_t next_npc = 0;
    unsigned next_window = 0;
    bool is_annulled = false;
    bool is_trap = false;
    std::uint8_t trap_type = 0;
};

/// Who has called whom on a node, from the instructions it executes: CALL and JMPL to %o7 call,
/// JMPL to %i7 + 8 and %o7 + 8 (12 for functions that return a structure) return, a trap calls what
/// is at its vector, and RETT returns from it. What reaches another function in any other way has
/// taken the place of its caller. A RETT into another register window than the one that trapped
/// goes to another hardware context, whose own stack is taken up again: programs for contexts stay
/// in one window.
class CallStack {
  public:
    /// Which function an address is in; empty: in none.
    using FunctionAt = std::function<std::optional<CallTree::Place>(std::uint32_t address)>;

    CallStack(CallTree& tree, FunctionAt function_at)
        : tree_(tree), function_at_(std::move(function_at)) {}

    /// The chain of calls that this instruction was executed in, or that the trap has led to.
    CallTree::Chain executed(const CallStep& step);

  private:
    enum class Transfer : std::uint8_t { kNone, kCall, kReturn };
    // A call or return whose delay slot is executed first.
    struct Pending {
        Transfer transfer = Transfer::kNone;
        std::uint32_t target = 0;
    };
    struct Frame {
        CallTree::Chain chain = CallTree::kRoot;
        CallTree::Place place = 0;
        std::optional<unsigned> trapped_window;  // of a trap
        Pending pending{};                       // when it came
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
    // Of the other contexts by window, their last trap on top.
    std::map<unsigned, std::vector<Frame>> parked_;
};

}  // namespace weir::experiments::kinds
