#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "hw/messages/message_pool.h"
#include "network/fabric/network_interface.h"
#include "network/network.h"

namespace weir::network {

/// A network of routers with a network interface at each node, between the queues of the node's
/// message controller and the routers. State read between cycles equals that of the flit-by-flit
/// emulation.
class RouterNetwork : public Network {
  public:
    [[nodiscard]] virtual std::int32_t node_count() const = 0;
    [[nodiscard]] virtual NetworkInterface& interface(hw::NodeId node) = 0;
    [[nodiscard]] virtual const NetworkInterface& interface(hw::NodeId node) const = 0;

    [[nodiscard]] std::unique_ptr<hw::Controller> make_controller(
        const ControllerSite& site) override;
    /// Settles all parts, and reports stops that last at the end of the run to the trace; to be
    /// called once, after the run.
    void end_of_run(hw::Cycles now) override;
    [[nodiscard]] std::string report_end_waits(hw::NodeId node, const std::string& controller_input,
                                               hw::WaitReport& report) const override;

  protected:
    /// Erases the times of messages after cycle `now`, which interfaces that work ahead have
    /// already written.
    static void forget_times_after(hw::Cycles now, hw::MessagePool& messages);
};

}  // namespace weir::network
