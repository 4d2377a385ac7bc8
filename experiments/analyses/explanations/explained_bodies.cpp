#include "experiments/analyses/explanations/explained_bodies.h"

#include <algorithm>

namespace weir::experiments::analyses {

double ExplainedBodies::send_cycles() const {
    return sends_block ? (message_bytes - 1.0) * gap_cycles_per_byte : 0.0;
}

double ExplainedBodies::receive_cycles() const {
    if (!receives_block) {
        return 0.0;
    }
    const double arriving = (message_bytes - 1.0 - header_bytes) * gap_cycles_per_byte;
    return header_to_dma_cycles ? std::max(arriving - *header_to_dma_cycles,
                                           message_bytes * memory_gap_cycles_per_byte)
                                : arriving;
}

double ExplainedBodies::processor_cycles() const {
    return count > 0.0 ? count * (send_cycles() + receive_cycles()) + start_cycles - overlap_cycles
                       : 0.0;
}

double ExplainedBodies::single_cycles(double start) const {
    return std::max(
        (message_bytes - 1.0) * gap_cycles_per_byte,
        header_bytes * gap_cycles_per_byte + start + message_bytes * memory_gap_cycles_per_byte);
}

}  // namespace weir::experiments::analyses
