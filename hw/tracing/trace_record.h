#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hw/tracing/trace_probe.h"

namespace weir::hw {

/// Stores a run's reports in the order in which they come. Subclasses store messages and queue
/// levels.
class TraceRecord : public TraceSink {
  public:
    struct Interval {
        NodeId node;
        CoreState state;
        Cycles begin;
        Cycles end;
        MessageId message;
        auto operator<=>(const Interval&) const = default;
    };
    struct Mark {
        NodeId node;
        std::string name;
        Cycles cycle;
        std::int64_t value;
    };

    void core_interval(NodeId node, CoreState state, Cycles begin, Cycles end,
                       MessageId message) override {
        intervals.push_back({node, state, begin, end, message});
    }
    void dma_transfer(const DmaTransfer& transfer) override { transfers.push_back(transfer); }
    void stall(const Stall& stall) override { stalls.push_back(stall); }
    void mark(NodeId node, std::string_view name, Cycles cycle, std::int64_t value) override {
        marks.push_back({node, std::string(name), cycle, value});
    }

    void transaction(const SharedTransaction& transaction) override {
        transactions.push_back(transaction);
    }
    void coherence_trap(const CoherenceTrap& trap) override { coherence_traps.push_back(trap); }
    void shared_access(const SharedAccess& access) override { shared_accesses.push_back(access); }
    void line_state(const LineState& state) override { line_states.push_back(state); }

    void channel_name(std::string_view name) override { channel_names.emplace_back(name); }
    void channel_interval(const ChannelInterval& interval) override {
        channel_intervals.push_back(interval);
    }

    std::vector<Interval> intervals;
    std::vector<DmaTransfer> transfers;
    std::vector<Stall> stalls;
    std::vector<Mark> marks;
    std::vector<SharedTransaction> transactions;
    std::vector<CoherenceTrap> coherence_traps;
    std::vector<SharedAccess> shared_accesses;
    std::vector<LineState> line_states;
    std::vector<std::string> channel_names;
    std::vector<ChannelInterval> channel_intervals;
};

}  // namespace weir::hw
