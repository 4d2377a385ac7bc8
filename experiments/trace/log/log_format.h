#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "experiments/trace/rows/trace_rows.h"

namespace weir::experiments::trace {

/// Name of the trace in a run's folder.
inline constexpr const char* kTraceFile = "trace.weir";

// Format of a run's log: eight magic bytes, then records in the order of writing. A record is a tag
// of one byte, its length in four bytes, and its content:
// - run info: length of the key in four bytes, key, value; if a key occurs several times, its last
//   value holds
// - mark name: text; names are numbered from 0 in the order of the file
// - channel name: text; names are numbered from 0 in the order of the file
// - block: rows of one table. Number of rows in four bytes, then each column of the table
//   (column_codec.h, table_columns.h)
//
// The log of a killed run may end inside a record. All records before it are valid.

inline constexpr std::string_view kLogMagic = "weirlog1";
/// Common beginning of all versions.
inline constexpr std::string_view kAnyLogMagic = "weirlog";

/// Tags of records other than blocks. A block's tag is its table's Table::log_tag.
enum class LogTag : std::uint8_t {
    kRunInfo = 'r',
    kMarkName = 'n',
    kChannelName = 'h',
};

inline constexpr std::size_t kTagBytes = 1;
inline constexpr std::size_t kLengthBytes = 4;
/// Limits of a record's bytes and of a block's rows; readers refuse larger ones.
inline constexpr std::size_t kMostRecordBytes = 1U << 26U;
inline constexpr std::size_t kMostBlockRows = 16'384;

}  // namespace weir::experiments::trace
