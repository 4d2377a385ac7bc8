#pragma once

#include <map>
#include <string>
#include <vector>

#include "hw/trace_probe.h"

namespace weir::nodes::testing {

/// Keeps all that a run reports, for tests to look at.
class RecordedTrace final : public hw::TraceSink {
  public:
    struct Interval {
        hw::NodeId node;
        hw::CoreState state;
        hw::Cycles begin;
        hw::Cycles end;
        hw::MessageId message;
        auto operator<=>(const Interval&) const = default;
    };
    struct Mark {
        hw::NodeId node;
        std::string name;
        hw::Cycles cycle;
        std::int64_t value;
    };

    void message(const hw::Message& message) override { messages[message.id] = message; }
    void core_interval(hw::NodeId node, hw::CoreState state, hw::Cycles begin, hw::Cycles end,
                       hw::MessageId message) override {
        intervals.push_back({node, state, begin, end, message});
    }
    void queue_level(hw::NodeId /*node*/, hw::QueueKind /*queue*/, hw::Cycles /*cycle*/,
                     hw::Bytes /*bytes*/, std::int64_t /*messages*/) override {}
    void dma_transfer(const hw::DmaTransfer& transfer) override { transfers.push_back(transfer); }
    void stall(const hw::Stall& stall) override { stalls.push_back(stall); }
    void mark(hw::NodeId node, std::string_view name, hw::Cycles cycle,
              std::int64_t value) override {
        marks.push_back({node, std::string(name), cycle, value});
    }

    std::map<hw::MessageId, hw::Message> messages;
    std::vector<Interval> intervals;
    std::vector<hw::DmaTransfer> transfers;
    std::vector<hw::Stall> stalls;
    std::vector<Mark> marks;
};

}  // namespace weir::nodes::testing
