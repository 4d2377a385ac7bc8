#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "hw/clock/clock_tiles.h"
#include "hw/controller/controller.h"
#include "hw/messages/message_pool.h"
#include "hw/per_node.h"
#include "hw/statistics.h"
#include "hw/wait_report.h"
#include "network/network_parameters.h"
#include "network/router/wormhole_router.h"
#include "network/router_network.h"
#include "network/topology/mesh.h"
#include "network/unloaded_trips.h"
#include "network/worms/worm_fabric.h"
#include "network/worms/worm_interface.h"

namespace weir::network {

/// A plain mesh, emulated worm by worm: the hardware of MeshNetwork, emulated faster. All events
/// and counts equal those of MeshNetwork, which moves flits one by one. The state that is read
/// between cycles equals that of MeshNetwork, too.
class WormNetwork final : public sc_core::sc_module, public RouterNetwork {
  public:
    /// True if the channels' delays are short enough for this emulation. Progress is reported to
    /// the watchdog up to a link's delay ahead. With longer delays the watchdog would end a
    /// deadlocked run in another cycle than with MeshNetwork.
    [[nodiscard]] static bool takes(const NetworkParameters& parameters) {
        constexpr hw::Cycles kLongestLink(64);
        return parameters.hop_cycles.value() <= kLongestLink &&
               parameters.injection_cycles.value() <= kLongestLink &&
               parameters.ejection_cycles.value() <= kLongestLink;
    }

    /// Distributes the mesh over the tiles of `clock`. `messages` holds the messages of all tiles.
    WormNetwork(const sc_core::sc_module_name& name, hw::ClockTiles& clock,
                const NetworkParameters& parameters, hw::MessagePool& messages);

    [[nodiscard]] std::int32_t node_count() const override { return mesh_.node_count(); }
    [[nodiscard]] const Mesh& mesh() const { return mesh_; }
    [[nodiscard]] NetworkInterface& interface(hw::NodeId node) override { return *ends_[node]; }
    [[nodiscard]] const NetworkInterface& interface(hw::NodeId node) const override {
        return *ends_[node];
    }

    void settle() const override;
    void end_of_run(hw::Cycles now) override;
    void add_to(hw::ConservationAccount& account) const override;
    [[nodiscard]] std::int64_t flit_hops() const override;
    [[nodiscard]] hw::Flits flits_in_flight() const override;
    [[nodiscard]] std::vector<std::string> channel_names() const override;
    [[nodiscard]] std::vector<ChannelCount> channel_counts(hw::Cycles through) const override;
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const override;
    void report_waits(hw::WaitReport& report, const CoreName& core_name) const override;

  private:
    struct Router {
        std::string name;
        WormholeRouter::Statistics statistics;
    };

    [[nodiscard]] const WormFabric& fabric_of(std::size_t router) const {
        const hw::NodeId node(static_cast<std::int32_t>(router));
        return *fabrics_[clock_.tile_of(node, mesh_.node_count())];
    }

    hw::ClockTiles& clock_;
    hw::MessagePool& messages_;
    Mesh mesh_;
    UnloadedTrips trips_;
    std::vector<std::unique_ptr<WormFabric>> fabrics_;  // one fabric for each tile
    std::vector<std::unique_ptr<Router>> routers_;
    hw::PerNode<std::unique_ptr<WormInterface>> ends_;
};

}  // namespace weir::network
