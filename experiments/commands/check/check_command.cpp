#include "experiments/commands/check/check_command.h"

#include <iostream>

#include "experiments/commands/own_files.h"
#include "experiments/records/json_output.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

namespace {

nlohmann::ordered_json to_json(const setup::UserFault& fault) {
    const setup::Place place = fault.place().value_or(setup::Place{});
    const hw::Fault& told = fault.fault();
    return {{"file", place.source},
            {"line", place.line},
            {"column", place.column},
            {"found", told.found},
            {"accepted", told.accepted},
            {"nearest", told.nearest ? nlohmann::ordered_json(*told.nearest) : nullptr}};
}

}  // namespace

void CheckCommand::declare(CLI::App& command) {
    command.add_option("FILE", files_, "Experiments, sweeps, studies or machines (TOML)")
        ->required()
        ->transform(from_own_experiments());
    command.add_flag("--json", json_, "Print the faults as one JSON array");
    command.footer(
        "A line each: FILE:LINE:COLUMN: what was found; accepted: what would do.\n"
        "Exit status: 0 nothing is wrong, 2 something is.");
}

int CheckCommand::execute() {
    for (const std::string& file : files_) {
        check(file);
    }
    if (json_) {
        std::cout << records::json_text(faults_, 1) << "\n";
    }
    return told_.empty() ? running::kSuccess : running::kBadInput;
}

void CheckCommand::check(const fs::path& file) {
    const CheckedFile checked = check_file(file, running::default_run_options().presets);
    tell(file, checked);
    for (const fs::path& part : checked.parts) {
        check(part);
    }
}

void CheckCommand::tell(const fs::path& file, const CheckedFile& checked) {
    for (const setup::UserFault& fault : checked.faults) {
        tell(fault);
    }
    if (json_) {
        return;
    }
    if (checked.faults.empty() && checked.is_whole) {
        std::cout << file.string() << ": " << checked.what << "; nothing is wrong\n";
    } else if (!checked.is_whole) {
        std::cerr << "weir: " << file.string()
                  << ": what depends on this is checked when it is right\n";
    }
}

void CheckCommand::tell(const setup::UserFault& fault) {
    if (!told_.insert(fault.what()).second) {
        return;
    }
    if (json_) {
        faults_.push_back(to_json(fault));
    } else {
        std::cout << fault.what() << "\n";
    }
}

}  // namespace weir::experiments::commands
