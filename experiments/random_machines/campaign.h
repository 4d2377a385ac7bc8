#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "experiments/random_machines/campaign_command.h"
#include "experiments/random_machines/machine_draw.h"
#include "experiments/random_machines/trial.h"

namespace weir::experiments::random_machines {

/// Settings of a campaign: its draws and its options.
struct Campaign {
    ChosenDraws chosen;
    std::uint64_t measured_every = 8;  ///< every Nth draw also runs in the whole program
    std::function<void(EndedRun&, const Switches&)> plant;  ///< TrialOptions::plant
};

/// A machine that has broken a law.
struct BrokenMachine {
    std::uint64_t number = 0;
    Violation violation;
    Switches switches;
    Settings settings;  ///< empty if the draw itself failed
};

/// Results of a campaign so far.
struct CampaignReport {
    std::uint64_t draws = 0;
    std::uint64_t violations = 0;
    std::uint64_t runs = 0;
    std::map<std::string, std::uint64_t> refused_values;  ///< number of refused draws, by key
    std::uint64_t refused_runs = 0;
    std::uint64_t cycles = 0;
    std::uint64_t messages = 0;
    double seconds = 0.0;
    std::map<std::string, std::uint64_t> ends;
    std::map<std::string, std::map<std::string, std::uint64_t>>
        choices;  ///< number of draws, by key and value

    /// Summary line: "200 machines, 41 a second, 0 violations".
    [[nodiscard]] std::string summary() const;
    /// Number of draws of each value, one line per key.
    [[nodiscard]] std::string tally() const;
};

/// Draws and tries machines, with as many concurrent draws as there are workers. The machines
/// depend only on seed and numbers. Calls `broken` for each machine that breaks a law, and
/// `progress` after each draw.
CampaignReport run_campaign(const Campaign& campaign,
                            const std::function<void(const BrokenMachine&)>& broken,
                            const std::function<void(const CampaignReport&)>& progress);

/// The smallest machine found that breaks the same law, as an experiment file with comments.
[[nodiscard]] std::string smallest_experiment(const BrokenMachine& machine,
                                              const Campaign& campaign);

}  // namespace weir::experiments::random_machines
