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
#include "network/router/router.h"
#include "network/routing/routing.h"
#include "network/topology/topology.h"
#include "network/virtual_channels/virtual_channel_routers.h"

namespace weir::network {

/// Routers of any kind and the channels between them, connected as in any topology, with any
/// routing. Parts at the nodes are connected to it.
///
/// A physical channel is a link and, at its end, one buffer for each virtual channel. Each virtual
/// channel is a FlitChannel; the sender puts a flit into one of them every flit_cycles. A node has
/// injection and ejection channels. The part at the node may send one flit every flit_cycles into
/// one of its injection channels. All flits of a message must use the same injection channel. The
/// part must take all flits that arrive from the ejection channels. Flits of messages on different
/// virtual channels may alternate.
class Fabric final : public sc_core::sc_module {
  public:
    struct Design {
        const RouterKind* router_kind = router_kinds().front();
        Router::Design router;
        hw::Flits buffer{4};  ///< slots of a virtual channel between routers
        /// slots of an injection virtual channel; 0: as between routers
        hw::Flits injection_buffer{0};
        /// slots of an ejection virtual channel; 0: as between routers
        hw::Flits ejection_buffer{0};
        hw::Cycles injection_cycles{1};
        hw::Cycles hop_cycles{1};
        hw::Cycles ejection_cycles{1};
        /// Cycles from winning the switch until the flit is on the link. The pipeline stages of
        /// this time hold flits, as a link's stages do.
        hw::Cycles switch_allocation_cycles{0};
        hw::Cycles credit_cycles{1};
        /// credit delay of injection channels; 0: credit_cycles
        hw::Cycles injection_credit_cycles{0};
        int injection_vcs = 1;
        int ejection_vcs = 1;
        std::uint64_t seed = 1;  ///< seed of the random stream for the messages' lots
        /// log of discarded flits; may be null if no channel loses or flips flits
        FaultLog* faults = nullptr;
        /// Emulates the routers in one part (VirtualChannelRouters) if possible: the same hardware,
        /// faster. Channels between these routers are not FlitChannels.
        bool in_one_part = false;
        /// If routers are in one part, the nodes have VirtualChannelEnds, and no channel is a
        /// FlitChannel.
        bool has_virtual_channel_ends = false;
        /// Number of this copy of the network, from 0, shown in its channels' names; empty if the
        /// network has a single copy.
        std::optional<int> copy;

        [[nodiscard]] hw::Cycles credit_cycles_of(const Topology& topology, Channel channel) const;
        [[nodiscard]] hw::Flits buffer_of(const Topology& topology, Channel channel) const;
        /// Slots of the network's smallest buffer.
        [[nodiscard]] hw::Flits least_buffer() const;
        /// Cycles of a channel's link: its own if the topology gives them, otherwise those of its
        /// kind.
        [[nodiscard]] hw::Cycles link_cycles(const Topology& topology, Channel channel) const;
    };

    /// Text in the name of a virtual channel, between the topology's name of the channel and the
    /// number of the network's copy.
    static constexpr const char* kOfCopy = " of copy ";

    /// `routing` and its topology must outlive this object. Each node must have one channel in each
    /// direction. Throws std::invalid_argument if buffers for whole messages are larger than the
    /// longest message that a header can announce.
    Fabric(const sc_core::sc_module_name& name, hw::ClockDomain& domain, const Routing& routing,
           const Design& design);

    struct InterfaceChannels {
        std::vector<FlitChannel*> injection;
        std::vector<FlitChannel*> ejection;
    };
    /// Source of the random lots of the messages that the node sends into this fabric.
    [[nodiscard]] MessageLots lots_of(hw::NodeId node) const;
    /// The node's channels; none if has_virtual_channel_ends().
    [[nodiscard]] const InterfaceChannels& interface_channels(hw::NodeId node) const {
        return ends_[node].vcs;
    }
    /// Connects the part that sends into the injection channels and takes from the ejection
    /// channels; to be called before the run.
    void connect_end(hw::NodeId node, hw::ClockedPart& end) { connect_end(node, end, end); }
    void connect_end(hw::NodeId node, hw::ClockedPart& sender, hw::ClockedPart& receiver);
    /// True if the nodes must have VirtualChannelEnds, each connected to virtual_channel_routers()
    /// by the node's virtual_channels_of() before the run.
    [[nodiscard]] bool has_virtual_channel_ends() const {
        return virtual_channel_routers_ != nullptr && design_.has_virtual_channel_ends;
    }
    [[nodiscard]] VirtualChannelRouters& virtual_channel_routers() {
        return *virtual_channel_routers_;
    }
    /// The node's pairs of virtual channels, into and out of the network.
    [[nodiscard]] const std::vector<VirtualChannelRouters::InterfaceChannels>& virtual_channels_of(
        hw::NodeId node) const {
        return ends_[node].numbered_vcs;
    }
    /// Counts each router that a message passes, when the router grants the message an output. To
    /// be called before the run, with an object that outlives the fabric's run.
    void count_passed_in(RoutersPassed& passed);
    /// Notification of routes that routers choose by their queues; to be called before the run.
    void set_route_chosen(const Router::RouteChosen& told);

