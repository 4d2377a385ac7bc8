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

/// What no result may depend on, thrown: parameters that say so of themselves, and which class
/// stands for a plain mesh.
struct Switches {
    Settings settings;
    bool routes_plain_meshes = false;

    /// As weir run takes them: --set clock.sleeping=false.
    [[nodiscard]] std::string text() const;
};

struct TrialOptions {
    /// The whole program runs it once more, with its trace in a file, and measures that.
    bool measures = false;
    /// For tests: breaks a machine before its run; the result stays until the run has ended.
    std::function<std::shared_ptr<void>(nodes::Machine&)> break_machine = {};
    /// For tests: spoils what a run has left before its laws are looked at.
    std::function<void(EndedRun&, const Switches&)> plant;
};

/// What came of one machine.
struct TrialReport {
    std::string refusal;  ///< of a run, in words for the user; then there is no more
    std::string end;      ///< "finished"
    std::int64_t cycles = 0;
    std::int64_t messages = 0;
    std::int64_t runs = 0;
    std::optional<Violation> violation;
    Switches switches;  ///< with which it showed
};

/// Runs the machine as a user would, then with all switches thrown (flit by flit, never sleeping,
/// in a shuffled order), then with some of them, and holds all laws. Each run is a process of its
/// own. The folder is for the experiment's file. Throws what the set-up throws.
[[nodiscard]] TrialReport try_machine(const Settings& settings, const std::filesystem::path& folder,
                                      const TrialOptions& options = {});

/// What a machine is made of, for a tally: "network.topology" is "torus".
[[nodiscard]] std::vector<Setting> choices_of(const Settings& settings,
                                              const std::filesystem::path& folder);

}  // namespace weir::experiments::random_machines
