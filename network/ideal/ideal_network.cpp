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

DelayNetwork::DelayNetwork(const NetworkParameters& parameters, hw::MessagePool& messages)
    : IdealNetwork(messages), places_(parameters.extents()), trips_(parameters, places_) {}

void DelayNetwork::carry(hw::MessageSlot slot, hw::Cycles /*now*/) {
    hw::Message& message = messages()[slot];
    const UnloadedTrip trip = trips_.between(message.source, message.destination);
    message.hops = trip.hops;
    message.unloaded = trip.header_cycles;
    deliver(slot, message.times.launch + message.unloaded);
}

}  // namespace weir::network
