#pragma once

#include <filesystem>
#include <string>

#include "experiments/trace/rows/trace.h"

namespace weir::experiments::trace {

/// The XXH3-128 hash, as 32 hexadecimal digits, of all facts in a trace: every row of every table,
/// except the keys of `run` that start with "host_". Two runs of one experiment have the same
/// digest on any host and in any order of simulation: tables and columns are taken by name and rows
/// by primary key, whatever order they were made in.
///
/// Throws TraceError when the file can't be read or is no trace.
std::string trace_digest(const std::filesystem::path& path);
/// The same of a trace in memory.
std::string trace_digest(const Trace& trace);

}  // namespace weir::experiments::trace
