#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/message.h"
#include "network/fabric/fabric.h"
#include "network/fabric/network_interface.h"
#include "network/network_parameters.h"
#include "network/network_plan.h"
#include "network/router_network.h"

namespace weir::network {

/// Any network of routers: as many fabrics as it has copies, and an interface at each node, which
/// has a lane into and out of each. What a message cannot do without, and this network has not, is
/// room for all of it in a buffer where it is switched whole: it ends the run.
class RoutedNetwork final : public sc_core::sc_module, public RouterNetwork {
  public:
    /// Throws PlanFault.
    RoutedNetwork(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                  const NetworkParameters& parameters, hw::MessagePool& messages);

    [[nodiscard]] std::int32_t node_count() const override {
        return static_cast<std::int32_t>(interfaces_.size());
    }
    [[nodiscard]] const NetworkPlan& plan() const { return plan_; }
    [[nodiscard]] const Fabric& fabric(std::size_t copy) const { return *fabrics_[copy]; }
    [[nodiscard]] NetworkInterface& interface(hw::NodeId node) override {
        return *interfaces_[static_cast<std::size_t>(node.index())];
    }
    [[nodiscard]] const NetworkInterface& interface(hw::NodeId node) const override {
        return *interfaces_[static_cast<std::size_t>(node.index())];
    }
    [[nodiscard]] UnloadedTrip unloaded_trip(hw::NodeId source, hw::NodeId destination,
                                             hw::Bytes message) {
        return trips_.between(source, destination, message);
    }
    void add_to(hw::ConservationAccount& account) const override;
    [[nodiscard]] std::int64_t flit_hops() const override;
    [[nodiscard]] hw::Flits flits_in_flight() const override;
    [[nodiscard]] std::vector<FlitChannel*> all_channels() override;
    [[nodiscard]] std::vector<ChannelLoad> channel_loads() const override;
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const override;
    void report_waits(hw::WaitReport& report, const CoreName& core_name) const override;
    [[nodiscard]] const Routing* routing() const override { return &plan_.routing(); }
    [[nodiscard]] std::optional<hw::Fault> fault() const override { return fault_; }

  private:
    void refuse(const hw::Message& message, hw::Flits flits);

    hw::ClockDomain& domain_;
    NetworkPlan plan_;
    RoutedTrips trips_;
    std::vector<std::unique_ptr<Fabric>> fabrics_;
    std::vector<std::unique_ptr<NetworkInterface>> interfaces_;
    std::optional<hw::Fault> fault_;
};

}  // namespace weir::network
