#pragma once

#include <filesystem>

#include "experiments/trace/database/trace_database.h"
#include "experiments/trace/rows/trace.h"

namespace weir::experiments::trace {

/// Writes a trace into the tables of a newly created database.
void store_trace(const Trace& trace, const TraceDatabase& database);

/// Writes a trace into a new database file. Throws TraceError if the file exists.
void write_trace(const Trace& trace, const std::filesystem::path& path);

/// Reads all rows of a database into memory. Throws TraceError if a value is out of range for its
/// column (table_columns.h).
[[nodiscard]] Trace load_trace(const TraceDatabase& database);

/// Reads the trace in a file, a log or a database.
[[nodiscard]] Trace read_trace(const std::filesystem::path& path);

}  // namespace weir::experiments::trace
