#pragma once

#include <map>
#include <sstream>
#include <string>

#include "hw/tracing/trace_record.h"

namespace weir::nodes::testing {

/// Trace sink that keeps all records of a run, except queue levels, for tests.
class RecordedTrace final : public hw::TraceRecord {
  public:
    void message(const hw::Message& message) override { messages[message.id] = message; }
    void queue_level(hw::NodeId /*node*/, hw::QueueKind /*queue*/, hw::Cycles /*cycle*/,
                     hw::Bytes /*bytes*/, std::int64_t /*messages*/) override {}

    /// Returns a line for each message: when it was launched, arrived, had its body stored, and was
    /// disposed of.
    [[nodiscard]] std::string times() const {
        std::ostringstream text;
        for (const auto& [id, message] : messages) {
            text << message.source << ' ' << message.destination << ' ' << message.times.launch
                 << ' ' << message.times.tail_arrival << ' ' << message.times.receive_dma_end << ' '
                 << message.times.dispose << '\n';
        }
        return text.str();
    }

    std::map<hw::MessageId, hw::Message> messages;
};

}  // namespace weir::nodes::testing
