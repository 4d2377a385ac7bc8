#pragma once

#include <cstdint>

#include "experiments/models/memory_logp/transfer_timing.h"
#include "hw/units.h"
#include "nodes/machine.h"

namespace weir::experiments::analyses {

/// What the models of memory logP may see of a machine with caches: its parameters.
/// For elements of 4 or 8 bytes, moved by a loop with so many cycles of its own.
[[nodiscard]] models::TransferTimingInputs transfer_timing_inputs(
    const nodes::MachineConfiguration& machine, std::int64_t element_bytes, hw::Cycles loop_cycles);
/// With T of every level.
[[nodiscard]] models::MemoryHierarchyGeometry memory_hierarchy_geometry(
    const nodes::MachineConfiguration& machine, const models::TransferTimingInputs& inputs);

}  // namespace weir::experiments::analyses
