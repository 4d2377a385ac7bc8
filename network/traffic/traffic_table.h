#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "hw/random_stream.h"
#include "hw/units.h"
#include "network/traffic/packet_source.h"

namespace weir::network {

/// Packets between two nodes: a line of a traffic table. In the cycles c with begin < c mod period
/// < end, a packet begins with a constant probability. The probability may differ in the cycle
/// after one in which the node began a packet.
struct TableRate {
    std::int32_t destination = 0;
    double rate = 0.0;               ///< packets per cycle (pir)
    double rate_after_packet = 0.0;  ///< packets per cycle after a cycle with a packet (por)
    std::int64_t begin = 0;          ///< last cycle before the packets (t_on)
    std::int64_t end = 0;            ///< first cycle after the packets (t_off)
    std::int64_t period = 0;         ///< cycles until the packets begin again (t_period)
    bool operator==(const TableRate&) const = default;
};

/// Reads a traffic table as Noxim does (GlobalTrafficTable), with one pair of nodes per line:
///
///     % source destination pir por t_on t_off t_period
///     0 63 0.02
///     12 5 0.1 0.5 100 200 1000
///
/// Numbers with blanks or commas between them. A % or # begins a comment; a first line of words is
/// a heading. Without pir a line has `default_rate`, without por its pir, without times all cycles.
/// Several lines may have the same pair; their packets add up.
///
/// Noxim takes its own values for numbers out of range, and aborts for t_off <= t_on or t_period <=
/// t_off. Here these are faults, and so are rates of a source that may sum to more than one packet
/// per cycle.
///
/// Returns the lines of each source. Throws TrafficFault with "file:line: what was found", and with
/// what is accepted.
[[nodiscard]] std::vector<std::vector<TableRate>> read_traffic_table(std::istream& file,
                                                                     const std::string& file_name,
                                                                     std::size_t node_count,
                                                                     double default_rate);

/// Packets of constant length from one source's lines of a traffic table. In each cycle at most one
/// packet begins, with the sum of the probabilities of the lines that are active in the cycle. Its
/// destination is that of a line drawn in proportion to them.
class TablePacketSource final : public PacketSource {
  public:
    TablePacketSource(std::vector<TableRate> rates, hw::Flits packet_flits, hw::NodeId node,
                      std::uint64_t seed);
    std::optional<GeneratedPacket> next() override;

  private:
    [[nodiscard]] double active_rate(std::int64_t cycle, bool is_after_packet) const;
    [[nodiscard]] std::int64_t next_change(std::int64_t cycle) const;
    [[nodiscard]] GeneratedPacket packet_in(std::int64_t cycle, bool is_after_packet);

    std::vector<TableRate> rates_;
    hw::Flits packet_flits_;
    std::int64_t next_cycle_ = 0;     // first cycle that has not been drawn
    bool has_packet_before_ = false;  // a packet begins in the cycle before next_cycle_
    hw::RandomStream times_;
    hw::RandomStream destinations_;
};

}  // namespace weir::network
