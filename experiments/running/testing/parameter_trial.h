#pragma once

#include <string>
#include <vector>

#include "experiments/setup/files/experiment_file.h"
#include "hw/parameter.h"

namespace weir::experiments::running {

/// What follows each --set.
using Settings = std::vector<std::string>;

/// A parameter as `weir params` lists it.
struct ListedParameter {
    std::string table;
    std::string kernel;  ///< whose [workload] it is in; empty in other tables
    std::string name;

    [[nodiscard]] std::string key() const { return table + "." + name; }
    [[nodiscard]] std::string full_name() const {
        return (kernel.empty() ? table : kernel) + "." + name;
    }
};

/// Values to try where any string can be given.
struct StringsToTry {
    std::vector<std::string> texts;
    std::vector<std::string> files;
};

/// Values that the parameter accepts, but for the one it has now. A run hardly takes longer with
/// one of the first.
[[nodiscard]] std::vector<hw::ParameterValue> other_values(const hw::ParameterBase& parameter,
                                                           const StringsToTry& strings);

/// A parameter in an experiment that may be changed by settings.
struct ParameterTrial {
    enum class Effect {
        kNone,            ///< whatever the settings, as far as its declaration says
        kInAnotherTable,  ///< nor ever, but of another table's same key: levels of cache share keys
        kOnSpeedAlone,
        kOnResults,
    };
    Effect effect = Effect::kNone;
    Settings settings;             ///< with which it has that effect
    std::vector<Settings> others;  ///< those with other values that its own table accepts
};

/// In the experiment's only run. Throws setup::UserFault when that is refused.
[[nodiscard]] ParameterTrial trial_of(const setup::ExperimentFile& file,
                                      const ListedParameter& parameter,
                                      const StringsToTry& strings);

}  // namespace weir::experiments::running
