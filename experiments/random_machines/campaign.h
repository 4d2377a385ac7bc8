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

/// How many machines, and which.
struct Campaign {
    ChosenDraws chosen;
    std::uint64_t measured_every = 8;  ///< the whole program runs each so manieth draw too
    std::function<void(EndedRun&, const Switches&)> plant;  ///< TrialOptions::plant
};

/// A machine that broke a law.
struct BrokenMachine {
    std::uint64_t number = 0;
    Violation violation;
    Switches switches;
    Settings settings;  ///< empty where it was not even drawn
};

/// What has come of a campaign so far.
struct CampaignReport {
    std::uint64_t draws = 0;
    std::uint64_t violations = 0;
    std::uint64_t runs = 0;
    std::map<std::string, std::uint64_t> refused_values;  ///< by key; drawn again
    std::uint64_t refused_runs = 0;
    std::uint64_t cycles = 0;
    std::uint64_t messages = 0;
    double seconds = 0.0;
    std::map<std::string, std::uint64_t> ends;
    std::map<std::string, std::map<std::string, std::uint64_t>> choices;  ///< by key and value

    /// "200 machines, 41 a second, 0 violations"
    [[nodiscard]] std::string summary() const;
    /// How often each thing was drawn, a line a key.
    [[nodiscard]] std::string tally() const;
};

/// Draws and tries machines, as many at a time as there are workers. Which these are depends on
/// seed and numbers alone. `broken` is called for each machine that breaks a law, `progress` after
/// each draw.
CampaignReport run_campaign(const Campaign& campaign,
                            const std::function<void(const BrokenMachine&)>& broken,
                            const std::function<void(const CampaignReport&)>& progress);

/// The machine made as small as the same law allows, as an experiment file that says so.
[[nodiscard]] std::string smallest_experiment(const BrokenMachine& machine,
                                              const Campaign& campaign);

}  // namespace weir::experiments::random_machines
