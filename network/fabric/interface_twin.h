#pragma once

#include <variant>

#include "hw/fault.h"
#include "hw/twin.h"
#include "hw/units.h"
#include "network/network_parameters.h"

namespace weir::network {

/// The twin of the network interfaces, with the sizes that the parameters give, or the parameter
/// that it does not cover. `largest_queue` is the larger of a node's two message queues. Messages
/// must be a whole number of flits, and channels without faults.
[[nodiscard]] std::variant<hw::Twin, hw::Fault> interface_twin(const NetworkParameters& parameters,
                                                               hw::Bytes largest_queue);

}  // namespace weir::network
