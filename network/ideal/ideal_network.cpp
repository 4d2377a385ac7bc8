#include "network/ideal/ideal_network.h"

namespace weir::network {

IdealNetwork::IdealNetwork(hw::MessagePool& messages)
    : messages_(messages), receive_([this](hw::MessageSlot message, hw::Cycles arrival) {
          const hw::NodeId to = messages_[message].destination;
          controllers_[to]->arrive(message, arrival);
      }) {}

std::unique_ptr<hw::Controller> IdealNetwork::make_controller(const ControllerSite& site) {
    auto controller = std::make_unique<hw::IdealController>(
        "controller", site.domain, site.controller, site.node, site.node_count, messages_,
        site.traces.events,
        [this, &domain = site.domain](hw::MessageSlot message) { carry(message, domain.now()); },
        gate());
    controllers_.resize(site.node_count);
    controllers_[site.node] = controller.get();
    return controller;
}

}  // namespace weir::network
