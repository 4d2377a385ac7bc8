#pragma once

#include "hw/twin.h"
#include "hw/units.h"

namespace weir::hw {

/// Widths of a queue's ports in byte_queue.sv.
struct ByteQueuePorts {
    std::int64_t push_bytes = 64;  ///< most bytes pushed in a cycle
    std::int64_t pop_bytes = 2;    ///< bytes shown at the head
    std::int64_t grain_bytes = 2;  ///< every push and pop is a multiple of these
    std::int64_t begins = 1;       ///< most messages begun in a cycle
};

/// Bits that byte_queue.sv keeps of a message: the bytes of its body, and its number of words in
/// the lowest bits.
inline constexpr int kByteQueueMessageBits = 37;
inline constexpr int kByteQueueWordsBits = 5;

/// Twin of a queue; it covers every size and width.
[[nodiscard]] Twin byte_queue_twin(Bytes capacity, const ByteQueuePorts& ports);
/// Ports of a queue to the network, and of one from it. A whole message of words is pushed, or
/// shown in the input window; the network takes and brings flits.
[[nodiscard]] ByteQueuePorts output_queue_ports(Bytes flit_bytes, Bytes burst_bytes);
[[nodiscard]] ByteQueuePorts input_queue_ports(Bytes flit_bytes, Bytes burst_bytes);

}  // namespace weir::hw
