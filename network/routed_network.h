#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/messages/message_pool.h"
#include "hw/per_node.h"
#include "network/fabric/fabric.h"
#include "network/fabric/flit_interface.h"
#include "network/faults/fault_log.h"
#include "network/faults/fault_parameters.h"
#include "network/faults/link_faults.h"
#include "network/network_parameters.h"
#include "network/network_plan.h"
#include "network/router_network.h"
#include "network/virtual_channels/virtual_channel_interface.h"

namespace weir::network {

/// Any network of routers: one fabric for each copy, and a network interface at each node, with a
/// channel into and out of each fabric. With virtual cut-through or store-and-forward switching
/// each buffer must hold a whole message; a longer message ends the run. Only this network of
/// routers can have hardware faults.
class RoutedNetwork final : public sc_core::sc_module, public RouterNetwork {
  public:
    /// Throws PlanFault for a network that can't be built.
    RoutedNetwork(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                  const NetworkParameters& parameters, hw::MessagePool& messages,
                  const FaultParameters& faults = no_faults(), std::uint64_t seed = 1);

    [[nodiscard]] std::int32_t node_count() const override {
        return static_cast<std::int32_t>(ends_.size());
    }
    [[nodiscard]] const NetworkPlan& plan() const { return plan_; }
    [[nodiscard]] const Fabric& fabric(std::size_t copy) const { return *fabrics_[copy]; }
    [[nodiscard]] NetworkInterface& interface(hw::NodeId node) override { return *ends_[node]; }
    [[nodiscard]] const NetworkInterface& interface(hw::NodeId node) const override {
        return *ends_[node];
    }
    [[nodiscard]] UnloadedTrip unloaded_trip(hw::NodeId source, hw::NodeId destination,
                                             hw::Bytes message, int lot = 0) {
        return trips_.between(source, destination, message, lot);
    }
    void settle() const override;
    void end_of_run(hw::Cycles now) override;
    void add_to(hw::ConservationAccount& account) const override;
    [[nodiscard]] std::int64_t flit_hops() const override;
    [[nodiscard]] hw::Flits flits_in_flight() const override;
    [[nodiscard]] std::vector<FlitChannel*> all_channels() override;
    [[nodiscard]] std::vector<std::string> channel_names() const override;
    [[nodiscard]] std::vector<ChannelCount> channel_counts(hw::Cycles through) const override;
    void add_statistics(std::vector<hw::PartStatistics>& statistics) const override;
    void report_waits(hw::WaitReport& report, const CoreName& core_name) const override;
    [[nodiscard]] const Routing* routing() const override { return &plan_.routing(); }
    [[nodiscard]] std::optional<hw::Fault> fault() const override { return fault_; }
    void add_failures(FaultSchedule& schedule) override;
    void renew_faults_after(hw::Cycles now) override;
    void fail_end(hw::NodeId node, hw::Cycles now) override;
    [[nodiscard]] const FaultLog* fault_log() const override {
        return faults_.any() ? &fault_log_ : nullptr;
    }

  private:
    [[nodiscard]] NetworkInterface::Trip trip();
    void add_virtual_channel_interface(hw::NodeId node, const NetworkParameters& parameters);
    void add_interface(hw::NodeId node, const NetworkParameters& parameters);
    void set_limits(NetworkInterface& end, const NetworkParameters& parameters);
    void refuse(const hw::Message& message, hw::Flits flits);
    void set_link_faults(const NetworkParameters& parameters, const hw::MessagePool& messages,
                         std::uint64_t seed);
    /// `what` precedes the channel's name in the fault log.
    void add_failures(const hw::Parameter<std::string>& list, const std::string& what,
                      void (FlitChannel::*fail)(), FaultSchedule& schedule);
    /// The virtual channels of a physical channel, in all copies.
    [[nodiscard]] std::vector<FlitChannel*> vcs_named(const std::string& channel) const;

    hw::ClockDomain& domain_;
    hw::MessagePool& messages_;
    const FaultParameters& faults_;
    FaultLog fault_log_;
    NetworkPlan plan_;
    RoutedTrips trips_;
    std::vector<std::unique_ptr<Fabric>> fabrics_;
    // by copy and physical channel; empty if flits can be neither lost nor flipped
    std::deque<LinkFaults> link_faults_;
    // network interfaces, of which all are in interfaces_, or all in virtual_channel_interfaces_
    hw::PerNode<std::unique_ptr<NetworkInterface>> ends_;
    hw::PerNode<FlitInterface*> interfaces_;
    std::vector<VirtualChannelInterface*> virtual_channel_interfaces_;
    std::optional<hw::Fault> fault_;
};

}  // namespace weir::network
