#include "network/traffic/packet_recording.h"

#include <fmt/format.h>

#include <algorithm>

#include "network/traffic/packet_lines.h"

namespace weir::network {

namespace {

constexpr std::size_t kLeastFields = 5;
constexpr std::size_t kMostFields = 6;
constexpr std::int64_t kLatestGeneration = PacketLines::kLatestCycle - 1;
constexpr std::int64_t kMostPacketFlits = 65'535;
constexpr const char* kAcceptedLine =
    "five: cycle, source, destination, flits, arrived; or six: also injected";

}  // namespace

std::vector<std::vector<GeneratedPacket>> PacketRecording::by_source(std::size_t nodes) const {
    std::vector<std::vector<GeneratedPacket>> all(nodes);
    for (const Arrival& arrival : packets) {
        all[arrival.source].push_back(arrival.packet);
    }
    return all;
}

hw::Cycles PacketRecording::last_cycle() const {
    hw::Cycles last(0);
    for (const Arrival& arrival : packets) {
        last = std::max(last, arrival.packet.cycle);
    }
    return last;
}

PacketRecording read_packet_recording(std::istream& file, const std::string& file_name,
                                      std::size_t node_count,
                                      std::optional<hw::Flits> longest_packet) {
    PacketRecording recording;
    std::vector<std::int64_t> last_cycles(node_count);
    const auto last_node = static_cast<std::int64_t>(node_count) - 1;
    PacketLines line(file, file_name);
    while (line.next()) {
        if (line.field_count() < kLeastFields || line.field_count() > kMostFields) {
            throw line.fault_of_field_count(kAcceptedLine);
        }
        const std::int64_t source = line.number(1, "source", 0, last_node);
        const std::int64_t cycle = line.number(0, "cycle", last_cycles[source], kLatestGeneration);
        const std::int64_t destination = line.number(2, "destination", 0, last_node);
        const hw::Flits flits(line.number(3, "flits", 1, kMostPacketFlits));
        if (longest_packet && flits > *longest_packet) {
            throw line.fault(
                fmt::format("a packet of {} flits does not fit into a buffer of {} flits",
                            flits.count(), longest_packet->count()),
                "a larger network.buffer_flits, or network.switching = \"wormhole\"");
        }
        const std::int64_t arrived = line.number(4, "arrived", cycle, PacketLines::kLatestCycle);
        if (line.field_count() == kMostFields) {
            static_cast<void>(line.number(5, "injected", cycle, arrived));
        }
        last_cycles[source] = cycle;
        recording.packets.push_back({static_cast<std::int32_t>(source),
                                     {hw::Cycles(cycle), static_cast<std::int32_t>(destination),
                                      flits, static_cast<std::int64_t>(recording.packets.size())},
                                     hw::Cycles(arrived)});
    }
    if (recording.packets.empty()) {
        throw TrafficFault("", file_name + ": has no packets",
                           "a line per packet: cycle, source, destination, flits, arrived");
    }
    return recording;
}

}  // namespace weir::network
