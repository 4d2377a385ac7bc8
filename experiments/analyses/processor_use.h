#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/trace/exports/cycle_window.h"
#include "experiments/trace/rows/trace.h"

namespace weir::experiments::analyses {

/// What the processors of a machine did in a slice of its time, each a mean number of processors.
struct ProcessorUse {
    double begin_cycle = 0.0;
    double end_cycle = 0.0;
    double computing = 0.0;
    double communicating = 0.0;  ///< they send, are blocked in it, wait for DMA, or handle messages
    double idle = 0.0;           ///< their threads wait, or have ended
};

/// The same for so many equal slices of a window that has an end.
[[nodiscard]] std::vector<ProcessorUse> processor_use(const trace::Trace& trace,
                                                      trace::CycleWindow window,
                                                      std::size_t slices);

/// A file of comma-separated values, a slice a line.
[[nodiscard]] std::string processor_use_table(const std::vector<ProcessorUse>& uses);
/// Such a file, read back; nothing where there is none.
[[nodiscard]] std::vector<ProcessorUse> read_processor_use(const std::filesystem::path& file);

}  // namespace weir::experiments::analyses
