#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/fabric/flit_channel.h"
#include "network/fabric/message_lots.h"
#include "network/traffic/packet_source.h"
#include "network/traffic/traffic_record.h"

namespace weir::network {

/// A node of open-loop traffic: a source with an unbounded queue, and a sink. Both use the virtual
/// channels into and out of a network.
///
/// In a cycle, in this order:
///  1. Takes a flit from an ejection channel that has one, round robin.
///  2. Appends the packets that the source generates in this cycle to the queue.
///  3. Sends a flit, at most one every flit_cycles on a narrow link. Packets that have been begun
///     come first: the oldest of those whose virtual channel has a credit. If none can go on, the
///     header of the queue's first packet is sent. The packet uses the next free virtual channel
///     with a credit, round robin.
///
/// So a packet may leave in the cycle of its generation. Packets interleave on different virtual
/// channels only while one of them is blocked. Without interleave_packets the next packet begins
/// only after the previous one has left. The endpoint sleeps until a flit, a credit or the source's
/// next packet arrives.
class TrafficEndpoint final : public sc_core::sc_module, public hw::ClockedPart {
  public:
    /// Virtual channels of the node. Injection channels share a link that takes a flit every
    /// flit_cycles.
    struct VirtualChannels {
        std::vector<FlitChannel*> injection;
        std::vector<FlitChannel*> ejection;
        hw::Cycles flit_cycles{1};
        bool interleave_packets = true;
        std::optional<MessageLots> lots = std::nullopt;  ///< without it each packet's lot is 0
        /// begin a packet on a virtual channel only after the last tail's credit
        bool await_tail_credit = false;
    };

    /// The channels must be connected to this part by their owner.
    TrafficEndpoint(const sc_core::sc_module_name& name, hw::ClockDomain& domain, hw::NodeId node,
                    VirtualChannels vcs, std::unique_ptr<PacketSource> source, PacketTable& packets,
                    TrafficRecord& record);

    void tick(hw::Cycles now) override;

    /// Adds a packet after the source's last one; to be called between cycles, before the packet's
    /// cycle.
    void offer(const GeneratedPacket& packet);

    /// Number of packets that wait to be sent.
    [[nodiscard]] std::size_t queued() const { return queue_.size(); }
    void report_waits(hw::WaitReport& report) const;

  private:
    struct InjectionVirtualChannel {
        FlitChannel* channel = nullptr;
        hw::MessageSlot packet = 0;
        hw::Flits left{0};  // flits of the packet not yet sent; 0 if the virtual channel is free
    };
    struct EjectionVirtualChannel {
        FlitChannel* channel = nullptr;
        hw::MessageSlot packet = 0;
        hw::Flits taken{0};  // flits taken of the current packet; 0 between packets
    };

    void take_flit(hw::Cycles now);
    void accept(EjectionVirtualChannel& vc, const Flit& flit, hw::Cycles now);
    void generate(hw::Cycles now);
    bool send_flit(hw::Cycles now);
    bool begin_packet(hw::Cycles now);
    void send_on(std::size_t vc, hw::Cycles now);
    void await_work(hw::Cycles now);
    // Credits that the next flit of a virtual channel needs.
    [[nodiscard]] hw::Flits credits_needed(const InjectionVirtualChannel& vc) const {
        const bool is_free = vc.left == hw::Flits(0);
        return await_tail_credit_ && is_free ? vc.channel->places() : hw::Flits(1);
    }
    [[nodiscard]] bool may_begin(hw::Cycles now) const {
        return !queue_.empty() && record_.is_open(now) && (interleave_packets_ || begun_.empty());
    }

    hw::NodeId node_;
    hw::Cycles flit_cycles_;
    bool interleave_packets_;
    bool await_tail_credit_;
    hw::Cycles link_free_from_{0};
    std::optional<MessageLots> lots_;
    std::vector<InjectionVirtualChannel> injection_;
    std::vector<EjectionVirtualChannel> ejection_;
    // injection virtual channels of begun packets, oldest packet first
    std::vector<std::size_t> begun_;
    // injection virtual channel at which the search for a free one begins
    std::size_t next_injection_ = 0;
    // ejection virtual channel at which the search for a flit begins
    std::size_t next_ejection_ = 0;
    std::unique_ptr<PacketSource> source_;
    std::optional<GeneratedPacket> next_packet_;
    std::deque<GeneratedPacket> queue_;
    PacketTable& packets_;
    TrafficRecord& record_;
};

}  // namespace weir::network
