#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "hw/controller/ideal_controller.h"
#include "hw/messages/message_pool.h"
#include "hw/per_node.h"
#include "network/network.h"
#include "network/network_parameters.h"
#include "network/topology/mesh.h"
#include "network/unloaded_trips.h"

namespace weir::network {

/// A network without routers and flits. It receives whole messages from the nodes' ideal
/// controllers, and notifies the destination's controller of each arrival.
class IdealNetwork : public Network {
  public:
    /// Receiver of arriving messages: called with a message and its cycle of arrival, at the latest
    /// in the cycle before its arrival.
    using Receive = std::function<void(hw::MessageSlot, hw::Cycles)>;

    [[nodiscard]] std::unique_ptr<hw::Controller> make_controller(
        const ControllerSite& site) override;
    /// For tests: delivers messages to `receive` instead of the controllers; to be called before
    /// the run.
    void receive_by(Receive receive) { receive_ = std::move(receive); }

    /// Accepts a message whose launch is granted now.
    virtual void carry(hw::MessageSlot message, hw::Cycles now) = 0;

  protected:
    explicit IdealNetwork(hw::MessagePool& messages);

    /// Part that grants launches; null if launches never wait.
    [[nodiscard]] virtual hw::LaunchGate* gate() { return nullptr; }
    [[nodiscard]] hw::MessagePool& messages() const { return messages_; }
    void deliver(hw::MessageSlot message, hw::Cycles arrival) { receive_(message, arrival); }

  private:
    hw::MessagePool& messages_;
    Receive receive_;
    hw::PerNode<hw::IdealController*> controllers_;
};

/// The network of LoPC's assumptions (Section 2): no contention, and unbounded buffers. A message
/// arrives an unloaded trip after its launch: injection, ejection, header flits, and the hops' time
/// (UnloadedTrips). The hops' time is hop_cycles for each hop of a mesh of network.dimensions, or
/// delay_cycles at every distance.
class DelayNetwork final : public IdealNetwork {
  public:
    DelayNetwork(const NetworkParameters& parameters, hw::MessagePool& messages);

    void carry(hw::MessageSlot message, hw::Cycles now) override;

  private:
    Mesh places_;
    UnloadedTrips trips_;
};

}  // namespace weir::network
