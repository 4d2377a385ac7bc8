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

/// A packet that a node generates: when, for whom, how long.
struct GeneratedPacket {
    hw::Cycles cycle{0};
    std::int32_t destination = 0;
    hw::Flits flits{1};
    std::int64_t number = 0;  ///< in the recording that it is from
    bool operator==(const GeneratedPacket&) const = default;
};

/// One node's packets, in the order of time.
class PacketSource {
  public:
    PacketSource() = default;
    PacketSource(const PacketSource&) = delete;
    PacketSource& operator=(const PacketSource&) = delete;
    virtual ~PacketSource() = default;

    /// The next one, not before its last; nothing when there are no more.
    virtual std::optional<GeneratedPacket> next() = 0;
};

/// Packets of one length in random cycles to where the pattern says. In each cycle one begins with
/// the probability load / packet flits: so the gap to the next is geometric, and is drawn at once.
///
/// Bursty: a Markov chain of two states (Dally and Towles, Section 24.2.2). In the first, packets
/// begin with the probability burst load / packet flits; it ends in each cycle with the probability
/// 1 / burst cycles. In the other none do; it ends with the probability that makes the whole load.
/// The chain begins in its steady state.
class RandomPacketSource final : public PacketSource {
  public:
    /// The pattern must stay.
    RandomPacketSource(const TrafficParameters& parameters, const TrafficPattern& pattern,
                       hw::NodeId node, std::uint64_t seed);
    std::optional<GeneratedPacket> next() override;

  private:
    [[nodiscard]] hw::Cycles geometric(double probability);
    void begin_burst();

    const TrafficPattern& pattern_;
    std::int32_t node_;
    hw::Flits packet_flits_;
    double packet_probability_ = 0.0;    // in a cycle of a burst
    double burst_ends_ = 0.0;            // probability, in each cycle of one
    double burst_begins_ = 0.0;          // and in each cycle of silence
    hw::Cycles last_{-1};                // of those looked at
    hw::Cycles burst_end_ = hw::kNever;  // the first cycle of silence
    hw::RandomStream times_;
    hw::RandomStream destinations_;
};

/// What one of a network's copies gets of a node's packets, which take the copies in turn.
class DealtPacketSource final : public PacketSource {
  public:
    /// Of the packets of `all`, number `copy`, and from then on each `copies`-th.
    DealtPacketSource(std::unique_ptr<PacketSource> all, std::size_t copy, std::size_t copies)
        : all_(std::move(all)), to_others_(copy), copies_(copies) {}

    std::optional<GeneratedPacket> next() override;

  private:
    std::unique_ptr<PacketSource> all_;
    std::size_t to_others_;  // packets before the next one
    std::size_t copies_;
};

/// Packets from a list.
class RecordedPacketSource final : public PacketSource {
  public:
    /// In the order of time.
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
