#pragma once

#include <variant>

#include "hw/fault.h"
#include "hw/twin.h"
#include "network/network_parameters.h"

namespace weir::network {

/// The twin of the network's routers, with the sizes that the parameters give, or the parameter
/// that no twin covers. The parameters must have passed their check().
[[nodiscard]] std::variant<hw::Twin, hw::Fault> router_twin(const NetworkParameters& parameters);

/// Bits of a coordinate in a header, for the longest dimension.
[[nodiscard]] int coordinate_bits(const NetworkParameters& parameters);

}  // namespace weir::network
