#pragma once

#include <map>

#include "hw/trace_record.h"

namespace weir::nodes::testing {

/// Keeps all that a run reports but queue levels, for tests to look at.
class RecordedTrace final : public hw::TraceRecord {
  public:
    void message(const hw::Message& message) override { messages[message.id] = message; }
    void queue_level(hw::NodeId /*node*/, hw::QueueKind /*queue*/, hw::Cycles /*cycle*/,
                     hw::Bytes /*bytes*/, std::int64_t /*messages*/) override {}

    std::map<hw::MessageId, hw::Message> messages;
};

}  // namespace weir::nodes::testing
