#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hw/tracing/trace_probe.h"
#include "hw/units.h"

namespace weir::nodes {
class Machine;
}

namespace weir::experiments::debug {

/// Events in which a stepped run can stop.
enum class EventKind : std::uint8_t {
    kLaunch,
    kEntry,
    kArrival,
    kHandler,
    kHandled,
    kStall,
    kLine,
    kMark,
};

struct NamedEvent {
    EventKind kind;
    std::string_view name;
    std::string_view sentence;
};
/// All events, in the order of a message's trip.
[[nodiscard]] std::span<const NamedEvent> named_events();

struct Event {
    EventKind kind = EventKind::kLaunch;
    hw::NodeId node;  ///< node where it happens
    std::string text;
};

/// Events as text, a line for each.
[[nodiscard]] std::vector<std::string> lines_of(const std::vector<Event>& events);

/// Events that a command names: of one kind or of all, at one node or at all.
struct EventFilter {
    std::optional<EventKind> kind;
    std::optional<hw::NodeId> node;

    [[nodiscard]] bool matches(const Event& event) const {
        return (!kind || *kind == event.kind) && (!node || *node == event.node);
    }
};

/// The events of a run, cycle by cycle. Stages of messages are read from the messages on their way.
/// Other events come from the reports of the machine's parts, which are passed on to the trace
/// unchanged.
class TraceEvents final : public hw::TraceSink {
  public:
    /// Sets the receiver of the reports, which must outlive this object's use.
    void pass_on_to(hw::TraceSink& next) { next_ = &next; }

    /// Sets the machine that reports; to be called before its first cycle.
    void set_machine(nodes::Machine& machine) { machine_ = &machine; }

    /// Events of the current cycle, whose ticks have ended; in an order that does not depend on the
    /// order of ticks.
    [[nodiscard]] std::vector<Event> of_this_cycle() const;

    void message(const hw::Message& message) override;
    void core_interval(hw::NodeId node, hw::CoreState state, hw::Cycles begin, hw::Cycles end,
                       hw::MessageId message) override;
    void queue_level(hw::NodeId node, hw::QueueKind queue, hw::Cycles cycle, hw::Bytes bytes,
                     std::int64_t messages) override;
    void dma_transfer(const hw::DmaTransfer& transfer) override;
    void stall(const hw::Stall& stall) override;
    void mark(hw::NodeId node, std::string_view name, hw::Cycles cycle,
              std::int64_t value) override;
    void transaction(const hw::SharedTransaction& transaction) override;
    void coherence_trap(const hw::CoherenceTrap& trap) override;
    void shared_access(const hw::SharedAccess& access) override;
    void line_state(const hw::LineState& state) override;
    void channel_name(std::string_view name) override;
    void channel_interval(const hw::ChannelInterval& interval) override;
    void intervals_end(hw::Cycles end) override;

  private:
    void add(Event event);

    hw::TraceSink* next_ = nullptr;
    nodes::Machine* machine_ = nullptr;
    hw::Cycles reported_in_{-1};  // cycle of reported_
    std::vector<Event> reported_;
};

}  // namespace weir::experiments::debug
