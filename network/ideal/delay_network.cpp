#include "network/ideal/delay_network.h"

namespace weir::network {

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
