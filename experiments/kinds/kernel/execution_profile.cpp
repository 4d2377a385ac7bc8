#include "experiments/kinds/kernel/execution_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>

#include "experiments/records/run_file.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/text/text_table.h"
#include "nodes/sparcle/disassembly.h"

namespace weir::experiments::kinds {

namespace {

using nodes::sparcle::ExecutedInstruction;

// Index of "trap entry" in ExecutionProfile::kKinds.
constexpr std::size_t kTrapEntry = 5;

template <class Cycles>
Cycles cycles_of(const ExecutedInstruction& instruction) {
    return {instruction.base.count(),       instruction.fetch_stall.count(),
            instruction.interlock.count(),  instruction.data_stall.count(),
            instruction.controller.count(), instruction.trap_entry.count()};
}

template <class Cycles>
void add(Cycles& to, const Cycles& more) {
    for (std::size_t kind = 0; kind < to.size(); ++kind) {
        to[kind] += more[kind];
    }
}

template <class Cycles>
std::int64_t sum_of(const Cycles& cycles) {
    return std::accumulate(cycles.begin(), cycles.end(), std::int64_t{0});
}

std::string function_of(const firmware::ElfImage::Place& place) {
    return place.symbol != nullptr ? place.symbol->name : "?";
}

std::string line_of(const firmware::ElfImage::Place& place) {
    return place.file.empty() ? "?" : fmt::format("{}:{}", place.file, place.line);
}

template <class Rows>
auto by_cycles(const Rows& rows) {
    std::vector<std::pair<std::string, typename Rows::mapped_type>> sorted(rows.begin(),
                                                                           rows.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return sum_of(a.second.cycles) > sum_of(b.second.cycles);
    });
    return sorted;
}

}  // namespace

class ExecutionProfile::Observer final : public nodes::sparcle::ExecutionObserver {
  public:
    Observer(ExecutionProfile& profile, trace::CycleWindow window,
             std::optional<records::RunFile> instructions)
        : profile_(profile),
          calls_(profile.calls_,
                 [&profile](std::uint32_t address) { return profile.function_at(address); }),
          window_(window),
          instructions_(std::move(instructions)) {}

    void executed(const nodes::sparcle::SparcleCore& core,
                  const ExecutedInstruction& instruction) override {
        const auto& unit = core.unit();
        const CallTree::Chain chain = calls_.executed({.pc = instruction.pc,
                                                       .word = instruction.word,
                                                       .next_pc = unit.pc(),
                                                       .next_npc = unit.npc(),
                                                       .next_window = unit.current_window(),
                                                       .is_annulled = instruction.is_annulled,
                                                       .is_trap = instruction.is_trap,
                                                       .trap_type = instruction.trap_type});
        Count& count = counts_[{chain, instruction.pc, instruction.in_handler}];
        count.executions += instruction.is_trap ? 0 : 1;
        count.word = instruction.is_trap ? count.word : instruction.word;
        add(count.cycles, cycles_of<Cycles>(instruction));
        if (instructions_ && instruction.begin >= window_.begin &&
            instruction.begin < window_.end) {
            write(instruction);
        }
    }
    [[nodiscard]] const Counts& counts() const { return counts_; }
    void close() {
        if (instructions_) {
            instructions_->close();
        }
    }

  private:
    void write(const ExecutedInstruction& instruction) {
        const char* const what = instruction.is_trap       ? "trap"
                                 : instruction.is_annulled ? "annulled"
                                                           : "";
        instructions_->write(fmt::format(
            "{},{},{:08x},{:08x},{},{},{}\n", instruction.begin.count(),
            instruction.cycles().count(), instruction.pc, instruction.word, what,
            instruction.is_trap ? fmt::format("{:02x}", instruction.trap_type) : std::string(),
            profile_.text_of(instruction)));
    }

    ExecutionProfile& profile_;
    CallStack calls_;
    trace::CycleWindow window_;
    std::optional<records::RunFile> instructions_;
    Counts counts_;
};

ExecutionProfile::ExecutionProfile(nodes::Machine& machine, const firmware::ElfImage& image,
                                   trace::CycleWindow window,
                                   const std::optional<std::filesystem::path>& instructions)
    : machine_(machine), image_(image) {
    for (std::int32_t node = 0; node < machine.node_count(); ++node) {
        // Each node has its own file of instructions, since cores run ahead of each other.
        std::optional<records::RunFile> file;
        if (instructions) {
            file.emplace(*instructions / fmt::format("instructions-{}.csv", node));
            file->write("cycle,cycles,pc,word,instead,trap_type,place,instruction\n");
        }
        observers_.push_back(std::make_unique<Observer>(*this, window, std::move(file)));
        machine.node(hw::NodeId(node)).sparcle_core().set_observer(observers_.back().get());
    }
}

ExecutionProfile::~ExecutionProfile() {
    for (std::int32_t node = 0; node < machine_.node_count(); ++node) {
        machine_.node(hw::NodeId(node)).sparcle_core().set_observer(nullptr);
    }
}

std::size_t ExecutionProfile::SpotHash::operator()(const Spot& spot) const {
    constexpr unsigned kWordBits = 32;
    return std::hash<std::uint64_t>()((std::uint64_t{spot.chain} << kWordBits) | spot.pc |
                                      (spot.in_handler ? 1U : 0U));
}

std::optional<CallTree::Place> ExecutionProfile::function_at(std::uint32_t address) {
    const auto [found, is_new] = functions_.try_emplace(address);
    if (is_new) {
        const firmware::ElfImage::Symbol* symbol = image_.symbol_at(address);
        if (symbol != nullptr) {
            found->second = calls_.place(symbol->name);
        }
    }
    return found->second;
}

