#include "experiments/run/setup.h"

#include <algorithm>

#include "experiments/config/user_fault.h"
#include "firmware/kernels/registry.h"

namespace weir::experiments::run {

std::vector<hw::ParameterGroup*> Setup::groups() {
    std::vector<hw::ParameterGroup*> groups = machine.groups();
    groups.push_back(&firmware);
    groups.push_back(&kernel->parameters());
    groups.push_back(&run);
    groups.push_back(&trace);
    return groups;
}

std::unique_ptr<Setup> make_setup(const config::ExperimentFile& file, config::SelectedRun run) {
    auto setup = std::make_unique<Setup>();
    const config::NameInFile kernel = file.workload_kernel(run);
    setup->kernel_name = kernel.name;
    setup->kernel = firmware::make_kernel(kernel.name);
    if (!setup->kernel) {
        std::vector<std::string> names;
        for (const firmware::KernelEntry& entry : firmware::kernels()) {
            names.push_back(entry.name);
        }
        throw config::unknown_name(kernel.place, "kernel", kernel.name, names);
    }
    file.apply(run, setup->groups());
    if (const auto fault = setup->machine.check()) {
        throw file.fault_at(fault->key, run, fault->what, fault->accepted);
    }
    const std::vector<std::int64_t> seeds = setup->run.seeds.value();
    if (std::any_of(seeds.begin(), seeds.end(), [&seeds](std::int64_t seed) {
            return std::count(seeds.begin(), seeds.end(), seed) > 1;
        })) {
        throw file.fault_at("run.seeds", run, "run.seeds has a seed twice",
                            "a list of different whole numbers");
    }
    return setup;
}

std::vector<std::unique_ptr<Setup>> default_setups() {
    std::vector<std::unique_ptr<Setup>> setups;
    for (const firmware::KernelEntry& entry : firmware::kernels()) {
        setups.push_back(std::make_unique<Setup>());
        setups.back()->kernel_name = entry.name;
        setups.back()->kernel = entry.make();
    }
    return setups;
}

}  // namespace weir::experiments::run
