#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/kinds/setup.h"
#include "experiments/records/json_output.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/wanted_access.h"
#include "experiments/running/sweeps/plan/sweep_plan.h"
#include "experiments/setup/files/correction.h"
#include "experiments/setup/files/experiment_file.h"
#include "experiments/setup/files/extends_chain.h"
#include "experiments/setup/files/study.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/utf8_text.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

namespace {

/// Result of checking one file.
struct CheckedFile {
    /// Description of the file, such as "an experiment of 3 points"; empty if the file has faults.
    std::string what;
    std::vector<setup::UserFault> faults;      ///< all faults, sorted by file, line and column
    bool is_whole = true;                      ///< false if the check stopped at a fault
    std::vector<std::filesystem::path> parts;  ///< files of a study's parts
    std::string wants;  ///< access that its runs ask for, beyond its own folder, as a sentence
};

using setup::Correction;
using setup::UserFault;

constexpr std::size_t kMostFaults = 200;

/// Checks the file once and describes it. Throws the file's first fault.
CheckedFile checked_once(const fs::path& file, const fs::path& presets,
                         std::span<const Correction> corrections) {
    CheckedFile checked;
    if (const auto study = setup::read_study(file, corrections)) {
        checked.what = "a study of " + setup::counted(study->parts.size(), "part");
        checked.parts = study->parts;
        return checked;
    }
    const auto experiment = setup::ExperimentFile::read_sweep(file, presets, {}, corrections);
    if (experiment.sweep() != nullptr || experiment.cost() != nullptr ||
        experiment.search() != nullptr) {
        const running::SweepPlan plan =
            running::make_plan(experiment, file, {}, running::GatePrices::kChecked);
        checked.what = fmt::format("a sweep of {}, {}", setup::counted(plan.points.size(), "point"),
                                   setup::counted(plan.runs(), "run"));
        checked.wants = running::wants_text(plan.wants);
    } else if (experiment.points().size() == 1 && !experiment.names_kernel({0})) {
        static_cast<void>(kinds::make_machine(experiment, {0}));
        checked.what = "a machine, which names no kernel";
    } else {
        checked.wants = running::wants_text(running::check_all_runs(experiment));
        checked.what = "an experiment of " + setup::counted(experiment.points().size(), "point");
    }
    return checked;
}

bool is_of_name(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// True if the key occurs in the text as a whole word.
bool names_key(std::string_view text, std::string_view key) {
    for (std::size_t at = text.find(key); at != std::string_view::npos;
         at = text.find(key, at + 1)) {
        const std::size_t end = at + key.size();
        if ((at == 0 || !is_of_name(text[at - 1])) &&
            (end == text.size() || !is_of_name(text[end]))) {
            return true;
        }
    }
    return false;
}

/// Corrections of one file, one for each fault found so far.
class Corrections {
  public:
    [[nodiscard]] const std::vector<Correction>& all() const { return corrections_; }

    /// Key at the fault's place in the corrected file; empty if the fault belongs to no key.
    [[nodiscard]] std::optional<std::string> key_of(const UserFault& fault) const {
        const std::optional<setup::Place>& place = fault.place();
        if (!place || place->line == 0) {
            return std::nullopt;
        }
        try {
            return setup::key_at(
                setup::read_toml_file(place->source, {place->source}, corrections_), *place);
        } catch (const UserFault&) {
            return std::nullopt;  // the file is not TOML
        }
    }

    /// True if the fault only follows from an earlier correction that left out another key:
    /// its message names that key, or it has no place.
    [[nodiscard]] bool has_caused(const UserFault& fault,
                                  const std::optional<std::string>& key) const {
        if (!fault.place() || fault.place()->line == 0) {
            return !left_out_.empty();
        }
        return std::any_of(left_out_.begin(), left_out_.end(), [&](const std::string& left_out) {
            return left_out != key && (names_key(fault.fault().found, left_out) ||
                                       names_key(fault.fault().accepted, left_out));
        });
    }

    void add_for(const UserFault& fault, const std::string& key) {
        const setup::Place& place = *fault.place();
        const bool is_second =
            std::any_of(corrections_.begin(), corrections_.end(),
                        [&place](const Correction& earlier) { return earlier.place == place; });
        const bool has_name = fault.fault().nearest && !is_second;
        corrections_.push_back({place, has_name ? fault.fault().nearest : std::nullopt});
        if (!has_name) {
            left_out_.push_back(key);
        }
    }

  private:
    std::vector<Correction> corrections_;
    std::vector<std::string> left_out_;
};

std::vector<UserFault> in_order(std::vector<UserFault> faults) {
    const auto place_of = [](const UserFault& fault) {
        const setup::Place place = fault.place().value_or(setup::Place{});
        return std::tuple(place.source, place.line, place.column);
    };
    std::stable_sort(faults.begin(), faults.end(),
                     [&place_of](const UserFault& before, const UserFault& after) {
                         return place_of(before) < place_of(after);
                     });
    return faults;
}

/// Finds all faults of an experiment, sweep, study or machine, and of the files it extends. Repeats
/// the checks of `weir run` and `weir sweep`. Between two rounds the last fault is corrected: by
/// the nearest name if there is one, else by leaving the key out. Faults that exist
/// only because this check left out a faulty key are dropped. Throws setup::UserFault if the file
/// does not exist.
CheckedFile check_file(const fs::path& file, const fs::path& presets) {
    std::vector<UserFault> faults;
    Corrections corrections;
    while (faults.size() < kMostFaults) {
        try {
            CheckedFile checked = checked_once(file, presets, corrections.all());
            checked.faults = in_order(std::move(faults));
            return checked;
        } catch (const UserFault& fault) {
            const std::optional<std::string> key = corrections.key_of(fault);
            if (!corrections.has_caused(fault, key)) {
                faults.push_back(fault);
            }
            if (!key) {
                break;  // no key to correct: the check cannot continue
            }
            corrections.add_for(fault, *key);
        }
    }
    return {{}, in_order(std::move(faults)), false, {}, {}};
}

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

/// `weir check FILE...`: prints all faults of files, in a format that editors parse.
class CheckCommand final : public Command {
  public:
    CheckCommand() : Command("check", "Check experiment files and list all errors") {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("FILE", files_, "Experiments, sweeps, studies or machines (TOML)")
            .required()
            .transform(from_own_experiments());
        command.add_flag("--json", json_, "Print the errors as one JSON array");
        command.footer(
            "Prints one line per error: FILE:LINE:COLUMN: value found; accepted: values.\n"
            "Exit status: 0 no errors, 2 errors found.");
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

    /// Checks the file and, for a study, its parts.
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
            std::cout << file.string() << ": " << checked.what << "; no errors\n";
            if (!checked.wants.empty()) {
                std::cout << file.string() << ": " << hw::shown(checked.wants) << "\n";
            }
        } else if (!checked.is_whole) {
            std::cerr << "weir: " << setup::printable(file.string())
                      << ": the checks behind these errors follow once they are corrected\n";
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
    std::set<std::string> told_;  ///< printed faults: faults of a shared base file are printed once
    nlohmann::ordered_json faults_ = nlohmann::ordered_json::array();
};

}  // namespace

std::unique_ptr<Command> check_command() { return std::make_unique<CheckCommand>(); }

}  // namespace weir::experiments::commands
