#include "experiments/run/keys_without_effect.h"

#include <string>
#include <vector>

namespace weir::experiments::run {

namespace {

using network::NetworkModel;
using network::PatternKind;
using network::TopologyKind;

struct KeyEffect {
    std::string key;
    const hw::ParameterBase& parameter;
    bool has_effect;
    std::string where_it_has;
};
using KeyEffects = std::vector<KeyEffect>;

constexpr const char* kRouters = R"(network.model = "wormhole")";

bool has_routers(const Setup& setup) {
    return setup.machine.network.model.value() == NetworkModel::kWormhole;
}

// What tells one model of a network from another. Open-loop traffic has routers alone.
KeyEffects model_keys(const Setup& setup) {
    const network::NetworkParameters& network = setup.machine.network;
    const bool is_traffic = setup.traffic != nullptr;
    const bool routers = has_routers(setup);
    const bool is_logp = !is_traffic && network.model.value() == NetworkModel::kLogp;
    const bool is_delay = !is_traffic && !routers && !is_logp;
    const bool is_constant = is_delay && network.delay.value() == network::DelayKind::kConstant;
    constexpr const char* kHops = R"(network.model = "delay" or network.model = "wormhole")";
    const auto of_kernels = [is_traffic](const char* where) {
        return is_traffic ? "a kernel" : where;
    };
    const char* const logp = of_kernels(R"(network.model = "logp")");
    return {
        {"network.model", network.model, !is_traffic || routers, kRouters},
        {"network.delay", network.delay, is_delay, of_kernels(R"(network.model = "delay")")},
        {"network.delay_cycles", network.delay_cycles, is_constant,
         of_kernels(R"(network.model = "delay" with network.delay = "constant")")},
        {"network.hop_cycles", network.hop_cycles, !is_constant && !is_logp,
         R"(network.delay = "manhattan" or network.model = "wormhole")"},
        {"network.flit_bytes", network.flit_bytes, !is_logp, kHops},
        {"network.injection_cycles", network.injection_cycles, !is_logp, kHops},
        {"network.ejection_cycles", network.ejection_cycles, !is_logp, kHops},
        {"network.logp_latency_cycles", network.logp_latency_cycles, is_logp, logp},
        {"network.logp_least_latency_cycles", network.logp_least_latency_cycles, is_logp, logp},
        {"network.logp_gap_cycles", network.logp_gap_cycles, is_logp, logp},
        {"network.barrier", network.barrier, !is_traffic, "a kernel"},
        {"network.barrier_cycles", network.barrier_cycles, !is_traffic && network.barrier.value(),
         of_kernels("network.barrier = true")},
        {"network.bulk_advance", network.bulk_advance,
         !is_traffic && routers && network.is_plain_mesh(),
         of_kernels("a mesh without virtual channels, of one-cycle routers")},
    };
}

KeyEffects router_keys(const Setup& setup) {
    const network::NetworkParameters& network = setup.machine.network;
    const bool routers = has_routers(setup);
    const TopologyKind topology = network.topology.value();
    const bool is_graph = routers && topology == TopologyKind::kGraph;
    const bool is_lattice = topology == TopologyKind::kMesh || topology == TopologyKind::kTorus;
    const bool is_ordered =
        routers && is_lattice && network.routing.value() != network::RoutingKind::kUpDown;
    const bool has_arity =
        routers && (topology == TopologyKind::kButterfly || topology == TopologyKind::kFatTree);
    return {
        {"network.topology", network.topology, routers, kRouters},
        {"network.dimensions", network.dimensions, !is_graph,
         R"(any network.topology but "graph")"},
        {"network.arity", network.arity, has_arity,
         R"(network.topology = "butterfly" or "fat_tree")"},
        {"network.channels_up", network.channels_up, routers && topology == TopologyKind::kFatTree,
         R"(network.topology = "fat_tree")"},
        {"network.graph_file", network.graph_file, is_graph, R"(network.topology = "graph")"},
        {"network.routing", network.routing, routers, kRouters},
        {"network.routing_order", network.routing_order, is_ordered,
         "a mesh or torus with dimension order, or minimal adaptive routing"},
        {"network.virtual_channels", network.virtual_channels, routers, kRouters},
        {"network.switching", network.switching, routers, kRouters},
        {"network.arbitration", network.arbitration, routers, kRouters},
        {"network.copies", network.copies, routers, kRouters},
        {"network.channel_bits_per_cycle", network.channel_bits_per_cycle, routers, kRouters},
        {"network.allow_deadlock", network.allow_deadlock, routers, kRouters},
        {"network.buffer_flits", network.buffer_flits, routers, kRouters},
        {"network.routing_cycles", network.routing_cycles, routers, kRouters},
        {"network.vc_allocation_cycles", network.vc_allocation_cycles, routers, kRouters},
        {"network.switch_allocation_cycles", network.switch_allocation_cycles, routers, kRouters},
        {"network.credit_cycles", network.credit_cycles, routers, kRouters},
    };
}

bool has_sparcle(const Setup& setup) {
    return setup.machine.core.kind.value() == nodes::CoreKind::kSparcle;
}

KeyEffects sparcle_keys(const Setup& setup) {
    const nodes::sparcle::Timing& timing = setup.machine.sparcle;
    KeyEffects keys;
    for (const hw::ParameterBase* parameter : timing.parameters()) {
        const bool is_of_multiplier =
            parameter == &timing.multiply_cycles || parameter == &timing.divide_cycles;
        const bool is_of_float_unit = parameter->name().starts_with("float_");
        bool has_effect = has_sparcle(setup);
        const char* where = R"(core.kind = "sparcle")";
        if (has_effect && is_of_multiplier) {
            has_effect = timing.multiply_divide.value();
            where = "sparcle.multiply_divide = true";
        } else if (has_effect && is_of_float_unit) {
            has_effect = timing.floating_point_unit.value();
            where = "sparcle.floating_point_unit = true";
        }
        keys.push_back({"sparcle." + parameter->name(), *parameter, has_effect, where});
    }
    // What the behavioural core is told, a program does itself.
    for (const hw::ParameterBase* parameter : setup.firmware.parameters()) {
        const bool is_told = parameter == &setup.firmware.body_send ||
                             parameter == &setup.firmware.body_receive ||
                             parameter == &setup.firmware.overflow_buffer_bytes;
        keys.push_back({"firmware." + parameter->name(), *parameter, is_told || !has_sparcle(setup),
                        R"(core.kind = "behavioural")"});
    }
    for (const auto* key : {&setup.trace.profile, &setup.trace.instructions}) {
        keys.push_back(
            {"trace." + key->name(), *key, has_sparcle(setup), R"(core.kind = "sparcle")"});
    }
    keys.push_back({"core.context_switch_cycles", setup.machine.core.context_switch_cycles,
                    !has_sparcle(setup), R"(core.kind = "behavioural")"});
    keys.push_back({"core.poll_period_cycles", setup.machine.core.poll_period_cycles,
                    !has_sparcle(setup), R"(core.kind = "behavioural")"});
    return keys;
}

KeyEffects machine_keys(const Setup& setup) {
    const nodes::MachineConfiguration& machine = setup.machine;
    const hw::ControllerParameters& controller = machine.controller;
    const bool polls = machine.core.receive_mode.value() == nodes::ReceiveMode::kPolling;
    const bool routers = has_routers(setup);
    const bool has_bodies = routers && setup.kernel->sends_bodies();
    const char* const bodies = routers ? "a kernel whose messages have bodies" : kRouters;
    const bool traps = controller.overflow_trap.value();
    constexpr const char* kTrap = "controller.overflow_trap = true";
    return {
        {"core.poll_period_cycles", machine.core.poll_period_cycles, polls,
         R"(core.receive_mode = "polling")"},
        {"firmware.poll_to_send", setup.firmware.poll_to_send, polls,
         R"(core.receive_mode = "polling")"},
        {"core.context_switch_cycles", machine.core.context_switch_cycles,
         machine.core.contexts.value() > 1, "core.contexts of 2 or more"},
        {"controller.output_queue_bytes", controller.output_queue_bytes, routers, kRouters},
        {"controller.input_queue_bytes", controller.input_queue_bytes, routers, kRouters},
        {"controller.overflow_trap", controller.overflow_trap, routers, kRouters},
        // Bodies, and what moves them.
        {"dma.setup_cycles", machine.dma.setup_cycles, has_bodies, bodies},
        {"dma.burst_bytes", machine.dma.burst_bytes, has_bodies, bodies},
        {"dma.turnaround_cycles", machine.dma.turnaround_cycles, has_bodies, bodies},
        {"firmware.body_send", setup.firmware.body_send, has_bodies, bodies},
        {"firmware.body_receive", setup.firmware.body_receive, has_bodies, bodies},
        {"firmware.status_loop_cycles", setup.firmware.status_loop_cycles, has_bodies, bodies},
        {"controller.overflow_timeout_cycles", controller.overflow_timeout_cycles, traps, kTrap},
        {"firmware.overflow_entry_cycles", setup.firmware.overflow_entry_cycles, traps, kTrap},
        {"firmware.overflow_exit_cycles", setup.firmware.overflow_exit_cycles, traps, kTrap},
        {"firmware.overflow_buffer_bytes", setup.firmware.overflow_buffer_bytes, traps, kTrap},
    };
}

// The memory port's users are the caches and, where messages have bodies, the DMA engines.
KeyEffects memory_port_keys(const Setup& setup) {
    const hw::MemoryPortParameters& port = setup.machine.memory_port;
    const bool has_bodies = has_routers(setup) && setup.kernel->sends_bodies();
    const bool is_used = has_bodies || setup.machine.memory.caches.value() > 0;
    const bool has_rows = is_used && port.row_bytes.value() > hw::Bytes(0);
    const char* const users =
        has_routers(setup) ? "memory.caches of 1 or more, or a kernel whose messages have bodies"
                           : R"(memory.caches of 1 or more, or network.model = "wormhole")";
    return {
        {"memory_port.beat_bytes", port.beat_bytes, is_used, users},
        {"memory_port.beat_cycles", port.beat_cycles, is_used, users},
        {"memory_port.access_cycles", port.access_cycles, is_used, users},
        {"memory_port.row_bytes", port.row_bytes, is_used, users},
        {"memory_port.row_access_cycles", port.row_access_cycles, has_rows,
         is_used ? "memory_port.row_bytes of 1 or more" : users},
    };
}

// Of a level that there is: what it does not look at.
bool level_reads(const memory::CacheLevelParameters& level, bool is_first,
                 const hw::ParameterBase& parameter) {
    if (&parameter == &level.replacement) {
        return level.lines_in_a_set() > 1;
    }
    const bool of_the_first =
        &parameter == &level.write_allocate || &parameter == &level.store_misses_wait;
    const bool of_the_others = &parameter == &level.access_cycles ||
                               &parameter == &level.busy_cycles || &parameter == &level.inclusive;
    return is_first ? !of_the_others : !of_the_first;
}

KeyEffects cache_keys(const Setup& setup) {
    const memory::CacheParameters& caches = setup.machine.caches;
    const auto count = static_cast<std::size_t>(setup.machine.memory.caches.value());
    constexpr const char* kCaches = "memory.caches of 1 or more";
    const bool translates = count > 0 && caches.tlb.entries.value() > 0;
    KeyEffects keys{
        {"memory.dma_stores", setup.machine.memory.dma_stores, count > 0, kCaches},
        {"memory.instruction_cache", setup.machine.memory.instruction_cache,
         count > 0 && has_sparcle(setup),
         R"(core.kind = "sparcle", and memory.caches of 1 or more)"},
        {"tlb.entries", caches.tlb.entries, count > 0, kCaches},
    };
    for (const hw::ParameterBase* parameter : caches.tlb.parameters()) {
        if (parameter != &caches.tlb.entries) {
            keys.push_back({"tlb." + parameter->name(), *parameter, translates,
                            count > 0 ? "tlb.entries of 1 or more" : kCaches});
        }
    }
    for (std::size_t i = 0; i < caches.levels.size(); ++i) {
        const memory::CacheLevelParameters& level = caches.levels[i];
        for (const hw::ParameterBase* parameter : level.parameters()) {
            const std::string key = level.table() + "." + parameter->name();
            if (i >= count) {
                keys.push_back({key, *parameter, false,
                                "memory.caches of " + std::to_string(i + 1) + " or more"});
                continue;
            }
            const std::string where = parameter == &level.replacement
                                          ? level.table() + ".ways other than 1"
                                      : i == 0 ? "another level than the first"
                                               : "[l1]";
            keys.push_back({key, *parameter, level_reads(level, i == 0, *parameter), where});
        }
    }
    const bool has_instructions = count > 0 && setup.machine.memory.instruction_cache.value();
    for (const hw::ParameterBase* parameter : caches.instructions.parameters()) {
        keys.push_back({"l1i." + parameter->name(), *parameter,
                        has_instructions && level_reads(caches.instructions, true, *parameter),
                        has_instructions ? "[l1]" : "memory.instruction_cache = true"});
    }
    return keys;
}

KeyEffects traffic_keys(const Setup& setup) {
    const network::TrafficParameters& traffic = *setup.traffic;
    const PatternKind pattern = traffic.pattern.value();
    const bool is_alone = pattern == PatternKind::kOneAtATime;
    const bool is_trace = pattern == PatternKind::kTrace;
    const bool is_hot_spot = pattern == PatternKind::kHotSpot;
    const bool is_random = !is_trace && !is_alone;
    const bool is_bursty = is_random && traffic.source.value() == network::SourceKind::kBursty;
    constexpr const char* kRandom = R"(a traffic.pattern other than "trace" and "one_at_a_time")";
    constexpr const char* kPhases = R"(a traffic.pattern other than "one_at_a_time")";
    constexpr const char* kBursty = R"(traffic.source = "bursty")";
    constexpr const char* kHotSpot = R"(traffic.pattern = "hot_spot")";
    return {
        {"traffic.load", traffic.load, is_random, kRandom},
        {"traffic.packet_flits", traffic.packet_flits, !is_trace,
         R"(a traffic.pattern other than "trace")"},
        {"traffic.source", traffic.source, is_random, kRandom},
        {"traffic.burst_cycles", traffic.burst_cycles, is_bursty, kBursty},
        {"traffic.burst_load", traffic.burst_load, is_bursty, kBursty},
        {"traffic.interleave_packets", traffic.interleave_packets, !is_alone, kPhases},
        {"traffic.hot_spot_share", traffic.hot_spot_share, is_hot_spot, kHotSpot},
        {"traffic.hot_spot_node", traffic.hot_spot_node, is_hot_spot, kHotSpot},
        {"traffic.locality_hops", traffic.locality_hops, pattern == PatternKind::kLocality,
         R"(traffic.pattern = "locality")"},
        {"traffic.trace_file", traffic.trace_file, is_trace, R"(traffic.pattern = "trace")"},
        {"traffic.warm_up_cycles", traffic.warm_up_cycles, !is_alone, kPhases},
        {"traffic.measurement_cycles", traffic.measurement_cycles, !is_alone, kPhases},
        {"traffic.drain_cycles", traffic.drain_cycles, !is_alone, kPhases},
        {"run.warmup_cycles", setup.run.warmup_cycles, false, "traffic.warm_up_cycles"},
        {"run.most_cycles", setup.run.most_cycles, false, "traffic.drain_cycles"},
    };
}

// How long a run is, where it is to be precise: longer, or of more seeds.
KeyEffects precision_keys(Setup& setup) {
    const RunParameters& run = setup.run;
    const bool is_precise = run.relative_precision.value() > 0.0;
    const bool is_steady = setup.steady_state_length() != nullptr;
    const bool is_alone =
        setup.traffic != nullptr && setup.traffic->pattern.value() == PatternKind::kOneAtATime;
    constexpr const char* kPrecision = "run.relative_precision above 0";
    constexpr const char* kSteady =
        "a kernel in a steady state (remap, pointer-chase, workpile), or open-loop traffic";
    return {
        {"run.relative_precision", run.relative_precision, !is_alone,
         R"(a traffic.pattern other than "one_at_a_time")"},
        {"run.warm_up", run.warm_up, is_steady && setup.traffic == nullptr,
         setup.traffic ? "traffic.warm_up_cycles" : "remap, pointer-chase or workpile"},
        {"run.batches", run.batches, setup.wants_interval(),
         is_steady ? R"(run.relative_precision above 0 or run.warm_up = "detected")" : kSteady},
        {"run.most_lengthening", run.most_lengthening, is_precise && is_steady,
         is_steady ? kPrecision : kSteady},
        {"run.most_seeds", run.most_seeds, is_precise && !is_steady,
         is_steady ? "a kernel that solves a problem of one size" : kPrecision},
    };
}

}  // namespace

bool is_given(const hw::ParameterBase& parameter) {
    return parameter.value_as_variant() != parameter.default_as_variant();
}

void refuse_keys_without_effect(const config::ExperimentFile& file, config::SelectedRun run,
                                Setup& setup) {
    const char* const what = setup.traffic ? "this traffic" : "this machine";
    std::vector<KeyEffects> all{precision_keys(setup), model_keys(setup), router_keys(setup)};
    if (setup.traffic) {
        all.push_back(traffic_keys(setup));
    } else {
        all.push_back(sparcle_keys(setup));
        all.push_back(machine_keys(setup));
        all.push_back(memory_port_keys(setup));
        all.push_back(cache_keys(setup));
    }
    for (const KeyEffects& keys : all) {
        for (const KeyEffect& key : keys) {
            if (!key.has_effect && is_given(key.parameter)) {
                throw file.fault_at(key.key, run,
                                    key.key + " has no effect on " +
                                        (key.key.starts_with("run.") ? "this run" : what),
                                    key.where_it_has + ", or no " + key.key);
            }
        }
    }
}

}  // namespace weir::experiments::run
