#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/controller/controller.h"
#include "hw/message.h"
#include "hw/statistics.h"
#include "hw/wait_report.h"
#include "network/fabric/flit_channel.h"
#include "network/fabric/network_interface.h"
#include "network/fabric/worm_stream.h"
#include "network/network_parameters.h"
#include "network/router/wormhole_router.h"
#include "network/router_network.h"
#include "network/topology/mesh.h"

namespace weir::network {

/// The mesh: routers, channels and network interfaces, wired after the topology's graph.
///
/// Worms that stream are advanced in bulk (WormStream); what is read here between cycles is what
/// the flits one by one would have left.
class MeshNetwork final : public sc_core::sc_module, public RouterNetwork {
  public:
    using MakeStream = std::function<std::unique_ptr<WormStream>(
        hw::ClockDomain&, NetworkInterface&, const WormStream::Surroundings&)>;

    /// `make_stream` makes the WormStream at each network interface.
    MeshNetwork(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                const NetworkParameters& parameters, hw::MessagePool& messages,
                const MakeStream& make_stream =
                    std::make_unique<WormStream, hw::ClockDomain&, NetworkInterface&,
                                     const WormStream::Surroundings&>);

    [[nodiscard]] std::int32_t node_count() const override { return mesh_.node_count(); }
    [[nodiscard]] const Mesh& mesh() const { return mesh_; }
    NetworkInterface& interface(hw::NodeId node) override {
        return *interfaces_[static_cast<std::size_t>(node.index())];
    }
    [[nodiscard]] const NetworkInterface& interface(hw::NodeId node) const override {
        return *interfaces_[static_cast<std::size_t>(node.index())];
    }

    /// Launch to the last header flit in the input queue with nothing in the way.
    [[nodiscard]] UnloadedTrip unloaded_trip(hw::NodeId source, hw::NodeId destination) const {
        return trips_.between(source, destination);
    }
    void settle() const override;
    void add_to(hw::ConservationAccount& account) const override;
    [[nodiscard]] std::int64_t flit_hops() const override;
    [[nodiscard]] hw::Flits flits_in_flight() const override;
    [[nodiscard]] const WormStream::Statistics& stream_statistics() const {
        return stream_statistics_;
    }
    std::deque<FlitChannel>& channels() { return channels_; }
    [[nodiscard]] std::vector<FlitChannel*> all_channels() override;
    [[nodiscard]] std::vector<ChannelLoad> channel_loads() const override;
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const override;
    void report_waits(hw::WaitReport& report, const CoreName& core_name) const override;

  private:
    struct RouterInput {
        std::size_t router = 0;
        int port = 0;
    };
    RouterInput& input_behind(std::size_t router, int output_port) {
        return inputs_behind_[router * static_cast<std::size_t>(mesh_.port_count()) +
                              static_cast<std::size_t>(output_port)];
    }
    void connect_routers(const NetworkParameters& parameters);
    void connect_interfaces(const NetworkParameters& parameters, hw::MessagePool& messages);
    void find_path(const hw::Message& message, WormPath& path);

    hw::ClockDomain& domain_;
    Mesh mesh_;
    UnloadedTrips trips_;
    std::deque<FlitChannel> channels_;
    std::vector<std::unique_ptr<WormholeRouter>> routers_;
    std::vector<RouterInput> inputs_behind_;  // each router's each output port
    std::vector<std::unique_ptr<NetworkInterface>> interfaces_;
    WormStream::Statistics stream_statistics_;
    WormStream::Surroundings stream_surroundings_;
    std::vector<std::unique_ptr<WormStream>> streams_;
};

}  // namespace weir::network
