#include "experiments/kinds/setup.h"

#include <algorithm>
#include <set>
#include <string>

#include "experiments/kinds/machine_size.h"
#include "experiments/setup/parameters/parameter_effect.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::kinds {

bool Setup::wants_interval() const {
    const bool is_asked_for =
        run.relative_precision.value() > 0.0 || run.warm_up.value() == setup::WarmUp::kDetected;
    return is_asked_for && steady_state_length() != nullptr;
}

bool Setup::detects_warm_up() const {
    const setup::WarmUp choice = run.warm_up.value();
    return choice == setup::WarmUp::kDetected ||
           (choice == setup::WarmUp::kAutomatic && run.relative_precision.value() > 0.0);
}

hw::Bytes Setup::memory_for_data() const {
    const hw::Bytes memory = machine.memory.bytes.value();
    const bool is_compiled = machine.core.kind.value() == nodes::CoreKind::kSparcle;
    return machine.controller.overflow_trap.value() && !is_compiled
               ? memory - firmware.overflow_buffer_bytes.value()
               : memory;
}

namespace {

void refuse_seeds_given_twice(const setup::ExperimentFile& file, setup::SelectedRun run,
                              const Setup& setup) {
    const std::vector<std::int64_t> seeds = setup.run.seeds.value();
    if (std::any_of(seeds.begin(), seeds.end(), [&seeds](std::int64_t seed) {
            return std::count(seeds.begin(), seeds.end(), seed) > 1;
        })) {
        throw file.fault_at("run.seeds", run, "run.seeds has a seed twice",
                            "a list of different whole numbers");
    }
}

void refuse_too_few_nodes(const setup::ExperimentFile& file, setup::SelectedRun run,
                          const Setup& setup) {
    const std::int64_t least = setup.kind->least_nodes();
    const std::int64_t nodes = setup.machine.node_count();
    if (nodes < least) {
        throw file.fault_at(
            file.level_of("machine.nodes", run) ? "machine.nodes" : "network.dimensions", run,
            "the machine has " + std::to_string(nodes) +
                " node, and workload.kernel sends messages to other nodes",
            "at least " + std::to_string(least));
    }
}

std::unique_ptr<Setup> setup_of(ListedKind listed) {
    auto setup = std::make_unique<Setup>();
    setup->kernel_name = std::move(listed.workload);
    setup->kind = std::move(listed.kind);
    return setup;
}

}  // namespace

void refuse_keys_without_effect(const setup::ExperimentFile& file, setup::SelectedRun run,
                                Setup& setup) {
    const setup::SetupCircumstances circumstances(setup.groups(), setup.kind->facts());
    if (const auto fault = setup::parameter_without_effect(circumstances, setup.kind->what())) {
        throw file.fault_at(*fault, run);
    }
}

std::unique_ptr<Setup> default_setup(const setup::ExperimentFile& file, setup::SelectedRun run) {
    auto setup = std::make_unique<Setup>();
    setup->kind = make_kind(file, run);
    setup->kernel_name = file.workload_kernel(run).name;
    return setup;
}

std::unique_ptr<Setup> make_setup(const setup::ExperimentFile& file, setup::SelectedRun run) {
    std::unique_ptr<Setup> setup = default_setup(file, run);
    setup->kind->set_up(file, run, *setup);
    refuse_seeds_given_twice(file, run, *setup);
    refuse_too_few_nodes(file, run, *setup);
    return setup;
}

std::unique_ptr<Setup> make_machine(const setup::ExperimentFile& file, setup::SelectedRun run) {
    auto setup = std::make_unique<Setup>();
    std::vector<hw::ParameterGroup*> groups = setup->machine.groups();
    groups.insert(groups.end(), {&setup->firmware, &setup->run, &setup->trace});
    file.apply(run, groups);
    settle_size(file, run, setup->machine);
    if (const auto fault = setup->machine.check()) {
        throw file.fault_at(*fault, run);
    }
    return setup;
}

std::unique_ptr<Setup> default_setup(const std::string& workload) {
    std::vector<ListedKind> all = all_kinds();
    const auto found = std::find_if(all.begin(), all.end(), [&workload](const ListedKind& listed) {
        return listed.workload == workload;
    });
    return setup_of(std::move(found != all.end() ? *found : all.front()));
}

std::vector<std::unique_ptr<Setup>> default_setups() {
    std::vector<std::unique_ptr<Setup>> setups;
    for (ListedKind& listed : all_kinds()) {
        setups.push_back(setup_of(std::move(listed)));
    }
    return setups;
}

std::vector<hw::ParameterGroup*> listed_groups(
    const std::vector<std::unique_ptr<Setup>>& default_setups) {
    std::vector<hw::ParameterGroup*> groups;
    std::set<std::string> tables;
    for (const std::unique_ptr<Setup>& setup : default_setups) {
        for (hw::ParameterGroup* group : setup->groups()) {
            // Each kernel has its own [workload]; other tables are listed once.
            if (group->table() == "workload" ? !setup->kernel_name.empty()
                                             : tables.insert(group->table()).second) {
                groups.push_back(group);
            }
        }
    }
    return groups;
}

}  // namespace weir::experiments::kinds
