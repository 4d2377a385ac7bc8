#include "hw/queues/byte_queue_twin.h"

#include <algorithm>
#include <numeric>

#include "hw/controller/controller_registers.h"

namespace weir::hw {

namespace {

constexpr std::int64_t kMostWordBytes = std::int64_t{WEIR_DESCRIPTOR_WORDS} * WEIR_WORD_BYTES;

std::int64_t grain(Bytes flit_bytes) {
    return std::gcd(flit_bytes.count(), std::int64_t{WEIR_WORD_BYTES});
}

}  // namespace

Twin byte_queue_twin(Bytes capacity, const ByteQueuePorts& ports) {
    return {"byte_queue",
            {"hw/queues/item_ring.sv", "hw/queues/byte_queue.sv"},
            {{"QUEUE_BYTES", capacity.count()},
             {"PUSH_BYTES", ports.push_bytes},
             {"POP_BYTES", ports.pop_bytes},
             {"GRAIN_BYTES", ports.grain_bytes},
             {"BEGINS", ports.begins}}};
}

ByteQueuePorts output_queue_ports(Bytes flit_bytes, Bytes burst_bytes) {
    return {.push_bytes = std::max(kMostWordBytes, burst_bytes.count()),
            .pop_bytes = flit_bytes.count(),
            .grain_bytes = grain(flit_bytes)};
}

ByteQueuePorts input_queue_ports(Bytes flit_bytes, Bytes burst_bytes) {
    return {.push_bytes = flit_bytes.count(),
            .pop_bytes = std::max(kMostWordBytes, burst_bytes.count()),
            .grain_bytes = grain(flit_bytes)};
}

}  // namespace weir::hw
