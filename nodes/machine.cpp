#include "nodes/machine.h"

#include <algorithm>
#include <utility>

#include "hw/refusal.h"
#include "hw/text_streams.h"
#include "memory/coherence/address_map.h"
#include "nodes/wait_cycle.h"

namespace weir::nodes {

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
        connect_shared_contents();
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

// Creates the observers of the coherence protocol that the trace's details ask for.
memory::CoherenceObservers Machine::make_observers(const MachineConfiguration& configuration,
                                                   const TracedDetails& details) {
    const auto count = static_cast<std::int32_t>(shape_.node_count());
    if (trace_ != nullptr) {
        std::vector<hw::TraceSink*> sinks;
        sinks.reserve(count);
        for (std::int32_t node = 0; node < count; ++node) {
            sinks.push_back(trace_of(clock_.tile_of(hw::NodeId(node), count)));
        }
        transactions_ =
            std::make_unique<memory::TransactionTrace>(hw::SinksOfNodes(sinks), clock_.count() > 1);
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
    if (clock_.count() == 1) {  // else another tile may change the memory meanwhile
        counting.read_shared = [this](std::uint32_t address, std::span<std::uint8_t> bytes) {
            const bool is_there = is_shared(address) && is_shared(address + bytes.size() - 1);
            if (is_there) {
                shared_contents_->read(address, bytes);
            }
            return is_there;
        };
    }
    for (const auto& node : nodes_) {
        ++threads_running_;
        node->sparcle_core().start(counting);
    }
}

void Machine::write_memory(hw::NodeId node, std::uint32_t address,
                           std::span<const std::uint8_t> data) {
    if (is_shared(address)) {
        require_shared(address, data.size());
        if (const auto refused = shared_contents_->write(address, data)) {
            throw ProgramFault("shared memory", *refused, "a write in another cycle");
        }
        return;
    }
    // TLM uses one pointer for both directions; a write does not change the data behind it.
    move_memory(node, address, const_cast<std::uint8_t*>(data.data()), data.size(),
                tlm::TLM_WRITE_COMMAND);
}

void Machine::read_memory(hw::NodeId node, std::uint32_t address, std::span<std::uint8_t> data) {
    if (is_shared(address)) {
        require_shared(address, data.size());
        shared_contents_->read(address, data);
        if (golden_) {
            golden_->check_load(node, now(), address, data);
        }
    } else {
        move_memory(node, address, data.data(), data.size(), tlm::TLM_READ_COMMAND);
    }
}

bool Machine::is_shared(std::uint32_t address) const {
    const memory::CoherenceController* coherence = nodes_.front()->coherence();
    return coherence != nullptr && coherence->map().is_shared(address);
}

void Machine::require_shared(std::uint32_t address, std::size_t bytes) const {
    const memory::AddressMap& map = nodes_.front()->coherence()->map();
    const std::uint64_t last = std::uint64_t{address} + bytes - 1;
    if (bytes > 0 && !map.is_shared(last)) {
        throw ProgramFault("shared memory",
                           "address " + std::to_string(last) + " lies outside shared memory",
                           "coherence.shared_bytes large enough to hold the data");
    }
}

void Machine::connect_shared_contents() {
    hw::PerNode<memory::CoherenceController*> controllers;
    for (const auto& node : nodes_) {
        controllers.push_back(node->coherence());
    }
    const auto private_bytes = static_cast<std::uint64_t>(shape_.memory_bytes.count());
    shared_contents_ = std::make_unique<memory::SharedContents>(
        std::move(controllers), messages(), golden_.get(),
        [this, private_bytes](hw::NodeId home, std::uint64_t offset, std::span<std::uint8_t> bytes,
                              bool is_write) {
            move_memory(home, static_cast<std::uint32_t>(private_bytes + offset), bytes.data(),
                        bytes.size(), is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        });
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
    try {
        if (limits.stops != nullptr) {
            limits.stops->run_begins(*this);
        }
        const RunEnd end = run_to_end(limits);
        if (limits.stops != nullptr && end != RunEnd::kInterrupted) {
            limits.stops->run_ended(*this, end);
        }
        end_run();
        return end;
    } catch (const std::exception& fault) {
        if (limits.stops != nullptr) {
            limits.stops->run_failed(*this, fault.what());
        }
        throw;
    }
}

RunEnd Machine::run_to_end(const RunLimits& limits) {
    std::optional<RunEnd> end;
    hw::Cycles until(0);
    if (!starvation_ && starvation_limit_ && starvation_limit_->accesses > 0) {
        starvation_.emplace(nodes_, *starvation_limit_);
    }
    while (!end) {
        const std::optional<hw::Cycles> through = run_slice(std::max(until, clock_.now()), limits);
        if (!through) {
            return RunEnd::kInterrupted;
        }
        until = *through;
        if (!clock_.has_wake_ups()) {
            end = how_it_ended();
        } else if (until >= limits.most_cycles) {
            end = RunEnd::kCycleLimit;
        } else if (lacks_progress(until, limits.watchdog_cycles)) {
            end = RunEnd::kNoProgress;
        } else if (starves(until)) {
            end = RunEnd::kStarved;
        } else if (!limits.proceed() || !stop(until, limits.stops)) {
            end = RunEnd::kInterrupted;
        }
        if (!end && channel_sampler_ && until == channel_sampler_->last_cycle()) {
            channel_sampler_->end_interval(until);
        }
    }
    // The run ends in the limit's cycle, not in the last cycle in which a part was awake.
    if (end == RunEnd::kCycleLimit || end == RunEnd::kNoProgress || end == RunEnd::kStarved) {
        clock_.pass_until(until);
    }
    return *end;
}

// Last cycle of the slice that begins after `begin`. The run's end is looked for between slices.
hw::Cycles Machine::end_of_slice(hw::Cycles begin, const RunLimits& limits) const {
    constexpr hw::Cycles kSlice(4096);
    hw::Cycles until =
        std::min({begin + kSlice, limits.most_cycles, failures_.next() - hw::Cycles(1)});
    if (channel_sampler_) {
        until = std::min(until, channel_sampler_->last_cycle());
    }
    if (starvation_) {
        until = std::min(until, starvation_->next_look());
    }
    return until;
}

// Runs a slice, and stops within it where the observer asks for it; slices end in the same cycles
// as without an observer. Returns the slice's last cycle, or nullopt if the observer ends the run.
std::optional<hw::Cycles> Machine::run_slice(hw::Cycles begin, const RunLimits& limits) {
    failures_.fail_by(begin + hw::Cycles(1));
    for (;;) {
        // A stop may change later failures (renew_faults).
        const hw::Cycles until = end_of_slice(begin, limits);
        const hw::Cycles next =
            limits.stops == nullptr ? until : std::min(until, limits.stops->next_stop());
        clock_.run_until(next);
        rethrow_fault();
        if (next == until || !clock_.has_wake_ups()) {
            return until;
        }
        if (!stop(next, limits.stops)) {
            return std::nullopt;
        }
    }
}

void Machine::renew_faults(const network::FaultParameters& faults) {
    failures_ = {};
    add_failures(faults);
    failures_.forget_through(now());
    network_->renew_faults_after(now());
}

// Stops after the ticks of `cycle`; some part must have a wake-up in a later cycle.
bool Machine::stop(hw::Cycles cycle, RunStops* stops) {
    if (stops == nullptr) {
        return true;
    }
    clock_.pass_until(cycle);
    return stops->stopped(*this);
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
        // Passes on the records that the nodes' end_of_run() has added.
        hw::TileTrace::tell_all(tile_traces_, *trace_);
        messages().for_each([this](const hw::Message& message) {
            if (!message.is_of_protocol()) {  // packets of the protocol are not reported as
                                              // messages
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
                // The program's fault: it has started the engine.
                throw ProgramFault(fault.fault());
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
