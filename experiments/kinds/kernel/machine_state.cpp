#include "experiments/kinds/kernel/machine_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/controller/message_controller.h"
#include "memory/coherence/packet.h"
#include "nodes/machine.h"

namespace weir::experiments::kinds {

namespace {

constexpr std::size_t kMostListed = 100;  // largest number of lines in a list

// Last stage that a message had reached in this cycle.
std::string stage_of(const hw::Message& message, hw::Cycles now) {
    const hw::MessageTimes& times = message.times;
    const auto since = [&](hw::Cycles cycle) {
        return fmt::format(" since cycle {}", cycle.count());
    };
    if (times.handler_begin <= now) {
        return "in its handler" + since(times.handler_begin);
    }
    if (times.tail_arrival <= now) {
        return "in the input queue" + since(times.tail_arrival);
    }
    if (times.first_arrival <= now) {
        return "arriving" + since(times.first_arrival);
    }
    if (times.tail_entry <= now) {
        return "in the network" + since(times.tail_entry);
    }
    if (times.network_entry <= now) {
        return "entering the network" + since(times.network_entry);
    }
    if (times.launch <= now) {
        return "in the output queue" + since(times.launch);
    }
    return "being launched";
}

void add_queue(const std::string& name, std::int32_t node, hw::ByteQueue& queue,
               const hw::MessagePool& messages, hw::Cycles now, std::vector<std::string>& lines) {
    queue.settle(now);
    if (queue.messages().empty() && queue.held() == hw::Bytes(0)) {
        return;
    }
    std::string line = fmt::format("node {}, {}: {} of {} bytes", node, name, queue.held().count(),
                                   queue.capacity().count());
    for (std::size_t i = 0; i < queue.messages().size(); ++i) {
        line += ", " + name_of(messages[queue.messages()[i]]);
    }
    lines.push_back(std::move(line));
}

// The words of a packet of the coherence protocol (hw::ProtocolPacket).
std::string packet_name(const hw::Message& message) {
    constexpr std::uint32_t kFullEmptyBits = (1U << hw::ProtocolPacket::kLineWords) - 1;
    const auto packet = static_cast<memory::Packet>(WEIR_HEADER_OPERATION(message.words[0]) &
                                                    ~WEIR_PROTOCOL_OPERATION);
    return fmt::format("packet {} of node {} for line 0x{:08x}", memory::name_of(packet),
                       message.source.index(), message.words[1] & ~kFullEmptyBits);
}

}  // namespace

std::string name_of(const hw::Message& message) {
    return message.is_of_protocol() ? packet_name(message) : hw::described(message.id);
}

std::string list_text(const std::string& title, const std::vector<std::string>& lines) {
    std::string text = fmt::format("{}:{}\n", title, lines.empty() ? " none" : "");
    for (std::size_t i = 0; i < std::min(lines.size(), kMostListed); ++i) {
        text += "  " + lines[i] + "\n";
    }
    if (lines.size() > kMostListed) {
        text += fmt::format("  and {} more\n", lines.size() - kMostListed);
    }
    return text;
}

std::vector<std::string> queue_lines(nodes::Machine& machine, std::optional<hw::NodeId> node) {
    const hw::Cycles now = machine.now();
    std::vector<std::string> queues;
    for (std::int32_t i = 0; i < machine.node_count(); ++i) {
        auto* controller =
            dynamic_cast<hw::MessageController*>(&machine.node(hw::NodeId(i)).controller());
        if (controller != nullptr && node.value_or(hw::NodeId(i)) == hw::NodeId(i)) {
            add_queue("output", i, controller->output_queue(), machine.messages(), now, queues);
            add_queue("input", i, controller->input_queue(), machine.messages(), now, queues);
        }
    }
    return queues;
}

std::vector<std::string> message_lines(nodes::Machine& machine, std::optional<hw::NodeId> node) {
    std::vector<const hw::Message*> messages;
    machine.messages().for_each([&](const hw::Message& message) {
        if (!node || message.source == *node || message.destination == *node) {
            messages.push_back(&message);
        }
    });
    std::sort(messages.begin(), messages.end(),
              [](const auto* first, const auto* second) { return first->id < second->id; });
    std::vector<std::string> stages;
    stages.reserve(messages.size());
    for (const hw::Message* message : messages) {
        stages.push_back(fmt::format("{} to node {}: {}", name_of(*message),
                                     message->destination.index(),
                                     stage_of(*message, machine.now())));
    }
    return stages;
}

std::string state_text(nodes::Machine& machine) {
    std::string text = fmt::format(
        "Cycle {}: {} of {} threads have not ended\n\nWaiting parts: {}\n", machine.now().count(),
        machine.threads_running(), machine.node_count(), machine.explain_waits());
    while (text.ends_with("\n\n")) {
        text.pop_back();
    }
    return text + "\n" + list_text("Queues with messages", queue_lines(machine)) + "\n" +
           list_text("Messages on their way", message_lines(machine));
}

}  // namespace weir::experiments::kinds
