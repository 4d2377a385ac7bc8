#include "experiments/kinds/kernel/compiled_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "experiments/kinds/kernel/back_trace.h"
#include "experiments/kinds/kernel/library_call.h"
#include "experiments/records/run_file.h"
#include "nodes/sparcle/instruction.h"

namespace weir::experiments::kinds {

void ConsoleLog::put(hw::NodeId node, char character, hw::Cycles now) {
    if (character == '\n') {
        end_line(node.index(), now);
    } else {
        unfinished_[node] += character;
    }
}

void ConsoleLog::end_line(std::int32_t node, hw::Cycles now) {
    std::string& text = unfinished_[node];
    lines_.push_back({now, node, std::move(text)});
    text.clear();
}

void ConsoleLog::write(const std::filesystem::path& folder) {
    for (std::size_t node = 0; node < unfinished_.size(); ++node) {
        if (!unfinished_[node].empty()) {
            end_line(static_cast<std::int32_t>(node), hw::kNever);
        }
    }
    if (lines_.empty()) {
        return;
    }
    // Cores run ahead of each other, so lines are sorted by cycle.
    std::stable_sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) {
        return std::tie(a.cycle, a.node) < std::tie(b.cycle, b.node);
    });
    std::string text;
    for (const Line& line : lines_) {
        text += fmt::format("{}: {}\n", line.node, line.text);
    }
    records::write_run_file(folder / "console.txt", text);
}

namespace {

constexpr std::uint32_t kTrapTableBytes = 4096;

// Whether the trap's vector leads to a handler other than default_trap, which only reports the
// trap. Returns true for a program that has its own trap table.
bool has_handler(const firmware::ElfImage& image, std::uint8_t type) {
    constexpr std::uint32_t kVectorBytes = 16;
    constexpr std::uint32_t kBranch = 8;  // offset of the branch, the vector's third word
    const auto* table = image.find_symbol("weir_trap_table");
    const auto* report = image.find_symbol("default_trap");
    if (table == nullptr || report == nullptr) {
        return true;
    }
    const std::uint32_t at = table->address + type * kVectorBytes + kBranch;
    const auto word = image.word_at(at);
    if (!word) {
        return true;
    }
    const nodes::sparcle::Instruction branch{*word};
    const bool branches = branch.op() == 0 && branch.op2() == nodes::sparcle::kBicc;
    return !branches || at + branch.displacement22() != report->address;
}

// Adds a character to the console at the node's current cycle.
void put_to(ConsoleLog& console, nodes::Machine& machine, hw::NodeId node, char character) {
    console.put(node, character, machine.node(node).sparcle_core().next_issue());
}

}  // namespace

nodes::sparcle::ProgramLayout layout_of(const firmware::ElfImage& image, hw::Bytes memory,
                                        hw::Bytes stack) {
    nodes::sparcle::ProgramLayout layout;
    for (const firmware::ElfImage::Segment& segment : image.segments()) {
        if (segment.executable && !segment.writable) {
            layout.text.push_back({segment.address, segment.address + segment.memory_bytes});
        }
    }
    const auto* table = image.find_symbol("weir_trap_table");
    const bool begins_with_traps = table != nullptr && table->address == 0;
    layout.null_page_end = begins_with_traps ? kTrapTableBytes : image.segments().front().address;
    layout.stack = {static_cast<std::uint32_t>((memory - stack).count()),
                    static_cast<std::uint32_t>(memory.count())};
    return layout;
}

std::unique_ptr<HostFiles> host_files(nodes::Machine& machine,
                                      const firmware::CompiledKernel& kernel, ConsoleLog& console) {
    const auto access = kernel.host_access();
    if (!access) {
        return nullptr;
    }
    return std::make_unique<HostFiles>(
        machine, machine.node_count(), *access,
        HostFiles::Surroundings{
            .console = [&](hw::NodeId node,
                           char character) { put_to(console, machine, node, character); },
            .place =
                [&](hw::NodeId node, std::uint32_t address) {
                    const nodes::sparcle::SparcleCore& core = machine.node(node).sparcle_core();
                    return fmt::format("node {}, cycle {}: the code {}", node.index(),
                                       core.next_issue().count(), core.place_of(address));
                },
            .check =
                [&](hw::NodeId node, std::uint32_t address, std::size_t bytes, bool is_store) {
                    machine.node(node).sparcle_core().check_for_program(
                        fmt::format("host's {} of {} bytes", is_store ? "store" : "load", bytes),
                        address, bytes, is_store);
                },
            .fault =
                [&](hw::NodeId node, const std::string& text) {
                    return fault_text(machine.node(node).sparcle_core(), kernel.image(), text);
                }});
}

void start_compiled(nodes::Machine& machine, firmware::CompiledKernel& kernel, ConsoleLog& console,
                    HostFiles* files) {
    const firmware::ElfImage& image = kernel.image();
    machine.start_programs(
        {.exited = [&kernel](hw::NodeId node,
                             std::uint32_t status) { kernel.exit_status(node, status); },
         .console = [&console, &machine](
                        hw::NodeId node,
                        char character) { put_to(console, machine, node, character); },
         .symbol = [&image](std::uint32_t address) { return image.place(address).text(); },
         .mark_name = [&kernel](std::uint32_t number) { return kernel.mark_name(number); },
         .has_handler = [&image](std::uint8_t type) { return has_handler(image, type); },
         .call =
             [files](hw::NodeId node, std::uint32_t address) {
                 if (files != nullptr) {
                     files->call(node, address);
                 }
             },
         .callers = [&image](nodes::sparcle::SparcleCore& core) { return callers_of(core, image); },
         .layout = layout_of(image, machine.shape().memory_bytes, kernel.known_stack())});
}

}  // namespace weir::experiments::kinds
