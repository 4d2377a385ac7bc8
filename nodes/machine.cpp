#include "nodes/machine.h"

#include <sstream>

#include "nodes/wait_cycle.h"

namespace weir::nodes {

Machine::Machine(const sc_core::sc_module_name& name, const MachineConfiguration& configuration,
                 std::uint64_t seed, hw::TraceSink* trace, bool trace_queue_levels)
    : sc_module(name),
      trace_(trace),
      domain_("clock", configuration.clock, seed),
      network_("network", domain_, configuration.network, messages_) {
    const std::int32_t count = network_.node_count();
    for (std::int32_t i = 0; i < count; ++i) {
        const hw::NodeId id(i);
        nodes_.push_back(std::make_unique<Node>(
            ("node_" + std::to_string(i)).c_str(), domain_, id, count, configuration.controller,
            configuration.memory, messages_, trace, trace_queue_levels));
        hw::MessageController& controller = nodes_.back()->controller;
        network_.interface(id).attach(controller.output_queue(), controller.input_queue(),
                                      [&controller](hw::Message& message, hw::Cycles now) {
                                          controller.header_arrived(message, now);
                                      });
    }
}

void Machine::load(const ProgramFactory& factory) {
    for (const auto& node : nodes_) {
        programs_.push_back(factory(node->core));
        ++threads_running_;
        node->core.load(*programs_.back(), [this] { --threads_running_; });
    }
}

void Machine::write_memory(hw::NodeId node, std::uint32_t address,
                           std::span<const std::uint8_t> data) {
    // TLM has one pointer for both directions; a write does not touch what it points to.
    move_memory(node, address, const_cast<std::uint8_t*>(data.data()), data.size(),
                tlm::TLM_WRITE_COMMAND);
}

void Machine::read_memory(hw::NodeId node, std::uint32_t address, std::span<std::uint8_t> data) {
    move_memory(node, address, data.data(), data.size(), tlm::TLM_READ_COMMAND);
}

void Machine::move_memory(hw::NodeId node, std::uint32_t address, std::uint8_t* data,
                          std::size_t bytes, tlm::tlm_command command) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(static_cast<unsigned>(bytes));
    if (this->node(node).core.bus_socket->transport_dbg(payload) != bytes) {
        std::ostringstream text;
        text << "node " << node << ": " << bytes << " bytes at address 0x" << std::hex << address
             << " lie outside its memory; accepted: memory.bytes large enough to hold the data";
        throw ProgramFault(text.str());
    }
}

RunEnd Machine::run(const RunLimits& limits) {
    constexpr hw::Cycles kSlice(4096);
    std::optional<RunEnd> end;
    hw::Cycles until(0);
    while (!end) {
        until = std::min(std::max(until, domain_.now()) + kSlice, limits.most_cycles);
        domain_.run_until(until);
        rethrow_fault();
        if (!domain_.has_wake_ups()) {
            end = how_it_ended();
        } else if (until >= limits.most_cycles) {
            end = RunEnd::kCycleLimit;
        } else if (until - domain_.last_progress() > limits.watchdog_cycles) {
            end = RunEnd::kNoProgress;
        } else if (!limits.proceed()) {
            end = RunEnd::kInterrupted;
        }
    }
    for (const auto& node : nodes_) {
        node->core.end_of_run(domain_.now());
        node->controller.end_of_run(domain_.now());
    }
    if (trace_ != nullptr) {
        messages_.for_each([this](const hw::Message& message) { trace_->message(message); });
    }
    return *end;
}

RunEnd Machine::how_it_ended() const {
    return threads_running_ == 0 && messages_.in_use() == 0 ? RunEnd::kFinished : RunEnd::kDeadlock;
}

void Machine::rethrow_fault() const {
    for (const auto& node : nodes_) {
        if (node->core.fault()) {
            std::rethrow_exception(node->core.fault());
        }
    }
}

std::string Machine::explain_waits() const {
    hw::WaitReport report;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = *nodes_[i];
        const auto& interface = network_.interface(hw::NodeId(static_cast<std::int32_t>(i)));
        node.controller.report_waits(report, interface.name(), node.core.name());
        interface.report_waits(report, node.controller.name() + std::string(".input"));
        node.core.report_waits(report);
    }
    network_.report_waits(report);
    return explain(report);
}

ConservationAccount Machine::account() const {
    ConservationAccount account;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        auto& controller = nodes_[i]->controller;
        const auto& interface = network_.interface(hw::NodeId(static_cast<std::int32_t>(i)));
        account.bytes_launched += controller.statistics().bytes_launched.value();
        account.messages_launched += controller.statistics().messages_launched.value();
        account.messages_disposed += controller.statistics().messages_disposed.value();
        account.bytes_in_output_queues += controller.bytes_to_send().count();
        account.bytes_into_input_queues += controller.input_queue().bytes_pushed();
        account.flits_injected += interface.statistics().flits_injected.value();
        account.bytes_injected += interface.statistics().bytes_injected.value();
        account.flits_ejected += interface.statistics().flits_ejected.value();
        account.bytes_ejected += interface.statistics().bytes_ejected.value();
    }
    account.flits_in_channels = network_.flits_in_flight().count();
    account.messages_held = static_cast<std::int64_t>(messages_.in_use());
    return account;
}

std::optional<std::string> ConservationAccount::fault(bool finished) const {
    std::ostringstream text;
    const auto differ = [&text](const char* what, std::int64_t in, std::int64_t out) {
        if (in != out) {
            text << what << ": " << in << " went in, " << out << " are accounted for; ";
        }
    };
    differ("bytes through the output queues", bytes_launched,
           bytes_injected + bytes_in_output_queues);
    differ("flits through the network", flits_injected, flits_ejected + flits_in_channels);
    differ("bytes into the input queues", bytes_ejected, bytes_into_input_queues);
    if (finished) {
        differ("messages", messages_launched, messages_disposed);
        differ("flits left in channels", 0, flits_in_channels);
        differ("messages left", 0, messages_held);
        differ("bytes through the network", bytes_injected, bytes_ejected);
    }
    std::string found = text.str();
    if (found.empty()) {
        return std::nullopt;
    }
    return "conservation is broken: " + found.substr(0, found.size() - 2);
}

std::vector<hw::PartStatistics> Machine::statistics() const {
    std::vector<hw::PartStatistics> statistics;
    for (const auto& node : nodes_) {
        statistics.push_back({node->controller.name(), &node->controller.statistics()});
        statistics.push_back({node->core.name(), &node->core.statistics()});
    }
    network_.add_statistics(statistics);
    return statistics;
}

}  // namespace weir::nodes