// Place and text of an instruction as two CSV columns: main+0x10,"ld [%g1 + 4], %g2". The second is
// quoted because of its commas.
const std::string& ExecutionProfile::text_of(const ExecutedInstruction& instruction) {
    const auto [found, is_new] =
        texts_.try_emplace((std::uint64_t{instruction.pc} << 32) | instruction.word);
    if (is_new) {
        const firmware::ElfImage::Symbol* const symbol = image_.symbol_at(instruction.pc);
        const std::string place =
            symbol == nullptr ? std::string()
                              : fmt::format("{}+0x{:x}", symbol->name,
                                            image_.original(instruction.pc) - symbol->address);
        found->second =
            fmt::format("{},\"{}\"", place,
                        instruction.word == 0 && instruction.is_trap
                            ? std::string()
                            : nodes::sparcle::disassembly(instruction.word, instruction.pc));
    }
    return found->second;
}

void ExecutionProfile::write(const std::filesystem::path& folder) const {
    records::write_run_file(folder / "profile.txt", table());
    records::write_run_file(folder / "profile.folded", folded());
    records::write_run_file(folder / "listing.txt", listing());
}

void ExecutionProfile::close_instructions() {
    for (const std::unique_ptr<Observer>& observer : observers_) {
        observer->close();
    }
}

std::string ExecutionProfile::table() const {
    std::map<std::string, Count> functions;
    std::map<std::string, Count> lines;
    std::int64_t cycles_in_all = 0;
    std::int64_t cycles_in_handlers = 0;
    for (const auto& observer : observers_) {
        for (const auto& [spot, count] : observer->counts()) {
            const firmware::ElfImage::Place place = image_.place(spot.pc);
            for (Count* row : {&functions[function_of(place)], &lines[line_of(place)]}) {
                row->executions += count.executions;
                add(row->cycles, count.cycles);
            }
            cycles_in_all += sum_of(count.cycles);
            cycles_in_handlers += spot.in_handler ? sum_of(count.cycles) : 0;
        }
    }
    const double all = static_cast<double>(std::max<std::int64_t>(cycles_in_all, 1));
    const auto percent = [all](std::int64_t cycles) {
        return 100.0 * static_cast<double>(cycles) / all;
    };
    const auto table_of = [&](const char* what, const auto& rows, std::size_t most) {
        std::vector<setup::TextColumn> columns{setup::column_of_text(what)};
        for (const char* kind : {"all", "comp.", "fetch", "lock", "data", "contr.", "trap"}) {
            columns.push_back(setup::column_of_numbers(kind));
        }
        std::vector<std::vector<std::string>> cells;
        const auto sorted = by_cycles(rows);
        for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i) {
            const auto& [name, count] = sorted[i];
            std::vector<std::string>& row = cells.emplace_back(
                std::vector{name, setup::fixed_number(percent(sum_of(count.cycles)), 1)});
            for (const std::int64_t cycles : count.cycles) {
                row.push_back(cycles == 0 ? "" : setup::fixed_number(percent(cycles), 1));
            }
        }
        return setup::text_table(columns, cells);
    };
    return fmt::format("cycles of all nodes' instructions: {:.0f}, {} % of them in handlers\n\n",
                       all, setup::fixed_number(percent(cycles_in_handlers), 1)) +
           table_of("per cent of all cycles, by function", functions, 24) + "\n" +
           table_of("per cent of all cycles, by source line", lines, 16);
}

std::string ExecutionProfile::folded() const {
    std::map<std::string, std::int64_t> stacks;
    for (std::size_t node = 0; node < observers_.size(); ++node) {
        for (const auto& [spot, count] : observers_[node]->counts()) {
            const std::string chain = fmt::format("node {};{}", node, calls_.text(spot.chain));
            const std::string line = ";" + line_of(image_.place(spot.pc));
            for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
                // The entry of a trap does not belong to the line that it interrupted.
                stacks[fmt::format("{}{};{}", chain, kind == kTrapEntry ? "" : line,
                                   kKinds[kind])] += count.cycles[kind];
            }
        }
    }
    std::string text;
    for (const auto& [stack, cycles] : stacks) {
        if (cycles > 0) {
            text += fmt::format("{} {}\n", stack, cycles);
        }
    }
    return text;
}

std::string ExecutionProfile::listing() const {
    std::map<std::uint32_t, Count> counts;
    for (const auto& observer : observers_) {
        for (const auto& [spot, count] : observer->counts()) {
            Count& all = counts[spot.pc];
            all.executions += count.executions;
            all.word = count.word != 0 ? count.word : all.word;
            add(all.cycles, count.cycles);
        }
    }
    std::string text = fmt::format("{:8}  {:8}  {:32}{:>10}{:>10}{:>9}  {}\n", "address", "word",
                                   "instruction", "executed", "cycles", "each", "line");
    std::string function;
    for (const auto& [pc, count] : counts) {
        const firmware::ElfImage::Place place = image_.place(pc);
        if (function_of(place) != function) {
            function = function_of(place);
            text += fmt::format("\n{}:\n", function);
        }
        const std::int64_t cycles = sum_of(count.cycles);
        const double each = count.executions == 0 ? 0.0
                                                  : static_cast<double>(cycles) /
                                                        static_cast<double>(count.executions);
        text += fmt::format("{:08x}  {:08x}  {:32}{:10}{:10}{:9.2f}  {}\n", pc, count.word,
                            nodes::sparcle::disassembly(count.word, pc), count.executions, cycles,
                            each, line_of(place));
    }
    return text;
}

}  // namespace weir::experiments::kinds
