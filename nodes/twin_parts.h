#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "hw/fault.h"
#include "hw/twin.h"
#include "network/network_parameters.h"
#include "nodes/machine_configuration.h"

namespace weir::nodes {

/// A kind of part in a machine, with its twin at the machine's sizes.
struct TwinPart {
    std::string kind;  ///< "router"; "price.router" in costs
    std::string name;  ///< "wormhole router"; unique in a machine
    std::int64_t count = 0;
    /// The twin, or the first key whose value it does not cover.
    std::variant<hw::Twin, hw::Fault> twin;
};

/// The routers of a network. The parameters must have passed their check.
[[nodiscard]] TwinPart router_parts(const network::NetworkParameters& network);

/// Parts of a machine: of its nodes, then of its network. Memories, which are no gates, are left
/// out.
[[nodiscard]] std::vector<TwinPart> twin_parts(const MachineConfiguration& machine);

}  // namespace weir::nodes
