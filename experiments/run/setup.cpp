#include "experiments/run/setup.h"

#include <algorithm>

#include "experiments/config/user_fault.h"
#include "experiments/run/keys_without_effect.h"
#include "experiments/run/open_loop_setup.h"
#include "firmware/kernels/compiled_registry.h"
#include "firmware/kernels/registry.h"

namespace weir::experiments::run {

std::vector<hw::ParameterGroup*> Setup::groups() {
    if (traffic) {
        std::vector<hw::ParameterGroup*> present{&machine.clock, &machine.network, traffic.get(),
                                                 &run};
        if (traffic->pattern.value() == network::PatternKind::kOneAtATime) {
            present.push_back(&machine.machine);  // T_snd + T_rcv
        }
        return present;
    }
    std::vector<hw::ParameterGroup*> groups = machine.groups();
    groups.push_back(&firmware);
    groups.push_back(&kernel->parameters());
    groups.push_back(&run);
    groups.push_back(&trace);
    return groups;
}

// Packets from a file come to an end, and one at a time there is nothing to be steady.
hw::ParameterBase* Setup::steady_state_length() {
    if (!traffic) {
        return kernel->steady_state_length();
    }
    const network::PatternKind pattern = traffic->pattern.value();
    const bool is_endless =
        pattern != network::PatternKind::kOneAtATime && pattern != network::PatternKind::kTrace;
    return is_endless ? &traffic->measurement_cycles : nullptr;
}

bool Setup::wants_interval() {
    const bool is_asked_for =
        run.relative_precision.value() > 0.0 || run.warm_up.value() == WarmUp::kDetected;
    return is_asked_for && steady_state_length() != nullptr;
}

bool Setup::detects_warm_up() const {
    const WarmUp choice = run.warm_up.value();
    return choice == WarmUp::kDetected ||
           (choice == WarmUp::kAutomatic && run.relative_precision.value() > 0.0);
}

hw::Bytes Setup::memory_for_data() const {
    const hw::Bytes memory = machine.memory.bytes.value();
    const bool is_compiled = machine.core.kind.value() == nodes::CoreKind::kSparcle;
    return machine.controller.overflow_trap.value() && !is_compiled
               ? memory - firmware.overflow_buffer_bytes.value()
               : memory;
}

namespace {

// Only a machine with routers has DMA engines.
void refuse_bodies_without_engines(const config::ExperimentFile& file, config::SelectedRun run,
                                   const Setup& setup) {
    const bool has_engines =
        setup.machine.network.model.value() == network::NetworkModel::kWormhole;
    if (setup.kernel->sends_bodies() && !has_engines) {
        throw file.fault_at("network.model", run,
                            "the messages of this kernel (\"" + setup.kernel_name +
                                "\") have bodies, which need DMA engines",
                            R"(network.model = "wormhole", or messages without a body)");
    }
}

void refuse_barriers_without_one(const config::ExperimentFile& file, config::SelectedRun run,
                                 const Setup& setup) {
    if (setup.kernel->needs_barrier() && !setup.machine.network.barrier.value()) {
        throw file.fault_at("workload.barrier_messages", run,
                            "the nodes of this kernel (\"" + setup.kernel_name +
                                "\") meet at the hardware barrier, which this machine has not",
                            "network.barrier = true, or a kernel without barriers");
    }
}

// Each context has a thread, and a thread that waits leaves its context's turn to the next.
void refuse_other_contexts(const config::ExperimentFile& file, config::SelectedRun run,
                           const Setup& setup) {
    const std::int64_t contexts = setup.machine.core.contexts.value();
    const std::int64_t threads = setup.kernel->threads_per_node();
    if (threads == contexts) {
        return;
    }
    throw file.fault_at(
        "core.contexts", run,
        (threads > contexts ? "more threads than contexts: " : "more contexts than threads: ") +
            std::string("core.contexts is ") + std::to_string(contexts) + ", and a node runs " +
            std::to_string(threads) + " of this kernel's (\"" + setup.kernel_name + "\") threads",
        "core.contexts = " + std::to_string(threads) +
            (setup.kernel->parameters().find("threads") != nullptr
                 ? ", or workload.threads = " + std::to_string(contexts)
                 : ""));
}

// A burst waits until the queue has room, or bytes, for all of it.
void refuse_bursts_beyond_queues(const config::ExperimentFile& file, config::SelectedRun run,
                                 const Setup& setup) {
    const hw::ControllerParameters& controller = setup.machine.controller;
    const hw::Bytes burst = setup.machine.dma.burst_bytes.value();
    const hw::Bytes queue =
        std::min(controller.output_queue_bytes.value(), controller.input_queue_bytes.value());
    if (setup.kernel->sends_bodies() && burst > queue) {
        throw file.fault_at("dma.burst_bytes", run,
                            "dma.burst_bytes is " + std::to_string(burst.count()) +
                                ", for which a queue of " + std::to_string(queue.count()) +
                                " bytes never has room",
                            "at most controller.output_queue_bytes and .input_queue_bytes");
    }
}

void refuse_seeds_given_twice(const config::ExperimentFile& file, config::SelectedRun run,
                              const Setup& setup) {
    const std::vector<std::int64_t> seeds = setup.run.seeds.value();
    if (std::any_of(seeds.begin(), seeds.end(), [&seeds](std::int64_t seed) {
            return std::count(seeds.begin(), seeds.end(), seed) > 1;
        })) {
        throw file.fault_at("run.seeds", run, "run.seeds has a seed twice",
                            "a list of different whole numbers");
    }
}

void make_kernel(const config::NameInFile& kernel, bool is_compiled, Setup& setup) {
    std::vector<std::string> names;
    if (is_compiled) {
        setup.kernel = firmware::make_compiled_kernel(kernel.name);
        for (const firmware::CompiledKernelEntry& entry : firmware::compiled_kernels()) {
            names.push_back(entry.name);
        }
    } else {
        setup.kernel = firmware::make_kernel(kernel.name);
        for (const firmware::KernelEntry& entry : firmware::kernels()) {
            names.push_back(entry.name);
        }
        names.emplace_back(kOpenLoop);
    }
    if (!setup.kernel) {
        throw config::unknown_name(kernel.place, is_compiled ? "compiled kernel" : "kernel",
                                   kernel.name, names);
    }
}

}  // namespace

std::unique_ptr<Setup> default_setup(const config::ExperimentFile& file, config::SelectedRun run) {
    auto setup = std::make_unique<Setup>();
    const config::NameInFile kernel = file.workload_kernel(run);
    setup->kernel_name = kernel.name;
    if (kernel.name == kOpenLoop) {
        setup->traffic = std::make_unique<network::TrafficParameters>();
    } else {
        make_kernel(kernel, file.string_of("core", "kind", run) == "sparcle", *setup);
    }
    return setup;
}

std::unique_ptr<Setup> make_setup(const config::ExperimentFile& file, config::SelectedRun run) {
    std::unique_ptr<Setup> setup = default_setup(file, run);
    if (setup->traffic) {
        set_up_open_loop(file, run, *setup);
        refuse_seeds_given_twice(file, run, *setup);
        return setup;
    }
    file.apply(run, setup->groups());
    if (const auto fault = setup->machine.check()) {
        throw file.fault_at(fault->key, run, fault->what, fault->accepted);
    }
    refuse_bodies_without_engines(file, run, *setup);
    refuse_barriers_without_one(file, run, *setup);
    refuse_other_contexts(file, run, *setup);
    refuse_keys_without_effect(file, run, *setup);
    if (setup->memory_for_data() <= hw::Bytes(0)) {
        throw file.fault_at("firmware.overflow_buffer_bytes", run,
                            "firmware.overflow_buffer_bytes leaves nothing of memory.bytes = " +
                                std::to_string(setup->machine.memory.bytes.value().count()),
                            "less than memory.bytes");
    }
    refuse_bursts_beyond_queues(file, run, *setup);
    refuse_seeds_given_twice(file, run, *setup);
    return setup;
}

std::unique_ptr<Setup> make_machine(const config::ExperimentFile& file, config::SelectedRun run) {
    auto setup = std::make_unique<Setup>();
    std::vector<hw::ParameterGroup*> groups = setup->machine.groups();
    groups.insert(groups.end(), {&setup->firmware, &setup->run, &setup->trace});
    file.apply(run, groups);
    if (const auto fault = setup->machine.check()) {
        throw file.fault_at(fault->key, run, fault->what, fault->accepted);
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
    setups.push_back(std::make_unique<Setup>());
    setups.back()->kernel_name = kOpenLoop;
    setups.back()->traffic = std::make_unique<network::TrafficParameters>();
    return setups;
}

}  // namespace weir::experiments::run
