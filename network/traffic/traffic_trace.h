#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "hw/units.h"
#include "network/traffic/packet_source.h"

namespace weir::network {

/// Reads packets from a text file, one per line:
///
///     # cycle, source, destination, bytes
///     0, 0, 63, 16
///     12, 5, 7, 256
///
/// Whole numbers with commas or blanks between them, cycles in ascending order. A # begins a
/// comment; a first line of words is a heading. `bytes` is the packet's size on the wire, header
/// included; it is rounded up to whole flits.
///
/// Returns the packets of each node. `longest_packet` limits their length, if the network's buffers
/// must hold whole packets. Throws TrafficFault with "file:line: what was found", and with what is
/// accepted.
[[nodiscard]] std::vector<std::vector<GeneratedPacket>> read_traffic_trace(
    std::istream& file, const std::string& file_name, std::size_t node_count, hw::Bytes flit_bytes,
    std::optional<hw::Flits> longest_packet = std::nullopt);

}  // namespace weir::network
