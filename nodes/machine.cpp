#include "nodes/machine.h"

#include <algorithm>
#include <array>
#include <map>
#include <type_traits>
#include <utility>
#include <variant>

#include "hw/refusal.h"
#include "hw/text_streams.h"
#include "memory/coherence/address_map.h"
#include "nodes/wait_cycle.h"

namespace weir::nodes {

namespace {

// Whether the dimensions say how many nodes there are; of a graph the file does.
bool is_of_dimensions(const network::NetworkParameters& parameters) {
    return parameters.topology.value()->reads(parameters.dimensions.name());
}

constexpr const char* kNeedsOrder =
    "; the protocol of shared memory needs packets between two nodes to stay in order";

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
    const bool can_be =
        !network.barrier.value() && network::runs_in_tiles(network, faults, routes_plain_meshes);
    if (!can_be) {
        return 1;
    }
    const std::int64_t asked = network.tiles.value();
    const std::int64_t count = asked > 0 ? asked : nodes >= kLarge ? host_cores : 1;
    return static_cast<std::size_t>(std::min(count, nodes));
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
    const bool is_adaptive = network.routing.value() == network::RoutingKind::kMinimalAdaptive;
    if (is_adaptive && network.vc_reallocation.is_given()) {
        return Fault{"network.vc_reallocation", what,
                     "\"tail_credit\", \"whole_message\", or "
                     "network.allow_deadlock = true, which runs it"};
    }
    return Fault{"network.virtual_channels", what,
                 "network.virtual_channels = 0, another network.routing, or "
                 "network.allow_deadlock = true, which runs it"};
}

// By the channels that messages between two nodes may take.
std::optional<MachineConfiguration::Fault> MachineConfiguration::order_fault() const {
    if (!shares_memory || deadlock_proof()->keeps_order) {
        return std::nullopt;
    }
    return Fault{"network.virtual_channels",
                 std::string("packets between two nodes may take different channels") + kNeedsOrder,
                 "network.virtual_channels = 0, another network.topology, and of a torus no "
                 "\"balanced\" network.ring_classes and no \"lot\" of network.ring_ties"};
}

// The delay network's distances, and so the hops in the trace, are those of a mesh.
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

// What shared memory needs of the rest of the machine: a cache for the lines, and a network that
// keeps the order of the packets between two nodes.
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
    if (network.routing.value() == network::RoutingKind::kMinimalAdaptive) {
        return Fault{"network.routing", "network.routing is \"minimal_adaptive\"" + order,
                     "another network.routing"};
    }
    for (const hw::ParameterBase* loss : std::initializer_list<const hw::ParameterBase*>{
             &faults.lost_flits, &faults.flipped_flits, &faults.lost_flits_per_million,
             &faults.flipped_flits_per_million}) {
        if (loss->is_given()) {
            return Fault{
                "faults." + loss->name(),
                "faults." + loss->name() +
                    " may lose packets of the coherence protocol, which nobody sends again",
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
        return Fault{"memory.caches", "memory.caches is 0, but shared lines need a cache to be in",
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
                     "a line that only one node has is written back", "\"write_back\""};
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
                     "core.receive_mode is \"protocol_processor\", which only behavioural cores "
                     "have beside them",
                     R"("interrupt" or "polling", or core.kind = "behavioural")"};
    }
    if (auto fault = caches.check(static_cast<std::size_t>(memory.caches.value()),
                                  memory.instruction_cache.value())) {
        return fault;
    }
    for (const auto* cost : {&memory.load_cycles, &memory.store_cycles}) {
        if (memory.caches.value() > 0 && cost->value() < hw::Cycles(1)) {
            const std::string key = "memory." + cost->name();
            return Fault{key, key + " is 0, which only a machine without caches can do",
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
                                 ", which only network.model = \"delay\" can do",
                             "at least 2"};
            }
        }
    }
    if (network.model.value() == network::NetworkModel::kLogp &&
        controller.launch_cycles.value() < hw::Cycles(1)) {
        return Fault{"controller.launch_cycles",
                     "controller.launch_cycles is 0, which only network.model = \"delay\" can do",
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

Machine::Machine(const sc_core::sc_module_name& name, const MachineConfiguration& configuration,
                 std::uint64_t seed, hw::TraceSink* trace, const TracedDetails& details)
    : sc_module(name),
      shape_(shape_of(configuration)),
      trace_(trace),
      clock_(configuration.clock, seed, configuration.tiles()) {
    make_tiles();
    if (const auto fault = configuration.delay_fault()) {
        throw MachineFault(*fault);
    }
    network_ = network::make_network(configuration.network,
                                     {clock_, messages(), configuration.node_count(),
                                      configuration.controller.launch_cycles.value(), seed,
                                      configuration.faults, configuration.routes_plain_meshes});
    const auto count = static_cast<std::int32_t>(configuration.node_count());
    if (configuration.network.barrier.value()) {
        barrier_ = std::make_unique<hw::BarrierNetwork>(
            "barrier", domain(), configuration.network.barrier_cycles.value(),
            configuration.controller, count);
    }
    if (configuration.shares_memory && configuration.coherence.check_loads.value()) {
        golden_ = std::make_unique<memory::GoldenMemory>();
    }
    memory::CoherenceObservers observers;
    if (configuration.shares_memory) {
        observers = make_observers(configuration, details);
    }
    for (std::int32_t i = 0; i < count; ++i) {
        const std::size_t tile = clock_.tile_of(hw::NodeId(i), count);
        hw::ClockDomain& domain = clock_.domain(tile);
        hw::TraceSink* const told = trace_of(tile);
        observers.accesses = details.shared_accesses ? told : nullptr;
        nodes_.push_back(std::make_unique<Node>(
            ("node_" + std::to_string(i)).c_str(), domain, hw::NodeId(i), count,
            [&](hw::NodeId node) {
                return network_->make_controller({domain,
                                                  messages_[tile],
                                                  node,
                                                  count,
                                                  configuration.controller,
                                                  configuration.dma,
                                                  {told, details.queue_levels ? told : nullptr}});
            },
            Node::Parameters{configuration.core, configuration.sparcle, configuration.memory,
                             configuration.caches, configuration.memory_port, seed,
                             barrier_ != nullptr,
                             configuration.shares_memory ? &configuration.coherence : nullptr,
                             golden_.get(), observers},
            messages_[tile], told));
        if (barrier_) {
            nodes_.back()->bus.barrier_socket->bind(barrier_->node_socket);
        }
    }
    if (configuration.shares_memory) {
        has_directory_software_ = has_directory_software(configuration);
        starvation_limit_ = nodes::starvation_limit(configuration);
    }
    add_failures(configuration.faults);
    if (trace != nullptr && details.channel_interval > hw::Cycles(0)) {
        channel_sampler_.emplace(*network_, details.channel_interval, *trace);
    }
}

void Machine::make_tiles() {
    messages_.emplace_back();
    for (std::size_t tile = 1; tile < clock_.count(); ++tile) {
        messages_.emplace_back(messages_.front());
    }
    if (trace_ == nullptr || clock_.count() == 1) {
        return;
    }
    for (std::size_t tile = 0; tile < clock_.count(); ++tile) {
        tile_traces_.push_back(std::make_unique<hw::TileTrace>(clock_.domain(tile)));
    }
    clock_.at_pauses([this] { hw::TileTrace::tell_all(tile_traces_, *trace_); });
}

// Whoever looks on at the coherence protocol.
memory::CoherenceObservers Machine::make_observers(const MachineConfiguration& configuration,
                                                   const TracedDetails& details) {
    const auto count = static_cast<std::int32_t>(shape_.node_count());
    if (trace_ != nullptr) {
        std::vector<hw::TraceSink*> sinks;
        sinks.reserve(static_cast<std::size_t>(count));
        for (std::int32_t node = 0; node < count; ++node) {
            sinks.push_back(trace_of(clock_.tile_of(hw::NodeId(node), count)));
        }
        transactions_ = std::make_unique<memory::TransactionTrace>(hw::SinksOfNodes(sinks));
        if (details.line_states) {
            lines_ = std::make_unique<memory::LineStates>(hw::SinksOfNodes(sinks));
        }
    }
    if (configuration.coherence.classify_misses.value()) {
        misses_ = std::make_unique<memory::MissClasses>(
            count, configuration.caches.levels.front().lines());
    }
    return {transactions_.get(), misses_.get(), lines_.get(), nullptr};
}

void Machine::add_failures(const network::FaultParameters& faults) {
    network_->add_failures(failures_);
    for (const network::ListedFault& failing :
         network::FaultParameters::entries(faults.failing_nodes)) {
        const hw::NodeId node(std::stoi(failing.place));
        failures_.add(failing.cycle, [this, node](hw::Cycles now) { fail_node(node, now); });
    }
}

void Machine::fail_node(hw::NodeId node, hw::Cycles now) {
    Core& core = this->node(node).core;
    threads_running_ -= core.has_halted() || core.thread_done() ? 0 : 1;
    core.halt();
    network_->fail_end(node, now);
}

void Machine::load(const ProgramFactory& factory) {
    for (const auto& node : nodes_) {
        BehaviouralCore& core = node->behavioural_core();
        programs_.push_back(factory(core));
        ++threads_running_;
        core.load(*programs_.back(), [this] { --threads_running_; });
    }
    if (has_directory_software_) {
        starvation_limit_->add(programs_.front()->coherence_trap_work());
    }
}

void Machine::start_programs(const sparcle::SparcleCore::Host& host) {
    sparcle::SparcleCore::Host counting = host;
    counting.exited = [this, exited = host.exited](hw::NodeId node, std::uint32_t status) {
        --threads_running_;
        const std::lock_guard one_tile(host_access_);
        exited(node, status);
    };
    counting.console = [this, console = host.console](hw::NodeId node, char character) {
        const std::lock_guard one_tile(host_access_);
        console(node, character);
    };
    for (const auto& node : nodes_) {
        ++threads_running_;
        node->sparcle_core().start(counting);
    }
}

void Machine::write_memory(hw::NodeId node, std::uint32_t address,
                           std::span<const std::uint8_t> data) {
    // TLM has one pointer for both directions; a write does not touch what it points to.
    auto* const bytes = const_cast<std::uint8_t*>(data.data());
    if (is_shared(address)) {
        move_shared(address, {bytes, data.size()}, true);
    } else {
        move_memory(node, address, bytes, data.size(), tlm::TLM_WRITE_COMMAND);
    }
}

void Machine::read_memory(hw::NodeId node, std::uint32_t address, std::span<std::uint8_t> data) {
    if (is_shared(address)) {
        move_shared(address, data, false);
    } else {
        move_memory(node, address, data.data(), data.size(), tlm::TLM_READ_COMMAND);
    }
}

bool Machine::is_shared(std::uint32_t address) const {
    const memory::CoherenceController* coherence = nodes_.front()->coherence();
    return coherence != nullptr && coherence->map().is_shared(address);
}

void Machine::move_shared(std::uint32_t address, std::span<std::uint8_t> data, bool is_write) {
    constexpr std::uint32_t kLine = memory::kSharedLineBytes.count();
    const memory::AddressMap& map = nodes_.front()->coherence()->map();
    while (!data.empty()) {
        const std::uint32_t in_line = address % kLine;
        const std::size_t length = std::min(data.size(), std::size_t{kLine - in_line});
        if (!map.is_shared(address)) {
            throw ProgramFault("shared memory",
                               "address " + std::to_string(address) + " lies outside it",
                               "coherence.shared_bytes large enough to hold the data");
        }
        if (is_write && golden_) {
            golden_->store(address, data.first(length));
        }
        std::array<std::uint8_t, kLine> newest{};
        const bool is_cached = std::any_of(nodes_.begin(), nodes_.end(), [&](const auto& node) {
            return node->coherence()->has_newest(address - in_line, newest);
        });
        sc_assert(!(is_cached && is_write));  // before the run nobody has copies
        if (is_cached) {
            std::copy_n(newest.begin() + in_line, length, data.begin());
        } else {
            const auto of_home = static_cast<std::uint32_t>(
                static_cast<std::uint64_t>(shape_.memory_bytes.count()) + map.offset_of(address));
            move_memory(map.home_of(address), of_home, data.data(), length,
                        is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        }
        data = data.subspan(length);
        address += static_cast<std::uint32_t>(length);
    }
}

void Machine::move_memory(hw::NodeId node, std::uint32_t address, std::uint8_t* data,
                          std::size_t bytes, tlm::tlm_command command) {
    require_node(node, node_count(), {});
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(static_cast<unsigned>(bytes));
    if (this->node(node).core.bus_socket->transport_dbg(payload) != bytes) {
        hw::TextWriter found;
        found << bytes << " bytes at address 0x" << std::hex << address
              << " lie outside its memory";
        throw ProgramFault("node " + std::to_string(node.index()), found.str(),
                           "memory.bytes large enough to hold the data");
    }
    if (command == tlm::TLM_WRITE_COMMAND) {
        this->node(node).core.note_written(address, bytes);
    }
}

RunEnd Machine::run(const RunLimits& limits) {
    constexpr hw::Cycles kSlice(4096);
    std::optional<RunEnd> end;
    hw::Cycles until(0);
    if (!starvation_ && starvation_limit_ && starvation_limit_->accesses > 0) {
        starvation_.emplace(nodes_, *starvation_limit_);
    }
    while (!end) {
        until = std::max(until, clock_.now());
        failures_.fail_by(until + hw::Cycles(1));
        until = std::min({until + kSlice, limits.most_cycles, failures_.next() - hw::Cycles(1)});
        if (channel_sampler_) {
            until = std::min(until, channel_sampler_->last_cycle());
        }
        if (starvation_) {
            until = std::min(until, starvation_->next_look());
        }
        clock_.run_until(until);
        rethrow_fault();
        if (!clock_.has_wake_ups()) {
            end = how_it_ended();
        } else if (until >= limits.most_cycles) {
            end = RunEnd::kCycleLimit;
        } else if (lacks_progress(until, limits.watchdog_cycles)) {
            end = RunEnd::kNoProgress;
        } else if (starves(until)) {
            end = RunEnd::kStarved;
        } else if (!limits.proceed()) {
            end = RunEnd::kInterrupted;
        }
        if (!end && channel_sampler_ && until == channel_sampler_->last_cycle()) {
            channel_sampler_->end_interval(until);
        }
    }
    // The limit's cycle, not the last one in which a part was awake.
    if (end == RunEnd::kCycleLimit || end == RunEnd::kNoProgress || end == RunEnd::kStarved) {
        clock_.pass_until(until);
    }
    end_run();
    return *end;
}

void Machine::end_run() {
    if (channel_sampler_) {
        channel_sampler_->end_interval(clock_.now());
    }
    network_->end_of_run(clock_.now());
    for (const auto& node : nodes_) {
        node->core.end_of_run(clock_.now());
        node->controller().end_of_run(clock_.now());
    }
    if (transactions_) {
        transactions_->end_of_run();
    }
    if (misses_) {
        misses_->end_of_run();
    }
    if (trace_ != nullptr) {
        hw::TileTrace::tell_all(tile_traces_, *trace_);  // what the nodes' ends have brought
        messages().for_each([this](const hw::Message& message) {
            if (!message.is_of_protocol()) {  // packets are no messages, on their way either
                trace_->message(message);
            }
        });
        trace_->intervals_end(clock_.now() + hw::Cycles(1));
    }
}

bool Machine::lacks_progress(hw::Cycles until, hw::Cycles watchdog) {
    if (until - clock_.last_progress() <= watchdog) {
        return false;
    }
    for (const auto& node : nodes_) {
        node->core.note_progress_ahead();
    }
    return until - clock_.last_progress() > watchdog;
}

bool Machine::starves(hw::Cycles until) {
    if (!starvation_ || until < starvation_->next_look()) {
        return false;
    }
    for (const auto& node : nodes_) {
        node->core.note_progress_ahead();
    }
    return starvation_->look(until, clock_.last_progress());
}

RunEnd Machine::how_it_ended() const {
    const network::FaultLog* faults = network_->fault_log();
    const std::int64_t lost = faults == nullptr ? 0 : faults->statistics().messages_lost.value();
    const bool is_all_handled = static_cast<std::int64_t>(messages_.front().in_use()) == lost;
    return threads_running_ == 0 && is_all_handled ? RunEnd::kFinished : RunEnd::kDeadlock;
}

void Machine::rethrow_fault() const {
    for (const auto& node : nodes_) {
        if (node->coherence() != nullptr && node->coherence()->fault()) {
            try {
                std::rethrow_exception(node->coherence()->fault());
            } catch (const memory::DmaFault& fault) {
                throw ProgramFault(fault.fault());  // the program has started the engine
            }
        }
        if (node->core.fault()) {
            std::rethrow_exception(node->core.fault());
        }
    }
    if (const auto fault = network_->fault()) {
        throw MachineFault(*fault);
    }
}

std::string Machine::explain_waits() const {
    hw::WaitReport report;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = *nodes_[i];
        const std::string interface_name =
            network_->report_end_waits(hw::NodeId(static_cast<std::int32_t>(i)),
                                       node.controller().name() + std::string(".input"), report);
        node.controller().report_waits(report, interface_name, node.core.name());
        if (!node.core.has_halted()) {
            node.core.report_waits(report);
        }
    }
    network_->report_waits(report, [this](hw::NodeId node) { return core_name(node); });
    if (barrier_) {
        barrier_->report_waits(report, [this](hw::NodeId node) { return core_name(node); });
    }
    const network::Routing* routing = network_->routing();
    const std::string waits = routing != nullptr ? explain(report, *routing) : explain(report);
    const std::string faults = faults_so_far();
    return faults.empty() ? waits : faults + "; " + waits;
}

std::string Machine::explain_starvation() const {
    const std::string faults = faults_so_far();
    return (faults.empty() ? "" : faults + "; ") + starvation_->text() +
           (starvation_->has_unanswered() ? explain_waits() : "");
}

std::string Machine::faults_so_far() const {
    const network::FaultLog* log = network_->fault_log();
    const std::string text = log == nullptr ? "" : log->text();
    return text.empty() ? "" : "faults of the hardware: " + text;
}

hw::ConservationAccount Machine::account() const {
    hw::ConservationAccount account;
    for (const auto& node : nodes_) {
        node->controller().add_to(account);
    }
    network_->add_to(account);
    account.messages_held = static_cast<std::int64_t>(messages_.front().in_use());
    return account;
}

std::vector<hw::PartStatistics> Machine::statistics() const {
    std::vector<hw::PartStatistics> statistics;
    for (const auto& node : nodes_) {
        node->add_statistics(statistics);
    }
    network_->add_statistics(statistics);
    if (barrier_) {
        statistics.push_back({barrier_->name(), &barrier_->statistics()});
    }
    return statistics;
}

}  // namespace weir::nodes
