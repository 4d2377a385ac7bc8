#pragma once

#include <filesystem>

#include "experiments/trace/database/trace_database.h"
#include "experiments/trace/rows/trace.h"

namespace weir::experiments::trace {

/// Puts a trace into the tables of a database that has just been created.
void store_trace(const Trace& trace, const TraceDatabase& database);

/// Makes a database file of a trace. Throws TraceError where there is a file of that name.
void write_trace(const Trace& trace, const std::filesystem::path& path);

/// All rows of a database in memory. Throws TraceError where a value is none that its column may
/// hold (table_columns.h).
[[nodiscard]] Trace load_trace(const TraceDatabase& database);

/// The trace in a file, a log or a database.
[[nodiscard]] Trace read_trace(const std::filesystem::path& path);

}  // namespace weir::experiments::trace
