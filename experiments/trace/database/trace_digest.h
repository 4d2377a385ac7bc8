#pragma once

#include <filesystem>
#include <string>

#include "experiments/trace/rows/trace.h"

namespace weir::experiments::trace {

/// Begin of the source of numbers that `weir fit` fitted to traces, in [models.inputs]. The digests
/// of these traces follow.
inline constexpr const char* kSourceOfFit = "weir fit ";

/// XXH3-128 hash of all facts in a trace, as 32 hexadecimal digits. The digest covers every row of
/// every table, except the keys of `run` that start with "host_". Tables and columns are taken by
/// name and rows by primary key. So two runs of one experiment have the same digest on any host, in
/// any order of simulation.
///
/// Throws TraceError if the file cannot be read or is not a trace.
std::string trace_digest(const std::filesystem::path& path);
/// Digest of a trace in memory, whose rows must be sorted.
std::string trace_digest(const Trace& trace);

}  // namespace weir::experiments::trace
