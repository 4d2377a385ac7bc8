#include "nodes/sparcle/program_checks.h"

#include <algorithm>

#include "hw/text_streams.h"

namespace weir::nodes::sparcle {

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

ProgramChecks::ProgramChecks(const Timing& timing)
    : null_page_bytes_(static_cast<std::uint32_t>(timing.null_page_bytes.value().count())),
      has_stack_limit_(timing.check_stack.value()),
      has_fixed_text_(!timing.writable_text.value()),
      initialisation_(timing.check_uninitialised.value() ? std::make_unique<InitialisationCheck>()
                                                         : nullptr) {}

void ProgramChecks::set_layout(const ProgramLayout& layout) {
    null_page_end_ = std::min(null_page_bytes_, layout.null_page_end);
    if (has_fixed_text_) {
        text_ = layout.text;
    }
    stores_from_ = null_page_end_;
    for (const ProgramLayout::Range& text : text_) {
        stores_from_ = std::max(stores_from_, text.end);
    }
    if (has_stack_limit_ && !layout.stack.is_empty()) {
        stack_begin_ = layout.stack.begin;
        stack_bytes_ = layout.stack.end - layout.stack.begin;
    }
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
           " in the program's text, which may not change "
           "(a program that modifies itself: sparcle.writable_text = true)";
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
    const std::uint32_t left = unit.reg(decoded.rs1) - stack_begin_;
    return "stack overflow: a frame of " + std::to_string(frame) + " bytes, where " +
           std::to_string(left) + " of the stack's " + std::to_string(stack_bytes_) +
           " are left (workload.stack_bytes)";
}

}  // namespace weir::nodes::sparcle
