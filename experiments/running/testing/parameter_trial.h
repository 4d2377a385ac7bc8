#pragma once

#include <string>
#include <vector>

#include "experiments/setup/files/experiment_file.h"
#include "hw/parameter.h"

namespace weir::experiments::running {

/// Arguments of --set.
using Settings = std::vector<std::string>;

/// Parameter as `weir params` lists it.
struct ListedParameter {
    std::string table;
    std::string kernel;  ///< kernel whose [workload] has the parameter; empty for other tables
    std::string name;

    [[nodiscard]] std::string key() const { return table + "." + name; }
    [[nodiscard]] std::string full_name() const {
        return (kernel.empty() ? table : kernel) + "." + name;
    }
};

/// Values to try for parameters that accept any string.
struct StringsToTry {
    std::vector<std::string> texts;
    std::vector<std::string> files;
};

/// Values that the parameter accepts, without its current one. The first values hardly lengthen a
/// run.
[[nodiscard]] std::vector<hw::ParameterValue> other_values(const hw::ParameterBase& parameter,
                                                           const StringsToTry& strings);

/// Trial of a parameter in an experiment that settings may change.
struct ParameterTrial {
    enum class Effect {
        kNone,  ///< no effect on any result, according to its declaration
        /// no effect, but the same key of another table has one: levels of cache share keys
        kInAnotherTable,
        kOnSpeedAlone,
        kOnResults,
    };
    Effect effect = Effect::kNone;
    Settings settings;  ///< settings with which it has that effect
    /// The same settings, with each other value of the parameter that its table accepts.
    std::vector<Settings> others;
};

/// Trial of `parameter` in the experiment's only run. Throws setup::UserFault if that run is
/// refused.
[[nodiscard]] ParameterTrial trial_of(const setup::ExperimentFile& file,
                                      const ListedParameter& parameter,
                                      const StringsToTry& strings);

}  // namespace weir::experiments::running
