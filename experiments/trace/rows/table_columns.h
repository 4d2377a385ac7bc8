#pragma once

#include <cstdint>
#include <span>
#include <string_view>

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

inline constexpr std::int64_t kAbsent = INT64_MIN;

/// Counts and times are below this, so that sums of a few never overflow.
inline constexpr std::int64_t kMostTraceNumber = std::int64_t{1} << 56;

/// One column of a table: how a row says it, and is told it.
template <class Row>
struct Column {
    const char* name;  ///< in SQL
    ColumnKind kind;
    std::int64_t (*get)(const Row& row);
    void (*set)(Row& row, std::int64_t value);
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
    std::span<const Column<Row>> columns;
    std::size_t key_columns;
};

/// The table of a kind of rows: whoever writes or reads rows goes through its columns.
template <class Row>
const Table<Row>& table_of();
template <>
const Table<MessageRow>& table_of<MessageRow>();
template <>
const Table<CoreIntervalRow>& table_of<CoreIntervalRow>();
template <>
const Table<QueueLevelRow>& table_of<QueueLevelRow>();
template <>
const Table<hw::DmaTransfer>& table_of<hw::DmaTransfer>();
template <>
const Table<hw::Stall>& table_of<hw::Stall>();
template <>
const Table<hw::SharedTransaction>& table_of<hw::SharedTransaction>();
template <>
const Table<hw::CoherenceTrap>& table_of<hw::CoherenceTrap>();
template <>
const Table<hw::SharedAccess>& table_of<hw::SharedAccess>();
template <>
const Table<hw::LineState>& table_of<hw::LineState>();
template <>
const Table<hw::ChannelInterval>& table_of<hw::ChannelInterval>();
template <>
const Table<QueueIntervalRow>& table_of<QueueIntervalRow>();
template <>
const Table<MarkRow>& table_of<MarkRow>();

}  // namespace weir::experiments::trace
