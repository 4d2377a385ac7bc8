#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/statistics.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/fabric/fabric.h"
#include "network/faults/fault_parameters.h"
#include "network/network_parameters.h"
#include "network/routing/routing.h"
#include "network/topology/mesh.h"
#include "network/traffic/packet_source.h"
#include "network/traffic/traffic_endpoint.h"
#include "network/traffic/traffic_record.h"
#include "network/traffic/virtual_channel_endpoint.h"
#include "network/traffic/worm_endpoint.h"
#include "network/worms/worm_fabric.h"

namespace weir::network {

/// One copy of a network for traffic without a machine, with an endpoint at each node. Emulations
/// differ in speed only.
class PacketNetwork {
  public:
    using MakeSource = std::function<std::unique_ptr<PacketSource>(hw::NodeId node)>;
    /// Upper bound of the cycles in which nothing moves while packets are in a network that works
    /// ahead and cannot deadlock. Each of its delays takes at most 64 cycles.
    static constexpr hw::Cycles kLongestPause{1024};

    PacketNetwork(const PacketNetwork&) = delete;
    PacketNetwork& operator=(const PacketNetwork&) = delete;
    virtual ~PacketNetwork() = default;

    [[nodiscard]] const Topology& topology() const { return routing_.topology(); }
    [[nodiscard]] const Fabric::Design& design() const { return design_; }
    [[nodiscard]] std::int32_t node_count() const {
        return static_cast<std::int32_t>(topology().node_count());
    }

    /// Endpoints of the network, and the results to which they add.
    struct Traffic {
        MakeSource make_source;
        PacketTable& packets;
        TrafficRecord& record;
        bool interleave_packets = true;
        bool await_tail_credit = false;
        std::string of_copy = "";  ///< end of the endpoints' names
    };
    /// Adds an endpoint at each node; to be called once, before the run. Packets and record must
    /// outlive this object's run.
    virtual void add_endpoints(const Traffic& traffic) = 0;
    /// Records the route of each packet; to be called before the run.
    virtual void keep_routes(RoutersPassed& /*passed*/) {}
    /// Adds a packet at a node whose packets have all been sent; to be called between cycles,
    /// before the packet's cycle.
    virtual void offer(hw::NodeId node, const GeneratedPacket& packet) = 0;
    /// Records all packets generated before `cycle`, the next cycle of the clock. Emulations that
    /// record each packet in the cycle of its generation have nothing to do.
    virtual void generate_before(hw::Cycles /*cycle*/) {}

    /// Number of recorded packets that wait to be sent.
    [[nodiscard]] virtual std::size_t queued() const = 0;
    /// Flits that the endpoints have sent, as recorded, and not taken.
    [[nodiscard]] virtual hw::Flits flits_in_flight() const = 0;
    /// Flits and header waits of each channel up to and including cycle `through`. They are in the
    /// order of channels_of(topology().graph()). To be called between this cycle and the next.
    [[nodiscard]] virtual std::vector<ChannelCount> channel_counts(hw::Cycles through) const = 0;
    virtual void add_statistics(std::vector<hw::PartStatistics>& statistics) const = 0;
    virtual void report_waits(hw::WaitReport& report) const = 0;

  protected:
    PacketNetwork(const Routing& routing, const Fabric::Design& design)
        : routing_(routing), design_(design) {}

  private:
    const Routing& routing_;
    Fabric::Design design_;
};

/// Network of any routers, emulated flit by flit: a Fabric with TrafficEndpoints. If the routers
/// are in one part and have VirtualChannelEnds, it has VirtualChannelEndpoints instead. Worms that
/// share no port then move many flits at a time.
class FabricPacketNetwork final : public PacketNetwork {
  public:
    /// `routing` must outlive this object.
    FabricPacketNetwork(const std::string& name, hw::ClockDomain& domain, const Routing& routing,
                        const Fabric::Design& design);

    [[nodiscard]] Fabric& fabric() { return fabric_; }
    [[nodiscard]] const Fabric& fabric() const { return fabric_; }

    void add_endpoints(const Traffic& traffic) override;
    void offer(hw::NodeId node, const GeneratedPacket& packet) override;
    [[nodiscard]] std::size_t queued() const override;
    [[nodiscard]] hw::Flits flits_in_flight() const override;
    [[nodiscard]] std::vector<ChannelCount> channel_counts(hw::Cycles through) const override;
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const override;
    void report_waits(hw::WaitReport& report) const override;

  private:
    hw::ClockDomain& domain_;
    Fabric fabric_;
    // one of these lists is empty
    std::vector<std::unique_ptr<TrafficEndpoint>> endpoints_;
    std::vector<std::unique_ptr<VirtualChannelEndpoint>> virtual_channel_endpoints_;
};

/// A plain mesh, emulated worm by worm: a WormFabric with WormEndpoints. All results equal those of
/// FabricPacketNetwork, except the explanation of a run that stands still.
class WormPacketNetwork final : public sc_core::sc_module, public PacketNetwork {
  public:
    /// True for a network that can be emulated worm by worm.
    [[nodiscard]] static bool takes(const NetworkParameters& parameters,
                                    const FaultParameters& faults);

    /// `routing` must be the dimension-order routing of a plain mesh, and outlive this object.
    WormPacketNetwork(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                      const Routing& routing, const Fabric::Design& design);

    void add_endpoints(const Traffic& traffic) override;
    void keep_routes(RoutersPassed& passed) override { fabric_.count_passed_in(passed); }
    void offer(hw::NodeId node, const GeneratedPacket& packet) override;
    void generate_before(hw::Cycles cycle) override;
    [[nodiscard]] std::size_t queued() const override;
    [[nodiscard]] hw::Flits flits_in_flight() const override;
    [[nodiscard]] std::vector<ChannelCount> channel_counts(hw::Cycles through) const override;
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const override;
    void report_waits(hw::WaitReport& report) const override;

  private:
    // A router in the tree of parts, with its statistics.
    struct CountedRouter final : sc_core::sc_module {
        explicit CountedRouter(const sc_core::sc_module_name& name) : sc_module(name) {}
        Router::Statistics statistics;
    };

    hw::ClockDomain& domain_;
    Mesh mesh_;
    WormFabric fabric_;
    std::vector<const WormFabric::Channel*> channels_;  // in the order of channel_counts()
    std::vector<std::unique_ptr<WormEndpoint>> endpoints_;
    std::vector<std::unique_ptr<CountedRouter>> routers_;
};

}  // namespace weir::network
