#include "experiments/debug/cycle_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <tuple>

namespace weir::experiments::debug {

using nodes::sparcle::ExecutedInstruction;
using nodes::sparcle::SparcleCore;

namespace {

using Line = CycleProfile::Line;

void sort_by_cycles(std::vector<Line>& lines) {
    std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
        return std::tuple(-a.cost.cycles(), a.function, a.file, a.line) <
               std::tuple(-b.cost.cycles(), b.function, b.file, b.line);
    });
}

std::string file_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

Cost cost_of(const ExecutedInstruction& instruction) {
    Cost cost;
    cost.instructions = instruction.is_trap ? 0 : 1;
    cost.compute = instruction.base.count();
    cost.fetch_stall = instruction.fetch_stall.count();
    cost.data_stall = instruction.data_stall.count();
    cost.interlock = instruction.interlock.count();
    cost.trap_entry = instruction.trap_entry.count();
    // An access that ends in a trap was given up: it has only waited.
    (instruction.is_trap ? cost.wait : cost.controller) = instruction.controller.count();
    cost.in_handlers = instruction.in_handler ? cost.cycles() : 0;
    return cost;
}

}  // namespace

Cost& Cost::operator+=(const Cost& other) {
    instructions += other.instructions;
    compute += other.compute;
    controller += other.controller;
    fetch_stall += other.fetch_stall;
    data_stall += other.data_stall;
    interlock += other.interlock;
    trap_entry += other.trap_entry;
    wait += other.wait;
    in_handlers += other.in_handlers;
    return *this;
}

void CycleProfile::attach(nodes::Machine& machine, const firmware::ElfImage& image) {
    image_ = &image;
    for (int node = 0; node < machine.node_count(); ++node) {
        stacks_.push_back(std::make_unique<CallStack>(
            tree_, [this](std::uint32_t address) { return function_at(address); }));
        if (!node_ || *node_ == node) {
            machine.node(hw::NodeId(node)).sparcle_core().set_observer(this);
        }
    }
}

std::optional<CallTree::Place> CycleProfile::function_at(std::uint32_t address) {
    const auto [found, is_new] = functions_.try_emplace(address);
    if (is_new) {
        const firmware::ElfImage::Symbol* symbol = image_->symbol_at(address);
        if (symbol != nullptr) {
            found->second = tree_.place(symbol->name);
        }
    }
    return found->second;
}

void CycleProfile::executed(const SparcleCore& core, const ExecutedInstruction& instruction) {
    const auto& unit = core.unit();
    const CallTree::Chain chain = stacks_[static_cast<std::size_t>(core.node().index())]->executed(
        {.pc = instruction.pc,
         .word = instruction.word,
         .next_pc = unit.pc(),
         .next_npc = unit.npc(),
         .next_window = unit.current_window(),
         .is_annulled = instruction.is_annulled,
         .is_trap = instruction.is_trap,
         .trap_type = instruction.trap_type});
    const Cost cost = cost_of(instruction);
    total_ += cost;
    spots_[{chain, instruction.pc}] += cost;
}

void CycleProfile::ended() {
    std::map<std::tuple<std::string, std::string, int>, Cost> by_line;
    for (const auto& [spot, cost] : spots_) {
        const firmware::ElfImage::Place place = image_->place(spot.pc);
        const std::string function = place.symbol != nullptr ? place.symbol->name : "?";
        by_line[{function, place.file, place.line}] += cost;

        std::string stack = tree_.text(spot.chain);
        if (!place.file.empty()) {
            stack += fmt::format(";{}:{}", file_name(place.file), place.line);
        }
        const std::array<std::pair<const char*, std::int64_t>, 7> kinds{{
            {"", cost.compute},
            {";controller", cost.controller},
            {";fetch stall", cost.fetch_stall},
            {";data stall", cost.data_stall},
            {";interlock", cost.interlock},
            {";trap entry", cost.trap_entry},
            {";wait", cost.wait},
        }};
        for (const auto& [kind, cycles] : kinds) {
            if (cycles > 0) {
                stacks_in_text_[stack + kind] += cycles;
            }
        }
    }
    for (const auto& [where, cost] : by_line) {
        const auto& [function, file, line] = where;
        lines_.push_back({function, file, line, cost});
    }
    sort_by_cycles(lines_);
    image_ = nullptr;
}

std::vector<Line> CycleProfile::functions() const {
    std::map<std::string, Cost> by_function;
    for (const Line& line : lines_) {
        by_function[line.function] += line.cost;
    }
    std::vector<Line> functions;
    for (const auto& [name, cost] : by_function) {
        functions.push_back({name, "", 0, cost});
    }
    sort_by_cycles(functions);
    return functions;
}

std::string CycleProfile::folded_stacks() const {
    std::string text;
    for (const auto& [stack, cycles] : stacks_in_text_) {
        text += fmt::format("{} {}\n", stack, cycles);
    }
    return text;
}

std::string profile_csv(const CycleProfile& profile) {
    std::string text =
        "function,file,line,instructions,cycles,compute_cycles,controller_cycles,"
        "fetch_stall_cycles,data_stall_cycles,interlock_cycles,trap_entry_cycles,wait_cycles,"
        "handler_cycles\n";
    for (const Line& line : profile.lines()) {
        const Cost& cost = line.cost;
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", line.function, line.file,
                            line.line, cost.instructions, cost.cycles(), cost.compute,
                            cost.controller, cost.fetch_stall, cost.data_stall, cost.interlock,
                            cost.trap_entry, cost.wait, cost.in_handlers);
    }
    return text;
}

}  // namespace weir::experiments::debug
