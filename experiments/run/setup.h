#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/config/experiment_file.h"
#include "experiments/run/run_parameters.h"
#include "firmware/active_messages.h"
#include "firmware/kernel.h"
#include "network/traffic/traffic_parameters.h"
#include "nodes/machine.h"

namespace weir::experiments::run {

/// What workload.kernel names where there is no kernel: traffic that nodes offer to the network
/// alone, whatever becomes of it.
inline constexpr const char* kOpenLoop = "open-loop";

/// Everything one run is made of, with the values an experiment file gives it.
struct Setup {
    std::string kernel_name;
    std::unique_ptr<firmware::Kernel> kernel;             ///< null for open-loop traffic
    std::unique_ptr<network::TrafficParameters> traffic;  ///< of open-loop traffic alone
    nodes::MachineConfiguration machine;
    firmware::ActiveMessages::Parameters firmware;
    RunParameters run;
    TraceParameters trace;

    /// All parameter groups, the machine's first, in the order of a message's trip; for open-loop
    /// traffic those that have an effect on it.
    [[nodiscard]] std::vector<hw::ParameterGroup*> groups();
    /// The parameter, a whole number, that says how long the run is in its steady state; null where
    /// it never is in one.
    [[nodiscard]] hw::ParameterBase* steady_state_length();
    /// Whether the run itself is to say how sure its main metric is.
    [[nodiscard]] bool wants_interval();
    [[nodiscard]] bool detects_warm_up() const;
    /// Of each node's memory, what the buffer of overflow traps leaves to the kernel.
    [[nodiscard]] hw::Bytes memory_for_data() const;
};

/// The setup of one of a file's runs. Throws config::UserFault.
std::unique_ptr<Setup> make_setup(const config::ExperimentFile& file, config::SelectedRun run);

/// Of the kernel and the cores that the run names, every parameter at its default. Throws
/// config::UserFault for a kernel that isn't there.
std::unique_ptr<Setup> default_setup(const config::ExperimentFile& file, config::SelectedRun run);

/// Of a file that names no kernel: the machine alone. Throws config::UserFault.
std::unique_ptr<Setup> make_machine(const config::ExperimentFile& file, config::SelectedRun run);

/// The groups of a machine, of every kernel and of open-loop traffic, for listing; owned by the
/// setups returned.
std::vector<std::unique_ptr<Setup>> default_setups();

}  // namespace weir::experiments::run