    /// Sets the cycles in which messages were generated, for arbitration by age; to be called
    /// before the run.
    void set_generation(MessageAges::Generation generation) {
        ages_.set_generation(std::move(generation));
    }

    [[nodiscard]] const Topology& topology() const { return routing_.topology(); }
    [[nodiscard]] const Routing& routing() const { return routing_; }
    [[nodiscard]] const Design& design() const { return design_; }
    [[nodiscard]] std::int32_t node_count() const {
        return static_cast<std::int32_t>(topology().node_count());
    }

    /// A physical channel of the topology with its virtual channels. `vcs` leaves out virtual
    /// channels inside VirtualChannelRouters.
    struct Link {
        Channel channel;
        std::vector<FlitChannel*> vcs;
    };
    /// Physical channels, in the order of channels_of(topology().graph()).
    [[nodiscard]] const std::vector<Link>& links() const { return links_; }

    /// Flits and header waits of each of links() up to and including cycle `through`; to be called
    /// between this cycle and the next.
    [[nodiscard]] std::vector<ChannelCount> channel_counts(hw::Cycles through) const;

    /// Number of flit hops so far: a flit through a router is one hop.
    [[nodiscard]] std::int64_t flit_hops() const;
    /// Flits in channels and routers.
    [[nodiscard]] hw::Flits flits_in_flight() const;
    /// Brings the statistics of add_statistics() up to date; to be called between cycles.
    void settle() const;
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const;
    void report_waits(hw::WaitReport& report) const;

  private:
    struct End {
        InterfaceChannels vcs;
        // used instead of vcs if the node has a VirtualChannelEnd
        std::vector<VirtualChannelRouters::InterfaceChannels> numbered_vcs;
        std::size_t injects_into = 0;  // router
        std::size_t ejects_from = 0;
    };
    [[nodiscard]] int vcs_of_routers() const;
    [[nodiscard]] VirtualChannelRouters::Design virtual_channel_routers_design() const;
    [[nodiscard]] bool has_like_channels() const;
    // SystemC module and statistics of a router inside VirtualChannelRouters.
    struct CountedRouter final : sc_core::sc_module {
        explicit CountedRouter(const sc_core::sc_module_name& name) : sc_module(name) {}
        Router::Statistics statistics;
    };
    void make_routers();
    void make_link(Channel channel);
    [[nodiscard]] std::string name_of(Channel channel, int vc, int vcs) const;
    [[nodiscard]] VirtualChannelRouters::Port output_of(Channel channel) const;
    [[nodiscard]] VirtualChannelRouters::Port input_of(Channel channel) const;
    [[nodiscard]] bool is_of_virtual_channel_routers(Channel channel) const;
    [[nodiscard]] VirtualChannelRouters::VirtualChannelNumber connect_in_routers(Channel channel,
                                                                                 int vc,
                                                                                 std::string name);
    void connect(Channel channel, int vc, FlitChannel& flits);
    [[nodiscard]] hw::ClockedPart& router(std::size_t vertex);

    hw::ClockDomain& domain_;
    const Routing& routing_;
    Design design_;
    MessageAges ages_;
    std::deque<FlitChannel> channels_;
    // one part per router; empty with virtual_channel_routers_
    std::vector<std::unique_ptr<Router>> routers_;
    std::unique_ptr<VirtualChannelRouters>
        virtual_channel_routers_;  // all routers as one part, or null
    std::vector<std::unique_ptr<CountedRouter>>
        counted_routers_;  // one for each router of virtual_channel_routers_
    std::vector<Link> links_;
    // Numbers of the virtual channels inside VirtualChannelRouters, indexed as links_.
    std::vector<std::vector<VirtualChannelRouters::VirtualChannelNumber>> numbered_vcs_;
    hw::PerNode<End> ends_;
};

}  // namespace weir::network
