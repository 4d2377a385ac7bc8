#pragma once

#include <cstdint>
#include <filesystem>

#include "experiments/trace/database/trace_database.h"

namespace weir::experiments::trace {

/// Opens a trace of another simulator or a real machine for reading.
///
/// The trace needs these tables of trace_schema():
/// - `run` with schema_version and node_count, and `messages`
/// - optionally any other table, with all of its columns
/// - the lookup table of each such table: core_states for core_intervals, queue_kinds for
///   queue_levels, dma_engines for dma_transfers, stall_places for stalls
///
/// Further columns and tables are ignored. An absent table is reported by has(), and reads as an
/// empty one.
///
/// Opening checks every row. Throws TraceError with table, column, row, the found and the accepted
/// value, for each of these faults:
/// - a missing table or column
/// - a value that is missing, of another type, or a duplicate key
/// - a node outside the machine
/// - a time that is negative or before a stage that precedes it
/// - a message id that is not made of source and number, or a parent that was handled elsewhere or
///   later
/// - a core in two states at once, or in an unknown state
TraceDatabase open_foreign_trace(const std::filesystem::path& path);

/// Number of nodes of a trace. Throws TraceError if the number is missing or not a whole number
/// above 0.
std::int64_t trace_node_count(const TraceDatabase& trace);
/// Number of nodes of a trace file, a log or a database. Does not read the messages. Throws
/// TraceError if the file is no trace or has no valid number.
std::int64_t stored_node_count(const std::filesystem::path& path);

}  // namespace weir::experiments::trace
