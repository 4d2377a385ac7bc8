#pragma once

#include "experiments/config/experiment_file.h"
#include "experiments/run/setup.h"
#include "hw/parameter.h"

namespace weir::experiments::run {

/// Whether a file, or a preset, says something else than what holds anyway.
[[nodiscard]] bool is_given(const hw::ParameterBase& parameter);

/// Throws config::UserFault for a key that is given and that the chosen network, machine or traffic
/// would silently ignore. The groups of parts that traffic without a machine has not got at all are
/// not looked at.
void refuse_keys_without_effect(const config::ExperimentFile& file, config::SelectedRun run,
                                Setup& setup);

}  // namespace weir::experiments::run
