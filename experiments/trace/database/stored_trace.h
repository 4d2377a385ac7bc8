#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/trace/database/trace_database.h"
#include "experiments/trace/rows/trace.h"

namespace weir::experiments::trace {

/// Numbers and names in a lookup table of the trace's database, in the order of the numbers. States
/// that only some machines' cores have are named only if a core was in them. The names are those of
/// `trace` or `table`, and end with these.
[[nodiscard]] std::vector<std::pair<std::int64_t, std::string_view>> stored_names(
    const Trace& trace, const NameTable& table);

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
