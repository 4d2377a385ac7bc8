#pragma once

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/question.h"
#include "experiments/models/logpc/logpc_long_message.h"
#include "experiments/models/logpc/logpc_network.h"
#include "hw/controller/controller_registers.h"

namespace weir::experiments::analyses {

/// A: bytes of a message that arrive before the interrupt.
inline constexpr double kHeaderBytes = WEIR_HEADER_BYTES;

/// Inputs of LoGPC's network, in which a byte holds a channel for channel_cycles_per_byte. Throws
/// models::ModelError for a machine with another network.
[[nodiscard]] models::LogpcNetworkInputs logpc_network_inputs(Question& question,
                                                              double channel_cycles_per_byte);

/// LoGPC Section 5.1.3: an asynchronous remap of long messages, with and without contention.
[[nodiscard]] models::LogpcRemap long_remap(Question& question, double channel_cycles_per_byte);

/// Throws models::ModelError unless sends and receives of bodies block the processor: O_s and O_r
/// of LoGPC Section 5 include times that the processor waits.
void require_waits_for_bodies(const MachineView& machine);
/// The same, and messages must interrupt the thread.
void require_blocking_bodies(const MachineView& machine);

/// Cycles for which a byte holds a channel in a LoGPC model: 1 as printed, or G.
[[nodiscard]] double channel_cycles_per_byte(bool as_printed, const MachineView& machine);

}  // namespace weir::experiments::analyses
