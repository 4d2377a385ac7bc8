#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/controller.h"
#include "hw/statistics.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/flit_channel.h"
#include "network/network_interface.h"

namespace weir::network {

class Routing;

/// A physical channel, and the flits that were sent into it.
struct ChannelLoad {
    std::string channel;  ///< "(7,0) +x", as Topology::channel_name() says it
    hw::Flits sent;
};

/// What a machine needs of its network of routers: an interface at each node, and what can be said
/// of all between them. What is read here between cycles is as the flits one by one leave it.
class Network {
  public:
    Network() = default;
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;
    virtual ~Network() = default;

    [[nodiscard]] virtual std::int32_t node_count() const = 0;
    [[nodiscard]] virtual NetworkInterface& interface(hw::NodeId node) = 0;
    [[nodiscard]] virtual const NetworkInterface& interface(hw::NodeId node) const = 0;

    /// Brings all parts to what the flits one by one would have left, between cycles; whoever looks
    /// at a part by itself asks for it.
    virtual void settle() const {}
    /// Settles, and reports stops that last to the trace; once, after the run.
    void end_of_run(hw::Cycles now) {
        settle();
        for (std::int32_t node = 0; node < node_count(); ++node) {
            interface(hw::NodeId(node)).end_of_run(now);
        }
    }
    virtual void add_to(hw::ConservationAccount& account) const = 0;
    /// Flits through routers so far: one flit through one router is one, the source's router
    /// included.
    [[nodiscard]] virtual std::int64_t flit_hops() const = 0;
    /// Flits in channels now.
    [[nodiscard]] virtual hw::Flits flits_in_flight() const = 0;
    [[nodiscard]] virtual std::vector<FlitChannel*> all_channels() = 0;
    /// What every physical channel between routers has carried so far, copies of the network
    /// together; in the order of the topology's channels. Of a network with nodes beside its
    /// switches those into and out of the nodes too.
    [[nodiscard]] virtual std::vector<ChannelLoad> channel_loads() const = 0;
    virtual void add_statistics(std::vector<hw::PartStatistics>& statistics) const = 0;
    virtual void report_waits(hw::WaitReport& report) const = 0;
    /// What its waits between channels can be compared with; nothing where all of it is known to be
    /// free of deadlock (a plain mesh).
    [[nodiscard]] virtual const Routing* routing() const { return nullptr; }

    /// A message that this network can't take, for the user, after the run that it ended.
    [[nodiscard]] virtual std::optional<std::string> fault() const { return std::nullopt; }
};

}  // namespace weir::network
