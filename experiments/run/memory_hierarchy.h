#pragma once

#include <cstdint>

#include "experiments/models/memory_logp/transfer_timing.h"
#include "experiments/run/setup.h"
#include "hw/units.h"

namespace weir::experiments::run {

/// What the models of memory logP may see of a machine with caches: its parameters.
/// For elements of 4 or 8 bytes, moved by a loop with so many cycles of its own.
[[nodiscard]] models::TransferTimingInputs transfer_timing_inputs(const Setup& setup,
                                                                  std::int64_t element_bytes,
                                                                  hw::Cycles loop_cycles);
/// With T of every level.
[[nodiscard]] models::MemoryHierarchyGeometry memory_hierarchy_geometry(
    const Setup& setup, const models::TransferTimingInputs& inputs);

}  // namespace weir::experiments::run
