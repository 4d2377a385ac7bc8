#include "experiments/debug/stepping/machine_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "experiments/kinds/kernel/machine_state.h"
#include "hw/controller/protocol_port.h"
#include "memory/coherence/line_states.h"
#include "nodes/machine.h"

namespace weir::experiments::debug {

namespace {

using kinds::name_of;

constexpr std::size_t kLineBytes = memory::kSharedLineBytes.count();

struct NamedStage {
    std::string_view name;
    hw::Cycles hw::MessageTimes::*time;
};
constexpr std::array<NamedStage, 16> kStages{{
    {"first store to the output descriptor", &hw::MessageTimes::compose},
    {"launch", &hw::MessageTimes::launch},
    {"first flit leaves the output queue", &hw::MessageTimes::network_entry},
    {"last byte of the body read", &hw::MessageTimes::send_dma_end},
    {"last flit leaves the output queue", &hw::MessageTimes::tail_entry},
    {"first flit enters the input queue", &hw::MessageTimes::first_arrival},
    {"header in the input queue", &hw::MessageTimes::header_arrival},
    {"last flit enters the input queue", &hw::MessageTimes::tail_arrival},
    {"controller ready to interrupt", &hw::MessageTimes::notify},
    {"core enters the interrupt", &hw::MessageTimes::handler_begin},
    {"handler's code begins", &hw::MessageTimes::code_begin},
    {"receiving DMA set up", &hw::MessageTimes::receive_dma_begin},
    {"handler's code ends", &hw::MessageTimes::code_end},
    {"last byte of the body written", &hw::MessageTimes::receive_dma_end},
    {"message leaves the input queue", &hw::MessageTimes::dispose},
    {"core leaves the interrupt", &hw::MessageTimes::handler_end},
}};

// Message that holds the channel: that of its last flit, unless this flit is a tail.
std::optional<hw::MessageSlot> holder_of(const network::FlitChannel& channel) {
    if (channel.sent() == hw::Flits(0) || channel.last_sent().is_tail) {
        return std::nullopt;
    }
    return channel.last_sent().message;
}

std::string channel_line(const network::FlitChannel& channel, const hw::MessagePool& messages) {
    std::string line = fmt::format("{}: {} of {} flits", channel.name(), channel.held().count(),
                                   channel.places().count());
    if (channel.held() > hw::Flits(0)) {
        line += ", the first of " + name_of(messages[channel.front().message]);
    }
    if (const auto holder = holder_of(channel)) {
        line += ", held by " + name_of(messages[*holder]);
    }
    return line + channel.condition();
}

std::uint64_t line_of(std::uint64_t address) { return address - address % kLineBytes; }

std::string copies_text(nodes::Machine& machine, std::uint64_t line) {
    std::string text;
    for (std::int32_t i = 0; i < machine.node_count(); ++i) {
        memory::CoherenceController& node = *machine.node(hw::NodeId(i)).coherence();
        const memory::CacheState state = node.state_of(line);
        if (state != memory::CacheState::kInvalid) {
            text += fmt::format("  node {}: {}", i,
                                memory::name_of_line_state(memory::number_of(state)));
            if (const auto since = node.asked_since(line)) {
                text += fmt::format(", asked in cycle {}", since->count());
            }
            text += "\n";
        }
    }
    return text;
}

template <class Number>
std::string numbers_text(const std::vector<Number>& numbers) {
    return numbers.empty() ? "none" : fmt::format("{}", fmt::join(numbers, " "));
}

std::string nodes_text(const std::vector<hw::NodeId>& nodes) {
    std::vector<std::int32_t> numbers;
    std::transform(nodes.begin(), nodes.end(), std::back_inserter(numbers),
                   [](hw::NodeId node) { return node.index(); });
    return numbers_text(numbers);
}

std::string directory_text(const memory::CoherenceController& home, std::uint64_t line) {
    const auto& entries = home.directory().entries();
    const auto entry = entries.find(line);
    if (entry == entries.end()) {
        return "  not requested so far\n";
    }
    const memory::DirectoryEntry& found = entry->second;
    std::string text = fmt::format("  {}; pointers: {}; acknowledgements to come: {}\n",
                                   memory::name_of_line_state(memory::number_of(found.state)),
                                   nodes_text(found.pointers), found.acknowledgements);
    const memory::RefusedRequests& refused = home.directory().refused(line);
    if (!refused.are_none()) {
        text += fmt::format("  refused requests of nodes: {}; later ones: {}\n",
                            numbers_text(refused.first()), numbers_text(refused.second()));
    }
    return text;
}

std::string packets_text(nodes::Machine& machine, std::uint64_t line) {
    constexpr std::uint32_t kFullEmptyBits = (1U << hw::ProtocolPacket::kLineWords) - 1;
    std::vector<std::string> packets;
    machine.messages().for_each([&](const hw::Message& message) {
        if (message.is_of_protocol() && (message.words[1] & ~kFullEmptyBits) == line) {
            packets.push_back(
                fmt::format("  {}, for node {}\n", name_of(message), message.destination.index()));
        }
    });
    std::sort(packets.begin(), packets.end());
    return fmt::format("{}", fmt::join(packets, ""));
}

}  // namespace

std::vector<std::string> core_lines(nodes::Machine& machine, std::optional<hw::NodeId> node) {
    std::vector<std::string> lines;
    for (std::int32_t i = 0; i < machine.node_count(); ++i) {
        if (node.value_or(hw::NodeId(i)) != hw::NodeId(i)) {
            continue;
        }
        const nodes::Core& core = machine.node(hw::NodeId(i)).core;
        const nodes::Core::Activity activity = core.activity();
        lines.push_back(
            fmt::format("node {}: {} since cycle {}{}", i, hw::core_state_name(activity.state),
                        activity.since.count(),
                        activity.message.valid() ? ", " + hw::described(activity.message) : ""));
    }
    return lines;
}

std::vector<std::string> channel_lines(nodes::Machine& machine, const std::string& part) {
    std::vector<std::string> lines;
    for (const network::FlitChannel* channel : machine.network().all_channels()) {
        if ((channel->held() > hw::Flits(0) || holder_of(*channel)) &&
            channel->name().find(part) != std::string::npos) {
            lines.push_back(channel_line(*channel, machine.messages()));
        }
    }
    return lines;
}

std::string message_text(nodes::Machine& machine, hw::NodeId source, std::int64_t sequence) {
    std::string text;
    machine.messages().for_each([&](const hw::Message& message) {
        if (message.is_of_protocol() || message.id != hw::MessageId{source, sequence}) {
            return;
        }
        text = fmt::format("{}, for node {}: {} bytes, {} of them body\n", name_of(message),
                           message.destination.index(), message.bytes.count(),
                           message.body_bytes.count());
        for (const NamedStage& stage : kStages) {
            if (message.times.*stage.time <= machine.now()) {
                text += fmt::format("  {}: cycle {}\n", stage.name,
                                    (message.times.*stage.time).count());
            }
        }
    });
    return text;
}

bool has_shared_memory(nodes::Machine& machine) {
    return machine.node(hw::NodeId(0)).coherence() != nullptr;
}

bool is_shared(nodes::Machine& machine, std::uint64_t address) {
    return has_shared_memory(machine) &&
           machine.node(hw::NodeId(0)).coherence()->map().is_shared(address);
}

std::string shared_line_text(nodes::Machine& machine, std::uint32_t address) {
    const std::uint64_t line = line_of(address);
    const hw::NodeId home = machine.node(hw::NodeId(0)).coherence()->map().home_of(line);
    std::array<std::uint8_t, kLineBytes> bytes{};
    machine.shared_contents()->read(line, bytes);
    return fmt::format("line 0x{:08x}, home node {}\n", line, home.index()) +
           directory_text(*machine.node(home).coherence(), line) + copies_text(machine, line) +
           packets_text(machine, line) +
           fmt::format("  newest bytes: {:02x}\n", fmt::join(bytes, " "));
}

}  // namespace weir::experiments::debug
