#pragma once

#include "experiments/config/experiment_file.h"
#include "experiments/run/setup.h"
#include "network/topology/topology.h"

namespace weir::experiments::run {

/// Gives a setup of open-loop traffic the file's values. Throws config::UserFault for what is wrong
/// with them, for keys of parts that such traffic has not got, and for traffic that has no meaning
/// on the network.
void set_up_open_loop(const config::ExperimentFile& file, config::SelectedRun run, Setup& setup);

}  // namespace weir::experiments::run
