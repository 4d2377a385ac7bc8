#pragma once

#include <cstdint>
#include <string>

#include "hw/messages/message.h"

namespace weir::experiments::trace {

/// Counts up when a table or a column changes its meaning; key `schema_version` of the table `run`.
inline constexpr int kTraceSchemaVersion = 3;

/// The statements that make an empty trace. The comments in them document every table and column
/// and stay in the file, where `sqlite3 FILE .schema` shows them.
[[nodiscard]] const std::string& trace_schema();

/// A source's messages are numbered from its index times this.
inline constexpr std::int64_t kMessageIdsPerSource = std::int64_t{1} << 40;

/// The integer that stands for a message in the file.
constexpr std::int64_t stored_message_id(hw::MessageId id) {
    return id.source.index() * kMessageIdsPerSource + id.sequence;
}

/// The message that `stored` stands for.
constexpr hw::MessageId message_id_of(std::int64_t stored) {
    return {.source = hw::NodeId(static_cast<std::int32_t>(stored / kMessageIdsPerSource)),
            .sequence = stored % kMessageIdsPerSource};
}

/// "message 17 of node 3"
std::string describe_message(std::int64_t stored);

}  // namespace weir::experiments::trace
