#pragma once

#include <optional>

#include "experiments/models/model_input.h"

namespace weir::experiments::analyses {

/// Bodies of messages, which DMA engines move, as LogGP and LoGPC assume them. Times are cycles.
///
/// A blocking send holds the processor for (B - 1) G after its launch. A blocking receive holds it
/// for (B - 1 - a) G after its header (LoGPC Sections 5.1.3 and 5.2.1). Other sends and receives
/// cost the processor their overheads alone.
struct ExplainedBodies {
    double count = 0.0;  ///< bodies that a node sends, and receives, in an iteration or a program
    double message_bytes = models::kNotGiven;               ///< B
    double gap_cycles_per_byte = models::kNotGiven;         ///< G
    double memory_gap_cycles_per_byte = models::kNotGiven;  ///< Gm
    double header_bytes = models::kNotGiven;                ///< a
    bool sends_block = true;
    bool receives_block = true;

    /// Time from a header's arrival to the start of the DMA engine. Without it, the receiver takes
    /// bytes as they arrive.
    std::optional<double> header_to_dma_cycles;
    double start_cycles = 0.0;    ///< overheads of the receives, which the models hide
    double overlap_cycles = 0.0;  ///< time in which handlers run while a sent body moves

    /// Time for which a send holds the processor after its launch.
    [[nodiscard]] double send_cycles() const;
    /// Time for which a handler waits for a body.
    [[nodiscard]] double receive_cycles() const;
    /// Processor time of all bodies, without waits.
    [[nodiscard]] double processor_cycles() const;
    /// LoGPC (2): time of one body from its first byte's arrival to its last byte's write. The DMA
    /// engine starts `start` cycles after the header's arrival.
    [[nodiscard]] double single_cycles(double start) const;
};

}  // namespace weir::experiments::analyses
