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

/// A line of an experiment file: network.hop_cycles = 3.
struct Setting {
    std::string key;
    hw::ParameterValue value;

    [[nodiscard]] std::string text() const;
    bool operator==(const Setting&) const = default;
};

/// All that an experiment says; the rest has its default. The program and the kind of core that it
/// runs on are two of them.
using Settings = std::vector<Setting>;

[[nodiscard]] const Setting* find(const Settings& settings, const std::string& key);
/// As an experiment file, a line each.
[[nodiscard]] std::string experiment_text(const Settings& settings);

/// The experiment, read from a file in the folder, as it would be from a user's.
[[nodiscard]] setup::ExperimentFile experiment_of(const Settings& settings,
                                                  const std::filesystem::path& folder);
/// The key of the setting that a fault is about; nothing where no single one is.
[[nodiscard]] std::optional<std::string> key_at_fault(const Settings& settings,
                                                      const hw::Refusal& refusal);

/// A machine and its program, whose parameters are set one by one.
class OpenSetup {
  public:
    /// With these settings, as far as they are accepted and have an effect. The folder is for the
    /// experiment's file. Throws setup::UserFault where there is no such program.
    OpenSetup(const Settings& settings, const std::filesystem::path& folder);

    struct Place {
        const hw::ParameterGroup* group;
        hw::ParameterBase* parameter;
        [[nodiscard]] std::string key() const { return group->table() + "." + parameter->name(); }
        [[nodiscard]] hw::Condition effect() const;
    };
    /// In the order of their declarations.
    [[nodiscard]] const std::vector<Place>& places() const { return places_; }
    [[nodiscard]] const Place* find(const std::string& key) const;
    [[nodiscard]] bool has_effect(const Place& place) const;
    [[nodiscard]] const kinds::Setup& setup() const { return *setup_; }

    /// Gives their defaults to parameters without an effect, and as many nodes to the machine as
    /// the network has places.
    void tidy();
    /// What is given, the program and its cores first.
    [[nodiscard]] Settings settings() const;
    /// The same, of the parameters that are wanted.
    [[nodiscard]] Settings settings_of(const std::function<bool(const Place&)>& is_wanted) const;

  private:
    Settings program_;
    std::unique_ptr<kinds::Setup> setup_;
    std::vector<hw::ParameterGroup*> groups_;
    std::vector<Place> places_;
};

inline constexpr const char* kProgramKey = "workload.kernel";
inline constexpr const char* kCoreKey = "core.kind";
/// What ends a run; no experiment is drawn or made smaller without them.
inline constexpr const char* kEndKey = "run.most_cycles";
inline constexpr const char* kWatchdogKey = "run.watchdog_cycles";
/// How long a thread may starve; draws have the least limit.
inline constexpr const char* kStarvationKey = "coherence.starved_after_accesses";

}  // namespace weir::experiments::random_machines
