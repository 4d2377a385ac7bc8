#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/kinds/kind.h"
#include "experiments/setup/files/experiment_file.h"
#include "experiments/setup/parameters/run_parameters.h"
#include "firmware/active_messages.h"
#include "nodes/machine_configuration.h"

namespace weir::experiments::kinds {

/// All parts of one run, with the values of an experiment file.
struct Setup {
    std::string kernel_name;     ///< value of workload.kernel
    std::unique_ptr<Kind> kind;  ///< null if the file names no workload
    nodes::MachineConfiguration machine;
    firmware::ActiveMessages::Parameters firmware;
    setup::RunParameters run;
    setup::TraceParameters trace;

    /// Parameter groups with an effect, the machine's first.
    [[nodiscard]] std::vector<hw::ParameterGroup*> groups() { return kind->groups(*this); }
    [[nodiscard]] hw::ParameterBase* steady_state_length() const {
        return kind->steady_state_length();
    }
    /// Whether the run computes a confidence interval of its main metric.
    [[nodiscard]] bool wants_interval() const;
    [[nodiscard]] bool detects_warm_up() const;
    /// Size of each node's memory for the kernel's data, without the buffer of overflow traps.
    [[nodiscard]] hw::Bytes memory_for_data() const;
};

/// Setup of one of a file's runs. Throws setup::UserFault.
std::unique_ptr<Setup> make_setup(const setup::ExperimentFile& file, setup::SelectedRun run);

/// Setup of the kernel and cores that the run names, with every parameter at its default. Throws
/// setup::UserFault for an unknown kernel.
std::unique_ptr<Setup> default_setup(const setup::ExperimentFile& file, setup::SelectedRun run);

/// Throws setup::UserFault if the experiment gives a key without effect on the chosen network,
/// machine or traffic. Keys of parts that traffic without a machine lacks are ignored.
void refuse_keys_without_effect(const setup::ExperimentFile& file, setup::SelectedRun run,
                                Setup& setup);

/// Setup with the machine of a file that need not name a kernel. Throws setup::UserFault.
std::unique_ptr<Setup> make_machine(const setup::ExperimentFile& file, setup::SelectedRun run);

/// Setup with defaults for a listed value of workload.kernel; for another value, that of any
/// kernel.
std::unique_ptr<Setup> default_setup(const std::string& workload);
/// Setups with defaults of every kernel and of open-loop traffic, for lists.
std::vector<std::unique_ptr<Setup>> default_setups();
/// Parameter groups of all these setups: each table once, but [workload] for every kernel.
std::vector<hw::ParameterGroup*> listed_groups(
    const std::vector<std::unique_ptr<Setup>>& default_setups);

}  // namespace weir::experiments::kinds
