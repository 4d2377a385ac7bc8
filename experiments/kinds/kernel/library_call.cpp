#include "experiments/kinds/kernel/library_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "experiments/kinds/kernel/back_trace.h"
#include "nodes/sparcle/instruction.h"

namespace weir::experiments::kinds {

namespace {

using firmware::ElfImage;
using nodes::sparcle::SparcleCore;

constexpr std::uint32_t kInstructionBytes = 4;

// Function's name without the suffix that the compiler adds for a part or copy: MPI_Send for
// "MPI_Send.part.0".
std::string base_name(const ElfImage::Symbol* symbol) {
    return symbol == nullptr ? "" : symbol->name.substr(0, symbol->name.find('.'));
}

// Whether a source file is in firmware/sparcle, and not in its programs for tests. Compares only
// the end of the file's folder, since an installed Weir has its firmware elsewhere.
bool is_of_firmware(const std::string& file) {
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    const std::filesystem::path firmware = "firmware/sparcle";
    const auto ends_with = [&folder](const std::filesystem::path& end) {
        return folder == end || folder.string().ends_with("/" + end.string());
    };
    return ends_with(firmware) || ends_with(firmware / "library") ||
           ends_with(firmware / "library" / "mpi") || ends_with(firmware / "threads");
}

bool is_of_program(const ElfImage& image, std::uint32_t pc) {
    const std::string file = image.place(pc).file;
    return !file.empty() && !is_of_firmware(file);
}

std::optional<std::uint32_t> called_from(const ElfImage& image, std::uint32_t pc) {
    const nodes::sparcle::Instruction instruction{image.word_at(pc).value_or(0)};
    pc = image.original(pc);
    if (instruction.op() == 1) {
        return pc + instruction.displacement30();
    }
    // The linker turns a call at the end of a function into a branch if the target is near.
    const bool branches = instruction.op() == 0 && instruction.op2() == nodes::sparcle::kBicc;
    return branches ? std::optional(pc + instruction.displacement22()) : std::nullopt;
}

// Address of a call that ends a function, before which the function has left its stack frame; empty
// if there is no such call.
std::optional<std::uint32_t> call_without_frame(const ElfImage& image, std::uint32_t pc,
                                                const std::string& callee) {
    const auto target = called_from(image, pc);
    const ElfImage::Symbol* const between = target ? image.symbol_at(*target) : nullptr;
    if (between == nullptr || base_name(between) == callee ||
        !is_of_program(image, between->address)) {
        return std::nullopt;
    }
    std::optional<std::uint32_t> found;
    for (std::uint32_t at = between->address; at < between->address + between->bytes;
         at += kInstructionBytes) {
        const auto called = called_from(image, at);
        if (called && base_name(image.symbol_at(*called)) == callee) {
            if (found) {
                return std::nullopt;  // ambiguous, because the function has two such calls
            }
            found = at;
        }
    }
    return found;
}

}  // namespace

std::string LibraryCall::mpi_function() const {
    return function.starts_with("MPI_") ? function : "";
}

namespace {

// The call in these frames, the last one first.
std::optional<LibraryCall> library_call(const ElfImage& image,
                                        const std::vector<SparcleCore::Caller>& frames) {
    const auto own = std::find_if(frames.begin(), frames.end(), [&image](const auto& frame) {
        return is_of_program(image, frame.pc);
    });
    if (own == frames.begin() || own == frames.end()) {
        return std::nullopt;
    }
    LibraryCall call{.function = base_name(image.symbol_at((own - 1)->pc)),
                     .pc = own->pc,
                     .callers = {own + 1, frames.end()}};
    if (own->is_interrupted) {
        call.function.clear();
    } else if (const auto hidden = call_without_frame(image, own->pc, call.function)) {
        call.callers.insert(call.callers.begin(), *own);
        call.pc = *hidden;
    }
    return call;
}

}  // namespace

std::optional<LibraryCall> library_call(SparcleCore& core, const ElfImage& image) {
    std::vector<SparcleCore::Caller> frames = callers_of(core, image);
    frames.insert(frames.begin(), {core.unit().pc(), false});
    return library_call(image, frames);
}

std::optional<LibraryCall> library_call(SparcleCore& core, const ElfImage& image,
                                        std::int32_t context) {
    std::vector<SparcleCore::Caller> frames = callers_of(core, image, context);
    frames.insert(frames.begin(), {pc_of(core, context), false});
    return library_call(image, frames);
}

std::string source_place(const ElfImage& image, std::uint32_t pc) {
    const ElfImage::Place place = image.place(pc);
    std::string text = place.symbol != nullptr ? "function " + place.symbol->name
                                               : fmt::format("address 0x{:08x}", pc);
    if (!place.file.empty()) {
        text += fmt::format(" ({}:{})", place.file, place.line);
    }
    return text;
}

std::string fault_text(SparcleCore& core, const ElfImage& image, std::int32_t rank,
                       const std::string& what) {
    const std::int32_t node = core.node().index();
    const auto call = library_call(core, image);
    const std::string function = call ? call->mpi_function() : "";
    const std::string who = !function.empty() ? fmt::format("{} of rank {}: ", function, rank)
                            : image.copies().count > 1 ? fmt::format("rank {}: ", rank)
                                                       : "";
    std::string text =
        fmt::format("node {}, cycle {}: {}{}", node, core.next_issue().count(), who, what);
    if (!call) {
        return text;
    }
    text += ", in " + source_place(image, call->pc);
    constexpr std::size_t kMost = 10;
    for (std::size_t i = 0; i < call->callers.size() && i < kMost; ++i) {
        text += fmt::format("\n  {} {}", call->callers[i].is_interrupted ? "interrupted" : "called",
                            core.place_of(call->callers[i].pc));
    }
    if (call->callers.size() > kMost) {
        text += fmt::format("\n  ... {} calls more", call->callers.size() - kMost);
    }
    return text;
}

}  // namespace weir::experiments::kinds
