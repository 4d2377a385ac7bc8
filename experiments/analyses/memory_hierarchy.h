#pragma once

#include <cstdint>

#include "experiments/models/memory_logp/transfer_timing.h"
#include "hw/units.h"
#include "nodes/machine.h"

namespace weir::experiments::analyses {

/// Inputs of memory logP's models from a machine with caches, for elements of 4 or 8 bytes.
/// `loop_cycles` is the time of a transfer's loop for an element, without its load and store.
[[nodiscard]] models::TransferTimingInputs transfer_timing_inputs(
    const nodes::MachineConfiguration& machine, std::int64_t element_bytes, hw::Cycles loop_cycles);
/// Geometry of the machine's caches and TLB, with T of every level.
[[nodiscard]] models::MemoryHierarchyGeometry memory_hierarchy_geometry(
    const nodes::MachineConfiguration& machine, const models::TransferTimingInputs& inputs);

}  // namespace weir::experiments::analyses
