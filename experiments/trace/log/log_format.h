#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "experiments/trace/rows/trace_rows.h"

namespace weir::experiments::trace {

/// The name of a run's trace in the run's folder.
inline constexpr const char* kTraceFile = "trace.weir";

// A run's log of what it did, in the order in which it came: eight bytes that say what the file is,
// then records. A record is a tag of one byte, its length in four, and so many bytes:
//
//   run info    the key's length in four bytes, the key, its value; of a key the last one counts
//   mark name   a text; numbered from 0 in the order of the file
//   channel     the name of one, in the same way
//   a block     of rows of one table: their number in four bytes, then each of the table's columns
//               (column_codec.h, table_columns.h)
//
// A log that ends inside a record is that of a run that was killed: it holds what came before.

inline constexpr std::string_view kLogMagic = "weirlog1";
/// What all versions begin with.
inline constexpr std::string_view kAnyLogMagic = "weirlog";

/// Blocks have their table's Table::log_tag.
enum class LogTag : std::uint8_t {
    kRunInfo = 'r',
    kMarkName = 'n',
    kChannelName = 'h',
};

inline constexpr std::size_t kTagBytes = 1;
inline constexpr std::size_t kLengthBytes = 4;
/// A reader takes no longer record, and no block of more rows.
inline constexpr std::size_t kMostRecordBytes = 1U << 26U;
inline constexpr std::size_t kMostBlockRows = 16'384;

}  // namespace weir::experiments::trace
