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
#include "experiments/commands/own_files.h"
#include "experiments/kinds/setup.h"
#include "experiments/records/json_output.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/sweeps/plan/sweep_plan.h"
#include "experiments/setup/files/correction.h"
#include "experiments/setup/files/experiment_file.h"
#include "experiments/setup/files/extends_chain.h"
#include "experiments/setup/files/study.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

namespace {

/// What a check of a user's file has found.
struct CheckedFile {
    std::string what;                          ///< "an experiment of 3 points"; empty with faults
    std::vector<setup::UserFault> faults;      ///< by file, line and column
    bool is_whole = true;                      ///< or something behind a fault could not be checked
    std::vector<std::filesystem::path> parts;  ///< of a study: files of their own
};

using setup::Correction;
using setup::UserFault;

constexpr std::size_t kMostFaults = 200;

/// As what the file can be used. Throws its first fault.
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
        const running::SweepPlan plan = running::make_plan(experiment, file, {});
        checked.what = fmt::format("a sweep of {}, {}", setup::counted(plan.points.size(), "point"),
                                   setup::counted(plan.runs(), "run"));
    } else if (experiment.points().size() == 1 && !experiment.names_kernel({0})) {
        static_cast<void>(kinds::make_machine(experiment, {0}));
        checked.what = "a machine, which names no kernel";
    } else {
        running::check_all_runs(experiment);
        checked.what = "an experiment of " + setup::counted(experiment.points().size(), "point");
    }
    return checked;
}

bool is_of_name(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// Whether the text names the key, and not one that begins or ends so.
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

/// The corrections of one file, as its faults ask for them.
class Corrections {
  public:
    [[nodiscard]] const std::vector<Correction>& all() const { return corrections_; }

    /// The key, as the corrected file has it, that the fault is of; nothing where it is of no key.
    [[nodiscard]] std::optional<std::string> key_of(const UserFault& fault) const {
        const std::optional<setup::Place>& place = fault.place();
        if (!place || place->line == 0) {
            return std::nullopt;
        }
        try {
            return setup::key_at(
                setup::read_toml_file(place->source, {place->source}, corrections_), *place);
        } catch (const UserFault&) {
            return std::nullopt;  // not TOML, which is the fault
        }
    }

    /// Whether a fault of that key is there only since another key was left out: it names that one,
    /// or nothing.
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

/// All faults of an experiment's, a sweep's, a study's or a machine's file and of those it extends,
/// by the very checks that `weir run` and `weir sweep` make, one after the other: behind each the
/// file is taken to say what was probably meant, or nothing. What is wrong only since something was
/// left out is not told. Throws setup::UserFault for a file that is not there.
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
                break;  // nothing can be corrected, and the check cannot go on
            }
            corrections.add_for(fault, *key);
        }
    }
    return {{}, in_order(std::move(faults)), false, {}};
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
