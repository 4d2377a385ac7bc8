#include "network/traffic/traffic_trace.h"

#include <fmt/format.h>

#include <cstdint>

#include "network/traffic/packet_lines.h"

namespace weir::network {

namespace {

constexpr std::size_t kFields = 4;
constexpr std::int64_t kMostBytes = 1'000'000'000;

}  // namespace

std::vector<std::vector<GeneratedPacket>> read_traffic_trace(
    std::istream& file, const std::string& file_name, std::size_t node_count, hw::Bytes flit_bytes,
    std::optional<hw::Flits> longest_packet) {
    std::vector<std::vector<GeneratedPacket>> packets(node_count);
    const auto last_node = static_cast<std::int64_t>(node_count) - 1;
    std::int64_t last_cycle = 0;
    bool has_packets = false;
    PacketLines line(file, file_name);
    while (line.next()) {
        if (line.field_count() != kFields) {
            throw line.fault_of_field_count("four: cycle, source, destination, bytes");
        }
        const std::int64_t cycle = line.number(0, "cycle", last_cycle, PacketLines::kLatestCycle);
        const std::int64_t source = line.number(1, "source", 0, last_node);
        const std::int64_t destination = line.number(2, "destination", 0, last_node);
        const std::int64_t bytes = line.number(3, "bytes", 1, kMostBytes);
        const hw::Flits flits = hw::flits_of(hw::Bytes(bytes), flit_bytes);
        if (longest_packet && flits > *longest_packet) {
            throw line.fault(
                fmt::format("a packet of {} bytes is {} flits, which never have room in a buffer "
                            "of {}",
                            bytes, flits.count(), longest_packet->count()),
                fmt::format("at most {} bytes, a larger network.buffer_flits, or "
                            "network.switching = \"wormhole\"",
                            longest_packet->count() * flit_bytes.count()));
        }
        last_cycle = cycle;
        has_packets = true;
        packets[source].push_back(
            {hw::Cycles(cycle), static_cast<std::int32_t>(destination), flits});
    }
    if (!has_packets) {
        throw TrafficFault("", file_name + ": has no packets",
                           "a line per packet: cycle, source, destination, bytes");
    }
    return packets;
}

}  // namespace weir::network
