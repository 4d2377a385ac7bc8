#include "experiments/run/setup.h"

#include <algorithm>
#include <array>

#include "experiments/config/user_fault.h"
#include "experiments/run/open_loop_setup.h"
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

hw::Bytes Setup::memory_for_data() const {
    const hw::Bytes memory = machine.memory.bytes.value();
    return machine.controller.overflow_trap.value()
               ? memory - firmware.overflow_buffer_bytes.value()
               : memory;
}

namespace {

/// A key whose value a machine of another kind would silently ignore.
struct KeyWithoutEffect {
    const char* key;
    const hw::ParameterBase& parameter;
    bool has_effect;
    const char* where_it_has;
};

void refuse_keys_without_effect(const config::ExperimentFile& file, config::SelectedRun run,
                                const Setup& setup) {
    const nodes::MachineConfiguration& machine = setup.machine;
    const network::NetworkParameters& network = machine.network;
    const hw::ControllerParameters& controller = machine.controller;
    const bool polls = machine.core.receive_mode.value() == nodes::ReceiveMode::kPolling;
    const bool has_routers = network.model.value() == network::NetworkModel::kWormhole;
    const bool is_logp = network.model.value() == network::NetworkModel::kLogp;
    const bool is_delay = !has_routers && !is_logp;
    const bool is_constant = is_delay && network.delay.value() == network::DelayKind::kConstant;
    constexpr const char* kLogp = R"(network.model = "logp")";
    constexpr const char* kHops = R"(network.model = "delay" or network.model = "wormhole")";
    constexpr const char* kRouters = R"(network.model = "wormhole")";
    const bool has_bodies = has_routers && setup.kernel->sends_bodies();
    const char* const bodies = has_routers ? "a kernel whose messages have bodies" : kRouters;
    const bool traps = controller.overflow_trap.value();
    constexpr const char* kTrap = "controller.overflow_trap = true";
    using network::TopologyKind;
    const TopologyKind topology = network.topology.value();
    const bool is_graph = has_routers && topology == TopologyKind::kGraph;
    const bool is_lattice = topology == TopologyKind::kMesh || topology == TopologyKind::kTorus;
    const bool is_ordered =
        has_routers && is_lattice && network.routing.value() != network::RoutingKind::kUpDown;
    const bool has_arity =
        has_routers && (topology == TopologyKind::kButterfly || topology == TopologyKind::kFatTree);
    const std::array keys{
        KeyWithoutEffect{"core.poll_period_cycles", machine.core.poll_period_cycles, polls,
                         R"(core.receive_mode = "polling")"},
        KeyWithoutEffect{"network.delay", network.delay, is_delay, R"(network.model = "delay")"},
        KeyWithoutEffect{"network.delay_cycles", network.delay_cycles, is_constant,
                         R"(network.model = "delay" with network.delay = "constant")"},
        KeyWithoutEffect{"network.hop_cycles", network.hop_cycles, !is_constant && !is_logp,
                         R"(network.delay = "manhattan" or network.model = "wormhole")"},
        KeyWithoutEffect{"network.flit_bytes", network.flit_bytes, !is_logp, kHops},
        KeyWithoutEffect{"network.injection_cycles", network.injection_cycles, !is_logp, kHops},
        KeyWithoutEffect{"network.ejection_cycles", network.ejection_cycles, !is_logp, kHops},
        KeyWithoutEffect{"network.logp_latency_cycles", network.logp_latency_cycles, is_logp,
                         kLogp},
        KeyWithoutEffect{"network.logp_least_latency_cycles", network.logp_least_latency_cycles,
                         is_logp, kLogp},
        KeyWithoutEffect{"network.logp_gap_cycles", network.logp_gap_cycles, is_logp, kLogp},
        KeyWithoutEffect{"network.barrier_cycles", network.barrier_cycles, network.barrier.value(),
                         "network.barrier = true"},
        KeyWithoutEffect{"network.buffer_flits", network.buffer_flits, has_routers, kRouters},
        KeyWithoutEffect{"network.bulk_advance", network.bulk_advance,
                         has_routers && network.is_plain_mesh(),
                         "a mesh without virtual channels, of one-cycle routers"},
        KeyWithoutEffect{"network.topology", network.topology, has_routers, kRouters},
        KeyWithoutEffect{"network.dimensions", network.dimensions, !is_graph,
                         "any network.topology but \"graph\""},
        KeyWithoutEffect{"network.arity", network.arity, has_arity,
                         R"(network.topology = "butterfly" or "fat_tree")"},
        KeyWithoutEffect{"network.graph_file", network.graph_file, is_graph,
                         R"(network.topology = "graph")"},
        KeyWithoutEffect{"network.routing", network.routing, has_routers, kRouters},
        KeyWithoutEffect{"network.routing_order", network.routing_order, is_ordered,
                         "a mesh or torus with dimension order, or minimal adaptive routing"},
        KeyWithoutEffect{"network.virtual_channels", network.virtual_channels, has_routers,
                         kRouters},
        KeyWithoutEffect{"network.switching", network.switching, has_routers, kRouters},
        KeyWithoutEffect{"network.arbitration", network.arbitration, has_routers, kRouters},
        KeyWithoutEffect{"network.copies", network.copies, has_routers, kRouters},
        KeyWithoutEffect{"network.channel_bits_per_cycle", network.channel_bits_per_cycle,
                         has_routers, kRouters},
        KeyWithoutEffect{"network.allow_deadlock", network.allow_deadlock, has_routers, kRouters},
        KeyWithoutEffect{"network.routing_cycles", network.routing_cycles, has_routers, kRouters},
        KeyWithoutEffect{"network.vc_allocation_cycles", network.vc_allocation_cycles, has_routers,
                         kRouters},
        KeyWithoutEffect{"network.switch_allocation_cycles", network.switch_allocation_cycles,
                         has_routers, kRouters},
        KeyWithoutEffect{"network.credit_cycles", network.credit_cycles, has_routers, kRouters},
        KeyWithoutEffect{"controller.output_queue_bytes", controller.output_queue_bytes,
                         has_routers, kRouters},
        KeyWithoutEffect{"controller.input_queue_bytes", controller.input_queue_bytes, has_routers,
                         kRouters},
        KeyWithoutEffect{"controller.overflow_trap", controller.overflow_trap, has_routers,
                         kRouters},
        // Bodies, and what moves them.
        KeyWithoutEffect{"dma.setup_cycles", machine.dma.setup_cycles, has_bodies, bodies},
        KeyWithoutEffect{"dma.burst_bytes", machine.dma.burst_bytes, has_bodies, bodies},
        KeyWithoutEffect{"dma.turnaround_cycles", machine.dma.turnaround_cycles, has_bodies,
                         bodies},
        KeyWithoutEffect{"memory_port.beat_bytes", machine.memory_port.beat_bytes, has_bodies,
                         bodies},
        KeyWithoutEffect{"memory_port.beat_cycles", machine.memory_port.beat_cycles, has_bodies,
                         bodies},
        KeyWithoutEffect{"firmware.body_send", setup.firmware.body_send, has_bodies, bodies},
        KeyWithoutEffect{"firmware.body_receive", setup.firmware.body_receive, has_bodies, bodies},
        KeyWithoutEffect{"firmware.status_loop_cycles", setup.firmware.status_loop_cycles,
                         has_bodies, bodies},
        KeyWithoutEffect{"controller.overflow_timeout_cycles", controller.overflow_timeout_cycles,
                         traps, kTrap},
        KeyWithoutEffect{"firmware.overflow_entry_cycles", setup.firmware.overflow_entry_cycles,
                         traps, kTrap},
        KeyWithoutEffect{"firmware.overflow_exit_cycles", setup.firmware.overflow_exit_cycles,
                         traps, kTrap},
        KeyWithoutEffect{"firmware.overflow_buffer_bytes", setup.firmware.overflow_buffer_bytes,
                         traps, kTrap},
    };
    for (const KeyWithoutEffect& key : keys) {
        const bool is_set = key.parameter.value_as_variant() != key.parameter.default_as_variant();
        if (is_set && !key.has_effect) {
            throw file.fault_at(key.key, run,
                                std::string(key.key) + " has no effect on this machine",
                                std::string(key.where_it_has) + ", or no " + key.key);
        }
    }
}

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

}  // namespace

std::unique_ptr<Setup> make_setup(const config::ExperimentFile& file, config::SelectedRun run) {
    auto setup = std::make_unique<Setup>();
    const config::NameInFile kernel = file.workload_kernel(run);
    setup->kernel_name = kernel.name;
    if (kernel.name == kOpenLoop) {
        set_up_open_loop(file, run, *setup);
        refuse_seeds_given_twice(file, run, *setup);
        return setup;
    }
    setup->kernel = firmware::make_kernel(kernel.name);
    if (!setup->kernel) {
        std::vector<std::string> names;
        for (const firmware::KernelEntry& entry : firmware::kernels()) {
            names.push_back(entry.name);
        }
        names.emplace_back(kOpenLoop);
        throw config::unknown_name(kernel.place, "kernel", kernel.name, names);
    }
    file.apply(run, setup->groups());
    if (const auto fault = setup->machine.check()) {
        throw file.fault_at(fault->key, run, fault->what, fault->accepted);
    }
    refuse_bodies_without_engines(file, run, *setup);
    refuse_barriers_without_one(file, run, *setup);
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
