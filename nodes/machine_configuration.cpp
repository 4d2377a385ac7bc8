#include "nodes/machine_configuration.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <type_traits>
#include <variant>

#include "hw/text_streams.h"
#include "memory/coherence/address_map.h"
#include "network/network.h"
#include "network/network_plan.h"
#include "network/routing/routing_kind.h"
#include "network/topology/topology_family.h"

namespace weir::nodes {

namespace {

// True if network.dimensions give the number of nodes; false for a graph, whose file gives the
// number.
bool is_of_dimensions(const network::NetworkParameters& parameters) {
    return parameters.topology.value()->reads(parameters.dimensions.name());
}

constexpr const char* kNeedsOrder =
    "; the coherence protocol needs packets between two nodes to stay in order";

std::string key_of(const hw::ParameterGroup& group) {
    hw::TextWriter key;
    for (const hw::ParameterBase* parameter : group.parameters()) {
        std::visit(
            [&key](const auto& value) {
                if constexpr (std::is_same_v<std::decay_t<decltype(value)>,
                                             std::vector<std::int64_t>>) {
                    for (const std::int64_t entry : value) {
                        key << entry << ',';
                    }
                } else {
                    key << value;
                }
                key << ';';
            },
            parameter->value_as_variant());
    }
    return key.str();
}

}  // namespace

MachineParameters::MachineParameters() : ParameterGroup("machine", "The machine as a whole") {}
MachineParameters::~MachineParameters() = default;

std::int64_t MachineConfiguration::node_count() const {
    return is_of_dimensions(network) ? network.node_count() : machine.nodes.value();
}

std::size_t MachineConfiguration::tiles() const {
    constexpr std::int64_t kLarge = 1024;
    const std::int64_t nodes = node_count();
    const bool can_be = !network.barrier.value() &&
                        network::runs_worm_by_worm(network, faults, routes_plain_meshes);
    if (!can_be) {
        return 1;
    }
    const std::int64_t asked = network.tiles.value();
    const std::int64_t count = asked > 0 ? asked : nodes >= kLarge ? host_cores : 1;
    return std::min(count, nodes);
}

std::optional<network::DeadlockProof> MachineConfiguration::deadlock_proof() const {
    if (network.model.value() != network::NetworkModel::kWormhole) {
        return std::nullopt;
    }
    static std::map<std::string, network::DeadlockProof> proofs;
    const std::string key = key_of(network) + key_of(faults);
    auto known = proofs.find(key);
    if (known == proofs.end()) {
        const network::NetworkPlan plan(network, faults);
        known = proofs.emplace(key, network::prove(plan.routing())).first;
    }
    return known->second;
}

std::optional<MachineConfiguration::Fault> MachineConfiguration::node_fault() const {
    const bool is_graph = !is_of_dimensions(network);
    const std::int64_t places =
        is_graph ? static_cast<std::int64_t>(network::make_topology(network).node_count())
                 : network.node_count();
    if (places == machine.nodes.value()) {
        return std::nullopt;
    }
    const std::string key = is_graph ? "network.graph_file" : "network.dimensions";
    return Fault{
        key,
        key + (is_graph ? " has " : " makes ") + std::to_string(places) +
            " nodes, but machine.nodes is " + std::to_string(machine.nodes.value()),
        is_graph ? "a graph of machine.nodes nodes" : "dimensions whose product is machine.nodes"};
}

std::optional<MachineConfiguration::Fault> MachineConfiguration::routing_fault() const {
    const auto proof = deadlock_proof();
    if (!proof || proof->is_free_of_deadlock() || network.allow_deadlock.value()) {
        return std::nullopt;
    }
    const std::string what = "this routing is not free of deadlock: " + proof->text();
    const bool has_escapes = network.routing.value()->traits().has_escapes;
    if (has_escapes && network.vc_reallocation.is_given()) {
        return Fault{"network.vc_reallocation", what,
                     "\"tail_credit\", \"whole_message\", or network.allow_deadlock = true, which "
                     "runs it nevertheless"};
    }
    return Fault{"network.virtual_channels", what,
                 "network.virtual_channels = 0, another network.routing, or network.allow_deadlock "
                 "= true, which runs it nevertheless"};
}

// Checks that the routing keeps packets between two nodes in order.
std::optional<MachineConfiguration::Fault> MachineConfiguration::order_fault() const {
    if (!shares_memory || deadlock_proof()->keeps_order) {
        return std::nullopt;
    }
    if (!network.routing.value()->is_topologys_own()) {
        return Fault{"network.routing",
                     "network.routing is \"" + network.routing.value()->name() + "\"" + kNeedsOrder,
                     "another network.routing"};
    }
    return Fault{"network.virtual_channels",
                 std::string("packets between two nodes may take different channels") + kNeedsOrder,
                 "network.virtual_channels = 0, another network.topology, and on a torus no "
                 "\"balanced\" network.ring_classes and no \"lot\" of network.ring_ties"};
}

// The delay network computes distances, and the hops in the trace, of a mesh.
std::optional<MachineConfiguration::Fault> MachineConfiguration::delay_fault() const {
    if (network.model.value() != network::NetworkModel::kDelay || is_of_dimensions(network)) {
        return std::nullopt;
    }
    return Fault{"network.topology",
                 "network.topology is \"" + network.topology.value()->name() +
                     "\", and network.model = \"delay\" has the distances of "
                     "network.dimensions",
                 R"(network.topology = "mesh", or network.model = "wormhole" or "logp")"};
}

// Shared memory needs a cache for its lines, and a network that keeps packets between two nodes in
// order.
std::optional<MachineConfiguration::Fault> MachineConfiguration::sharing_fault() const {
    if (!shares_memory) {
        return std::nullopt;
    }
    const std::string order = kNeedsOrder;
    if (network.model.value() != network::NetworkModel::kWormhole) {
        return Fault{"network.model", "a program that shares memory needs the network's queues",
                     R"(network.model = "wormhole")"};
    }
    if (network.copies.value() > 1) {
        return Fault{"network.copies",
                     "network.copies is " + std::to_string(network.copies.value()) + order,
                     "network.copies = 1"};
    }
    for (const hw::ParameterBase* loss : std::initializer_list<const hw::ParameterBase*>{
             &faults.lost_flits, &faults.flipped_flits, &faults.lost_flits_per_million,
             &faults.flipped_flits_per_million}) {
        if (loss->is_given()) {
            return Fault{
                "faults." + loss->name(),
                "faults." + loss->name() +
                    " may lose packets of the coherence protocol, which are never sent again",
                "no lost or flipped flits where nodes share memory"};
        }
    }
    if (core.kind.value() == CoreKind::kSparcle && core.contexts.value() > 1 &&
        controller.overflow_trap.value()) {
        return Fault{"controller.overflow_trap",
                     "controller.overflow_trap is true, but compiled programs with threads in "
                     "contexts have no overflow trap",
                     "controller.overflow_trap = false, or core.contexts = 1"};
    }
    if (memory.caches.value() < 1) {
        return Fault{"memory.caches", "memory.caches is 0, but shared lines need a cache",
                     "memory.caches = 1"};
    }
    const memory::CacheLevelParameters& level = caches.levels.front();
    if (level.line_bytes.value() != memory::kSharedLineBytes) {
        return Fault{level.table() + ".line_bytes",
                     level.table() + ".line_bytes is " +
                         std::to_string(level.line_bytes.value().count()) +
                         ", but packets of the protocol carry lines of 16",
                     "16"};
    }
    if (level.write_policy.value() != memory::WritePolicy::kWriteBack) {
        return Fault{level.table() + ".write_policy",
                     "the only copy of a shared line must be written back", "\"write_back\""};
    }
    const std::int64_t all = coherence.shared_bytes.value().count() * node_count();
    const std::int64_t most = std::int64_t{WEIR_CONTROLLER_BASE} - memory::kSharedBase;
    if (all > most) {
        return Fault{"coherence.shared_bytes",
                     "coherence.shared_bytes of all nodes are " + std::to_string(all),
                     "at most " + std::to_string(most / node_count() / 4096 * 4096) + " for " +
                         std::to_string(node_count()) + " nodes"};
    }
    return std::nullopt;
}

std::optional<MachineConfiguration::Fault> MachineConfiguration::check() const {
    if (auto fault = delay_fault()) {
        return fault;
    }
    if (auto fault = sharing_fault()) {
        return fault;
    }
    try {
        if (auto fault = node_fault()) {
            return fault;
        }
        if (auto fault = routing_fault()) {
            return fault;
        }
        if (auto fault = order_fault()) {
            return fault;
        }
    } catch (const network::PlanFault& fault) {
        return fault.fault();
    }
    if (core.kind.value() == CoreKind::kSparcle &&
        core.receive_mode.value() == ReceiveMode::kProtocolProcessor) {
        return Fault{"core.receive_mode",
                     "core.receive_mode is \"protocol_processor\", which needs behavioural cores",
                     R"("interrupt" or "polling", or core.kind = "behavioural")"};
    }
    if (auto fault = caches.check(memory.caches.value(), memory.instruction_cache.value())) {
        return fault;
    }
    for (const auto* cost : {&memory.load_cycles, &memory.store_cycles}) {
        if (memory.caches.value() > 0 && cost->value() < hw::Cycles(1)) {
            const std::string key = "memory." + cost->name();
            return Fault{key, key + " is 0, which needs a machine without caches",
                         "at least 1, or memory.caches = 0"};
        }
    }
    if (network.model.value() == network::NetworkModel::kWormhole) {
        for (const auto* cost :
             {&controller.store_cycles, &controller.launch_cycles, &controller.notify_cycles}) {
            if (cost->value() < hw::Cycles(2)) {
                const std::string key = "controller." + cost->name();
                return Fault{key,
                             key + " is " + std::to_string(cost->value().count()) +
                                 ", which needs network.model = \"delay\"",
                             "at least 2"};
            }
        }
    }
    if (network.model.value() == network::NetworkModel::kLogp &&
        controller.launch_cycles.value() < hw::Cycles(1)) {
        return Fault{"controller.launch_cycles",
                     "controller.launch_cycles is 0, which needs network.model = \"delay\"",
                     "at least 1"};
    }
    return std::nullopt;
}

MachineShape shape_of(const MachineConfiguration& configuration) {
    MachineShape shape{
        .mesh_extents = configuration.network.neighbour_extents(configuration.node_count()),
        .memory_bytes = configuration.memory.bytes.value(),
        .processor_mhz = configuration.clock.processor_mhz.value()};
    if (configuration.shares_memory) {
        shape.shared_bytes = configuration.coherence.shared_bytes.value();
        const memory::AddressMap map(configuration.coherence.home.value(), shape.shared_bytes,
                                     static_cast<std::int32_t>(configuration.node_count()));
        shape.shared_address_of = [map](hw::NodeId home, std::uint32_t offset) {
            return map.address_at(home, offset);
        };
        shape.shared_granule = static_cast<std::uint32_t>(map.granule());
        shape.is_shared_by_hash = map.is_hashed();
        shape.has_directories_in_software =
            configuration.coherence.protocol.value() == memory::Protocol::kSoftware;
    }
    return shape;
}

}  // namespace weir::nodes
