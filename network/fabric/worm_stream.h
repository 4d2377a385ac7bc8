#pragma once

#include <functional>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/message.h"
#include "hw/statistics.h"
#include "network/fabric/flit_channel.h"
#include "network/fabric/network_interface.h"
#include "network/router/wormhole_router.h"

namespace weir::network {

/// What a worm holds between its ends: its channels in the order a flit passes them, and the
/// routers between them.
struct WormPath {
    std::vector<FlitChannel*> channels;
    std::vector<WormholeRouter*> routers;
};

/// Advances in bulk the worm that arrives at one network interface, while it streams: a way to
/// emulate faster, no hardware. What any part sees, and every count, are those of the flits one by
/// one.
///
/// A worm streams when the source sends a flit of it, every router on the path passes one on, and
/// the destination takes one, all in every cycle. Once the header has arrived the worm holds its
/// whole path, so only its two ends can end that: the output queue runs out of its bytes, or the
/// input queue out of room. Whether it goes on through the path can be seen from one cycle: each
/// channel holds at least as many flits as its link is long (so that the first one has arrived) and
/// fewer than it has places (so that there is a credit), and as a flit enters and one leaves, their
/// number stays.
///
/// In a cycle, after all parts were ticked: when the destination has taken a flit of a long message
/// and its path is at full rate, the stream begins. It is bound to last as long as what the output
/// queue holds now and the room the input queue has now; nobody is ticked for it meanwhile, and the
/// queues at the ends have ramps. In the last of those cycles it looks again: it lasts longer by
/// what was put in and taken out meanwhile, or it ends, and everything stands as the single flits
/// would have left it. The tail, which frees the path, always goes by itself.
///
/// Assumes that a worm keeps a channel to itself from header to tail, and that a flit passes a
/// router in the cycle in which it is at the front of its input and has a credit. Virtual channels
/// that share a link, or a router that sends on single flits of different worms, need a condition
/// that excludes the sharing. A cut-through network that also holds its channels needs none. With
/// one-flit buffers no channel can be at full rate, and nothing streams.
class WormStream : public hw::ClockedPart {
  public:
    struct Statistics : hw::StatisticsGroup {
        hw::Counter streams_begun{*this, "streams_begun", "Times a worm began to advance in bulk"};
        hw::Counter streams_extended{*this, "streams_extended",
                                     "Times that went on beyond what was bound to come"};
        hw::Counter streams_broken{*this, "streams_broken",
                                   "Times it ended before the tail, for want of bytes or room"};
        hw::Counter flits_in_bulk{*this, "flits_in_bulk",
                                  "Flits that entered the network without a tick"};
    };

    /// The network around the streams.
    struct Surroundings {
        const hw::MessagePool& messages;
        std::function<NetworkInterface&(hw::NodeId)> interface_of;
        /// The path of a message whose header has arrived and whose tail has not been sent.
        std::function<void(const hw::Message&, WormPath&)> find_path;
        Statistics& statistics;
    };

    WormStream(hw::ClockDomain& domain, NetworkInterface& destination,
               const Surroundings& surroundings);

    void tick(hw::Cycles now) override;
    void end_of_cycle(hw::Cycles now) override;

    /// Brings all parts of the path to what the flits one by one would have left at the end of
    /// cycle `now`; then they may be looked at.
    void settle(hw::Cycles now);

  protected:
    /// The flits that are bound to stream after the present cycle.
    [[nodiscard]] virtual hw::Flits flits_ahead() const;
    [[nodiscard]] const NetworkInterface& destination() const { return destination_; }
    [[nodiscard]] const NetworkInterface& source() const { return *source_; }

  private:
    void try_to_begin(hw::Cycles now);
    [[nodiscard]] bool path_is_at_full_rate() const;
    void go_on(hw::Cycles now, hw::Flits flits);
    void end(hw::Cycles now);
    void settle_ends(hw::Cycles now);
    void settle_path(hw::Cycles now);

    NetworkInterface& destination_;
    const Surroundings& surroundings_;
    NetworkInterface* source_ = nullptr;
    WormPath path_;
    Flit body_flit_;
    bool is_streaming_ = false;
    hw::Cycles through_;       // the last cycle that is bound to come
    hw::Cycles ends_settled_;  // the last cycle seen in the interfaces and their queues,
    hw::Cycles path_settled_;  // and in channels and routers
};

}  // namespace weir::network
