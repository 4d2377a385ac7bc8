#pragma once

#include <cstddef>
#include <string>

namespace weir::experiments::setup {

/// An experiment that replays a GOAL schedule on LogP's abstract machine, with LogGOPSim's default
/// L, o and g. `schedule` is the schedule's path, relative to the experiment.
[[nodiscard]] std::string goal_experiment(const std::string& source, const std::string& schedule,
                                          std::size_t ranks);

}  // namespace weir::experiments::setup
