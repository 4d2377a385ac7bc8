#include "nodes/sparcle/program_checks.h"

#include <algorithm>
#include <bit>

#include "hw/text_streams.h"

namespace weir::nodes::sparcle {

namespace {

constexpr unsigned kFirstFloat = 32;  // first bit of floating-point registers in
                                      // DecodedInstruction::reads

bool is_store(const DecodedInstruction& decoded) {
    const Instruction instruction{decoded.word};
    if (instruction.op() != 3) {
        return false;
    }
    if (instruction.op3() >= kLdf) {
        return instruction.op3() == kStf || instruction.op3() == kStdf;
    }
    const unsigned plain = instruction.op3() & ~unsigned{kAlternate};
    return plain == kSt || plain == kStb || plain == kSth || plain == kStd || plain == kSwap;
}

// For a move between registers, returns the source register's bit number in `reads`.
std::optional<unsigned> copied_register(const DecodedInstruction& decoded) {
    const Instruction instruction{decoded.word};
    if (instruction.op() != 2) {
        return std::nullopt;
    }
    switch (instruction.op3()) {
        case kOr:
        case kAdd:
        case kSave:
        case kRestore: {
            const bool is_one = std::popcount(decoded.reads) == 1;
            return is_one && decoded.immediate == 0
                       ? std::optional(static_cast<unsigned>(std::countr_zero(decoded.reads)))
                       : std::nullopt;
        }
        case kFpop1:
            return instruction.opf() == kFmovs ? std::optional(kFirstFloat + instruction.rs2())
                                               : std::nullopt;
        default:
            return std::nullopt;
    }
}

// Registers that the instruction reads only to store them.
std::uint64_t stored_registers(const DecodedInstruction& decoded) {
    if (!is_store(decoded)) {
        return 0;
    }
    const Instruction instruction{decoded.word};
    const std::uint64_t addresses =
        std::uint64_t{1} << instruction.rs1() |
        (instruction.immediate() ? 0 : std::uint64_t{1} << instruction.rs2());
    return decoded.reads & ~addresses;
}

}  // namespace

void WrittenBytes::set(std::uint32_t address, std::uint64_t bytes, bool is_written) {
    for (std::uint64_t at = address; at < address + bytes; ++at) {
        const std::size_t index = at / kPageBytes;
        if (index >= pages_.size()) {
            pages_.resize(index + 1);
        }
        if (!pages_[index]) {
            pages_[index] = std::make_unique<Page>();
        }
        std::uint8_t& eight = (*pages_[index])[at % kPageBytes / 8];
        const unsigned bit = 1U << (at % 8);
        eight = static_cast<std::uint8_t>(is_written ? eight | bit : eight & ~bit);
    }
}

bool WrittenBytes::any_of(std::uint32_t address, std::uint32_t bytes) const {
    const std::size_t index = address / kPageBytes;
    if (index >= pages_.size() || !pages_[index]) {
        return false;
    }
    const unsigned mask = ((1U << bytes) - 1) << (address % 8);
    return ((*pages_[index])[address % kPageBytes / 8] & mask) != 0;
}

std::size_t InitialisationCheck::place_of(unsigned number, unsigned window) {
    if (number >= kFirstFloat) {
        return kIntegers + number - kFirstFloat;
    }
    constexpr unsigned kGlobals = 8;
    constexpr unsigned kOfWindow = 16;
    return number < kGlobals
               ? number
               : kGlobals + (window * kOfWindow + number - kGlobals) % (kIntegers - kGlobals);
}

std::optional<InitialisationCheck::Origin> InitialisationCheck::used_by(
    const DecodedInstruction& decoded, const IntegerUnit& unit) const {
    std::uint64_t used = decoded.reads & ~stored_registers(decoded);
    if (const auto copied = copied_register(decoded)) {
        used &= ~(std::uint64_t{1} << *copied);
    }
    for (; used != 0; used &= used - 1) {
        const auto number = static_cast<unsigned>(std::countr_zero(used));
        const Value& value = registers_[place_of(number, unit.current_window())];
        if (value) {
            return value;
        }
    }
    return std::nullopt;
}

void InitialisationCheck::executed(const DecodedInstruction& decoded, unsigned window,
                                   const IntegerUnit& unit) {
    const Instruction instruction{decoded.word};
    Value value;
    if (const auto copied = copied_register(decoded)) {
        value = registers_[place_of(*copied, window)];
    }
    const bool is_float = instruction.op() == 2 && instruction.op3() == kFpop1;
    const unsigned rd =
        instruction.op() == 1 ? kOutLink : decoded.rd + (is_float ? kFirstFloat : 0);
    if (instruction.op() != 0 || instruction.op2() == kSethi) {
        registers_[place_of(rd, unit.current_window())] = value;
        if (is_float) {
            registers_[place_of(rd | 1, unit.current_window())].reset();
        }
    }
    registers_[0].reset();
}

InitialisationCheck::Value InitialisationCheck::loaded_from(std::uint32_t address,
                                                            std::uint32_t bytes,
                                                            std::uint32_t pc) const {
    if (written_.any_of(address, bytes)) {
        return std::nullopt;
    }
    const auto copy = copies_.find(address);
    return copy != copies_.end() ? copy->second : Origin{address, pc};
}

void InitialisationCheck::store(std::uint32_t address, std::uint32_t bytes, const Value& value) {
    if (value) {
        written_.forget(address, bytes);
        copies_[address] = *value;
    } else {
        written_.note(address, bytes);
    }
}

void InitialisationCheck::accessed(const DecodedInstruction& decoded, const MemoryRequest& request,
                                   bool is_of_memory, const IntegerUnit& unit) {
    using Kind = MemoryRequest::Kind;
    using Use = MemoryRequest::Use;
    const bool is_float = Instruction{decoded.word}.op3() >= kLdf;
    const std::uint32_t word = std::min<std::uint32_t>(request.bytes, 4);
    for (std::uint32_t offset = 0; offset < request.bytes; offset += word) {
        const unsigned number =
            (decoded.rd | (offset != 0 ? 1U : 0U)) + (is_float ? kFirstFloat : 0);
        Value& value = registers_[place_of(number, unit.current_window())];
        const std::uint32_t address = request.address + offset;
        const Value before = value;
        if (request.kind != Kind::kStore) {
            value = is_of_memory ? loaded_from(address, word, unit.pc()) : std::nullopt;
        }
        if (request.kind != Kind::kLoad && is_of_memory) {
            const bool stores_register = request.kind != Kind::kLoadStoreUnsignedByte &&
                                         request.use != Use::kFloatStateStored;
            store(address, word, stores_register ? before : std::nullopt);
        }
        if (request.use == Use::kFloatState || request.use == Use::kFloatStateStored) {
            value = before;  // the loaded value goes to FSR, not to a register
        }
    }
    registers_[0].reset();
}

void InitialisationCheck::trapped(const IntegerUnit& unit) {
    for (const unsigned number : {17U, 18U}) {
        registers_[place_of(number, unit.current_window())].reset();
    }
}

namespace {

std::string name_of(const MemoryRequest& request) {
    const std::string bytes =
        std::to_string(request.bytes) + (request.bytes == 1 ? " byte" : " bytes");
    switch (request.kind) {
        case MemoryRequest::Kind::kLoad:
            return "load of " + bytes;
        case MemoryRequest::Kind::kStore:
            return "store of " + bytes;
        default:
            return "atomic access of " + bytes;
    }
}

}  // namespace

ProgramChecks::ProgramChecks(const Timing& timing, std::int32_t contexts)
    : null_page_bytes_(static_cast<std::uint32_t>(timing.null_page_bytes.value().count())),
      has_stack_limit_(timing.check_stack.value()),
      has_fixed_text_(!timing.writable_text.value()),
      initialisation_(timing.check_uninitialised.value() ? std::make_unique<InitialisationCheck>()
                                                         : nullptr),
      // Contexts without a thread have no stack, but code that switches contexts runs in them.
      stacks_(contexts == 1 ? 1 : SPARCLE_CONTEXTS) {}

void ProgramChecks::set_layout(const ProgramLayout& layout) {
    null_page_end_ = std::min(null_page_bytes_, layout.null_page_end);
    if (has_fixed_text_) {
        text_ = layout.text;
    }
    stores_from_ = null_page_end_;
    for (const ProgramLayout::Range& text : text_) {
        stores_from_ = std::max(stores_from_, text.end);
    }
    std::fill(stacks_.begin(), stacks_.end(), ProgramLayout::Range{});
    stacks_.front() = layout.stack;
}

const ProgramLayout::Range& ProgramChecks::stack_of(const IntegerUnit& unit) const {
    const auto contexts = static_cast<std::int32_t>(stacks_.size());
    return stacks_[context_of_window(unit.current_window(), contexts)];
}

bool ProgramChecks::leaves_stack(const DecodedInstruction& decoded, const IntegerUnit& unit) const {
    const ProgramLayout::Range& stack = stack_of(unit);
    const std::uint32_t top = unit.reg(decoded.rs1);
    return has_stack_limit_ && top >= stack.begin && top <= stack.end && !stack.is_empty() &&
           frame_bytes(decoded, unit) > top - stack.begin;
}

std::optional<std::string> ProgramChecks::fault_of(const MemoryRequest& request) const {
    return request.is_load() ? fault_of_load(name_of(request), request.address)
                             : fault_of_store(name_of(request), request.address, request.bytes);
}

std::optional<std::string> ProgramChecks::fault_of_load(const std::string& what,
                                                        std::uint32_t address) const {
    if (address >= null_page_end_) {
        return std::nullopt;
    }
    return what + " from address " + hw::hexadecimal(address) + " in the null page";
}

std::optional<std::string> ProgramChecks::fault_of_store(const std::string& what,
                                                         std::uint32_t address,
                                                         std::uint64_t bytes) const {
    if (address >= stores_from_) {
        return std::nullopt;
    }
    const std::string text = what + " to address " + hw::hexadecimal(address);
    if (address < null_page_end_) {
        return text + " in the null page";
    }
    const auto overlaps = [&](const auto& range) { return range.overlaps(address, bytes); };
    if (std::none_of(text_.begin(), text_.end(), overlaps)) {
        return std::nullopt;
    }
    return text +
           " in the program's text, which may not change (for self-modifying code: "
           "sparcle.writable_text = true)";
}

std::uint32_t ProgramChecks::frame_bytes(const DecodedInstruction& decoded,
                                         const IntegerUnit& unit) {
    const std::uint32_t operand = unit.address_of(decoded) - unit.reg(decoded.rs1);
    const bool subtracts = Instruction{decoded.word}.op3() == kSub;
    const std::uint32_t down = subtracts ? operand : 0 - operand;
    return static_cast<std::int32_t>(down) > 0 ? down : 0;
}

std::string ProgramChecks::stack_fault(const DecodedInstruction& decoded,
                                       const IntegerUnit& unit) const {
    const std::uint32_t frame = frame_bytes(decoded, unit);
    const ProgramLayout::Range& stack = stack_of(unit);
    return "stack overflow: a frame of " + std::to_string(frame) + " bytes, where " +
           std::to_string(unit.reg(decoded.rs1) - stack.begin) + " of the stack's " +
           std::to_string(stack.end - stack.begin) + " are left (workload.stack_bytes)";
}

}  // namespace weir::nodes::sparcle
