#include "experiments/kinds/kernel/compiled_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "experiments/kinds/kernel/back_trace.h"
#include "experiments/kinds/kernel/library_call.h"
#include "experiments/records/run_file.h"
#include "nodes/sparcle/instruction.h"

namespace weir::experiments::kinds {

void ConsoleLog::put(std::int32_t process, char character, hw::Cycles now) {
    if (character == '\n') {
        end_line(process, now);
    } else {
        unfinished_[process] += character;
    }
}

void ConsoleLog::end_line(std::int32_t process, hw::Cycles now) {
    std::string& text = unfinished_[process];
    lines_.push_back({now, process, std::move(text)});
    text.clear();
}

void ConsoleLog::write(const std::filesystem::path& folder) {
    for (std::size_t process = 0; process < unfinished_.size(); ++process) {
        if (!unfinished_[process].empty()) {
            end_line(static_cast<std::int32_t>(process), hw::kNever);
        }
    }
    if (lines_.empty()) {
        return;
    }
    // Cores run ahead of each other, so lines are sorted by cycle.
    std::stable_sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) {
        return std::tie(a.cycle, a.process) < std::tie(b.cycle, b.process);
    });
    std::string text;
    for (const Line& line : lines_) {
        text += fmt::format("{}: {}\n", line.process, line.text);
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
void put_to(ConsoleLog& console, nodes::Machine& machine, const firmware::CompiledKernel& kernel,
            hw::NodeId node, char character) {
    console.put(process_of(machine, kernel, node), character,
                machine.node(node).sparcle_core().next_issue());
}

}  // namespace

std::int32_t process_of(nodes::Machine& machine, const firmware::CompiledKernel& kernel,
                        hw::NodeId node) {
    const std::int32_t processes = kernel.processes_per_node();
    return node.index() * processes +
           (processes == 1 ? 0 : context_of(machine.node(node).sparcle_core()));
}

nodes::sparcle::ProgramLayout layout_of(const firmware::ElfImage& image, hw::Bytes memory,
                                        hw::Bytes stack) {
    nodes::sparcle::ProgramLayout layout;
    for (const firmware::ElfImage::Segment& segment : image.segments()) {
        if (!segment.executable || segment.writable) {
            continue;
        }
        const std::uint32_t end = segment.address + segment.memory_bytes;
        layout.text.push_back({segment.address, end});
        const firmware::ElfImage::Copies& copies = image.copies();
        for (std::uint32_t copy = 1; copy < copies.count; ++copy) {
            const std::uint32_t distance = copy * copies.stride;
            layout.text.push_back({copies.begin + distance, end + distance});
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
            .process = [&](hw::NodeId node) { return process_of(machine, kernel, node); },
            .console = [&](hw::NodeId node,
                           char character) { put_to(console, machine, kernel, node, character); },
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
                    return fault_text(machine.node(node).sparcle_core(), kernel.image(),
                                      process_of(machine, kernel, node), text);
                }});
}

void start_compiled(nodes::Machine& machine, firmware::CompiledKernel& kernel, ConsoleLog& console,
                    HostFiles* files) {
    const firmware::ElfImage& image = kernel.image();
    machine.start_programs(
        {.exited = [&kernel](hw::NodeId node,
                             std::uint32_t status) { kernel.exit_status(node, status); },
         .console = [&console, &machine, &kernel](
                        hw::NodeId node,
                        char character) { put_to(console, machine, kernel, node, character); },
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
