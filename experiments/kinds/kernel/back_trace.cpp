#include "experiments/kinds/kernel/back_trace.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "nodes/sparcle/instruction.h"
#include "nodes/sparcle/program_checks.h"
#include "nodes/sparcle/register_windows.h"

namespace weir::experiments::kinds {

namespace {

using firmware::ElfImage;
using nodes::sparcle::Instruction;
using nodes::sparcle::IntegerUnit;
using nodes::sparcle::kInLink;
using nodes::sparcle::kOutLink;
using nodes::sparcle::kStackPointer;
using nodes::sparcle::SparcleCore;
using Rules = ElfImage::FrameRules;

constexpr unsigned kTrappedPc = 17;
constexpr unsigned kOuts = 8;
constexpr unsigned kLocals = 16;
constexpr unsigned kIns = 24;
constexpr unsigned kRegisters = 32;

// A stack frame: its registers, and the address of the code to which it belongs.
class Frame {
  public:
    explicit Frame(SparcleCore& core)
        : core_(core), unit_(core.unit()), window_(unit_.current_window()), pc_(unit_.pc()) {
        for (unsigned number = 0; number < kRegisters; ++number) {
            registers_[number] = unit_.reg(number);
        }
    }
    /// Frame of a thread in a window that is not the current one.
    Frame(SparcleCore& core, unsigned window, std::uint32_t pc) : Frame(core) {
        window_ = window;
        pc_ = pc;
        for (unsigned number = kOuts; number < kRegisters; ++number) {
            registers_[number] = unit_.window_reg(window, number);
        }
    }

    [[nodiscard]] std::uint32_t pc() const { return pc_; }
    [[nodiscard]] std::uint32_t reg(unsigned number) const { return registers_[number]; }

    /// Goes to the caller's frame in the next register window, read from the window or the stack.
    bool leave_window(std::uint32_t pc) {
        constexpr unsigned kWindows = nodes::sparcle::RegisterWindows::kWindows;
        const unsigned next = (window_ + 1) % kWindows;
        is_spilled_ = is_spilled_ || ((unit_.wim() >> next) & 1) != 0;
        for (unsigned number = kOuts; number < kLocals; ++number) {
            registers_[number] = registers_[number - kOuts + kIns];
        }
        for (unsigned number = kLocals; number < kRegisters; ++number) {
            if (!is_spilled_) {
                registers_[number] = unit_.window_reg(next, number);
            } else if (const auto word =
                           memory(registers_[kStackPointer] + 4 * (number - kLocals))) {
                registers_[number] = *word;
            } else {
                return false;
            }
        }
        window_ = next;
        pc_ = pc;
        return true;
    }
    /// Goes to the caller's frame in the same register window.
    bool leave_flat(const Rules& rules) {
        const std::uint32_t stack =
            registers_[rules.stack_register] + static_cast<std::uint32_t>(rules.stack_offset);
        std::array<std::uint32_t, kRegisters> callers = registers_;
        std::uint32_t pc = registers_[rules.return_register];
        for (const Rules::Saved& saved : rules.saved) {
            const auto word = memory(stack + static_cast<std::uint32_t>(saved.offset));
            if (!word) {
                return false;
            }
            callers[saved.number] = *word;
            pc = saved.number == rules.return_register && saved.number == kOutLink ? *word : pc;
        }
        const bool is_another = pc != pc_ || stack != registers_[kStackPointer];
        registers_ = callers;
        registers_[kStackPointer] = stack;
        pc_ = pc;
        return is_another;
    }

  private:
    std::optional<std::uint32_t> memory(std::uint32_t address) {
        std::array<std::uint8_t, 4> bytes{};
        if (address % bytes.size() != 0 || !core_.read_memory(address, bytes)) {
            return std::nullopt;
        }
        return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
               std::uint32_t{bytes[2]} << 8 | bytes[3];
    }

    SparcleCore& core_;
    const IntegerUnit& unit_;
    unsigned window_;
    bool is_spilled_ = false;
    std::uint32_t pc_;
    std::array<std::uint32_t, kRegisters> registers_{};
};

// Rules to find the caller of code without the compiler's frame information, from the instructions
// before `pc`.
Rules rules_of_code(const ElfImage& image, std::uint32_t pc) {
    const ElfImage::Symbol* const function = image.symbol_at(pc);
    pc = image.original(pc);
    for (std::uint32_t at = function != nullptr ? function->address : pc; at < pc; at += 4) {
        const Instruction instruction{image.word_at(at).value_or(0)};
        if (instruction.op() == 2 && instruction.op3() == nodes::sparcle::kSave) {
            return {.kind = Rules::Kind::kWindow};
        }
    }
    return {};
}

// A caller's pc must be at a call; otherwise the register holds an old value.
bool is_call(const ElfImage& image, std::uint32_t pc) {
    const Instruction instruction{image.word_at(pc).value_or(0)};
    return instruction.op() == 1 ||
           (instruction.op() == 2 && instruction.op3() == nodes::sparcle::kJmplOp3);
}

std::vector<SparcleCore::Caller> callers_of(Frame frame, const ElfImage& image) {
    constexpr std::size_t kMost = 10'000;
    std::vector<SparcleCore::Caller> callers;
    while (callers.size() < kMost) {
        const auto known = image.frame_rules(frame.pc());
        const Rules rules = known ? *known : rules_of_code(image, frame.pc());
        bool goes_on = false;
        switch (rules.kind) {
            case Rules::Kind::kOutermost:
                return callers;
            case Rules::Kind::kInterrupted:
                goes_on = frame.leave_window(frame.reg(kTrappedPc));
                break;
            case Rules::Kind::kWindow:
                goes_on = frame.leave_window(frame.reg(kInLink));
                break;
            case Rules::Kind::kFlat:
                goes_on = frame.leave_flat(rules);
                break;
        }
        if (!goes_on || image.symbol_at(frame.pc()) == nullptr || frame.pc() % 4 != 0) {
            return callers;
        }
        const bool is_interrupted = rules.kind == Rules::Kind::kInterrupted;
        if (!is_interrupted && !is_call(image, frame.pc())) {
            return callers;
        }
        callers.push_back({frame.pc(), is_interrupted});
    }
    return callers;
}

// Window of a context's thread; the window below it is that of its traps (contexts.inc).
unsigned window_of(std::int32_t context) {
    constexpr unsigned kWindows = nodes::sparcle::RegisterWindows::kWindows;
    return (SPARCLE_WINDOWS_PER_CONTEXT * static_cast<unsigned>(context) + kWindows - 1) % kWindows;
}

// Whether the context's thread runs, and none of the core's traps.
bool runs(const SparcleCore& core, std::int32_t context) {
    return core.unit().traps_enabled() && core.unit().current_window() == window_of(context);
}

}  // namespace

std::vector<SparcleCore::Caller> callers_of(SparcleCore& core, const ElfImage& image) {
    return callers_of(Frame(core), image);
}

std::vector<SparcleCore::Caller> callers_of(SparcleCore& core, const ElfImage& image,
                                            std::int32_t context) {
    return runs(core, context)
               ? callers_of(Frame(core), image)
               : callers_of(Frame(core, window_of(context), pc_of(core, context)), image);
}

std::int32_t context_of(const SparcleCore& core) {
    return nodes::sparcle::context_of_window(core.unit().current_window() | 1, SPARCLE_CONTEXTS);
}

std::uint32_t pc_of(const SparcleCore& core, std::int32_t context) {
    return runs(core, context) ? core.unit().pc()
                               : core.unit().window_reg(window_of(context) - 1, kTrappedPc);
}

}  // namespace weir::experiments::kinds
