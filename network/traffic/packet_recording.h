#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "hw/units.h"
#include "network/traffic/packet_source.h"

namespace weir::network {

/// Packets of another implementation of a network, such as a router's RTL in a Verilog simulator,
/// with the cycle in which each one arrived. A text file, a line each:
///
///     # cycle, source, destination, flits, arrived
///     0, 0, 1, 8, 10
///     64, 0, 2, 8, 75
///
/// `cycle` is when the packet was generated, `arrived` one more than the cycle in which its tail
/// left the last router. A sixth field, when its header left the source's queue (injected), is
/// passed over. A source sends its packets in the order of the file, in which its cycles never
/// fall. Otherwise as traffic_trace.h says.
struct PacketRecording {
    struct Arrival {
        std::int32_t source = 0;
        GeneratedPacket packet;
        hw::Cycles arrived{0};
    };
    std::vector<Arrival> packets;  ///< by GeneratedPacket::number

    /// The packets of each node.
    [[nodiscard]] std::vector<std::vector<GeneratedPacket>> by_source(std::size_t nodes) const;
    /// The cycle in which the last packet was generated.
    [[nodiscard]] hw::Cycles last_cycle() const;
};

/// `longest_packet` where the network's buffers must hold whole ones. Throws TrafficFault
/// "file:line: what was found", with what is accepted.
[[nodiscard]] PacketRecording read_packet_recording(
    std::istream& file, const std::string& file_name, std::size_t node_count,
    std::optional<hw::Flits> longest_packet = std::nullopt);

}  // namespace weir::network
