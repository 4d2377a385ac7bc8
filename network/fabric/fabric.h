#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/statistics.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/fabric/flit_channel.h"
#include "network/fabric/message_lots.h"
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
        hw::Flits buffer{4};  ///< of each virtual channel
        hw::Cycles injection_cycles{1};
        hw::Cycles hop_cycles{1};
        hw::Cycles ejection_cycles{1};
        /// From the cycle in which a flit wins the switch to the one in which it is on the link;
        /// the stages between hold flits as a link's do.
        hw::Cycles switch_allocation_cycles{0};
        hw::Cycles credit_cycles{1};
        int injection_lanes = 1;
        int ejection_lanes = 1;
        std::uint64_t seed = 1;      ///< of the lots that messages draw
        FaultLog* faults = nullptr;  ///< where flits can come without a header
        /// Behind its channels' names where there are several, from 0.
        std::optional<int> copy;
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
    [[nodiscard]] const EndLanes& end_lanes(hw::NodeId node) const {
        return ends_[static_cast<std::size_t>(node.index())].lanes;
    }
    /// The part that sends into the injection lanes and takes from the ejection lanes; before the
    /// run.
    void connect_end(hw::NodeId node, hw::ClockedPart& end) { connect_end(node, end, end); }
    void connect_end(hw::NodeId node, hw::ClockedPart& sender, hw::ClockedPart& receiver);

    [[nodiscard]] const Topology& topology() const { return routing_.topology(); }
    [[nodiscard]] const Routing& routing() const { return routing_; }
    [[nodiscard]] const Design& design() const { return design_; }
    [[nodiscard]] std::int32_t node_count() const {
        return static_cast<std::int32_t>(topology().node_count());
    }

    /// A physical channel of the topology and its virtual channels.
    struct Link {
        Channel channel;
        std::vector<FlitChannel*> lanes;

        [[nodiscard]] hw::Flits sent() const;
    };
    /// In the order of channels_of(topology().graph()).
    [[nodiscard]] const std::vector<Link>& links() const { return links_; }

    /// Flits through routers so far: one flit through one router is one.
    [[nodiscard]] std::int64_t flit_hops() const;
    /// Flits in channels and routers now.
    [[nodiscard]] hw::Flits flits_in_flight() const;
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const;
    void report_waits(hw::WaitReport& report) const;

  private:
    struct End {
        EndLanes lanes;
        std::size_t injects_into = 0;  // routers
        std::size_t ejects_from = 0;
    };
    void make_routers();
    void make_link(Channel channel);

    hw::ClockDomain& domain_;
    const Routing& routing_;
    Design design_;
    NetworkEntries entries_;
    std::deque<FlitChannel> channels_;
    std::vector<std::unique_ptr<Router>> routers_;
    std::vector<Link> links_;
    std::vector<End> ends_;
};

}  // namespace weir::network
