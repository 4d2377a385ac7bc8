#pragma once

#include <filesystem>

#include "experiments/trace/log/log_format.h"
#include "experiments/trace/rows/trace.h"

namespace weir::experiments::trace {

/// Whether a file begins like a log, of whatever version.
[[nodiscard]] bool is_log(const std::filesystem::path& path);

/// What a TraceStore has written; of a killed run what it had committed. Throws TraceError where
/// the file is of another version, or has bytes or values that no store writes, and
/// setup::SurroundingsFault where the system does not give it.
[[nodiscard]] Trace read_log(const std::filesystem::path& path);

/// What such a file says of its run before the first rows, without reading these. Throws as
/// read_log() does.
[[nodiscard]] Trace read_log_head(const std::filesystem::path& path);

}  // namespace weir::experiments::trace
