#include "experiments/commands/check/file_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "experiments/kinds/setup.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/sweeps/plan/sweep_plan.h"
#include "experiments/setup/files/correction.h"
#include "experiments/setup/files/experiment_file.h"
#include "experiments/setup/files/extends_chain.h"
#include "experiments/setup/files/study.h"
#include "experiments/setup/text/counted_text.h"

namespace weir::experiments::commands {

namespace {

namespace fs = std::filesystem;
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

}  // namespace

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

}  // namespace weir::experiments::commands
