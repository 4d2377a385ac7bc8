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

/// Packets and their arrival cycles in another implementation of a network, for example a router's
/// RTL in a Verilog simulator. Read from a text file with one packet per line:
///
///     # cycle, source, destination, flits, arrived
///     0, 0, 1, 8, 10
///     64, 0, 2, 8, 75
///
/// `cycle` is the cycle of generation. `arrived` is the cycle in which the tail left the last
/// router, plus one. An optional sixth field (injected), the cycle in which the header left
/// the source's queue, is ignored. A source sends its packets in the order of the file, so cycles
/// of one source must not decrease. Comments and separators are those of traffic_trace.h.
struct PacketRecording {
    struct Arrival {
        std::int32_t source = 0;
        GeneratedPacket packet;
        hw::Cycles arrived{0};
    };
    std::vector<Arrival> packets;  ///< all packets, indexed by GeneratedPacket::number

    /// Packets of each source node, in the order of the file.
    [[nodiscard]] std::vector<std::vector<GeneratedPacket>> by_source(std::size_t nodes) const;
    /// Cycle in which the last packet was generated.
    [[nodiscard]] hw::Cycles last_cycle() const;
};

/// Reads a recording. `longest_packet`: greatest accepted length, for networks whose buffers must
/// hold whole packets. Throws TrafficFault with "file:line: what was found", and with what is
/// accepted.
[[nodiscard]] PacketRecording read_packet_recording(
    std::istream& file, const std::string& file_name, std::size_t node_count,
    std::optional<hw::Flits> longest_packet = std::nullopt);

}  // namespace weir::network
