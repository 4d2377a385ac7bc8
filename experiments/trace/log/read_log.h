#pragma once

#include <filesystem>

#include "experiments/trace/log/log_format.h"
#include "experiments/trace/rows/trace.h"

namespace weir::experiments::trace {

/// True if a file begins like a log of any version.
[[nodiscard]] bool is_log(const std::filesystem::path& path);

/// Reads the log of a TraceStore; of a killed run the part that it had committed. Throws TraceError
/// if the file is of another version, or has bytes or values that no store writes. Throws
/// setup::SurroundingsFault if the system refuses to read the file.
[[nodiscard]] Trace read_log(const std::filesystem::path& path);

/// Reads a log's facts about its run, which precede the first rows. Throws as read_log() does.
[[nodiscard]] Trace read_log_head(const std::filesystem::path& path);

}  // namespace weir::experiments::trace
