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

/// A node of open-loop traffic: a source with a queue without limit, and a sink, at the lanes
/// (virtual channels) by which a network injects and ejects.
///
/// In a cycle, in this order:
///  1. a flit is taken from one of the ejection lanes that have one, round robin;
///  2. packets that the source generates in this cycle join the queue;
///  3. a flit is sent: of the packet that was begun first among those whose lanes have a credit;
///     when none of these can go on, the header of the queue's first packet, on the next free lane
///     with a credit, round robin.
/// On a narrow link 3. is done every flit_cycles at most. So a packet may leave in the cycle it is
/// generated in, and packets interleave on different lanes only where one is held up; or not at
/// all, when the next one is to be begun only after the one before has left. Sleeps until a flit, a
/// credit or the source's next packet comes.
class TrafficEndpoint final : public sc_core::sc_module, public hw::ClockedPart {
  public:
    /// Injection lanes share a link that takes a flit every flit_cycles.
    struct Lanes {
        std::vector<FlitChannel*> injection;
        std::vector<FlitChannel*> ejection;
        hw::Cycles flit_cycles{1};
        bool interleave_packets = true;
        std::optional<MessageLots> lots = std::nullopt;  ///< without it each packet's is 0
        bool await_tail_credit = false;  ///< a lane is free once its tail's credit is back
    };

    /// Whoever has the channels connects them to this part.
    TrafficEndpoint(const sc_core::sc_module_name& name, hw::ClockDomain& domain, hw::NodeId node,
                    Lanes lanes, std::unique_ptr<PacketSource> source, PacketTable& packets,
                    TrafficRecord& record);

    void tick(hw::Cycles now) override;

    /// A packet more, when the source has no more of its own; between cycles, for one to come.
    void offer(const GeneratedPacket& packet);

    /// Packets that wait to be sent.
    [[nodiscard]] std::size_t queued() const { return queue_.size(); }
    void report_waits(hw::WaitReport& report) const;

  private:
    struct InjectionLane {
        FlitChannel* channel = nullptr;
        hw::MessageSlot packet = 0;
        hw::Flits left{0};  // of a packet that was begun; none when the lane is free
    };
    struct EjectionLane {
        FlitChannel* channel = nullptr;
        hw::MessageSlot packet = 0;
        hw::Flits taken{0};  // of a packet whose header has come; none between packets
    };

    void take_flit(hw::Cycles now);
    void accept(EjectionLane& lane, const Flit& flit, hw::Cycles now);
    void generate(hw::Cycles now);
    bool send_flit(hw::Cycles now);
    bool begin_packet(hw::Cycles now);
    void send_on(std::size_t lane, hw::Cycles now);
    void await_work(hw::Cycles now);
    // That a lane's next flit waits for.
    [[nodiscard]] hw::Flits credits_needed(const InjectionLane& lane) const {
        const bool is_free = lane.left == hw::Flits(0);
        return await_tail_credit_ && is_free ? lane.channel->places() : hw::Flits(1);
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
    std::vector<InjectionLane> injection_;
    std::vector<EjectionLane> ejection_;
    std::vector<std::size_t> begun_;  // injection lanes, the packet begun first in front
    std::size_t next_injection_ = 0;  // where the search for a free lane begins
    std::size_t next_ejection_ = 0;   // and that for a flit
    std::unique_ptr<PacketSource> source_;
    std::optional<GeneratedPacket> next_packet_;
    std::deque<GeneratedPacket> queue_;
    PacketTable& packets_;
    TrafficRecord& record_;
};

}  // namespace weir::network
