#include <iomanip>
#include <string>
#include <string_view>

#include "hw/text_streams.h"
#include "nodes/sparcle/disassembly.h"
#include "nodes/sparcle/memory_words.h"
#include "nodes/sparcle/sparcle_core.h"
#include "nodes/sparcle/trap_type.h"

// A program's own faults, which end the run, and their reports.
namespace weir::nodes::sparcle {

namespace {

std::string trap_name(std::uint8_t type) {
    switch (type) {
        case kTrapReset:
            return "reset";
        case kTrapInstructionAccess:
            return "instruction access exception";
        case kTrapIllegalInstruction:
            return "illegal instruction";
        case kTrapPrivilegedInstruction:
            return "privileged instruction";
        case kTrapFloatDisabled:
            return "floating-point unit disabled";
        case kTrapCoprocessorDisabled:
            return "coprocessor disabled";
        case kTrapWindowOverflow:
            return "window overflow";
        case kTrapWindowUnderflow:
            return "window underflow";
        case kTrapAddressNotAligned:
            return "misaligned address";
        case kTrapFloatException:
            return "floating-point exception";
        case kTrapDataAccess:
            return "data access exception";
        case kTrapTagOverflow:
            return "tag overflow";
        case kTrapDivisionByZero:
            return "division by zero";
        case SPARCLE_TRAP_REMOTE_WAIT:
            return "remote wait";
        case SPARCLE_TRAP_FULL_EMPTY:
            return "word in the wrong full/empty state";
        default:
            break;
    }
    constexpr std::uint8_t kLevels = 16;
    if (type >= kTrapInstruction) {
        return "trap instruction " + std::to_string(type - kTrapInstruction);
    }
    return type - kTrapInterrupt < kLevels
               ? "interrupt of level " + std::to_string(type - kTrapInterrupt)
               : "trap";
}

}  // namespace

// Reports a trap while traps are disabled. If it occurs in the vector of another trap without a
// handler, that trap is reported.
void SparcleCore::report_error_mode(std::uint8_t type) {
    constexpr std::uint32_t kTableBytes = 4096;
    constexpr std::uint32_t kVectorBytes = 16;
    constexpr unsigned kTrappedPc = 17;
    const std::uint32_t pc = unit_.pc();
    if (pc - unit_.tbr() / kTableBytes * kTableBytes < kTableBytes && trap_depth_ > 0) {
        report_trap(static_cast<std::uint8_t>(pc % kTableBytes / kVectorBytes),
                    unit_.reg(kTrappedPc), ", for which the program has no handler");
    }
    report_trap(type, pc, ", while traps are disabled");
}

// Names the option that gives the core an instruction of the program that it lacks.
const char* SparcleCore::missing_unit(std::uint8_t type, std::uint32_t word) const {
    const Instruction instruction{word};
    const unsigned op3 = instruction.op3() & ~unsigned{kSetsConditions};
    const bool multiplies_or_divides =
        instruction.op() == 2 && instruction.op3() < kTaddcc &&
        (op3 == kUmul || op3 == kSmul || op3 == kUdiv || op3 == kSdiv);
    const bool multiplies_floats =
        instruction.op() == 2 && instruction.op3() == kFpop1 && instruction.opf() == kFsmuld;
    if (!multiplies_ && ((type == kTrapIllegalInstruction && multiplies_or_divides) ||
                         (type == kTrapFloatException && multiplies_floats))) {
        return "; a SPARC V8 instruction: sparcle.multiply_divide = true adds it to the nodes, "
               "-mcpu=v7 compiles without it";
    }
    return "";
}

void SparcleCore::report_trap(std::uint8_t type, std::uint32_t pc, const char* why) {
    hw::TextWriter text;
    text << fault_begin() << trap_name(type) << " (trap type 0x" << std::hex
         << static_cast<unsigned>(type) << ") " << place_of(pc);
    std::array<std::uint8_t, 4> word{};
    const bool is_known = read_memory(pc, word);
    const auto instruction = static_cast<std::uint32_t>(number_of(word.data(), 4));
    if (is_known) {
        text << ", instruction 0x" << std::setw(8) << std::setfill('0') << instruction << " ("
             << disassembly(instruction, pc) << ")";
    }
    text << why;
    if (is_known) {
        text << missing_unit(type, instruction);
    }
    if (type == kTrapDataAccess && !refusal_.empty()) {
        text << ": " << refusal_;
    }
    if (pc == unit_.pc()) {
        text << callers_text(callers());
    }
    text << "\n" << registers_text();
    throw ProgramFault(text.str());
}

void SparcleCore::report(const std::string& what) {
    throw ProgramFault(fault_begin() + what + ", " + function_at(unit_.pc()) +
                       callers_text(callers()) + "\n" + registers_text());
}

void SparcleCore::report_shared(const std::string& what, std::uint32_t address, const char* why) {
    hw::TextWriter text;
    text << what << " address 0x" << std::hex << address << " in shared memory (" << why << ")";
    report(text.str());
}

void SparcleCore::report_null_call() {
    const std::vector<Caller> calling = callers();
    hw::TextWriter text;
    text << fault_begin() << "jump to address 0x" << std::hex << unit_.pc() << " in the null page";
    if (!calling.empty()) {
        text << ", " << function_at(calling.front().pc);
    }
    text << callers_text(calling) << "\n" << registers_text();
    throw ProgramFault(text.str());
}

void SparcleCore::check_access(const MemoryRequest& request) {
    if (request.address >= checks_.stores_from()) {
        return;
    }
    if (const auto fault = checks_.fault_of(request)) {
        report(*fault);
    }
}

void SparcleCore::check_initialisation(const InitialisationCheck& check,
                                       const DecodedInstruction& decoded) {
    if (const auto origin = check.used_by(decoded, unit_)) {
        hw::TextWriter text;
        text << "use of an uninitialised value, loaded from address 0x" << std::hex
             << origin->address << " " << place_of(origin->pc);
        report(text.str());
    }
}

// Checks the address of a body that a DMA engine is to store, for the message at the head of the
// queue.
void SparcleCore::check_body(const MemoryRequest& request, hw::Cycles now) {
    if (!controller().interrupt_raised(now)) {
        return;  // the controller refuses the store
    }
    const auto address = static_cast<std::uint32_t>(request.data);
    if (is_of_shared_memory(address)) {
        return;  // the coherence controller checks shared addresses
    }
    const hw::Message& message = messages()[controller().head_message()];
    const auto bytes = static_cast<std::uint64_t>(message.body_bytes.count());
    check_for_program("DMA store of a body of " + std::to_string(bytes) + " bytes", address, bytes,
                      true);
    checks_.note_written(address, bytes);
}

void SparcleCore::check_for_program(const std::string& what, std::uint32_t address,
                                    std::uint64_t bytes, bool is_store) {
    if (is_of_shared_memory(address)) {
        report_shared(what + (is_store ? " to" : " from"), address,
                      "only its nodes' own loads and stores reach it");
    }
    const auto fault = is_store ? checks_.fault_of_store(what, address, bytes)
                                : checks_.fault_of_load(what, address);
    if (fault) {
        report(*fault);
    }
}

std::string SparcleCore::fault_begin() const {
    hw::TextWriter text;
    text << "node " << node_id() << ", cycle " << time_ << ": ";
    return text.str();
}

// Text of a function, such as "in function main (file.c:12)"; the address if no function is known.
std::string SparcleCore::function_at(std::uint32_t address) const {
    std::string symbol = host_.symbol ? host_.symbol(address) : "";
    const std::size_t offset = symbol.find("+0x");
    if (offset == std::string::npos) {
        return place_of(address);
    }
    return "in function " + symbol.erase(offset, symbol.find(' ', offset) - offset);
}

std::vector<SparcleCore::Caller> SparcleCore::callers() {
    return host_.callers ? host_.callers(*this) : std::vector<Caller>();
}

// Lists the callers in lines; of a deep recursion the first and last.
std::string SparcleCore::callers_text(const std::vector<Caller>& callers) const {
    constexpr std::size_t kFirst = 10;
    constexpr std::size_t kLast = 4;
    std::string text;
    for (std::size_t i = 0; i < callers.size(); ++i) {
        const std::size_t between = callers.size() - std::min(callers.size(), kFirst + kLast);
        if (i == kFirst && between > 1) {
            text += "\n  ... " + std::to_string(between) + " calls between ...";
            i += between;
        }
        text += (callers[i].is_interrupted ? "\n  interrupted " : "\n  called ") +
                place_of(callers[i].pc);
    }
    return text;
}

bool SparcleCore::read_memory(std::uint32_t address, std::span<std::uint8_t> bytes) {
    if (is_of_shared_memory(address)) {
        return host_.read_shared && host_.read_shared(address, bytes);
    }
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(static_cast<unsigned>(bytes.size()));
    return is_of_memory(address) && bus_socket->transport_dbg(payload) == bytes.size();
}

std::string SparcleCore::place_of(std::uint32_t address) const {
    hw::TextWriter text;
    text << "at 0x" << std::hex << std::setw(8) << std::setfill('0') << address;
    const std::string symbol = host_.symbol ? host_.symbol(address) : "";
    if (!symbol.empty()) {
        text << " (" << symbol << ")";
    }
    return text.str();
}

std::string SparcleCore::registers_text() const {
    hw::TextWriter text;
    text << std::hex << std::setfill('0');
    const auto show = [&text](const char* name, std::uint32_t value) {
        text << name << ' ' << std::setw(8) << value;
    };
    show("  pc", unit_.pc());
    show("  npc", unit_.npc());
    show("  psr", unit_.psr());
    show("  wim", unit_.wim());
    show("  tbr", unit_.tbr());
    show("  y", unit_.y());
    constexpr unsigned kGroup = 8;
    constexpr std::string_view kGroups = "goli";
    for (unsigned group = 0; group < kGroups.size(); ++group) {
        text << "\n  " << kGroups[group] << "0-7";
        for (unsigned i = 0; i < kGroup; ++i) {
            text << ' ' << std::setw(8) << unit_.reg(group * kGroup + i);
        }
    }
    return text.str();
}

}  // namespace weir::nodes::sparcle
