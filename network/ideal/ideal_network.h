#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "hw/controller/ideal_controller.h"
#include "hw/messages/message_pool.h"
#include "hw/per_node.h"
#include "network/network.h"

namespace weir::network {

/// A network without routers and flits: it is given whole messages by the nodes' ideal controllers,
/// and tells the destination's when each arrives.
class IdealNetwork : public Network {
  public:
    /// Told of a message's arrival, at the latest in the cycle before.
    using Receive = std::function<void(hw::MessageSlot, hw::Cycles)>;

    [[nodiscard]] std::unique_ptr<hw::Controller> make_controller(
        const ControllerSite& site) override;
    /// Instead of the controllers, for a test; before the run.
    void receive_by(Receive receive) { receive_ = std::move(receive); }

    /// Takes a message whose launch is granted now.
    virtual void carry(hw::MessageSlot message, hw::Cycles now) = 0;

  protected:
    explicit IdealNetwork(hw::MessagePool& messages);

    /// What launches have to ask before; none: they never wait.
    [[nodiscard]] virtual hw::LaunchGate* gate() { return nullptr; }
    [[nodiscard]] hw::MessagePool& messages() const { return messages_; }
    void deliver(hw::MessageSlot message, hw::Cycles arrival) { receive_(message, arrival); }

  private:
    hw::MessagePool& messages_;
    Receive receive_;
    hw::PerNode<hw::IdealController*> controllers_;  // node by node
};

}  // namespace weir::network
