#include "experiments/debug/instruction_trace.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace weir::experiments::debug {

void InstructionTrace::attach(nodes::Machine& machine, const firmware::ElfImage& /*image*/) {
    std::filesystem::create_directories(folder_);
    for (int node = 0; node < machine.node_count(); ++node) {
        lines_.emplace_back("# cycle cycles pc word\n");
        machine.node(hw::NodeId(node)).sparcle_core().set_observer(this);
    }
}

void InstructionTrace::executed(const nodes::sparcle::SparcleCore& core,
                                const nodes::sparcle::ExecutedInstruction& instruction) {
    constexpr std::size_t kBytesAWrite = 1 << 16;
    if (!window_.contains(instruction.begin)) {
        return;
    }
    const auto node = static_cast<std::size_t>(core.node().index());
    std::string& lines = lines_[node];
    fmt::format_to(std::back_inserter(lines), "{} {} {:08x} ", instruction.begin.count(),
                   instruction.cycles().count(), instruction.pc);
    if (instruction.is_trap) {
        fmt::format_to(std::back_inserter(lines), "trap {:02x}\n", instruction.trap_type);
    } else {
        fmt::format_to(std::back_inserter(lines), "{:08x}{}\n", instruction.word,
                       instruction.is_annulled ? " annulled" : "");
    }
    if (lines.size() > kBytesAWrite) {
        write(node);
    }
}

void InstructionTrace::write(std::size_t node) {
    std::ofstream file;
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.open(folder_ / fmt::format("node-{}.txt", node), std::ios::app);
    file << lines_[node];
    file.close();
    lines_[node].clear();
}

void InstructionTrace::ended() {
    for (std::size_t node = 0; node < lines_.size(); ++node) {
        write(node);
    }
}

}  // namespace weir::experiments::debug
