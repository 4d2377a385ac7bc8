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

/// Everything one run is made of, with the values an experiment file gives it.
struct Setup {
    std::string kernel_name;     ///< what workload.kernel says
    std::unique_ptr<Kind> kind;  ///< null where a file names no workload
    nodes::MachineConfiguration machine;
    firmware::ActiveMessages::Parameters firmware;
    setup::RunParameters run;
    setup::TraceParameters trace;

    /// The parameter groups that have an effect, the machine's first.
    [[nodiscard]] std::vector<hw::ParameterGroup*> groups() { return kind->groups(*this); }
    [[nodiscard]] hw::ParameterBase* steady_state_length() const {
        return kind->steady_state_length();
    }
    /// Whether the run itself is to say how sure its leading metric is.
    [[nodiscard]] bool wants_interval() const;
    [[nodiscard]] bool detects_warm_up() const;
    /// Of each node's memory, what the buffer of overflow traps leaves to the kernel.
    [[nodiscard]] hw::Bytes memory_for_data() const;
};

/// The setup of one of a file's runs. Throws setup::UserFault.
std::unique_ptr<Setup> make_setup(const setup::ExperimentFile& file, setup::SelectedRun run);

/// Of the kernel and the cores that the run names, every parameter at its default. Throws
/// setup::UserFault for a kernel that isn't there.
std::unique_ptr<Setup> default_setup(const setup::ExperimentFile& file, setup::SelectedRun run);

/// Throws setup::UserFault for a key that is given and that the chosen network, machine or traffic
/// would silently ignore. The groups of parts that traffic without a machine has not got at all are
/// not looked at.
void refuse_keys_without_effect(const setup::ExperimentFile& file, setup::SelectedRun run,
                                Setup& setup);

/// Of a file that names no kernel: the machine alone. Throws setup::UserFault.
std::unique_ptr<Setup> make_machine(const setup::ExperimentFile& file, setup::SelectedRun run);

/// Of what listings name so, a program or traffic; of any program where none has that name.
std::unique_ptr<Setup> default_setup(const std::string& workload);
/// Of every kernel and of open-loop traffic, for listing.
std::vector<std::unique_ptr<Setup>> default_setups();
/// The parameter groups of all of them: each table once, but [workload] of every kernel.
std::vector<hw::ParameterGroup*> listed_groups(
    const std::vector<std::unique_ptr<Setup>>& default_setups);

}  // namespace weir::experiments::kinds
