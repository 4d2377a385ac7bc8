#pragma once

#include <cstdint>
#include <string>

#include "hw/messages/message.h"

namespace weir::experiments::trace {

/// Version of the schema, increased when a table or a column changes its meaning. Key
/// `schema_version` of the table `run`.
inline constexpr int kTraceSchemaVersion = 3;

/// SQL statements that create an empty trace. Their comments document every table and column, and
/// stay in the file, where `sqlite3 FILE .schema` shows them.
[[nodiscard]] const std::string& trace_schema();

/// Factor in a message's number in the file: the source's index times this, plus the sequence
/// number.
inline constexpr std::int64_t kMessageIdsPerSource = std::int64_t{1} << 40;

/// Number that represents a message in the file.
constexpr std::int64_t stored_message_id(hw::MessageId id) {
    return id.source.index() * kMessageIdsPerSource + id.sequence;
}

/// Message with the number `stored`.
constexpr hw::MessageId message_id_of(std::int64_t stored) {
    return {.source = hw::NodeId(static_cast<std::int32_t>(stored / kMessageIdsPerSource)),
            .sequence = stored % kMessageIdsPerSource};
}

/// For example "message 17 of node 3".
std::string describe_message(std::int64_t stored);

}  // namespace weir::experiments::trace
