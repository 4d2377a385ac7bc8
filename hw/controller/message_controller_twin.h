#pragma once

#include <cstdint>
#include <variant>

#include "hw/controller/controller_parameters.h"
#include "hw/dma/dma_parameters.h"
#include "hw/fault.h"
#include "hw/twin.h"
#include "hw/units.h"

namespace weir::hw {

/// Parts around a message controller that decide whether its twin covers it.
struct ControllerSurroundings {
    std::int32_t node_count = 0;
    Bytes memory_bytes;
    bool has_protocol_processor = false;
    bool shares_memory = false;
};

/// Twin of a message controller, or the first key whose value message_controller.sv does not cover.
[[nodiscard]] std::variant<Twin, Fault> message_controller_twin(
    const ControllerParameters& keys, const DmaParameters& dma,
    const ControllerSurroundings& surroundings);

/// Twin of a controller joined with its queues, engines and memory port (message_node.sv), or the
/// first key whose value it does not cover.
[[nodiscard]] std::variant<Twin, Fault> message_node_twin(
    const ControllerParameters& keys, const DmaParameters& dma, const MemoryPortParameters& port,
    const ControllerSurroundings& surroundings, Bytes flit_bytes);

}  // namespace weir::hw
