#pragma once

#include <deque>
#include <memory>
#include <systemc>
#include <vector>

#include "hw/clock_domain.h"
#include "hw/controller.h"
#include "hw/message.h"
#include "hw/statistics.h"
#include "hw/wait_report.h"
#include "network/flit_channel.h"
#include "network/network_interface.h"
#include "network/network_parameters.h"
#include "network/topology.h"
#include "network/wormhole_router.h"

namespace weir::network {

/// The mesh: routers, channels and network interfaces, wired after the topology's graph.
class MeshNetwork final : public sc_core::sc_module {
  public:
    MeshNetwork(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                const NetworkParameters& parameters, hw::MessagePool& messages);

    [[nodiscard]] std::int32_t node_count() const { return mesh_.node_count(); }
    [[nodiscard]] const Mesh& mesh() const { return mesh_; }
    NetworkInterface& interface(hw::NodeId node) {
        return *interfaces_[static_cast<std::size_t>(node.index())];
    }
    [[nodiscard]] const NetworkInterface& interface(hw::NodeId node) const {
        return *interfaces_[static_cast<std::size_t>(node.index())];
    }

    /// Launch to the last header flit in the input queue with nothing in the way.
    [[nodiscard]] UnloadedTrip unloaded_trip(hw::NodeId source, hw::NodeId destination) const {
        return trips_.between(source, destination);
    }
    void add_to(hw::ConservationAccount& account) const;

    /// Flits through routers so far: one flit through one router is one, the source's router
    /// included.
    [[nodiscard]] std::int64_t flit_hops() const;
    /// Flits in channels now.
    [[nodiscard]] hw::Flits flits_in_flight() const;
    [[nodiscard]] const std::deque<FlitChannel>& channels() const { return channels_; }
    std::deque<FlitChannel>& channels() { return channels_; }
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const;
    void report_waits(hw::WaitReport& report) const;

  private:
    Mesh mesh_;
    UnloadedTrips trips_;
    std::deque<FlitChannel> channels_;
    std::vector<std::unique_ptr<WormholeRouter>> routers_;
    std::vector<std::unique_ptr<NetworkInterface>> interfaces_;
};

}  // namespace weir::network
