#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "hw/units.h"
#include "network/traffic/packet_source.h"

namespace weir::network {

/// Packets from a text file, a line each:
///
///     # cycle, source, destination, bytes
///     0, 0, 63, 16
///     12, 5, 7, 256
///
/// Whole numbers with commas or blanks between them, cycles never falling. A # begins a comment; a
/// first line of words is a heading. `bytes` are on the wire, the header's included, and take as
/// many flits as they fill.
///
/// The packets of each node; `longest_packet` where the network's buffers must hold whole ones.
/// Throws TrafficFault "file:line: what was found", with what is accepted.
[[nodiscard]] std::vector<std::vector<GeneratedPacket>> read_traffic_trace(
    std::istream& file, const std::string& file_name, std::size_t node_count, hw::Bytes flit_bytes,
    std::optional<hw::Flits> longest_packet = std::nullopt);

}  // namespace weir::network
