#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/random_machines/laws.h"
#include "experiments/random_machines/settings.h"

namespace weir::experiments::random_machines {

/// Changed switches on which no result may depend: parameters that declare so, and the class that
/// implements a plain mesh.
struct Switches {
    Settings settings;
    bool routes_plain_meshes = false;

    /// Options for weir run: --set clock.sleeping=false.
    [[nodiscard]] std::string text() const;
};

struct TrialOptions {
    /// Also run the machine in the whole program, with its trace in a file, and measure it.
    bool measures = false;
    /// For tests: breaks a machine before its run. The returned object lives until the run has
    /// ended.
    std::function<std::shared_ptr<void>(nodes::Machine&)> break_machine = {};
    /// For tests: plants a fault into a run's results before its laws are checked.
    std::function<void(EndedRun&, const Switches&)> plant;
};

/// Result of one machine's trial.
struct TrialReport {
    std::string refusal;  ///< message to the user, if a run was refused; then no other field is set
    std::string end;      ///< end of the first run: "finished"
    std::int64_t cycles = 0;
    std::int64_t messages = 0;
    std::int64_t runs = 0;
    std::optional<Violation> violation;
    Switches switches;  ///< switches of the run that broke the law
};

/// Tries a machine and checks all laws on each run:
/// 1. as a user would run it;
/// 2. with all switches changed (flit by flit, never sleeping, in a shuffled order);
/// 3. with some switches changed.
///
/// Each run is a process of its own. The experiment's file is written to `folder`. Throws the
/// exceptions of the experiment's set-up.
[[nodiscard]] TrialReport try_machine(const Settings& settings, const std::filesystem::path& folder,
                                      const TrialOptions& options = {});

/// Choices of a machine for the tally: "network.topology" is "torus".
[[nodiscard]] std::vector<Setting> choices_of(const Settings& settings,
                                              const std::filesystem::path& folder);

}  // namespace weir::experiments::random_machines
