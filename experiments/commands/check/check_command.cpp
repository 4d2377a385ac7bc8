#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/check/file_faults.h"
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

/// `weir check FILE...`: all that is wrong in files, in the form that editors read.
class CheckCommand final : public Command {
  public:
    CheckCommand() : Command("check", "Tell all faults of experiment files, line by line") {}

  private:
    void declare(CLI::App& command) override {
        command.add_option("FILE", files_, "Experiments, sweeps, studies or machines (TOML)")
            ->required()
            ->transform(from_own_experiments());
        command.add_flag("--json", json_, "Print the faults as one JSON array");
        command.footer(
            "A line each: FILE:LINE:COLUMN: what was found; accepted: what would do.\n"
            "Exit status: 0 nothing is wrong, 2 something is.");
    }

    int execute() override {
        for (const std::string& file : files_) {
            check(file);
        }
        if (json_) {
            std::cout << records::json_text(faults_, 1) << "\n";
        }
        return told_.empty() ? running::kSuccess : running::kBadInput;
    }

    /// It, and the parts of a study.
    void check(const std::filesystem::path& file) {
        const CheckedFile checked = check_file(file, running::default_run_options().presets);
        tell(file, checked);
        for (const fs::path& part : checked.parts) {
            check(part);
        }
    }

    void tell(const std::filesystem::path& file, const CheckedFile& checked) {
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

    void tell(const setup::UserFault& fault) {
        if (!told_.insert(fault.what()).second) {
            return;
        }
        if (json_) {
            faults_.push_back(to_json(fault));
        } else {
            std::cout << fault.what() << "\n";
        }
    }

    std::vector<std::string> files_;
    bool json_ = false;
    std::set<std::string> told_;  ///< a fault of a file that several extend is told once
    nlohmann::ordered_json faults_ = nlohmann::ordered_json::array();
};

}  // namespace

std::unique_ptr<Command> check_command() { return std::make_unique<CheckCommand>(); }

}  // namespace weir::experiments::commands
