#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "hw/messages/message_pool.h"
#include "network/fabric/network_end.h"
#include "network/network.h"

namespace weir::network {

/// A network of routers: an interface at each node, which the node's message controller has its
/// queues at. What is read here between cycles is as the flits one by one leave it.
class RouterNetwork : public Network {
  public:
    [[nodiscard]] virtual std::int32_t node_count() const = 0;
    [[nodiscard]] virtual NetworkEnd& interface(hw::NodeId node) = 0;
    [[nodiscard]] virtual const NetworkEnd& interface(hw::NodeId node) const = 0;
    /// Brings all parts to what the flits one by one would have left, between cycles; whoever looks
    /// at a part by itself asks for it.
    virtual void settle() const {}

    [[nodiscard]] std::unique_ptr<hw::Controller> make_controller(
        const ControllerSite& site) override;
    /// Settles, and reports stops that last to the trace.
    void end_of_run(hw::Cycles now) override;
    [[nodiscard]] std::string report_end_waits(hw::NodeId node, const std::string& controller_input,
                                               hw::WaitReport& report) const override;

  protected:
    /// Ends that work ahead: what messages were to pass after the end of the run they have not
    /// passed.
    static void forget_times_after(hw::Cycles now, hw::MessagePool& messages);
};

}  // namespace weir::network
