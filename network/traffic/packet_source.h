#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hw/random_stream.h"
#include "hw/units.h"
#include "network/traffic/traffic_parameters.h"
#include "network/traffic/traffic_pattern.h"

namespace weir::network {

/// A packet that a node generates: cycle, destination and length.
struct GeneratedPacket {
    hw::Cycles cycle{0};
    std::int32_t destination = 0;
    hw::Flits flits{1};
    std::int64_t number = 0;  ///< number of the packet in its recording
    bool operator==(const GeneratedPacket&) const = default;
};

/// Packets of one node, in order of their cycles.
class PacketSource {
  public:
    PacketSource() = default;
    PacketSource(const PacketSource&) = delete;
    PacketSource& operator=(const PacketSource&) = delete;
    virtual ~PacketSource() = default;

    /// The next packet, not before the previous one; nullopt if no packet is left.
    virtual std::optional<GeneratedPacket> next() = 0;
};

/// Packets of constant length in random cycles, to the pattern's destinations. A packet begins in
/// each cycle with probability load / packet flits. So gaps are geometric, and are drawn directly.
///
/// Bursty traffic is a Markov chain of two states (Dally and Towles, Section 24.2.2). In a burst,
/// packets begin with probability burst load / packet flits; the burst ends in each cycle with
/// probability 1 / burst cycles. In silence no packets begin; silence ends in each cycle with the
/// probability that gives the mean load. The chain begins in its steady state.
class RandomPacketSource final : public PacketSource {
  public:
    /// `pattern` must outlive this object. Throws TrafficFault unless the parameters pass their
    /// check.
    RandomPacketSource(const TrafficParameters& parameters, const TrafficPattern& pattern,
                       hw::NodeId node, std::uint64_t seed);
    std::optional<GeneratedPacket> next() override;

  private:
    /// Events that occur in each cycle with a constant probability.
    struct Rate {
        double log_of_none = 0.0;  ///< logarithm of the probability that none occurs in a cycle
    };
    [[nodiscard]] static Rate rate_of(double probability);
    [[nodiscard]] hw::Cycles geometric(const Rate& rate);
    void begin_burst();

    const TrafficPattern& pattern_;
    std::int32_t node_;
    hw::Flits packet_flits_;
    Rate packets_;                       // packets that begin, in the cycles of a burst
    Rate burst_ends_;                    // ends of the burst, in its cycles
    Rate burst_begins_;                  // beginnings of a burst, in cycles of silence
    hw::Cycles last_{-1};                // cycle of the last packet drawn
    hw::Cycles burst_end_ = hw::kNever;  // first cycle of silence after the current burst
    hw::RandomStream times_;
    hw::RandomStream destinations_;
};

/// One copy's share of a node's packets, which take the copies of the network in turn.
class DealtPacketSource final : public PacketSource {
  public:
    /// Takes packet number `copy` of `all`, and from then on each `copies`-th.
    DealtPacketSource(std::unique_ptr<PacketSource> all, std::size_t copy, std::size_t copies)
        : all_(std::move(all)), to_others_(copy), copies_(copies) {}

    std::optional<GeneratedPacket> next() override;

  private:
    std::unique_ptr<PacketSource> all_;
    std::size_t to_others_;  // packets of `all_` to skip before this copy's next packet
    std::size_t copies_;
};

/// Packets from a list.
class RecordedPacketSource final : public PacketSource {
  public:
    /// The packets must be in order of their cycles.
    explicit RecordedPacketSource(std::vector<GeneratedPacket> packets)
        : packets_(std::move(packets)) {}

    std::optional<GeneratedPacket> next() override {
        return next_ < packets_.size() ? std::optional(packets_[next_++]) : std::nullopt;
    }

  private:
    std::vector<GeneratedPacket> packets_;
    std::size_t next_ = 0;
};

}  // namespace weir::network
