#include "nodes/sparcle/testing/random_pieces.h"

#include <algorithm>

#include "nodes/sparcle/testing/assembler.h"

namespace weir::nodes::sparcle::testing {

namespace {

// Further conditions of Bicc.
constexpr unsigned kGreaterUnsigned = 12;
constexpr unsigned kCarryClear = 13;
constexpr unsigned kOpposite = 8;

constexpr std::int32_t low_bits(std::uint32_t value) {
    return static_cast<std::int32_t>(value & 0x3ff);
}

std::int32_t words_between(std::size_t from, std::size_t to) {
    return static_cast<std::int32_t>(to) - static_cast<std::int32_t>(from);
}

}  // namespace

// --- Loops --------------------------------------------------------------------------------------

RandomPieces::Words RandomPieces::loop(std::uint32_t most_words) {
    constexpr std::uint32_t kFarthestBack = 30;
    const auto back =
        static_cast<std::int32_t>(instructions_.below(std::min(most_words, kFarthestBack))) + 1;
    const std::optional<Countdown> by = countdown();
    if (!by || instructions_.one_in(3)) {
        return conditional_branch(back);
    }
    if (instructions_.one_in(3)) {
        return counted_jump(*by, back);
    }
    return instructions_.one_in(2) ? counted_way_back(*by, back) : counted_branch(*by, back);
}

// Draws a counter register, and a register to subtract from it up to twelve times.
std::optional<RandomPieces::Countdown> RandomPieces::countdown() {
    constexpr std::uint32_t kMostTimes = 12;
    for (unsigned k = 0; k < 64; ++k) {
        const Countdown by{instructions_.any_register(), instructions_.any_register()};
        const std::uint32_t value = unit_.reg(by.counter);
        const std::uint32_t step = unit_.reg(by.step);
        if (by.counter != by.step && step != 0 && value / step - 1 < kMostTimes) {
            return by;
        }
    }
    return std::nullopt;
}

unsigned RandomPieces::continues() {
    return instructions_.one_in(2) ? kGreaterUnsigned : kCarryClear;
}

RandomPieces::Words RandomPieces::counted_branch(Countdown by, std::int32_t back) {
    return {operation(kSubcc, by.counter, by.counter, by.step),
            branch(kBicc, continues(), instructions_.one_in(2), -back - 1), instructions_.any()};
}

RandomPieces::Words RandomPieces::counted_jump(Countdown by, std::int32_t back) {
    const unsigned address = instructions_.any_target();
    const std::uint32_t target = unit_.pc() - 4 * static_cast<std::uint32_t>(back);
    return {sethi(address, target),
            operation(kSubcc, by.counter, by.counter, by.step),
            branch(kBicc, continues() ^ kOpposite, instructions_.one_in(2), 4),
            instructions_.plain(),
            operation_immediate(kJmplOp3, instructions_.any_target(), address, low_bits(target)),
            instructions_.plain()};
}

// The exit comes before the jump back, which is a call, or a branch with the condition of the last
// comparison.
RandomPieces::Words RandomPieces::counted_way_back(Countdown by, std::int32_t back) {
    const auto condition =
        instructions_.one_in(2) ? kAlways : static_cast<unsigned>(instructions_.below(16));
    return {operation(kSubcc, by.counter, by.counter, by.step),
            branch(kBicc, continues() ^ kOpposite, instructions_.one_in(2), 4),
            instructions_.plain(),
            instructions_.one_in(2) ? call(-back - 3)
                                    : branch(kFbfcc, condition, instructions_.one_in(2), -back - 3),
            instructions_.plain()};
}

RandomPieces::Words RandomPieces::conditional_branch(std::int32_t back) {
    const bool is_float = instructions_.one_in(3);
    return {is_float ? instructions_.comparison() : instructions_.arithmetic(),
            instructions_.plain(),
            branch(is_float ? kFbfcc : kBicc, static_cast<unsigned>(instructions_.below(16)),
                   instructions_.one_in(2), -back - 2),
            instructions_.plain()};
}

// --- Frames -------------------------------------------------------------------------------------

// Prepares windows as a runtime does: its handlers are in the trap table, and one window is
// invalid. Usually the invalid window is the one above, so that this frame is the oldest.
void RandomPieces::append_frame_mode(Words& words) {
    const unsigned scratch = 1 + static_cast<unsigned>(instructions_.below(7));
    const std::uint64_t above =
        instructions_.one_in(4) ? 1 + instructions_.below(RegisterWindows::kWindows - 1) : 1;
    const std::uint64_t invalid = (unit_.current_window() + above) % RegisterWindows::kWindows;
    words.push_back(sethi(scratch, MemoryMap::kRuntimeTable));
    words.push_back(operation_immediate(
        kWrtbr, 0, scratch, static_cast<std::int32_t>(unit_.tbr() & MemoryMap::kTrapTypeBits)));
    words.push_back(operation_immediate(kWrwim, 0, g(0), static_cast<std::int32_t>(1U << invalid)));
}

// Writes a local or an out other than the stack pointer, so that the frame stays valid.
std::uint32_t RandomPieces::local_arithmetic() {
    const unsigned rd = instructions_.one_in(2) ? l(static_cast<unsigned>(instructions_.below(8)))
                                                : o(static_cast<unsigned>(instructions_.below(6)));
    constexpr std::uint32_t kTarget = 0x1f << 25;
    return (instructions_.arithmetic() & ~kTarget) | rd << 25;
}

RandomPieces::Words RandomPieces::recursion() {
    constexpr std::int32_t kMostCalls = 15;
    const unsigned counter = 1 + static_cast<unsigned>(instructions_.below(7));
    Words words;
    if (unit_.supervisor() && !instructions_.one_in(4)) {
        append_frame_mode(words);
    }
    const auto depth = static_cast<std::uint32_t>(instructions_.below(2));
    words.push_back(sethi(o(6), MemoryMap::kStack + MemoryMap::kStackBytes - 0x400 * (depth + 1)));
    words.push_back(operation_immediate(kOr, counter, g(0),
                                        1 + static_cast<std::int32_t>(instructions_.below(
                                                static_cast<std::uint64_t>(kMostCalls)))));
    words.push_back(call(4));
    words.push_back(local_arithmetic());
    const std::size_t leaves = words.size();
    words.push_back(0);
    words.push_back(local_arithmetic());
    const std::size_t function = words.size();
    words.push_back(operation_immediate(kSave, o(6), o(6), -96));
    words.push_back(operation_immediate(kSubcc, counter, counter, 1));
    const std::size_t ends = words.size();
    words.push_back(0);
    words.push_back(local_arithmetic());
    words.push_back(call(words_between(words.size(), function)));
    words.push_back(local_arithmetic());
    words[ends] = branch(kBicc, kEqual, false, words_between(ends, words.size()));
    for (std::uint64_t k = instructions_.below(4); k-- > 0;) {
        words.push_back(local_arithmetic());
    }
    words.push_back(operation_immediate(kJmplOp3, g(0), i(7), 8));
    words.push_back(operation(kRestore, o(static_cast<unsigned>(instructions_.below(6))),
                              instructions_.any_register(), instructions_.any_register()));
    words[leaves] = branch(kBicc, kAlways, false, words_between(leaves, words.size()));
    return words;
}

// --- Self-modifying code ------------------------------------------------------------------------

// Stores to the word at `target`, or to part of it; `address` holds its upper bits.
std::uint32_t RandomPieces::store_over(unsigned value, unsigned address, std::uint32_t target) {
    const std::int32_t offset = low_bits(target);
    const auto part = static_cast<std::int32_t>(instructions_.below(4));
    switch (instructions_.below(8)) {
        case 0:
            return access(kStb, value, address, offset + part);
        case 1:
            return access(kSth, value, address, offset + (part & 2));
        case 2:
            return access(kLdstub, value, address, offset + part);
        case 3:
            return access(kStf, value, address, offset);
        case 4:
        case 5:
            return access(kSwap, value, address, offset);
        default:
            return access(kSt, value, address, offset);
    }
}

RandomPieces::Words RandomPieces::modification() {
    const unsigned value = instructions_.any_target();
    const unsigned address = instructions_.any_target();
    const std::uint32_t stored = instructions_.plain();
    Words words{sethi(value, stored), operation_immediate(kOr, value, value, low_bits(stored))};
    const std::optional<Countdown> by = countdown();
    const bool again = by && !instructions_.one_in(3);
    // In a loop the modified word comes before the store, otherwise after it. SPARC V8 lets the
    // change take effect up to five instructions after FLUSH, so kDelay other instructions follow.
    constexpr std::size_t kDelay = 5;
    const std::size_t changed = words.size() + (again ? 1 : 3 + kDelay);
    const std::uint32_t target = unit_.pc() + 4 * static_cast<std::uint32_t>(changed);
    words.push_back(sethi(address, target));
    if (again) {
        words.push_back(instructions_.plain());
    }
    words.push_back(store_over(value, address, target));
    words.push_back(operation_immediate(kFlush, 0, address, low_bits(target)));
    for (std::size_t k = 0; k < kDelay; ++k) {
        words.push_back(instructions_.plain());
    }
    if (!again) {
        words.push_back(instructions_.plain());
        return words;
    }
    words.push_back(operation(kSubcc, by->counter, by->counter, by->step));
    words.push_back(
        branch(kBicc, continues(), instructions_.one_in(2), words_between(words.size(), changed)));
    words.push_back(instructions_.plain());
    return words;
}

// --- Fetches ------------------------------------------------------------------------------------

RandomPieces::Words RandomPieces::fetch_outside_memory() {
    std::uint32_t target = instructions_.any_value() & ~3U;
    switch (instructions_.below(4)) {
        case 0:
            target = MemoryMap::kBase + MemoryMap::kBytes;
            break;
        case 1:
            target = MemoryMap::kBase - 4;
            break;
        default:
            break;
    }
    // A call, so that the handler returns to behind it by o7.
    if (instructions_.one_in(2)) {
        return {call(static_cast<std::int32_t>(target - unit_.pc()) / 4), instructions_.plain()};
    }
    const unsigned address = instructions_.any_target();
    return {sethi(address, target), operation_immediate(kJmplOp3, o(7), address, low_bits(target)),
            instructions_.plain()};
}

}  // namespace weir::nodes::sparcle::testing
