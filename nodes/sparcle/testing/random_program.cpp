#include "nodes/sparcle/testing/random_program.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "nodes/sparcle/testing/assembler.h"
#include "nodes/sparcle/testing/qemu_differences.h"

namespace weir::nodes::sparcle::testing {

namespace {

constexpr std::uint32_t kFarthest = 0x80;
constexpr std::uint64_t kLongestTry = 1500;

// Traps that are always accepted. A quarter of the other traps is accepted, since they have no
// further effect.
bool is_ordinary(std::uint8_t trap_type) {
    return trap_type >= kTrapInstruction || trap_type == kTrapWindowOverflow ||
           trap_type == kTrapWindowUnderflow || trap_type == kTrapFloatException ||
           trap_type == kTrapTagOverflow || trap_type == kTrapInstructionAccess;
}

}  // namespace

RandomProgram::RandomProgram(std::uint64_t seed, std::int32_t number, std::uint64_t steps,
                             Coverage& coverage)
    : random_(seed, hw::NodeId(number), "sparcle program"),
      image_(MemoryMap::kBase, MemoryMap::kBytes),
      memory_(MemoryMap::kBase, 0),
      unit_(unit_at_entry()),
      instructions_(random_, unit_),
      pieces_(instructions_, unit_),
      coverage_(coverage) {
    write_machine_image(image_);
    write_data();
    memory_ = image_;
    write_prologue();
    write_random_instructions(steps);
    write_end();
}

IntegerUnit RandomProgram::unit_at_entry() {
    IntegerUnit unit(options());
    unit.reset();
    unit.set_pc(MemoryMap::kEntry, MemoryMap::kEntry + 4);
    unit.set_psr(kPsrSupervisor | kPsrPrevious);
    unit.set_wim(1);
    unit.set_reg(o(6), MemoryMap::kBase + MemoryMap::kBytes);
    // kBoot uses this register for its jump.
    unit.set_reg(g(1), MemoryMap::kEntry);
    return unit;
}

void RandomProgram::write_data() {
    for (std::uint32_t offset = 0; offset < MemoryMap::kDataBytes; offset += 4) {
        image_.set_word(MemoryMap::kData + offset, instructions_.any_value());
    }
}

void RandomProgram::write(std::uint32_t address, std::uint32_t word) {
    image_.set_word(address, word);
    memory_.set_word(address, word);
}

/// Writes the word at the program's highest address, and executes it.
void RandomProgram::emit(std::uint32_t word) {
    highest_ = unit_.pc();
    write(highest_, word);
    step(unit_, memory_, word);
    ++steps_;
}

void RandomProgram::write_prologue() {
    const auto set = [&](unsigned rd, std::uint32_t value) {
        emit(sethi(rd, value));
        emit(operation_immediate(kOr, rd, rd, static_cast<std::int32_t>(value & 0x3ff)));
    };
    set(g(1), MemoryMap::kPlainTable);
    emit(operation_immediate(kWrtbr, 0, g(1), 0));
    emit(operation_immediate(kWrwim, 0, 0, 0));
    for (unsigned window = 0; window < RegisterWindows::kWindows; ++window) {
        const auto psr = static_cast<std::int32_t>(kPsrFloat | kPsrSupervisor | window);
        emit(operation_immediate(kWrpsr, 0, 0, psr));
        for (unsigned rd = window == 0 ? 1 : 8; rd < 24; ++rd) {
            // a stack frame for each window
            set(rd,
                rd == o(6) ? MemoryMap::kStack + 0x800 + window * 0x80 : instructions_.any_value());
        }
    }
    set(g(1), MemoryMap::kData);
    for (unsigned rd = 0; rd < 32; rd += 2) {
        emit(access(kLddf, rd, g(1), static_cast<std::int32_t>(instructions_.below(512) * 8)));
    }
    emit(operation_immediate(kWrpsr, 0, 0,
                             static_cast<std::int32_t>(kPsrFloat | kPsrSupervisor | kPsrTraps |
                                                       instructions_.below(8))));
}

void RandomProgram::write_random_instructions(std::uint64_t steps) {
    while (steps_ < steps || !unit_.supervisor()) {
        fill_gap();
        if (unit_.next_is_annulled()) {
            // an annulled word is never executed
            emit(static_cast<std::uint32_t>(random_.next()));
            continue;
        }
        choose();
    }
}

// Fills words that a branch has jumped over; a loop may execute them when the branch is not taken.
void RandomProgram::fill_gap() {
    while (highest_ + 4 < unit_.pc()) {
        highest_ += 4;
        write(highest_, instructions_.plain());
    }
}

bool RandomProgram::is_at_code() const {
    return MemoryMap::has(unit_.pc()) && unit_.pc() > highest_;
}

// Stores every window. qemu's leon3 ends at a `ta 0` when traps are disabled.
void RandomProgram::write_end() {
    const auto quiet = static_cast<std::int32_t>(kPsrSupervisor);
    // The end continues at the branch's target.
    while (unit_.next_is_annulled() || unit_.npc() != unit_.pc() + 4) {
        emit(kNop);
    }
    for (unsigned window = 0; window < RegisterWindows::kWindows; ++window) {
        emit(operation_immediate(kWrpsr, 0, 0, quiet | static_cast<std::int32_t>(window)));
        emit(sethi(g(1), MemoryMap::kData));
        for (unsigned rd = 8; rd < 24; rd += 2) {
            emit(access(kStd, rd, g(1), static_cast<std::int32_t>(window * 64 + (rd - 8) * 4)));
        }
    }
    emit(operation_immediate(kTiccOp3, 8, 0, 0));
}

// --- Choice of the next words -------------------------------------------------------------------

void RandomProgram::choose() {
    while (!accepted(draw())) {
    }
}

RandomPieces::Words RandomProgram::draw() {
    const std::vector<Event>& missing = coverage_.missing();
    const bool steers = !missing.empty() && instructions_.one_in(4);
    const std::optional<Event> event =
        steers ? std::optional(missing[instructions_.below(missing.size())]) : std::nullopt;
    // A sequence of words needs consecutive addresses, without a pending branch.
    const bool has_room = unit_.npc() == unit_.pc() + 4;
    if (event) {
        const bool needs_room = event->kind == Event::Kind::kFlow ||
                                *event == Event{Event::Kind::kTrap, kTrapInstructionAccess};
        if (!needs_room) {
            return {instructions_.leading_to(*event)};
        }
        if (has_room) {
            return piece_leading_to(*event);
        }
    } else if (has_room && instructions_.one_in(16)) {
        return piece();
    }
    return {instructions_.any()};
}

RandomPieces::Words RandomProgram::piece() {
    const std::uint64_t kind = instructions_.below(32);
    if (kind == 0) {
        return pieces_.recursion();
    }
    if (kind < 5) {
        return pieces_.fetch_outside_memory();
    }
    if (kind < 12) {
        return pieces_.modification();
    }
    return pieces_.loop(words_so_far());
}

RandomPieces::Words RandomProgram::piece_leading_to(Event event) {
    if (event.kind == Event::Kind::kTrap) {
        return pieces_.fetch_outside_memory();
    }
    switch (event.number) {
        case kSpill:
        case kFill:
            return pieces_.recursion();
        case kModifiedWord:
            return pieces_.modification();
        default:
            return pieces_.loop(words_so_far());
    }
}

bool RandomProgram::accepted(const RandomPieces::Words& words) {
    const IntegerUnit unit = unit_;
    const std::uint32_t highest = highest_;
    for (const std::uint32_t word : words) {
        highest_ += 4;
        write(highest_, word);
    }
    stored_.clear();
    events_.clear();
    tried_steps_ = 0;
    if (runs_to_code(words.size() == 1)) {
        for (const Event event : events_) {
            coverage_.note(event);
        }
        steps_ += tried_steps_;
        return true;
    }
    for (auto stored = stored_.rbegin(); stored != stored_.rend(); ++stored) {
        memory_.store(stored->address, stored->bytes, stored->before);
    }
    for (; highest_ > highest; highest_ -= 4) {
        write(highest_, 0);
    }
    unit_ = unit;
    return false;
}

bool RandomProgram::runs_to_code(bool is_single) {
    const std::uint32_t farthest = highest_ + kFarthest;
    do {
        if (!step_if_allowed(!is_single || tried_steps_ > 0)) {
            return false;
        }
        if (++tried_steps_ > kLongestTry || (MemoryMap::has(unit_.pc()) && unit_.pc() > farthest)) {
            return false;
        }
    } while (!is_at_code());
    return unit_.npc() > unit_.pc() && unit_.npc() <= farthest;
}

bool RandomProgram::step_if_allowed(bool may_trap_rarely) {
    const std::uint32_t pc = unit_.pc();
    const std::uint32_t npc = unit_.npc();
    if (unit_.next_is_annulled()) {
        step(unit_, memory_);
        return true;
    }
    StepEnd end = StepEnd::kTrap;
    std::uint8_t type = kTrapInstructionAccess;
    if (MemoryMap::has(pc)) {
        const std::uint32_t word = memory_.word(pc);
        if (qemu_differs(unit_, memory_, word)) {
            return false;
        }
        end = unit_.execute(word);
        if (end == StepEnd::kMemory) {
            const MemoryRequest request = unit_.request();
            if (!may_access(request)) {
                return false;
            }
            if (!request.is_load() && MemoryMap::has(request.address)) {
                stored_.push_back(
                    {request.address, request.bytes, memory_.load(request.address, request.bytes)});
            }
            end = answer(unit_, memory_) ? StepEnd::kDone : StepEnd::kTrap;
        }
        type = unit_.trap_type();
        note_word(word, pc);
        if (end == StepEnd::kDone) {
            note_way({word}, pc, npc);
        }
    }
    if (end == StepEnd::kTrap) {
        const bool is_missed =
            coverage_.misses({Event::Kind::kTrap, std::min<std::uint8_t>(type, kTrapInstruction)});
        if (!is_ordinary(type) && !may_trap_rarely && !is_missed && !instructions_.one_in(4)) {
            return false;
        }
        note_trap(type);
        if (!unit_.take_trap(type)) {
            return false;
        }
    }
    return is_allowed_state();
}

// Allows memory up to the last word that following words will not change, and addresses outside
// memory.
bool RandomProgram::may_access(const MemoryRequest& request) const {
    if (!MemoryMap::has(request.address)) {
        return true;
    }
    if (request.address > highest_ + 4 - request.bytes) {
        return false;
    }
    const auto is_in = [&](std::uint32_t begin, std::uint32_t bytes) {
        return request.address - begin < bytes;
    };
    return request.is_load() || is_in(MemoryMap::kData, MemoryMap::kDataBytes) ||
           is_in(MemoryMap::kStack, MemoryMap::kStackBytes) || request.address >= MemoryMap::kEntry;
}

bool RandomProgram::is_allowed_state() const {
    // User mode with traps disabled leads only to error mode. A runtime's handler that finds no
    // window to return to leads there too.
    const std::uint32_t table = unit_.tbr() & MemoryMap::kTrapBaseBits;
    const bool has_way_out = unit_.traps_enabled() &&
                             (table != MemoryMap::kRuntimeTable || std::popcount(unit_.wim()) <= 1);
    if (!unit_.supervisor() && !has_way_out) {
        return false;
    }
    return std::ranges::find(MemoryMap::kTrapTables, table) != MemoryMap::kTrapTables.end();
}

// --- Record of events ---------------------------------------------------------------------------

void RandomProgram::note_trap(std::uint8_t type) {
    note(Event::Kind::kTrap, std::min(type, kTrapInstruction));
    if ((unit_.tbr() & MemoryMap::kTrapBaseBits) == MemoryMap::kRuntimeTable) {
        if (type == kTrapWindowOverflow) {
            note(Event::Kind::kFlow, kSpill);
        } else if (type == kTrapWindowUnderflow) {
            note(Event::Kind::kFlow, kFill);
        }
    }
}

void RandomProgram::note_word(std::uint32_t word, std::uint32_t pc) {
    using Kind = Event::Kind;
    const Instruction instruction{word};
    if (pc >= MemoryMap::kEntry && image_.word(pc) != word) {
        note(Kind::kFlow, kModifiedWord);
    }
    if (instruction.op() == 0) {
        note(Kind::kFormat2, instruction.op2());
    } else if (instruction.op() == 3) {
        note(Kind::kAccess, instruction.op3());
    } else if (instruction.op() == 2 && instruction.op3() == kFpop1) {
        note(Kind::kFpop1, instruction.opf());
    } else if (instruction.op() == 2 && instruction.op3() == kFpop2) {
        note(Kind::kFpop2, instruction.opf());
    } else if (instruction.op() == 2) {
        note(Kind::kOperation, instruction.op3());
    }
}

/// Notes where the instruction at `pc` led, with `npc` as the next address.
void RandomProgram::note_way(Instruction instruction, std::uint32_t pc, std::uint32_t npc) {
    using Kind = Event::Kind;
    const bool is_branch = instruction.op() == 0 && instruction.op2() == kBicc;
    const bool is_float_branch = instruction.op() == 0 && instruction.op2() == kFbfcc;
    const bool is_taken = unit_.npc() == pc + instruction.displacement22();
    // A branch to the next instruction counts neither as taken nor as passed.
    if ((is_branch || is_float_branch) && is_taken != (unit_.npc() == npc + 4)) {
        const Kind taken = is_branch ? Kind::kBranchTaken : Kind::kFloatBranchTaken;
        const Kind passed = is_branch ? Kind::kBranchPassed : Kind::kFloatBranchPassed;
        note(is_taken ? taken : passed, instruction.condition());
    }
    if (pc < MemoryMap::kEntry || unit_.npc() >= pc || unit_.npc() == npc + 4) {
        return;
    }
    if (is_branch) {
        note(Kind::kFlow, kBackwardBranch);
    } else if (is_float_branch) {
        note(Kind::kFlow, kBackwardFloatBranch);
    } else if (instruction.op() == 1) {
        note(Kind::kFlow, kBackwardCall);
    } else if (instruction.op() == 2 && instruction.op3() == kJmplOp3) {
        note(Kind::kFlow, kBackwardJump);
    }
}

}  // namespace weir::nodes::sparcle::testing
