#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/trace/rows/trace_rows.h"

namespace weir::experiments::trace {

/// Kind of a column's values. Absent values, NULL in SQL, are kAbsent.
enum class ColumnKind : std::uint8_t {
    kCount,          ///< a number, a time or a duration, of 0 or more
    kStage,          ///< a time, or absent
    kAny,            ///< any whole number
    kNode,           ///< a node of the machine
    kMessage,        ///< a message, as stored_message_id()
    kMessageOrNone,  ///< a message, or absent
    kState,          ///< hw::CoreState
    kQueue,          ///< hw::QueueKind
    kEngine,         ///< hw::DmaKind
    kPlace,          ///< hw::StallPlace
    kRequest,        ///< hw::SharedRequest
    kLineState,      ///< number of a state in hw::LineState
    kFlag,           ///< 0 or 1
    kChannel,        ///< index into Trace::channel_names
    kMarkName,       ///< index into Trace::mark_names; text in SQL
};

/// Text column at which comments begin in the schema's text, unless declared otherwise.
inline constexpr std::size_t kCommentAt = 33;

inline constexpr std::int64_t kAbsent = INT64_MIN;

/// Upper bound of counts and times, so that sums of a few never overflow.
inline constexpr std::int64_t kMostTraceNumber = std::int64_t{1} << 56;

/// Declaration of a column, with access to its value in a row.
template <class Row>
struct Column {
    const char* name;      ///< name in SQL
    const char* sentence;  ///< comment in the schema, may have several lines or be empty
    ColumnKind kind;
    std::int64_t (*get)(const Row& row);
    void (*set)(Row& row, std::int64_t value);
    /// Column of the comment in the schema's text; 0: the table's comment_at.
    std::size_t comment_at = 0;
    /// True if the value follows from earlier columns, with which it must agree.
    bool is_repeated = false;

    [[nodiscard]] bool agrees(const Row& row, std::int64_t value) const {
        return !is_repeated || get(row) == value;
    }
};

/// Declaration of a table: its columns in the order of the schema; the first ones are its key.
template <class Row>
struct Table {
    const char* name;
    char log_tag;          ///< tag of its blocks in a log
    const char* sentence;  ///< comment in the schema, may have several lines
    std::span<const Column<Row>> columns;
    std::size_t key_columns;
    /// Position of comments in the schema's text, for columns without a position of their own.
    std::size_t comment_at = kCommentAt;
};

/// Table of a kind of rows, by which rows are written and read. SQL, blocks of the log and the
/// checks of readers follow from these declarations.
template <class Row>
const Table<Row>& table_of();

/// Lookup table: names of the numbers in columns of one kind.
struct NameTable {
    ColumnKind kind;
    const char* name;
    const char* number;          ///< name of its column of numbers
    const char* sentence;        ///< comment in the schema, may have several lines
    const char* names_sentence;  ///< comment in the schema on the column of names
    /// Names by number; empty for channels, which each trace names itself.
    std::vector<std::string> names;
};

[[nodiscard]] const std::vector<NameTable>& name_tables();
/// Lookup table of a kind; null if its numbers have no names.
[[nodiscard]] const NameTable* name_table_of(ColumnKind kind);

}  // namespace weir::experiments::trace
