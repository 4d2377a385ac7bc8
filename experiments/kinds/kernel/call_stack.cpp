#include "experiments/kinds/kernel/call_stack.h"

#include <fmt/format.h>

#include <algorithm>

#include "nodes/sparcle/instruction.h"
#include "nodes/sparcle/register_windows.h"
#include "nodes/sparcle/trap_type.h"

namespace weir::experiments::kinds {

namespace sparcle = nodes::sparcle;

namespace {

bool is_call(sparcle::Instruction instruction) {
    const bool is_jmpl = instruction.op() == 2 && instruction.op3() == sparcle::kJmplOp3;
    return instruction.op() == 1 || (is_jmpl && instruction.rd() == sparcle::kOutLink);
}

bool is_return(sparcle::Instruction instruction) {
    constexpr std::uint32_t kBehindDelaySlot = 8;
    constexpr std::uint32_t kBehindStructure = 12;
    return instruction.op() == 2 && instruction.op3() == sparcle::kJmplOp3 &&
           instruction.rd() == 0 && instruction.immediate() &&
           (instruction.rs1() == sparcle::kOutLink || instruction.rs1() == sparcle::kInLink) &&
           (instruction.simm13() == kBehindDelaySlot || instruction.simm13() == kBehindStructure);
}

bool is_rett(sparcle::Instruction instruction) {
    return instruction.op() == 2 && instruction.op3() == sparcle::kRettOp3;
}

std::string trap_name(std::uint8_t type) {
    switch (type) {
        case sparcle::kTrapWindowOverflow:
            return "window overflow";
        case sparcle::kTrapWindowUnderflow:
            return "window underflow";
        case sparcle::kTrapInterrupt + SPARCLE_LEVEL_MESSAGE:
            return "message interrupt";
        case sparcle::kTrapInterrupt + SPARCLE_LEVEL_DMA:
            return "DMA interrupt";
        case sparcle::kTrapInterrupt + SPARCLE_LEVEL_COHERENCE:
            return "coherence interrupt";
        case sparcle::kTrapInterrupt + SPARCLE_LEVEL_OVERFLOW:
            return "overflow interrupt";
        case SPARCLE_TRAP_REMOTE_WAIT:
            return "remote wait";
        case SPARCLE_TRAP_FULL_EMPTY:
            return "full/empty";
        default:
            return fmt::format("trap 0x{:02x}", type);
    }
}

}  // namespace

CallTree::Place CallTree::place(const std::string& name) {
    const auto [found, is_new] = places_.try_emplace(name, static_cast<Place>(names_.size()));
    if (is_new) {
        names_.push_back(name);
    }
    return found->second;
}

CallTree::Chain CallTree::called(Chain caller, Place place) {
    constexpr unsigned kWordBits = 32;
    const std::uint64_t key = (std::uint64_t{caller} << kWordBits) | place;
    const auto [found, is_new] = chains_.try_emplace(key, static_cast<Chain>(links_.size()));
    if (is_new) {
        links_.emplace_back(caller, place);
    }
    return found->second;
}

std::string CallTree::text(Chain chain) const {
    if (chain == kRoot) {
        return {};
    }
    const std::string outer = text(caller(chain));
    return outer.empty() ? name(chain) : fmt::format("{};{}", outer, name(chain));
}

CallTree::Chain CallStack::executed(const CallStep& step) {
    if (step.is_trap) {
        constexpr unsigned kWindows = sparcle::RegisterWindows::kWindows;
        push(tree_.place(trap_name(step.trap_type)), (step.next_window + 1) % kWindows);
        return chain();
    }
    enter_function(step.pc);
    const CallTree::Chain executed_in = chain();
    if (!step.is_annulled) {
        note_transfer(step);
    }
    return executed_in;
}

// Records the call, return or jump that led to the instruction at pc, if it is in another function.
void CallStack::enter_function(std::uint32_t pc) {
    const auto place = function_at_(pc);
    const bool has_arrived = pending_.transfer != Transfer::kNone && pc == pending_.target;
    const Transfer transfer = has_arrived ? pending_.transfer : Transfer::kNone;
    if (has_arrived) {
        pending_ = {};
    }
    if (!place) {
        return;
    }
    const bool in_function = !frames_.empty() && !frames_.back().trapped_window;
    if (transfer == Transfer::kCall || !in_function) {
        push(*place, std::nullopt);
    } else if (transfer == Transfer::kReturn) {
        return_to(*place);
    } else if (frames_.back().place != *place) {
        frames_.pop_back();
        push(*place, std::nullopt);
    }
}

void CallStack::push(CallTree::Place place, std::optional<unsigned> trapped_window) {
    frames_.push_back({tree_.called(chain(), place), place, trapped_window, pending_});
    pending_ = {};
}

// Returns to the last caller that is the function `place`; callers below the last trap do not
// count.
void CallStack::return_to(CallTree::Place place) {
    for (std::size_t above = frames_.size() - 1; above-- > 0 && !frames_[above].trapped_window;) {
        if (frames_[above].place == place) {
            frames_.resize(above + 1);
            return;
        }
    }
    frames_.pop_back();
    if (frames_.empty() || frames_.back().trapped_window || frames_.back().place != place) {
        push(place, std::nullopt);
    }
}

void CallStack::return_from_trap(unsigned window) {
    const auto trap = std::find_if(frames_.rbegin(), frames_.rend(), [](const Frame& frame) {
        return frame.trapped_window.has_value();
    });
    if (trap == frames_.rend()) {
        return;
    }
    const Frame came_from = *trap;
    frames_.erase(std::prev(trap.base()), frames_.end());
    pending_ = came_from.pending;
    if (*came_from.trapped_window == window) {
        return;
    }
    frames_.push_back(came_from);
    parked_[*came_from.trapped_window] = std::exchange(frames_, {});
    pending_ = {};
    const auto other = parked_.find(window);
    if (other != parked_.end()) {
        frames_ = std::move(other->second);
        parked_.erase(other);
        pending_ = frames_.back().pending;
        frames_.pop_back();
    }
}

void CallStack::note_transfer(const CallStep& step) {
    const sparcle::Instruction instruction{step.word};
    if (is_rett(instruction)) {
        return_from_trap(step.next_window);
    } else if (is_call(instruction)) {
        pending_ = {Transfer::kCall, step.next_npc};
    } else if (is_return(instruction)) {
        pending_ = {Transfer::kReturn, step.next_npc};
    }
}

}  // namespace weir::experiments::kinds
