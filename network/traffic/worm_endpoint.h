#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "hw/queues/fifo.h"
#include "hw/units.h"
#include "network/traffic/packet_source.h"
#include "network/traffic/traffic_record.h"
#include "network/worms/worm_end.h"
#include "network/worms/worm_fabric.h"

namespace weir::network {

/// A node of open-loop traffic on a plain mesh that is emulated worm by worm: a source with an
/// unbounded queue, and a sink. All events have the same cycles as with TrafficEndpoint, which
/// moves flits one by one.
///
/// A packet begins in the latest of these cycles, which alone has an event of its own:
/// - the cycle of its generation
/// - the cycle after the previous packet's tail
/// - the cycle after the credit that its header needs, or all credits with await_tail_credit
///
/// All else is done ahead, as far as it is known:
/// - Flits after the header are sent one per cycle, each after its credit.
/// - Flits are taken in the cycle of their arrival, and so is a packet's arrival recorded.
/// - A packet is drawn from the source when the one before it has been sent.
class WormEndpoint final : public WormEnd {
  public:
    /// All arguments must outlive this object. `await_tail_credit`: begin a packet only after the
    /// credit of the previous packet's tail.
    WormEndpoint(WormFabric& fabric, hw::NodeId node, bool await_tail_credit,
                 std::unique_ptr<PacketSource> source, PacketTable& packets, TrafficRecord& record);

    void inject(hw::Cycles now) override;
    void eject(hw::Cycles now) override;
    void begin_worm(hw::Cycles now) override;

    /// Adds a packet after the source's last one; to be called between cycles, before the packet's
    /// cycle, when all earlier packets have been sent.
    void offer(const GeneratedPacket& packet);
    /// Records all packets generated before `cycle`, also those that wait to be sent.
    void generate_before(hw::Cycles cycle);
    /// Number of recorded packets that wait to be sent.
    [[nodiscard]] std::size_t queued() const { return queue_.size(); }

  private:
    [[nodiscard]] const GeneratedPacket* first_waiting() const;
    [[nodiscard]] GeneratedPacket take_first_waiting();
    void draw_next();
    void expect_packet(hw::Cycles now);
    void send_flits(hw::Cycles now);
    void arrived(hw::MessageSlot slot, hw::Cycles cycle);

    WormFabric& fabric_;
    WormFabric::Channel& injection_;
    WormFabric::Channel& ejection_;
    std::int64_t left_ = 0;     // flits of the current packet not yet sent
    std::int64_t to_take_ = 0;  // flits of the arriving packet not yet taken; 0 between packets
    std::int32_t node_;
    bool await_tail_credit_;
    std::unique_ptr<PacketSource> source_;
    std::optional<GeneratedPacket> next_packet_;  // first packet that is not recorded
    hw::Fifo<GeneratedPacket> queue_;             // recorded packets that wait to be sent
    PacketTable& packets_;
    TrafficRecord& record_;
};

}  // namespace weir::network
