#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/controller/controller.h"
#include "hw/messages/message_pool.h"
#include "hw/per_node.h"
#include "hw/statistics.h"
#include "hw/wait_report.h"
#include "network/fabric/flit_channel.h"
#include "network/fabric/flit_interface.h"
#include "network/network_parameters.h"
#include "network/router/wormhole_router.h"
#include "network/router_network.h"
#include "network/topology/mesh.h"
#include "network/unloaded_trips.h"

namespace weir::network {

/// A plain mesh, emulated flit by flit: routers, channels and network interfaces, connected as in
/// the topology's graph. It is the reference that WormNetwork is compared with.
class MeshNetwork final : public sc_core::sc_module, public RouterNetwork {
  public:
    MeshNetwork(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                const NetworkParameters& parameters, hw::MessagePool& messages);

    [[nodiscard]] std::int32_t node_count() const override { return mesh_.node_count(); }
    [[nodiscard]] const Mesh& mesh() const { return mesh_; }
    FlitInterface& interface(hw::NodeId node) override { return *interfaces_[node]; }
    [[nodiscard]] const FlitInterface& interface(hw::NodeId node) const override {
        return *interfaces_[node];
    }

    /// Time from launch to the arrival of the last header flit in the input queue, without
    /// contention.
    [[nodiscard]] UnloadedTrip unloaded_trip(hw::NodeId source, hw::NodeId destination) const {
        return trips_.between(source, destination);
    }
    void add_to(hw::ConservationAccount& account) const override;
    [[nodiscard]] std::int64_t flit_hops() const override;
    [[nodiscard]] hw::Flits flits_in_flight() const override;
    std::deque<FlitChannel>& channels() { return channels_; }
    [[nodiscard]] std::vector<FlitChannel*> all_channels() override;
    [[nodiscard]] std::vector<std::string> channel_names() const override;
    [[nodiscard]] std::vector<ChannelCount> channel_counts(hw::Cycles through) const override;
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const override;
    void report_waits(hw::WaitReport& report, const CoreName& core_name) const override;

  private:
    void connect_routers(const NetworkParameters& parameters);
    void connect_interfaces(const NetworkParameters& parameters, hw::MessagePool& messages);

    hw::ClockDomain& domain_;
    Mesh mesh_;
    UnloadedTrips trips_;
    std::deque<FlitChannel> channels_;
    std::vector<std::unique_ptr<WormholeRouter>> routers_;
    hw::PerNode<std::unique_ptr<FlitInterface>> interfaces_;
};

}  // namespace weir::network
