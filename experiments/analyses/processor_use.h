#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/trace/exports/cycle_window.h"
#include "experiments/trace/rows/trace.h"

namespace weir::experiments::analyses {

/// Activity of a machine's processors in a slice of time, as mean numbers of processors.
struct ProcessorUse {
    double begin_cycle = 0.0;
    double end_cycle = 0.0;
    double computing = 0.0;
    /// Processors that send, are blocked in a send, wait for DMA, or are in a handler.
    double communicating = 0.0;
    double idle = 0.0;  ///< processors whose thread waits or has ended
};

/// Activity in `slices` equal parts of a window, which must have an end.
[[nodiscard]] std::vector<ProcessorUse> processor_use(const trace::Trace& trace,
                                                      trace::CycleWindow window,
                                                      std::size_t slices);

/// Text with comma-separated values, a line for each slice.
[[nodiscard]] std::string processor_use_table(const std::vector<ProcessorUse>& uses);
/// Reads a file of processor_use_table(); empty if it does not exist.
[[nodiscard]] std::vector<ProcessorUse> read_processor_use(const std::filesystem::path& file);

}  // namespace weir::experiments::analyses
