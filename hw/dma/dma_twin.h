#pragma once

#include <cstdint>
#include <variant>

#include "hw/controller/controller_parameters.h"
#include "hw/dma/dma_parameters.h"
#include "hw/fault.h"
#include "hw/tracing/trace_probe.h"
#include "hw/twin.h"

namespace weir::hw {

/// Twin of a memory port with `requesters` users, or the first key whose value memory_port.sv does
/// not cover.
[[nodiscard]] std::variant<Twin, Fault> memory_port_twin(const MemoryPortParameters& keys,
                                                         std::int64_t requesters);
/// Twin of a DMA engine, or the first key whose value dma_engine.sv does not cover.
[[nodiscard]] std::variant<Twin, Fault> dma_engine_twin(DmaKind kind, const DmaParameters& keys,
                                                        const ControllerParameters& controller);

}  // namespace weir::hw
