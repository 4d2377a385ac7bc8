#pragma once

#include <cstdint>
#include <filesystem>

#include "experiments/trace/database/trace_database.h"

namespace weir::experiments::trace {

/// A trace that Weir need not have written, of a machine or another simulator, to read only. What
/// it must have is trace_schema(): the table `run` with schema_version and node_count, the table
/// `messages`, and any of the others, each with all of its columns; more columns and tables don't
/// matter. Of a table that is absent the database says so (has()), and it reads as an empty one;
/// core_intervals needs core_states, queue_levels queue_kinds, dma_transfers dma_engines and stalls
/// stall_places.
///
/// All rows are looked at. Throws TraceError that names table, column and row, what was found and
/// what is accepted, when a table or column is missing; a value is of another type, missing or
/// there twice where it must not be; a node is none of the machine's; a time is negative or before
/// one that it follows; a message's id is not its source's and number's, or its parent was handled
/// elsewhere or later; a core does two things at once, or one that has no name.
TraceDatabase open_foreign_trace(const std::filesystem::path& path);

/// The number of nodes of a trace. Throws TraceError when it is not there or no whole number above
/// 0.
std::int64_t trace_node_count(const TraceDatabase& trace);
/// The same of a file, a log or a database, of which no row of messages is read. Throws TraceError.
std::int64_t stored_node_count(const std::filesystem::path& path);

}  // namespace weir::experiments::trace
