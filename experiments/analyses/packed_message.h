#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/result.h"
#include "firmware/kernels/boundary_exchange/boundary_exchange.h"
#include "nodes/machine.h"

namespace weir::experiments::analyses {

/// A message that is packed, sent and unpacked: its parts in cycles.
struct PackedMessage {
    std::string who;  ///< "measured", or a model
    double pack_cycles = 0.0;
    double network_cycles = 0.0;  ///< from the first cycle of sending until it is in memory
    double unpack_cycles = 0.0;
    double whole_cycles = 0.0;
};
using PackedMessages = std::vector<PackedMessage>;

/// The measured message of a boundary exchange, and memory logP with LogP (Section 5 of the paper,
/// models/memory_logp/memory_logp.h) of it, asked with the machine's parameters, and what the trace
/// shows of the network's part, o + L + G B + o:
///     memory_logp       with l as memory logP measures it, of a transfer repeated over its data
///     memory_logp_cold  with l of a first transfer, which misses every line
/// Both know the transfer alone, not what the program does between two of them. None where nodes
/// do not exchange one column each, alone, or have no caches.
[[nodiscard]] PackedMessages packed_messages(const firmware::BoundaryExchange& kernel,
                                             const nodes::MachineConfiguration& machine,
                                             const records::Metrics& measured);

/// What a point's result holds of it.
[[nodiscard]] PackedMessages packed_messages(const records::PointResult& point);

/// Their parts, of all points: a figure and a table. Nothing of other kernels.
[[nodiscard]] std::optional<records::Section> packed_message_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::analyses
