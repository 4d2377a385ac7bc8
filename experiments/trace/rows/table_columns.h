#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/trace/rows/trace_rows.h"

namespace weir::experiments::trace {

/// What a column may hold. What is not there, NULL in SQL, is kAbsent.
enum class ColumnKind : std::uint8_t {
    kCount,          ///< a number, a time or a duration, of 0 or more
    kStage,          ///< a time, or none
    kAny,            ///< any whole number
    kNode,           ///< a node of the machine
    kMessage,        ///< a message, as stored_message_id() stands for it
    kMessageOrNone,  ///< the same, or none
    kState,          ///< hw::CoreState
    kQueue,          ///< hw::QueueKind
    kEngine,         ///< hw::DmaKind
    kPlace,          ///< hw::StallPlace
    kRequest,        ///< hw::SharedRequest
    kLineState,      ///< hw::LineState's
    kFlag,           ///< 0 or 1
    kChannel,        ///< an index of Trace::channel_names
    kMarkName,       ///< an index of Trace::mark_names; text in SQL
};

/// Where explanations stand in the schema.
inline constexpr std::size_t kCommentAt = 33;

inline constexpr std::int64_t kAbsent = INT64_MIN;

/// Counts and times are below this, so that sums of a few never overflow.
inline constexpr std::int64_t kMostTraceNumber = std::int64_t{1} << 56;

/// One column of a table: how a row says it, and is told it.
template <class Row>
struct Column {
    const char* name;      ///< in SQL
    const char* sentence;  ///< as the schema explains it, in lines; may be empty
    ColumnKind kind;
    std::int64_t (*get)(const Row& row);
    void (*set)(Row& row, std::int64_t value);
    std::size_t comment_at = 0;  ///< where the sentence stands in a line of the schema
    /// Columns before it say the same: what is told must be that.
    bool is_repeated = false;

    [[nodiscard]] bool agrees(const Row& row, std::int64_t value) const {
        return !is_repeated || get(row) == value;
    }
};

/// One table: its columns in the order of the schema, of which the first are its key.
template <class Row>
struct Table {
    const char* name;
    char log_tag;          ///< of its blocks in a log
    const char* sentence;  ///< as the schema explains it, in lines
    std::span<const Column<Row>> columns;
    std::size_t key_columns;
    std::size_t comment_at = kCommentAt;  ///< of columns that say nothing else
};

/// The table of a kind of rows: whoever writes or reads rows goes through its columns. From these
/// declarations come SQL, the log's blocks and what readers accept.
template <class Row>
const Table<Row>& table_of();

/// A table of the names behind the numbers in columns of one kind.
struct NameTable {
    ColumnKind kind;
    const char* name;
    const char* number;          ///< its column of numbers
    const char* sentence;        ///< as the schema explains it, in lines
    const char* names_sentence;  ///< the same, of its column `name`
    /// By number; none of channels, which each trace names.
    std::vector<std::string> names;
};

[[nodiscard]] const std::vector<NameTable>& name_tables();
/// Null where the numbers of that kind have no names.
[[nodiscard]] const NameTable* name_table_of(ColumnKind kind);

}  // namespace weir::experiments::trace
