#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/records/document.h"
#include "experiments/records/result.h"
#include "firmware/kernels/boundary_exchange/boundary_exchange.h"
#include "nodes/machine.h"

namespace weir::experiments::analyses {

/// Parts, in cycles, of a message that is packed, sent and unpacked.
struct PackedMessage {
    std::string who;  ///< "measured", or a model
    double pack_cycles = 0.0;
    double network_cycles =
        0.0;  ///< from the first cycle of the send until the message is in memory
    double unpack_cycles = 0.0;
    double whole_cycles = 0.0;
};
using PackedMessages = std::vector<PackedMessage>;

/// Messages of a boundary exchange: the measured one, and predictions of memory logP with LogP
/// (Section 5 of the paper, models/memory_logp/memory_logp.h). Predictions use the machine's
/// parameters and the trace's network part, o + L + G B + o:
///     memory_logp       with l as memory logP measures it, of a transfer repeated over its data
///     memory_logp_cold  with l of a first transfer, which misses every line
/// Both model the transfer alone, without the program's accesses between transfers. Empty if nodes
/// do not exchange exactly one column each, or have no caches.
[[nodiscard]] PackedMessages packed_messages(const firmware::BoundaryExchange& kernel,
                                             const nodes::MachineConfiguration& machine,
                                             const records::Metrics& measured);

/// Messages from a point's result.
[[nodiscard]] PackedMessages packed_messages(const records::PointResult& point);

/// Figure and table with the messages' parts at all points; absent for other kernels.
[[nodiscard]] std::optional<records::Section> packed_message_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::analyses
