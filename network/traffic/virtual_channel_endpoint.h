#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/queues/fifo.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/fabric/message_lots.h"
#include "network/traffic/packet_source.h"
#include "network/traffic/traffic_record.h"
#include "network/virtual_channels/future_cycles.h"
#include "network/virtual_channels/virtual_channel_end.h"
#include "network/virtual_channels/virtual_channel_routers.h"

namespace weir::network {

/// A node of open-loop traffic in a network of VirtualChannelRouters: a source with an unbounded
/// queue, and a sink. All events have the same cycles as with TrafficEndpoint, which moves flits
/// one by one.
///
/// The oldest begun packet comes first while it has credits, so all flits with credits are sent in
/// one call. Arriving flits are always taken, so they are taken ahead, when the router sends them.
/// These events keep a tick in their own cycle: a packet's generation, the first flit of a run, and
/// the arrival of a tail.
class VirtualChannelEndpoint final : public sc_core::sc_module,
                                     public hw::ClockedPart,
                                     public VirtualChannelEnd {
  public:
    struct Rules {
        bool interleave_packets = true;
        bool await_tail_credit = false;
    };

    /// Connects the pairs of virtual channels to this part. References must outlive this object.
    VirtualChannelEndpoint(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                           hw::NodeId node, VirtualChannelRouters& routers,
                           const std::vector<VirtualChannelRouters::InterfaceChannels>& vcs,
                           const Rules& rules, MessageLots lots,
                           std::unique_ptr<PacketSource> source, PacketTable& packets,
                           TrafficRecord& record);

    void tick(hw::Cycles now) override;

    /// Adds a packet after the source's last one; to be called between cycles, before the packet's
    /// cycle.
    void offer(const GeneratedPacket& packet);

    /// Number of packets that wait to be sent.
    [[nodiscard]] std::size_t queued() const { return queue_.size(); }
    void report_waits(hw::WaitReport& report) const;
    /// Flits sent in cycles after `now`, minus flits taken in cycles after `now`.
    [[nodiscard]] std::int64_t ahead(hw::Cycles now) const;

    // Functions for the routers.
    void flits_left(std::size_t vc, std::int64_t count, hw::Cycles credit, hw::Cycles now) override;
    void flits_recalled(std::size_t vc, std::int64_t count, hw::Cycles credit,
                        hw::Cycles now) override;
    void flit_comes(std::size_t vc, hw::MessageSlot message, hw::Cycles arrival,
                    hw::Cycles now) override;
    [[nodiscard]] bool can_take_ahead(std::size_t vc, hw::MessageSlot message, std::int64_t count,
                                      hw::Cycles now) override;
    void take_ahead(std::size_t vc, std::int64_t count, hw::Cycles arrival,
                    hw::Cycles now) override;
    void flits_do_not_come(std::size_t vc, std::int64_t count) override;
    [[nodiscard]] std::int64_t sent_ahead(std::size_t vc, hw::Cycles now) const override;
    [[nodiscard]] std::int64_t taken_ahead(std::size_t vc, hw::Cycles now) const override;

  private:
    // Flits that are taken one per cycle.
    struct Run {
        hw::Cycles first;
        std::int64_t count;
        [[nodiscard]] hw::Cycles end() const { return first + hw::Cycles(count); }
    };
    struct VirtualChannel {
        VirtualChannelRouters::InterfaceChannels numbers;
        hw::MessageSlot packet = 0;
        std::int64_t left = 0;  // flits of the packet not yet sent; 0 if the channel is free
        bool awaits_credit = false;
        FutureCycles future_credits;   // cycles in which credits return
        hw::MessageSlot arriving = 0;  // packet whose flits arrive
        std::int64_t taken = 0;        // flits taken of it; 0 between packets
        hw::Fifo<Run> runs;            // latest flits taken, the last ones perhaps ahead
    };
    struct Arrival {
        hw::Cycles cycle;
        hw::MessageSlot packet;
    };

    void note_arrivals(hw::Cycles now);
    void generate(hw::Cycles now);
    [[nodiscard]] std::int64_t credits_of(const VirtualChannel& vc, hw::Cycles now) const {
        return routers_.room_of(vc.numbers.injection) - vc.future_credits.count_after(now);
    }
    [[nodiscard]] bool may_begin(hw::Cycles now) const {
        return !queue_.empty() && record_.is_open(now) &&
               (rules_.interleave_packets || begun_.empty());
    }
    [[nodiscard]] bool can_begin_on(const VirtualChannel& vc, hw::Cycles now) const;
    [[nodiscard]] bool send(hw::Cycles now);
    [[nodiscard]] bool begin_packet(hw::Cycles now);
    void send_run(std::size_t number, std::int64_t count, bool is_first, hw::Cycles now);
    void expect_credits(hw::Cycles now);
    // Faults of the network: a packet with too many flits, and one that arrives at a wrong node.
    [[gnu::cold, gnu::noinline]] void note_surplus(const Packet& packet);
    [[gnu::cold, gnu::noinline]] void note_stray(const Packet& packet);

    std::int32_t node_;
    VirtualChannelRouters& routers_;
    Rules rules_;
    MessageLots lots_;
    std::vector<VirtualChannel> vcs_;
    std::vector<std::size_t> begun_;  // virtual channels of begun packets, oldest packet first
    std::size_t next_injection_ = 0;  // virtual channel at which the search for a free one begins
    std::size_t sent_vc_ = 0;         // virtual channel of the last run sent
    hw::Cycles last_sent_{-1};
    std::vector<Arrival> arrivals_;  // tails that were taken and have not been recorded
    std::unique_ptr<PacketSource> source_;
    std::optional<GeneratedPacket> next_packet_;
    std::deque<GeneratedPacket> queue_;
    PacketTable& packets_;
    TrafficRecord& record_;
};

}  // namespace weir::network
