#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/kinds/setup.h"
#include "experiments/setup/files/experiment_file.h"
#include "hw/parameter.h"

namespace weir::experiments::random_machines {

/// One line of an experiment file: network.hop_cycles = 3.
struct Setting {
    std::string key;
    hw::ParameterValue value;

    [[nodiscard]] std::string text() const;
    bool operator==(const Setting&) const = default;
};

/// Settings of an experiment; all other parameters have their default. The program and the kind of
/// its core are settings, too.
using Settings = std::vector<Setting>;

[[nodiscard]] const Setting* find(const Settings& settings, const std::string& key);
/// Text of an experiment file, one line per setting.
[[nodiscard]] std::string experiment_text(const Settings& settings);

/// The experiment, written to a file in `folder` and read from it like a user's.
[[nodiscard]] setup::ExperimentFile experiment_of(const Settings& settings,
                                                  const std::filesystem::path& folder);
/// Key of the setting that a fault names; empty if it names no single setting.
[[nodiscard]] std::optional<std::string> key_at_fault(const Settings& settings,
                                                      const hw::Refusal& refusal);

/// Setup of a machine and its program, whose parameters are set one by one.
class OpenSetup {
  public:
    /// Applies the settings that are accepted and have an effect. The experiment's file is written
    /// to `folder`. Throws setup::UserFault for an unknown program.
    OpenSetup(const Settings& settings, const std::filesystem::path& folder);

    struct Place {
        const hw::ParameterGroup* group;
        hw::ParameterBase* parameter;
        [[nodiscard]] std::string key() const { return group->table() + "." + parameter->name(); }
        [[nodiscard]] hw::Condition effect() const;
    };
    /// All parameters, in the order of their declarations.
    [[nodiscard]] const std::vector<Place>& places() const { return places_; }
    [[nodiscard]] const Place* find(const std::string& key) const;
    [[nodiscard]] bool has_effect(const Place& place) const;
    [[nodiscard]] const kinds::Setup& setup() const { return *setup_; }

    /// Resets parameters without an effect to their defaults, and sets the number of nodes to the
    /// size of the network.
    void tidy();
    /// Settings that differ from the defaults, the program and its core first.
    [[nodiscard]] Settings settings() const;
    /// As settings(), for the chosen parameters only.
    [[nodiscard]] Settings settings_of(const std::function<bool(const Place&)>& is_wanted) const;

  private:
    Settings program_;
    std::unique_ptr<kinds::Setup> setup_;
    std::vector<hw::ParameterGroup*> groups_;
    std::vector<Place> places_;
};

inline constexpr const char* kProgramKey = "workload.kernel";
inline constexpr const char* kCoreKey = "core.kind";
/// Keys that end a run; every drawn or reduced experiment keeps them.
inline constexpr const char* kEndKey = "run.most_cycles";
inline constexpr const char* kWatchdogKey = "run.watchdog_cycles";
/// Key of the time that a thread may starve; draws have the least limit.
inline constexpr const char* kStarvationKey = "coherence.starved_after_accesses";

}  // namespace weir::experiments::random_machines
