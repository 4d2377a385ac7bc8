#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/tracing/trace_probe.h"
#include "hw/tracing/trace_record.h"

namespace weir::hw {

/// Buffers the reports of a tile's parts until all tiles stand still and one thread can pass them
/// on.
class TileTrace final : public TraceSink {
  public:
    /// A buffer for the tile that `domain` ticks.
    explicit TileTrace(const ClockDomain& domain) : domain_(domain) {}

    void message(const Message& message) override { keep(message); }
    void core_interval(NodeId node, CoreState state, Cycles begin, Cycles end,
                       MessageId message) override {
        keep(CoreInterval{node, state, begin, end, message});
    }
    void queue_level(NodeId node, QueueKind queue, Cycles cycle, Bytes bytes,
                     std::int64_t messages) override {
        keep(QueueLevel{node, queue, cycle, bytes, messages});
    }
    void dma_transfer(const DmaTransfer& transfer) override { keep(transfer); }
    void stall(const Stall& stall) override { keep(stall); }
    void mark(NodeId node, std::string_view name, Cycles cycle, std::int64_t value) override {
        keep(Mark{node, std::string(name), cycle, value});
    }
    void transaction(const SharedTransaction& transaction) override { keep(transaction); }
    void coherence_trap(const CoherenceTrap& trap) override { keep(trap); }
    void shared_access(const SharedAccess& access) override { keep(access); }
    void line_state(const LineState& state) override { keep(state); }

    using Tiles = std::span<const std::unique_ptr<TileTrace>>;
    /// Passes the reports of all tiles on to `sink`, and empties the buffers. Reports of one kind
    /// come in the order of their cycles, and those of one cycle in the order of the tiles.
    static void tell_all(Tiles tiles, TraceSink& sink);

  private:
    struct QueueLevel {
        NodeId node;
        QueueKind queue;
        Cycles cycle;
        Bytes bytes;
        std::int64_t messages;
    };
    using CoreInterval = TraceRecord::Interval;
    using Mark = TraceRecord::Mark;
    template <class Fact>
    struct Reported {
        Cycles cycle;
        Fact fact;
    };
    template <class Fact>
    using Reports = std::vector<Reported<Fact>>;

    template <class Fact>
    void keep(const Fact& fact) {
        std::get<Reports<Fact>>(reports_).push_back({domain_.now(), fact});
    }
    template <class Fact>
    static void tell_facts(Tiles tiles, TraceSink& sink);
    static void tell(const Message& message, TraceSink& sink) { sink.message(message); }
    static void tell(const CoreInterval& interval, TraceSink& sink) {
        sink.core_interval(interval.node, interval.state, interval.begin, interval.end,
                           interval.message);
    }
    static void tell(const QueueLevel& level, TraceSink& sink) {
        sink.queue_level(level.node, level.queue, level.cycle, level.bytes, level.messages);
    }
    static void tell(const DmaTransfer& transfer, TraceSink& sink) { sink.dma_transfer(transfer); }
    static void tell(const Stall& stall, TraceSink& sink) { sink.stall(stall); }
    static void tell(const SharedTransaction& transaction, TraceSink& sink) {
        sink.transaction(transaction);
    }
    static void tell(const CoherenceTrap& trap, TraceSink& sink) { sink.coherence_trap(trap); }
    static void tell(const SharedAccess& access, TraceSink& sink) { sink.shared_access(access); }
    static void tell(const LineState& state, TraceSink& sink) { sink.line_state(state); }
    static void tell(const Mark& mark, TraceSink& sink) {
        sink.mark(mark.node, mark.name, mark.cycle, mark.value);
    }

    const ClockDomain& domain_;
    std::tuple<Reports<Message>, Reports<CoreInterval>, Reports<QueueLevel>, Reports<DmaTransfer>,
               Reports<Stall>, Reports<Mark>, Reports<SharedTransaction>, Reports<CoherenceTrap>,
               Reports<SharedAccess>, Reports<LineState>>
        reports_;
};

}  // namespace weir::hw
