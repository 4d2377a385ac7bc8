#pragma once

#include <string>

#include "network/topology/network_distance.h"

namespace weir::experiments::commands {

/// A row of the table of LogP's Section 5.1: a mean distance over all pairs, a node and itself
/// included, without the terms that grow less than the leading one.
[[nodiscard]] std::string formula_text(network::NetworkTopology network);
/// As printed for 1,024 processors.
[[nodiscard]] double printed_distance(network::NetworkTopology network);

}  // namespace weir::experiments::commands
