#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/per_node.h"
#include "hw/statistics.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/fabric/flit_channel.h"
#include "network/fabric/message_lots.h"
#include "network/fabric/routers_passed.h"
#include "network/lanes/lane_routers.h"
#include "network/router/router.h"
#include "network/routing/routing.h"
#include "network/topology/topology.h"

namespace weir::network {

/// Routers of any kind and the channels between them, wired after any topology with any routing;
/// what stands at the nodes is connected to it.
///
/// A physical channel is a link and, at its end, a buffer a virtual channel: as many FlitChannels,
/// of which the sender uses one in a cycle (or one every flit_cycles). A node has lanes of both
/// directions: whoever stands there may send a flit every flit_cycles into one of its injection
/// lanes, a message into one lane from header to tail, and is to take in whatever comes from the
/// ejection lanes; messages on different lanes may come flit by flit in turn.
class Fabric final : public sc_core::sc_module {
  public:
    struct Design {
        const RouterKind* router_kind = router_kinds().front();
        Router::Design router;
        hw::Flits buffer{4};            ///< of each virtual channel between routers
        hw::Flits injection_buffer{0};  ///< of each one from a node; 0: the same
        hw::Flits ejection_buffer{0};   ///< of each one to a node; 0: the same
        hw::Cycles injection_cycles{1};
        hw::Cycles hop_cycles{1};
        hw::Cycles ejection_cycles{1};
        /// From the cycle in which a flit wins the switch to the one in which it is on the link;
        /// the stages between hold flits as a link's do.
        hw::Cycles switch_allocation_cycles{0};
        hw::Cycles credit_cycles{1};
        hw::Cycles injection_credit_cycles{0};  ///< of a channel from a node; 0: the same
        int injection_lanes = 1;
        int ejection_lanes = 1;
        std::uint64_t seed = 1;      ///< of the lots that messages draw
        FaultLog* faults = nullptr;  ///< where flits can come without a header
        /// Routers that can be are emulated in one part (LaneRouters): faster, no other hardware.
        /// The channels between them are no FlitChannels then.
        bool in_one_part = false;
        /// With routers in one part LaneEnds stand at the nodes: no channel is a FlitChannel.
        bool has_lane_ends = false;
        /// Behind its channels' names where there are several, from 0.
        std::optional<int> copy;

        [[nodiscard]] hw::Cycles credit_cycles_of(const Topology& topology, Channel channel) const;
        [[nodiscard]] hw::Flits buffer_of(const Topology& topology, Channel channel) const;
        /// The smallest of all buffers.
        [[nodiscard]] hw::Flits least_buffer() const;
        /// Of a channel's link: its own, where the topology says them, or those of its kind.
        [[nodiscard]] hw::Cycles link_cycles(const Topology& topology, Channel channel) const;
    };

    /// Between a channel's name, as the topology and the deadlock proof have it, and the number of
    /// the copy.
    static constexpr const char* kOfCopy = " of copy ";

    /// The routing, and its topology, must stay. Each node has one channel each way. Throws
    /// std::invalid_argument for buffers of whole messages that no header can announce.
    Fabric(const sc_core::sc_module_name& name, hw::ClockDomain& domain, const Routing& routing,
           const Design& design);

    struct EndLanes {
        std::vector<FlitChannel*> injection;
        std::vector<FlitChannel*> ejection;
    };
    /// Of the messages that whoever stands at the node sends into this fabric.
    [[nodiscard]] MessageLots lots_of(hw::NodeId node) const;
    /// None where LaneEnds are to stand.
    [[nodiscard]] const EndLanes& end_lanes(hw::NodeId node) const { return ends_[node].lanes; }
    /// The part that sends into the injection lanes and takes from the ejection lanes; before the
    /// run.
    void connect_end(hw::NodeId node, hw::ClockedPart& end) { connect_end(node, end, end); }
    void connect_end(hw::NodeId node, hw::ClockedPart& sender, hw::ClockedPart& receiver);
    /// Whether LaneEnds are to stand at the nodes, and such an end; before the run.
    [[nodiscard]] bool has_lane_ends() const {
        return lane_routers_ != nullptr && design_.has_lane_ends;
    }
    void connect_end(hw::NodeId node, LaneEnd& end);
    /// Has the routers count each message that they give an output; before the run. `passed` must
    /// outlive the fabric's run.
    void count_passed_in(RoutersPassed& passed);

    /// When messages were generated, for arbitration by that; before the run.
    void set_generation(MessageAges::Generation generation) {
        ages_.set_generation(std::move(generation));
    }

    [[nodiscard]] const Topology& topology() const { return routing_.topology(); }
    [[nodiscard]] const Routing& routing() const { return routing_; }
    [[nodiscard]] const Design& design() const { return design_; }
    [[nodiscard]] std::int32_t node_count() const {
        return static_cast<std::int32_t>(topology().node_count());
    }

    /// A physical channel of the topology and its virtual channels, but for those that routers in
    /// one part have.
    struct Link {
        Channel channel;
        std::vector<FlitChannel*> lanes;
    };
    /// In the order of channels_of(topology().graph()).
    [[nodiscard]] const std::vector<Link>& links() const { return links_; }

    /// What each of these has seen through a cycle, between it and the next.
    [[nodiscard]] std::vector<ChannelCount> channel_counts(hw::Cycles through) const;

    /// Flits through routers so far: one flit through one router is one.
    [[nodiscard]] std::int64_t flit_hops() const;
    /// Flits in channels and routers now.
    [[nodiscard]] hw::Flits flits_in_flight() const;
    /// Whoever keeps statistics that were added has them brought up to date, between cycles.
    void settle() const;
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const;
    void report_waits(hw::WaitReport& report) const;

  private:
    struct End {
        EndLanes lanes;
        LaneRouters::EndLanes numbered_lanes;  // or these
        std::size_t injects_into = 0;          // routers
        std::size_t ejects_from = 0;
    };
    [[nodiscard]] int lanes_of_routers() const;
    [[nodiscard]] LaneRouters::Design lane_routers_design() const;
    [[nodiscard]] bool has_like_channels() const;
    // One of the routers in one part, as the tree of modules and the statistics have it.
    struct CountedRouter final : sc_core::sc_module {
        explicit CountedRouter(const sc_core::sc_module_name& name) : sc_module(name) {}
        Router::Statistics statistics;
    };
    void make_routers();
    void make_link(Channel channel);
    [[nodiscard]] std::string name_of(Channel channel, int lane, int lanes) const;
    [[nodiscard]] LaneRouters::Port output_of(Channel channel) const;
    [[nodiscard]] LaneRouters::Port input_of(Channel channel) const;
    [[nodiscard]] bool is_of_lane_routers(Channel channel) const;
    [[nodiscard]] LaneRouters::LaneNumber connect_in_routers(Channel channel, int lane,
                                                             std::string name);
    void connect(Channel channel, int lane, FlitChannel& flits);
    [[nodiscard]] hw::ClockedPart& router(std::size_t vertex);

    hw::ClockDomain& domain_;
    const Routing& routing_;
    Design design_;
    MessageAges ages_;
    std::deque<FlitChannel> channels_;
    std::vector<std::unique_ptr<Router>> routers_;                 // each by itself, or
    std::unique_ptr<LaneRouters> lane_routers_;                    // in one part
    std::vector<std::unique_ptr<CountedRouter>> counted_routers_;  // which are these
    std::vector<Link> links_;
    // Of each link, those that routers in one part have.
    std::vector<std::vector<LaneRouters::LaneNumber>> numbered_lanes_;
    hw::PerNode<End> ends_;
};

}  // namespace weir::network
