#include "experiments/commands/profile_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "experiments/commands/default_run_options.h"
#include "experiments/commands/text_table.h"
#include "experiments/debug/cycle_profile.h"
#include "experiments/run/instrumented_run.h"
#include "experiments/run/run_files.h"

namespace weir::experiments::commands {

namespace {

using debug::Cost;
using debug::CycleProfile;

// A table of cycles by what they were spent on, a row for each of `lines`.
std::string cost_table(const std::vector<CycleProfile::Line>& lines, const TextColumn& names,
                       std::size_t rows, std::int64_t all_cycles) {
    constexpr double kPercent = 100.0;
    std::vector<TextColumn> columns{names, {"cycles", "", {}}, {"%", "", {}}};
    const std::vector<std::pair<const char*, std::int64_t Cost::*>> kinds{
        {"compute", &Cost::compute},
        {"controller", &Cost::controller},
        {"fetch stall", &Cost::fetch_stall},
        {"data stall", &Cost::data_stall},
        {"interlock", &Cost::interlock},
        {"trap entry", &Cost::trap_entry},
        {"wait", &Cost::wait},
        {"in handlers", &Cost::in_handlers},
        {"instructions", &Cost::instructions}};
    for (const auto& [name, member] : kinds) {
        columns.push_back({name, "", {}});
    }
    for (std::size_t i = 0; i < rows; ++i) {
        const Cost& cost = lines[i].cost;
        columns[1].cells.push_back(std::to_string(cost.cycles()));
        columns[2].cells.push_back(fmt::format(
            "{:.1f}",
            kPercent * static_cast<double>(cost.cycles()) / static_cast<double>(all_cycles)));
        for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
            columns[kind + 3].cells.push_back(std::to_string(cost.*kinds[kind].second));
        }
    }
    return text_table(columns, 1);
}

std::string profile_text(const CycleProfile& profile, std::size_t most_lines) {
    const std::int64_t all = profile.total().cycles();
    if (all == 0) {
        return "nothing was executed\n";
    }
    std::vector<CycleProfile::Line> functions = profile.functions();
    functions.push_back({"all", "", 0, profile.total()});
    TextColumn names{"function", "", {}, true};
    for (const CycleProfile::Line& function : functions) {
        names.cells.push_back(function.function);
    }
    std::string text = cost_table(functions, names, functions.size(), all);

    const std::vector<CycleProfile::Line>& lines = profile.lines();
    const std::size_t rows = std::min(most_lines, lines.size());
    if (rows > 0) {
        TextColumn places{"line", "", {}, true};
        for (std::size_t i = 0; i < rows; ++i) {
            const std::string file = std::filesystem::path(lines[i].file).filename().string();
            places.cells.push_back(file.empty() ? lines[i].function
                                                : fmt::format("{}:{}", file, lines[i].line));
        }
        text += "\n" + cost_table(lines, places, rows, all);
    }
    return text;
}

}  // namespace

void ProfileCommand::declare(CLI::App& command) {
    command.add_option("FILE", file_, "An experiment with core.kind = \"sparcle\"")->required();
    command.add_option("--set", set_options_, "Override a key: --set workload.argument_words=4")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command.add_option("--out", folder_, "New folder for the results [runs/NAME-NNN]")
        ->type_name("FOLDER");
    command.add_option("--node", node_, "Of this node alone [all together]")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--lines", most_lines_, "Lines of the source shown, the dearest first")
        ->type_name("N")
        ->capture_default_str();
    command.footer(
        "Runs the first point with its first seed. In the folder: profile.folded, chains of\n"
        "calls as flame graphs are drawn from, and profile.csv, every line of the source.\n"
        "Cycles are those of the instructions executed, by what they were spent on; what a\n"
        "node waited for an interrupt is \"wait\"; \"in handlers\" is a part of the others.");
}

int ProfileCommand::execute() {
    debug::CycleProfile profile(node_);
    run::RunOptions options = default_run_options();
    options.file = file_;
    options.set_options = set_options_;
    if (!folder_.empty()) {
        options.folder = folder_;
    }
    const run::InstrumentedRun run = run::run_instrumented(options, profile, {.node = node_});
    run::open_run_file(run.folder / "profile.folded") << profile.folded_stacks();
    run::open_run_file(run.folder / "profile.csv") << debug::profile_csv(profile);
    std::cout << profile_text(profile, most_lines_) << "\nin " << run.folder.string()
              << ": profile.folded, profile.csv\n";
    if (run.status != run::kSuccess) {
        throw run::RunFailure(run.status, run.message);
    }
    return run::kSuccess;
}

}  // namespace weir::experiments::commands
